"""Places of a PDF that hide a value besides the text of the page; each trap puts it in one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from tests.documents.pdf.building import helvetica, line

VALUE = "Zbigniew Trapowski"
GLUED = "ZbigniewTrapowski"
SHOWN = f"BT /F1 12 Tf 60 400 Td ({VALUE}) Tj ET\n"
Trap = Callable[[pikepdf.Pdf, Any], None]
TRAPS: dict[str, Trap] = {}


def trap(function: Trap) -> Trap:
    TRAPS[function.__name__] = function
    return function


def form(pdf: pikepdf.Pdf, content: str, **more: Any) -> Any:
    return pdf.make_stream(
        content.encode("cp1252"),
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, 595, 842]),
        Resources=Dictionary(Font=Dictionary(F1=helvetica())),
        **more,
    )


def append(pdf: pikepdf.Pdf, page: Any, content: str) -> None:
    page.Contents = Array([*contents(page), pdf.make_stream(content.encode("cp1252"))])


def contents(page: Any) -> list[Any]:
    return list(page.Contents) if isinstance(page.Contents, Array) else [page.Contents]


@trap
def info(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.trailer.Info = pdf.make_indirect(Dictionary(Title=VALUE, Author=VALUE, Subject2=String(VALUE)))


@trap
def metadata(pdf: pikepdf.Pdf, page: Any) -> None:
    xmp = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>{VALUE}</a></x:xmpmeta>'.encode()
    for owner in (pdf.Root, page):
        owner.Metadata = pdf.make_stream(xmp, Type=Name.Metadata, Subtype=Name.XML)


@trap
def bookmarks(pdf: pikepdf.Pdf, page: Any) -> None:
    with pdf.open_outline() as outline:
        top = pikepdf.OutlineItem(f"Narrative of {VALUE.upper()}", 0)
        top.children.append(pikepdf.OutlineItem("Trapowski, Zbigniew", 0))
        outline.root.append(top)


@trap
def bookmark_actions(pdf: pikepdf.Pdf, page: Any) -> None:
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Narrative", 0))
    item = pdf.Root.Outlines.First
    del item["/Dest"]
    item.A = Dictionary(S=Name.URI, URI=String(f"https://example.org/{GLUED}"))
    item.SE = Dictionary(T=String(VALUE))


@trap
def named_destinations(pdf: pikepdf.Pdf, page: Any) -> None:
    place = Array([page, Name.Fit])
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([String(VALUE), place])))
    pdf.Root.Dests = Dictionary({f"/{GLUED}": place})
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), Dest=String(VALUE))
    page.Annots = Array([pdf.make_indirect(link)])


@trap
def link_addresses(pdf: pikepdf.Pdf, page: Any) -> None:
    for address in (f"https://e.org/?n={VALUE.replace(' ', '%20')}", f"mailto:{GLUED}@e.org"):
        action = Dictionary(S=Name.URI, URI=String(address))
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), A=action)
        page.Annots = Array([*(page.get("/Annots") or []), pdf.make_indirect(link)])


@trap
def notes(pdf: pikepdf.Pdf, page: Any) -> None:
    note = Dictionary(
        Type=Name.Annot, Subtype=Name.Text, Rect=Array([9, 9, 30, 30]), Contents=VALUE, T=VALUE,
        NM=String(GLUED),
        RC=f"<body>{VALUE}</body>",
    )  # fmt: skip
    mark = Dictionary(
        Type=Name.Annot, Subtype=Name.Highlight, Rect=Array([60, 398, 160, 412]), Contents=VALUE,
        QuadPoints=Array([60, 412, 160, 412, 60, 398, 160, 398]), AP=Dictionary(N=form(pdf, "1 1 0 rg")),
    )  # fmt: skip
    page.Annots = Array([pdf.make_indirect(note), pdf.make_indirect(mark)])


@trap
def drawn_notes(pdf: pikepdf.Pdf, page: Any) -> None:
    seen = form(pdf, f"BT /F1 10 Tf 2 5 Td ({VALUE} here) Tj ET")
    seen.BBox = Array([0, 0, 200, 20])
    note = Dictionary(
        Type=Name.Annot, Subtype=Name.FreeText, Rect=Array([100, 100, 300, 120]), Contents=VALUE,
        DA=String("/F1 10 Tf"), AP=Dictionary(N=seen), F=4,
    )  # fmt: skip
    page.Annots = Array([pdf.make_indirect(note)])


@trap
def form_fields(pdf: pikepdf.Pdf, page: Any) -> None:
    field = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("name"), V=String(VALUE), F=4,
            DV=String(VALUE), TU=String(VALUE), DA=String("/F1 10 Tf 0 g"), Rect=Array([100, 600, 300, 620]),
        )
    )  # fmt: skip
    page.Annots = Array([field])
    pdf.Root.AcroForm = Dictionary(
        Fields=Array([field]), NeedAppearances=True, DR=Dictionary(Font=Dictionary(F1=helvetica())),
        DA=String("/F1 10 Tf 0 g"), XFA=pdf.make_stream(f"<xfa>{VALUE}</xfa>".encode()),
    )  # fmt: skip


@trap
def attachments(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.attachments[f"{GLUED}.txt"] = VALUE.encode()
    spec = pdf.attachments[f"{GLUED}.txt"].obj
    pdf.Root.AF = Array([spec])
    page.AF = Array([spec])
    note = Dictionary(Type=Name.Annot, Subtype=Name.FileAttachment, Rect=Array([0, 0, 9, 9]), FS=spec)
    page.Annots = Array([pdf.make_indirect(note)])


@trap
def scripts(pdf: pikepdf.Pdf, page: Any) -> None:
    script = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{VALUE}')"))
    pdf.Root.OpenAction = script
    page.AA = Dictionary(O=script)
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array([String("x"), script])))


@trap
def thumbnails_and_private_data(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Thumb = pdf.make_stream(
        VALUE.encode(), Width=1, Height=18, ColorSpace=Name.DeviceGray, BitsPerComponent=8
    )
    private = Dictionary(App=Dictionary(LastModified=String("D:2020"), Private=String(VALUE)))
    page.PieceInfo = private
    pdf.Root.PieceInfo = private


@trap
def hidden_layer(pdf: pikepdf.Pdf, page: Any) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(VALUE)))
    pdf.Root.OCProperties = Dictionary(
        OCGs=Array([layer]), D=Dictionary(OFF=Array([layer]), Order=Array([layer]))
    )
    page.Resources.Properties = Dictionary(L1=layer)
    append(pdf, page, f"/OC /L1 BDC {line('Layer of ' + VALUE, y=300)} EMC")


@trap
def hidden_layer_form(pdf: pikepdf.Pdf, page: Any) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("x")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(BaseState=Name.OFF))
    page.Resources.XObject = Dictionary(X1=form(pdf, line(VALUE, y=300), OC=layer))
    append(pdf, page, "/X1 Do")


@trap
def page_labels(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.D, P=String(VALUE))]))


@trap
def structure(pdf: pikepdf.Pdf, page: Any) -> None:
    part = pdf.make_indirect(
        Dictionary(
            Type=Name.StructElem, S=Name.P, Pg=page, K=0, Alt=VALUE, ActualText=VALUE, E=VALUE, T=VALUE,
            ID=String(GLUED), A=Dictionary(O=Name.Table, Summary=VALUE),
        )
    )  # fmt: skip
    root = Dictionary(
        Type=Name.StructTreeRoot, K=Array([part]), ParentTree=Dictionary(Nums=Array([0, Array([part])])),
        IDTree=Dictionary(Names=Array([String(GLUED), part])),
    )  # fmt: skip
    part.P = pdf.Root.StructTreeRoot = pdf.make_indirect(root)
    page.StructParents = 0
    marked = pdf.make_stream(b"/P <</MCID 0>> BDC "), *contents(page), pdf.make_stream(b"EMC")
    page.Contents = Array(marked)


@trap
def actual_text(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, f"/Span <</ActualText ({VALUE})>> BDC {line('Somebody', y=300)} EMC")
    append(pdf, page, f"/Span <</Alt ({VALUE}) /E ({VALUE})>> BDC {line('Anybody', y=280)} EMC")


@trap
def listed_properties(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Resources.Properties = Dictionary(P1=Dictionary(ActualText=VALUE, Custom=VALUE))
    append(pdf, page, f"/Span /P1 BDC {line('Somebody', y=300)} EMC /Point /P1 DP")


@trap
def tags(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, f"/{GLUED} BMC {line('Somebody', y=300)} EMC /{GLUED} MP")


@trap
def comments(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, f"% {VALUE}\n")
    page.Resources.XObject = Dictionary(X1=form(pdf, f"% {VALUE}\n" + line("Form", y=300)))
    append(pdf, page, "/X1 Do")


@trap
def invisible_text(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, f"BT 3 Tr /F1 12 Tf 60 300 Td ({VALUE}) Tj ET")


@trap
def white_text(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, f"q 1 g BT /F1 12 Tf 60 300 Td ({VALUE}) Tj ET Q")


@trap
def text_beyond_the_page(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, line(VALUE, x=2000, y=5000))


@trap
def clipped_and_tiny_text(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, f"q 0 0 1 1 re W n {line(VALUE, y=300)} Q {line(VALUE, y=200, size=0.5)}")


@trap
def a_copy_under_the_text(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, "BT 3 Tr /F1 12.2 Tf 60.2 400.1 Td [(Zbig) 2 (niew Tra) -3 (powski)] TJ ET")


@trap
def letters_in_another_order(pdf: pikepdf.Pdf, page: Any) -> None:
    widths = {"i": 2.7, "t": 3.3, "r": 4.0, "Z": 7.3, "T": 7.3, "w": 8.7, "k": 6.0, "s": 6.0, " ": 3.3}
    x, spots = 60.0, []
    for letter in VALUE:
        spots.append((x, letter))
        x += widths.get(letter, 6.7)
    shuffled = spots[1::2] + spots[0::2]
    append(pdf, page, "".join(line(letter, x=x, y=300) for x, letter in shuffled if letter != " "))


@trap
def rotated_text(pdf: pikepdf.Pdf, page: Any) -> None:
    append(pdf, page, f"BT /F1 12 Tf 0.6 0.8 -0.8 0.6 200 200 Tm ({VALUE}) Tj ET")


@trap
def nested_forms(pdf: pikepdf.Pdf, page: Any) -> None:
    outer = form(pdf, "q 2 0 0 2 0 0 cm /X2 Do Q", Matrix=Array([0.5, 0, 0, 0.5, 10, 10]))
    outer.Resources.XObject = Dictionary(X2=form(pdf, line(VALUE, y=300)))
    page.Resources.XObject = Dictionary(X1=outer, Unused=form(pdf, line(VALUE)))
    append(pdf, page, "/X1 Do")


@trap
def several_streams(pdf: pikepdf.Pdf, page: Any) -> None:
    halves = b"BT /F1 12 Tf 60 300 Td (Zbigniew ) Tj", b"(Trapowski) Tj ET"
    page.Contents = Array([*contents(page), *(pdf.make_stream(half) for half in halves)])


@trap
def patterns(pdf: pikepdf.Pdf, page: Any) -> None:
    tile = pdf.make_stream(
        line(VALUE, x=0, y=5).encode(), Type=Name.Pattern, PatternType=1, PaintType=1, TilingType=1,
        BBox=Array([0, 0, 200, 30]), XStep=200, YStep=30,
        Resources=Dictionary(Font=Dictionary(F1=helvetica())),
    )  # fmt: skip
    page.Resources.Pattern = Dictionary(P1=tile)
    append(pdf, page, "q /Pattern cs /P1 scn 50 50 300 100 re f Q")


@trap
def soft_masks(pdf: pikepdf.Pdf, page: Any) -> None:
    group = form(pdf, "1 g " + line(VALUE, y=300), Group=Dictionary(S=Name.Transparency, CS=Name.DeviceGray))
    page.Resources.ExtGState = Dictionary(G1=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=group)))
    append(pdf, page, "q /G1 gs 0 0 1 rg 50 280 300 100 re f Q")


@trap
def drawn_letters(pdf: pikepdf.Pdf, page: Any) -> None:
    glyph = pdf.make_stream(b"500 0 d0 " + line(VALUE, x=0, y=0, size=100).encode())
    page.Resources.Font.T3 = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 1000, 1000]), FirstChar=97, LastChar=97,
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]), Widths=Array([500]), CharProcs=Dictionary(star=glyph),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array([97, Name.star])),
        Resources=Dictionary(Font=Dictionary(F1=helvetica())),
    )  # fmt: skip
    append(pdf, page, "BT /T3 20 Tf 60 300 Td (a) Tj ET")


@trap
def letters_a_font_lists(pdf: pikepdf.Pdf, page: Any) -> None:
    rows = "\n".join(f"<{at + 1:02X}> <{ord(letter):04X}>" for at, letter in enumerate(VALUE))
    listed = f"1 begincodespacerange <00> <FF> endcodespacerange {len(VALUE)} beginbfchar {rows} endbfchar"
    page.Resources.Font.F2 = Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name("/ABCDEF+Helvetica"), FirstChar=1, LastChar=18,
        Widths=Array([500] * 18), ToUnicode=pdf.make_stream(listed.encode()),
    )  # fmt: skip
    codes = "".join(f"{at + 1:02X}" for at in range(len(VALUE)))
    append(pdf, page, f"BT /F2 12 Tf 60 300 Td <{codes}> Tj ET")


@trap
def names_of_resources(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Resources.Font[f"/{GLUED}"] = helvetica()
    page.Resources.XObject = Dictionary({f"/X{GLUED}": form(pdf, line("Form", y=200))})
    append(pdf, page, f"BT /{GLUED} 12 Tf 60 300 Td (Somebody) Tj ET /X{GLUED} Do")


@trap
def names_of_fonts(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Resources.Font.F2 = Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name(f"/ABCDEF+{GLUED}"), FirstChar=65, LastChar=66,
        Widths=Array([500, 500]), Encoding=Name.WinAnsiEncoding,
        FontDescriptor=Dictionary(
            Type=Name.FontDescriptor, FontName=Name(f"/ABCDEF+{GLUED}"), FontFamily=String(VALUE), Flags=32,
        ),
    )  # fmt: skip
    append(pdf, page, "BT /F2 12 Tf 60 300 Td (AB) Tj ET")


@trap
def notes_in_photographs(pdf: pikepdf.Pdf, page: Any) -> None:
    from io import BytesIO

    from PIL import Image

    data = BytesIO()
    Image.new("RGB", (8, 8), "red").save(data, "JPEG", comment=VALUE.encode())
    page.Resources.XObject = Dictionary(
        Im=pdf.make_stream(
            data.getvalue(), Type=Name.XObject, Subtype=Name.Image, Width=8, Height=8, BitsPerComponent=8,
            ColorSpace=Name.DeviceRGB, Filter=Name.DCTDecode,
        )
    )  # fmt: skip
    append(pdf, page, "q 50 0 0 50 300 300 cm /Im Do Q")


@trap
def articles_and_collections(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.Threads = Array([pdf.make_indirect(Dictionary(I=Dictionary(Title=String(VALUE))))])
    pdf.Root.Collection = Dictionary(D=String(VALUE))
    pdf.Root.OutputIntents = Array([Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFA1, Info=String(VALUE))])
    pdf.Root.Lang = String(f"en {VALUE}")
    page.B = Array([pdf.make_indirect(Dictionary(T=pdf.Root.Threads[0]))])


@trap
def unused_objects(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.make_stream(f"BT ({VALUE}) Tj ET".encode())
    pdf.trailer["/Secret"] = pdf.make_indirect(String(VALUE))
