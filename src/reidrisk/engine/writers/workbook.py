"""The parts of an Excel workbook that are the same for every table (ECMA-376)."""

from __future__ import annotations

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
SHEET = "xl/worksheets/sheet1.xml"
SHEET_START = f'{START}<worksheet xmlns="{MAIN}"><sheetData>'
SHEET_END = "</sheetData></worksheet>"

_TYPES = (
    f'{START}<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{SPREADSHEET}.sheet.main+xml"/>'
    f'<Override PartName="/{SHEET}" ContentType="{SPREADSHEET}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{SPREADSHEET}.styles+xml"/></Types>'
)
_ROOT = (
    f'{START}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
_LINKS = (
    f'{START}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{REL}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{REL}/styles" Target="styles.xml"/></Relationships>'
)
_FORMS = "".join(f'<xf numFmtId="{form}" applyNumberFormat="1"/>' for form in (0, 164, 165, 166))
_STYLES = (
    f'{START}<styleSheet xmlns="{MAIN}"><numFmts count="3">'
    '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>'
    '<numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts>'
    '<fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>'
    f'<cellXfs count="4">{_FORMS}</cellXfs></styleSheet>'
)
PARTS = {
    "[Content_Types].xml": _TYPES,
    "_rels/.rels": _ROOT,
    "xl/_rels/workbook.xml.rels": _LINKS,
    "xl/styles.xml": _STYLES,
}


def workbook(name: str) -> str:
    """The part that names the only sheet; `name` is escaped already."""
    return (
        f'{START}<workbook xmlns="{MAIN}" xmlns:r="{REL}"><sheets>'
        f'<sheet name="{name}" sheetId="1" r:id="r1"/></sheets></workbook>'
    )
