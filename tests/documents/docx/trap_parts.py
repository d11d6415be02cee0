"""Secrets in the parts of a Word document beside its text."""

# ruff: noqa: E501 - XML stays in one piece

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from tests.documents.docx.building import OFFICE, Made, paragraph, run, whole
from tests.documents.docx.secrets import Secrets

MICROSOFT = "http://schemas.microsoft.com/office/2011/relationships"
DRAWING = "application/vnd.openxmlformats-officedocument.drawingml"


def links(made: Made, secrets: Secrets) -> str:
    key = made.refer("hyperlink", f"mailto:{secrets.see('address of a link')}@x.org", outside=True)
    picture = made.part(
        "image", f"word/media/{secrets.hide('name of a picture')}.png", png(secrets), content_type="image/png"
    )
    other = made.part(
        "image", "word/media/m.emf", b"\x01\0\0\0" + secrets.see("letters in a drawing").encode("utf-16-le"),
        content_type="image/x-emf",
    )  # fmt: skip
    svg = made.part(
        "image", "word/media/s.svg", f"<svg>{secrets.hide('text in SVG')}</svg>", content_type="image/svg+xml"
    )
    outside = made.refer("image", f"file:///C:/{secrets.hide('path of a picture')}.png", outside=True)
    shots = "".join(
        f'<w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="{number}" name="p"/><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>'
        f'<pic:cNvPr id="0" name="{secrets.hide("file name of a picture")}"/><pic:cNvPicPr/></pic:nvPicPr>'
        f"<pic:blipFill><a:blip {which}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>"
        "</w:drawing></w:r>"
        for number, which in enumerate(
            (f'r:embed="{picture}"', f'r:embed="{other}"', f'r:embed="{svg}"', f'r:link="{outside}"'), 50
        )
    )
    return f'<w:p><w:hyperlink r:id="{key}">{run("mail")}</w:hyperlink>{shots}</w:p>'


def objects(made: Made, secrets: Secrets) -> str:
    ole = made.part(
        "oleObject", "word/embeddings/o.bin", secrets.hide("embedded object").encode(), content_type="x/y"
    )
    chunk = made.part("aFChunk", "word/c.html", secrets.hide("inserted document"), content_type="text/html")
    chart = made.part("chart", "word/charts/chart1.xml", _chart(secrets), content_type=f"{DRAWING}.chart+xml")
    made.part(
        "package", "word/embeddings/w.xlsx", secrets.hide("workbook of a chart").encode(),
        content_type="application/x", owner="word/charts/chart1.xml",
    )  # fmt: skip
    return (
        f'<w:p><w:r><w:object><o:OLEObject ProgID="{secrets.hide("program")}" r:id="{ole}"/></w:object></w:r>'
        '<w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="80" name="c"/><a:graphic><a:graphicData '
        f'uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="{chart}"/></a:graphicData>'
        f'</a:graphic></wp:inline></w:drawing></w:r></w:p><w:altChunk r:id="{chunk}"/>'
    )


def _chart(secrets: Secrets) -> str:
    cache = (
        f"<c:cat><c:strRef><c:f>'{secrets.hide('sheet of a chart')}'!$A$1:$A$2</c:f><c:strCache>"
        f'<c:ptCount val="1"/><c:pt idx="0"><c:v>{secrets.see("category of a chart")}</c:v></c:pt></c:strCache>'
        "</c:strRef></c:cat><c:val><c:numRef><c:f>Sheet1!$B$1</c:f><c:numCache>"
        '<c:formatCode>"' + secrets.hide("number format") + '"0</c:formatCode><c:ptCount val="1"/>'
        '<c:pt idx="0"><c:v>81726354</c:v></c:pt></c:numCache></c:numRef></c:val>'
    )
    title = f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{secrets.see('title of a chart')}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    series = f'<c:ser><c:idx val="0"/><c:order val="0"/>{cache}</c:ser>'
    ext = f"<c:extLst><c:ext uri='u'><c:v>{secrets.hide('extension of a chart')}</c:v></c:ext></c:extLst>"
    plot = f"<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea>"
    return whole("c:chartSpace", f'<c:chart>{title}{plot}</c:chart><c:externalData r:id="rId1"/>{ext}')


