"""Parts that define how a document looks: settings, styles, numbering, theme. Their names say nothing."""

from __future__ import annotations

import re

from reidrisk.documents.docx.names import A, M, W, local, named, take_out
from reidrisk.documents.docx.package import Package

_SETTINGS = (
    named(W, "mirrorMargins alignBordersAndEdges bordersDoNotSurroundHeader bordersDoNotSurroundFooter")
    | named(W, "defaultTabStop autoHyphenation consecutiveHyphenLimit hyphenationZone doNotHyphenateCaps")
    | named(
        W, "evenAndOddHeaders bookFoldRevPrinting bookFoldPrinting drawingGridHorizontalSpacing gutterAtTop"
    )
    | named(W, "drawingGridVerticalSpacing characterSpacingControl footnotePr endnotePr compat themeFontLang")
    | named(W, "clrSchemeMapping decimalSymbol listSeparator displayBackgroundShape")
    | {f"{M}mathPr"}
)
_STYLED = named(W, "pStyle rStyle tblStyle basedOn next link numStyleLink styleLink")
_HEADING = re.compile(r"Heading\d|Title")
"""Styles that say something even where they are not defined."""
_THEME = named(A, "theme clrScheme fontScheme fmtScheme")


def settle_definitions(package: Package) -> None:
    """Keep what gives the document its look."""
    for part in package.of_kind("settings"):
        for child in list(part.tree):
            if child.tag not in _SETTINGS:
                take_out(child)
    for part in package.of_kind("theme", "themeOverride"):
        for element in list(part.tree.iter()):
            if element.tag in _THEME and element.get("name"):
                element.set("name", "Office")
            elif local(element) in ("extraClrSchemeLst", "custClrLst"):
                take_out(element)
    for part in package.of_kind("numbering"):
        for name in list(part.tree.iter(f"{W}name", f"{W}nsid", f"{W}tmpl")):
            take_out(name)
    for part in package.of_kind("diagramLayout", "diagramQuickStyle", "diagramColors"):
        for element in part.tree.iter():
            if local(element) in ("title", "desc") and element.get("val"):
                element.set("val", "")
    _rename_styles(package)


def _rename_styles(package: Package) -> None:
    """Styles that somebody made get ids by number; their names can be read and changed like a text."""
    names: dict[str, str] = {}
    defined: set[str] = set()
    trees = [part.tree for part in package.parts.values() if part.tree is not None]
    for part in package.of_kind("styles"):
        for style in part.tree.iter(f"{W}style"):
            for told in style.findall(f"{W}aliases") + style.findall(f"{W}rsid"):
                take_out(told)
            defined.add(style.get(f"{W}styleId", ""))
            if style.get(f"{W}customStyle") in ("1", "true", "on"):
                names[style.get(f"{W}styleId", "")] = f"custom{len(names) + 1}"
                style.set(f"{W}styleId", f"custom{len(names)}")
    for tree in trees:
        for element in list(tree.iter(*_STYLED)):
            if element.get(f"{W}val") in names:
                element.set(f"{W}val", names[element.get(f"{W}val")])
            elif element.get(f"{W}val") not in defined and not _HEADING.fullmatch(element.get(f"{W}val", "")):
                take_out(element)
