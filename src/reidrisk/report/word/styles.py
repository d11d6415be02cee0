"""The styles and lists of a Word report; whoever edits it changes the look here, not in single paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reidrisk.report.word.markup import w
from reidrisk.report.word.package import LANGUAGE

INK, MUTED, LINE, ZONE = "1F2731", "5A6573", "CDD3DA", "EEF0F3"
FONT = "Arial"
ROOM = 9638
"""Width of the text on a page in twentieths of a point: A4 with margins of 2 cm."""
TEXT_SIZE, BRIEF_SIZE = 20, 18
"""In half points: of a report, and of a document with a single chapter, which has to fit on one page."""
BRIEF_ROOM = 0.5
"""How much of the usual room is between the paragraphs of a report of one page."""
BOXES = {
    "BoxGood": ("Box for", "17633A", "E8F3EC"),
    "BoxBad": ("Box against", "9A2121", "FBECEB"),
    "BoxOpen": ("Box undecided", "1F5A9E", ZONE),
    "BoxNotice": ("Box notice", "7A4B00", "FFF1D6"),
}
"""Boxes with a colored edge: the name of the style, its color and its background."""
BUILT_IN = {
    *("title", "subtitle", "heading 1", "heading 2", "heading 3", "toc heading", "toc 1", "caption"),
    *("list bullet", "list number", "header", "footer"),
}
"""Styles that every word processor knows by these names."""
CHAPTERS, APPENDICES, BULLETS, HOLDS, FAILS, OPEN, REFERENCES = range(1, 8)
"""The lists; each list of references after the first has a number of its own, so that it starts at 1."""
CELL_SIZES = {"Table Text": 17, "Table Text Small": 15, "Table Text Smallest": 13}
"""The styles of cells, the largest first, with their sizes in half points."""
MARKS = {BULLETS: ("•", INK), HOLDS: ("✓", "17633A"), FAILS: ("✕", "9A2121"), OPEN: ("–", INK)}
"""Lists without numbers: the mark of each item and its color."""
SYMBOLS = "Segoe UI Symbol"


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """A style of paragraphs; sizes are in half points, distances in twentieths of a point."""

    id: str
    name: str
    base: str = "Normal"
    size: int | None = None
    bold: bool = False
    italic: bool = False
    color: str = ""
    before: int = 0
    after: int = 0
    keep: bool = False
    """Whether it stays on one page with the next paragraph."""
    left: int = 0
    hanging: int = 0
    level: int | None = None
    """The level of a heading in the outline, from 0."""
    list_id: int | None = None
    tabs: tuple[tuple[str, int, str], ...] = ()
    """Tab stops: kind, place, and what leads to it."""
    next: str = ""
    """The style of the paragraph that is typed after it."""


STYLES = (
    ParagraphStyle("Title", "Title", size=40, bold=True, after=80, keep=True, next="Subtitle"),
    ParagraphStyle("Subtitle", "Subtitle", size=26, color=MUTED, after=160, next="Normal"),
    ParagraphStyle(
        "Heading1", "heading 1", size=30, bold=True, before=360, after=140, keep=True, level=0, next="Normal"
    ),
    ParagraphStyle(
        "Heading2", "heading 2", size=24, bold=True, before=280, after=100, keep=True, level=1, next="Normal"
    ),
    ParagraphStyle(
        "Heading3", "heading 3", size=20, bold=True, before=220, after=80, keep=True, level=2, next="Normal"
    ),
    ParagraphStyle("TOCHeading", "TOC Heading", size=30, bold=True, after=140, keep=True),
    ParagraphStyle("TOC1", "toc 1", after=60, tabs=(("left", 1400, "none"), ("right", ROOM, "dot"))),
    ParagraphStyle("Caption", "caption", size=18, bold=True, before=220, after=60, keep=True),
    ParagraphStyle("Explanation", "Explanation", size=18, color=MUTED, after=100),
    ParagraphStyle("Note", "Note", size=18, color=MUTED, before=80, after=200),
    ParagraphStyle("About", "About", size=18, color=MUTED, after=60),
    ParagraphStyle("Label", "Label", bold=True, before=160, after=60, keep=True),
    ParagraphStyle("Figure", "Figure", before=200, after=60, keep=True),
    ParagraphStyle("Symbol", "Symbol", size=18, after=40, left=1134, hanging=1134),
    ParagraphStyle("ListBullet", "List Bullet", after=60, list_id=BULLETS),
    ParagraphStyle("ListNumber", "List Number", after=80, list_id=REFERENCES),
    *(ParagraphStyle(name.replace(" ", ""), name, size=size) for name, size in CELL_SIZES.items()),
    ParagraphStyle("Header", "header", size=16, color=MUTED, tabs=(("right", ROOM, "none"),)),
    ParagraphStyle("Footer", "footer", size=16, color=MUTED, tabs=(("right", ROOM, "none"),)),
)


def styles(*, is_numbered: bool) -> ET.Element:
    """All styles; chapters are numbered if there are several."""
    gap = round(80 * (1.0 if is_numbered else BRIEF_ROOM))
    room = w("pPr", w("spacing", before=gap, after=gap))  # also below a table, which has no room of its own
    parts = (w("name", val="Normal"), w("qFormat"), room)
    normal = w("style", *parts, type="paragraph", default=1, styleId="Normal")
    return w(
        "styles",
        _defaults(TEXT_SIZE if is_numbered else BRIEF_SIZE),
        normal,
        *(_style(one, is_numbered=is_numbered) for one in STYLES),
        *(_box(name, *look) for name, look in BOXES.items()),
        *_characters(),
        *_tables(),
    )


def _defaults(size: int) -> ET.Element:
    fonts = w("rFonts", ascii=FONT, hAnsi=FONT, eastAsia=FONT, cs=FONT)
    language = w("lang", val=LANGUAGE, eastAsia=LANGUAGE, bidi="ar-SA")
    text = w("rPr", fonts, w("color", val=INK), w("sz", val=size), w("szCs", val=size), language)
    spacing = w("spacing", before=0, after=0, line=264, lineRule="auto")
    return w("docDefaults", w("rPrDefault", text), w("pPrDefault", w("pPr", spacing)))


def _style(one: ParagraphStyle, *, is_numbered: bool) -> ET.Element:
    list_id = CHAPTERS if one.id == "Heading1" and is_numbered else one.list_id
    room = 1.0 if is_numbered else BRIEF_ROOM
    stops = (w("tab", val=kind, pos=place, leader=lead) for kind, place, lead in one.tabs)
    paragraphs = w(
        "pPr",
        w("keepNext") if one.keep else None,
        None if list_id is None else w("numPr", w("numId", val=list_id)),
        w("tabs", *stops) if one.tabs else None,
        w("spacing", before=round(one.before * room), after=round(one.after * room)),
        w("ind", left=one.left, hanging=one.hanging) if one.left else None,
        None if one.level is None else w("outlineLvl", val=one.level),
    )
    letters = w(
        "rPr",
        w("b") if one.bold else None,
        w("i") if one.italic else None,
        w("color", val=one.color) if one.color else None,
        *(() if one.size is None else (w("sz", val=one.size), w("szCs", val=one.size))),
    )
    after = w("next", val=one.next) if one.next else None
    parts = (w("basedOn", val=one.base), after, w("qFormat"), paragraphs, letters)
    own = {} if one.name.lower() in BUILT_IN else {"customStyle": 1}
    return w("style", w("name", val=one.name), *parts, type="paragraph", **own, styleId=one.id)


def _box(name: str, title: str, color: str, background: str) -> ET.Element:
    edge = w("pBdr", w("left", val="single", sz=24, space=6, color=color))
    paragraphs = w(
        "pPr",
        w("keepLines"),
        edge,
        w("shd", val="clear", color="auto", fill=background),
        w("spacing", before=0, after=0, line=300, lineRule="auto"),
        w("ind", left=170),
    )
    return w(
        "style",
        w("name", val=title),
        w("basedOn", val="Normal"),
        w("qFormat"),
        paragraphs,
        type="paragraph",
        customStyle=1,
        styleId=name,
    )


def _characters() -> Iterator[ET.Element]:
    looks = {
        "Strong": ("Strong", (w("b"),)),
        "Muted": ("Muted", (w("color", val=MUTED),)),
        "Hyperlink": ("Hyperlink", (w("color", val="1F5A9E"), w("u", val="single"))),
        **{f"{name}Word": (f"{look[0]} word", _word_look(look[1])) for name, look in BOXES.items()},
    }
    for name, (title, parts) in looks.items():
        yield w(
            "style",
            w("name", val=title),
            w("qFormat"),
            w("rPr", *parts),
            type="character",
            customStyle=int(name not in {"Strong", "Hyperlink"}),
            styleId=name,
        )


def _word_look(color: str) -> tuple[ET.Element, ...]:
    return (w("b"), w("color", val=color), w("sz", val=26), w("szCs", val=26))


def _tables() -> Iterator[ET.Element]:
    """Tables have lines between rows, and their first row is the header."""
    lines = [w(side, val="single", sz=4, space=0, color=LINE) for side in ("bottom", "insideH")]
    header = w(
        "tblStylePr",
        w("rPr", w("b"), w("color", val=MUTED)),
        w("tcPr", w("tcBorders", w("bottom", val="single", sz=8, space=0, color=LINE))),
        type="firstRow",
    )
    yield _table_style("ReportTable", "Report Table", lines, header)
    yield _table_style("SignatureTable", "Signature Table", [], header)


def _table_style(name: str, title: str, lines: Sequence[ET.Element], header: ET.Element) -> ET.Element:
    margins = [
        w(side, w=size, type="dxa")
        for side, size in (("top", 40), ("left", 70), ("bottom", 40), ("right", 70))
    ]
    look = w("tblPr", w("tblBorders", *lines) if lines else None, w("tblCellMar", *margins))
    parts = (w("name", val=title), w("qFormat"), look, header)
    return w("style", *parts, type="table", customStyle=1, styleId=name)


def numbering(reference_lists: int, *, is_numbered: bool) -> ET.Element:
    """Chapters, appendices, bullets, the marks of reasons, and each list of references."""
    kinds = [
        _list_kind(CHAPTERS, "decimal", "%1", 567, style="Heading1" if is_numbered else ""),
        _list_kind(APPENDICES, "upperLetter", "Appendix %1", 2155),
        *(_list_kind(number, "bullet", mark, 340, color=color) for number, (mark, color) in MARKS.items()),
        _list_kind(REFERENCES, "decimal", "%1.", 454),
    ]
    lists = [
        w("num", w("abstractNumId", val=number), numId=number) for number in range(CHAPTERS, REFERENCES + 1)
    ]
    start = w("lvlOverride", w("startOverride", val=1), ilvl=0)
    lists += [
        w("num", w("abstractNumId", val=REFERENCES), start, numId=REFERENCES + more)
        for more in range(1, reference_lists)
    ]
    return w("numbering", *kinds, *lists)


def _list_kind(
    number: int, form: str, text: str, room: int, *, style: str = "", color: str = ""
) -> ET.Element:
    fonts = w("rFonts", ascii=SYMBOLS, hAnsi=SYMBOLS, cs=SYMBOLS)
    level = w(
        "lvl",
        w("start", val=1),
        w("numFmt", val=form),
        w("pStyle", val=style) if style else None,
        w("suff", val="tab"),
        w("lvlText", val=text),
        w("lvlJc", val="left"),
        w("pPr", w("ind", left=room, hanging=room)),
        w("rPr", fonts, w("color", val=color)) if color else None,
        ilvl=0,
    )
    return w("abstractNum", w("multiLevelType", val="singleLevel"), level, abstractNumId=number)