def png(secrets: Secrets) -> bytes:
    """A picture with a note."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    note = b"Author\0" + secrets.hide("note in a picture").encode()
    shown = chunk(b"IHDR", head) + chunk(b"tEXt", note) + chunk(b"IDAT", zlib.compress(b"\0\xff"))
    end = chunk(b"IEND", b"") + secrets.hide("after the end of a picture").encode()
    return b"\x89PNG\r\n\x1a\n" + shown + end


def package(made: Made, secrets: Secrets) -> None:
    """Parts beside the body."""
    for kind, tag in (("header", "w:hdr"), ("footer", "w:ftr")):
        made.part(kind, f"word/{kind}1.xml", whole(tag, paragraph(secrets.see(kind))))
    for kind in ("footnote", "endnote"):
        note = f'<w:{kind} w:id="1">{paragraph(secrets.see(kind))}</w:{kind}>'
        made.part(f"{kind}s", f"word/{kind}s.xml", whole(f"w:{kind}s", note))
    comment = (
        f'<w:comment w:id="1" w:author="{secrets.hide("author of a comment")}" w:date="2020-02-03T04:05:06Z" '
        f'w:initials="{secrets.hide("initials")}">{paragraph(secrets.see("comment"))}</w:comment>'
    )
    made.part("comments", "word/comments.xml", whole("w:comments", comment))
    for name, content in _definitions(secrets):
        made.part(name, f"word/{name}.xml", content)
    made.refer(
        "attachedTemplate",
        f"file:///C:/{secrets.hide('template')}.dotx",
        owner="word/settings.xml",
        outside=True,
    )
    people = whole("w15:people", f'<w15:person w15:author="{secrets.hide("person")}"/>')
    made.part(f"{MICROSOFT}/people", "word/people.xml", people, content_type="application/x+xml")
    glossary = whole("w:glossaryDocument", paragraph(secrets.hide("glossary")))
    made.part("glossaryDocument", "word/glossary/document.xml", glossary)
    data = f"<patient>{secrets.hide('custom XML')}</patient>"
    made.part("customXml", "customXml/item1.xml", data, content_type="application/xml")
    made.part("font", "word/fonts/f.odttf", secrets.hide("embedded font").encode(), content_type="x/f")
    for kind in ("core-properties", "extended-properties", "custom-properties"):
        where = f"docProps/{kind}.xml"
        made.part(kind, where, f"<p>{secrets.hide(kind)}</p>", content_type="application/xml", owner="")
    thumbnail = secrets.hide("thumbnail").encode()
    made.part("metadata/thumbnail", "docProps/t.jpeg", thumbnail, content_type="image/jpeg", owner="")
    made.part(f"{OFFICE}/digital-signature/origin", "_xmlsignatures/o", secrets.hide("signature"), owner="")
    made.parts["word/unreferenced.xml"] = ("application/xml", f"<x>{secrets.hide('orphan')}</x>".encode())


def _definitions(secrets: Secrets) -> Iterator[tuple[str, str]]:
    variable = f'<w:docVars><w:docVar w:name="{secrets.hide("variable")}" w:val="{secrets.hide("value")}"/></w:docVars>'
    merge = f'<w:mailMerge><w:query w:val="{secrets.hide("query")}"/></w:mailMerge>'
    template = '<w:attachedTemplate r:id="rId1"/><w:rsids><w:rsid w:val="00AB12CD"/></w:rsids>'
    yield "settings", whole("w:settings", f'<w:evenAndOddHeaders w:val="0"/>{merge}{variable}{template}')
    style = secrets.hide("id of a style")
    yield (
        "styles",
        whole(
            "w:styles",
            f'<w:style w:type="paragraph" w:customStyle="1" w:styleId="{style}">'
            f'<w:name w:val="{secrets.see("name of a style")}"/><w:aliases w:val="{secrets.hide("alias of a style")}"/>'
            "</w:style>",
        ),
    )
    level = f'<w:lvl w:ilvl="0"><w:lvlText w:val="{secrets.see("numbering")} %1"/></w:lvl>'
    yield (
        "numbering",
        whole(
            "w:numbering",
            f'<w:abstractNum w:abstractNumId="0"><w:name w:val="{secrets.hide("name of a list")}"/>{level}</w:abstractNum>',
        ),
    )
