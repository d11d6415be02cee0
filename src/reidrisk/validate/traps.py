"""Documents with a value in each place where one can hide; they are made on the spot."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HARMLESS = "Nothing here identifies anybody"
"""A sentence that must stay."""
SYLLABLES = ("bor", "dal", "fen", "gul", "hax", "jip", "kem", "lov", "mur", "nib", "pog", "ruz")


@dataclass
class HiddenValues:
    """A value of its own for each place, so that what survives can be named."""

    by_place: dict[str, str] = field(default_factory=dict)

    def put(self, place: str) -> str:
        """The value for a place: a word that is in no language."""
        number = len(self.by_place)
        first, second = divmod(number, len(SYLLABLES))
        value = f"Zq{SYLLABLES[second]}w{SYLLABLES[-1 - first]}yk"
        self.by_place[place] = value
        return value


def trap_pdf(path: Path) -> HiddenValues:
    """A PDF of one page; most of what it hides cannot be seen on the page."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name

    hidden = HiddenValues()
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
    )
    with pikepdf.new() as pdf:
        content = _page_content(hidden)
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, 595, 842]),
            Resources=Dictionary(Font=Dictionary(F1=font)),
            Contents=pdf.make_stream(content.encode("cp1252")),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
        shown = pdf.pages[0].obj
        _layer(pdf, shown, hidden)
        _annotations(pdf, shown, hidden, font)
        _about(pdf, shown, hidden)
        pdf.save(path, compress_streams=True)
    return hidden


def _line(text: str, y: int, look: str = "", x: int = 60) -> str:
    return f"q {look} BT /F1 12 Tf {x} {y} Td ({text}) Tj ET Q\n"


def _page_content(hidden: HiddenValues) -> str:
    pieces = hidden.put("text in pieces")
    split = f"({pieces[:3]}) 2 ({pieces[3:]})"
    described = hidden.put("replacement text")
    return (
        _line(f"{HARMLESS}.", 760)
        + _line(f"Patient {hidden.put('visible text')} was seen.", 700)
        + _line(hidden.put("white text"), 640, "1 g")
        + _line(hidden.put("invisible text"), 620, "3 Tr")
        + _line(hidden.put("text beyond the page"), 5000, x=2000)
        + _line(hidden.put("tiny text"), 600, "0.05 0 0 0.05 0 0 cm")
        + f"BT /F1 12 Tf 60 560 Td [{split}] TJ ET\n"
        + f"/Span <</ActualText ({described})>> BDC {_line('somebody', 520)} EMC\n"
        + _line(f"Page of {hidden.put('address of a link')}", 500)
        + f"% {hidden.put('comment in the page description')}\n"
        + f"/OC /L1 BDC {_line(hidden.put('hidden layer'), 480)} EMC\n"
    )


def _layer(pdf: Any, page: Any, hidden: HiddenValues) -> None:
    from pikepdf import Array, Dictionary, Name, String

    name = String(hidden.put("name of a layer"))
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=name))
    off = Dictionary(OFF=Array([layer]), Order=Array([layer]))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=off)
    page.Resources.Properties = Dictionary(L1=layer)


def _annotations(pdf: Any, page: Any, hidden: HiddenValues, font: Any) -> None:
    from pikepdf import Array, Dictionary, Name, String

    note = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Text,
        Rect=Array([9, 9, 30, 30]),
        Contents=String(hidden.put("note")),
        T=String(hidden.put("author of a note")),
    )
    entry = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name.Tx,
        T=String("field"),
        V=String(hidden.put("value of a form field")),
        DV=String(hidden.put("default of a form field")),
        F=4,
        DA=String("/F1 10 Tf 0 g"),
        Rect=Array([100, 400, 300, 420]),
    )
    action = Dictionary(S=Name.URI, URI=String(f"https://example.org/{hidden.by_place['address of a link']}"))
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), A=action)
    made = [pdf.make_indirect(one) for one in (note, entry, link)]
    page.Annots = Array(made)
    resources = Dictionary(Font=Dictionary(F1=font))
    pdf.Root.AcroForm = Dictionary(Fields=Array([made[1]]), DR=resources, DA=String("/F1 10 Tf 0 g"))


def _about(pdf: Any, page: Any, hidden: HiddenValues) -> None:
    import pikepdf
    from pikepdf import Dictionary, Name, String

    title, author = hidden.put("title of the document"), hidden.put("author of the document")
    pdf.trailer.Info = pdf.make_indirect(Dictionary(Title=String(title), Author=String(author)))
    xmp = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description xmlns:pdf="http://ns.adobe.com/pdf/1.3/" rdf:about="">'
        f"<pdf:Keywords>{hidden.put('metadata packet')}</pdf:Keywords>"
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    pdf.Root.Metadata = pdf.make_stream(xmp.encode(), Type=Name.Metadata, Subtype=Name.XML)
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(hidden.put("bookmark"), 0))
    pdf.attachments[f"{hidden.put('name of an attachment')}.txt"] = hidden.put("attachment").encode()
    script = String(f"app.alert('{hidden.put('script')}')")
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=script)
    page.PieceInfo = Dictionary(App=Dictionary(Private=String(hidden.put("private data of a program"))))


OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    f'xmlns:r="{OFFICE}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
)
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def trap_docx(path: Path) -> HiddenValues:
    """A Word document; besides its text it hides values in revisions, notes, fields and parts."""
    hidden = HiddenValues()
    body = f"{_paragraphs(hidden)}{_revisions(hidden)}{_fields(hidden)}"
    parts = {
        "word/document.xml": (
            f"{WORD}.document.main+xml",
            f"<w:document {SPACES}><w:body>{body}<w:sectPr/></w:body></w:document>",
        ),
        **_parts(hidden),
    }
    outside = f"https://example.org/{hidden.put('address of a link')}"
    _save_docx(path, parts, outside)
    return hidden


def _run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def _paragraphs(hidden: HiddenValues) -> str:
    pieces = hidden.put("text in pieces")
    runs = (
        _run(f"{HARMLESS}."),
        _run(f"Patient {hidden.put('visible text')} was seen."),
        _run(hidden.put("white text"), '<w:color w:val="FFFFFF"/>'),
        _run(hidden.put("hidden text"), "<w:vanish/>"),
        "".join(_run(letter) for letter in pieces),
    )
    cell = f"<w:tc><w:p>{_run(hidden.put('cell'))}</w:p></w:tc>"
    table = f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{cell}</w:tr></w:tbl>"
    return "".join(f"<w:p>{one}</w:p>" for one in runs) + table


def _revisions(hidden: HiddenValues) -> str:
    author = f'w:id="9" w:author="{hidden.put("author of a change")}" w:date="2020-02-03T04:05:06Z"'
    deleted = f"<w:r><w:delText>{hidden.put('deleted text')}</w:delText></w:r>"
    inserted = _run(hidden.put("inserted text"))
    return f"<w:p><w:ins {author}>{inserted}</w:ins><w:del {author}>{deleted}</w:del></w:p>"


def _fields(hidden: HiddenValues) -> str:
    code = f" MERGEFIELD {hidden.put('field code')} "
    mark = hidden.put("bookmark")
    described = hidden.put("alternative text")
    inside = _run(hidden.put("content control"))
    control = f'<w:sdtPr><w:tag w:val="{hidden.put("tag of a control")}"/></w:sdtPr>'
    return (
        f'<w:p><w:fldSimple w:instr="{code}">{_run("value")}</w:fldSimple></w:p>'
        f'<w:p><w:bookmarkStart w:id="3" w:name="{mark}"/>{_run("marked")}<w:bookmarkEnd w:id="3"/>'
        f'<w:hyperlink r:id="rIdLink">{_run("link")}</w:hyperlink></w:p>'
        f"<w:sdt>{control}<w:sdtContent><w:p>{inside}</w:p></w:sdtContent></w:sdt>"
        '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/>'
        f'<wp:docPr id="1" name="shape" descr="{described}"/></wp:inline></w:drawing></w:r></w:p>'
    )


def _parts(hidden: HiddenValues) -> dict[str, tuple[str, str]]:
    """Parts beside the text: name, content type and content."""

    def whole(tag: str, content: str) -> str:
        return f"<w:{tag} {SPACES}>{content}</w:{tag}>"

    by = f'w:id="1" w:author="{hidden.put("author of a comment")}" w:initials="x"'
    comment = f"<w:comment {by}><w:p>{_run(hidden.put('comment'))}</w:p></w:comment>"
    note = f'<w:footnote w:id="1"><w:p>{_run(hidden.put("footnote"))}</w:p></w:footnote>'
    variable = f'<w:docVars><w:docVar w:name="v" w:val="{hidden.put("document variable")}"/></w:docVars>'
    return {
        "word/comments.xml": (f"{WORD}.comments+xml", whole("comments", comment)),
        "word/footnotes.xml": (f"{WORD}.footnotes+xml", whole("footnotes", note)),
        "word/header1.xml": (f"{WORD}.header+xml", whole("hdr", f"<w:p>{_run(hidden.put('header'))}</w:p>")),
        "word/settings.xml": (f"{WORD}.settings+xml", whole("settings", variable)),
        "docProps/core.xml": ("application/xml", f"<p>{hidden.put('document properties')}</p>"),
        "customXml/item1.xml": ("application/xml", f"<patient>{hidden.put('custom XML')}</patient>"),
        "word/embeddings/o.bin": ("application/octet-stream", hidden.put("embedded object")),
    }


RELATIONS = {
    "word/comments.xml": "comments",
    "word/footnotes.xml": "footnotes",
    "word/header1.xml": "header",
    "word/settings.xml": "settings",
    "customXml/item1.xml": "customXml",
    "word/embeddings/o.bin": "oleObject",
}


def _save_docx(path: Path, parts: dict[str, tuple[str, str]], outside: str) -> None:
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, (kind, _) in parts.items()
    )
    types = (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{overrides}</Types>'
    )
    own = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="/{name}"/>'
        for number, (name, kind) in enumerate(RELATIONS.items(), start=1)
    )
    link = f'<Relationship Id="rIdLink" Type="{OFFICE}/hyperlink" Target="{outside}" TargetMode="External"/>'
    top = (
        f'<Relationship Id="a" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
        f'<Relationship Id="b" Type="{PACKAGE}/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", types)
        for name, content in (("_rels/.rels", top), ("word/_rels/document.xml.rels", own + link)):
            archive.writestr(
                name, f'<Relationships xmlns="{PACKAGE}/relationships">{content}</Relationships>'
            )
        for name, (_, content) in parts.items():
            archive.writestr(name, content)
