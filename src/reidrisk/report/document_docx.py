"""A document as a Word file that is made for editing; the same document gives the same bytes.

Headings, captions, lists and tables have the styles of a word processor, numbers of chapters, tables and
figures are counted by it, and chapters that the text names are cross-references. The fields show the right
text at once, except for the page numbers of the contents, which appear when they are updated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import (
    Block,
    Bullets,
    Chapter,
    Conditions,
    Formula,
    Notice,
    PageBreak,
    Pictures,
    Prose,
    References,
    ReportDocument,
    SectionHeading,
    Signature,
)
from reidrisk.report.document_pdf import release_date
from reidrisk.report.documents.outline import RELEASE_NAMES
from reidrisk.report.parts import Facts, Table, Verdict
from reidrisk.report.word import markup
from reidrisk.report.word.crossings import CrossReferences, CrossTarget
from reidrisk.report.word.markup import (
    bookmarked,
    link_outside,
    link_within,
    numbered,
    paragraph,
    run,
    tab,
    w,
)
from reidrisk.report.word.math import equation
from reidrisk.report.word.package import Properties, Relations, document_settings, packed
from reidrisk.report.word.pictures import chart_pngs, picture
from reidrisk.report.word.styles import (
    APPENDICES,
    BULLETS,
    FAILS,
    HOLDS,
    OPEN,
    REFERENCES,
    numbering,
    styles,
)
from reidrisk.report.word.tables import (
    WordTable,
    drawn_table,
    facts_cells,
    signature_cells,
    table_cells,
    title_cells,
)

CONDITIONS = "Only under these conditions"
IN_BOX = (510, 340)
"""Indent of a list in a box, and how far its marks hang out."""
AROUND_BOX = 140


def document_docx(document: ReportDocument) -> bytes:
    """The Word file of a document, without its annex."""
    release_date(document.date)  # refused as in the PDF if it is not a date
    writer = WordWriter(CrossReferences.of(document), iter(chart_pngs(document.charts)))
    body = w("body", *writer.whole(document), _page_setup(is_brief=len(document.chapters) == 1))
    footer = _footer(document)
    is_numbered = len(document.chapters) > 1
    parts = {
        "styles": styles(is_numbered=is_numbered),
        "numbering": numbering(writer.reference_lists, is_numbered=is_numbered),
        "settings": document_settings(),
        "header": w("hdr", paragraph(_plain_title(document), style="Header")),
        "footer": footer,
        "first": footer,
    }
    return packed(w("document", body), parts, writer.relations, _about(document))


def _plain_title(document: ReportDocument) -> str:
    return f"{document.title}: {document.subtitle}"


def _about(document: ReportDocument) -> Properties:
    """The author is who prepared the release, or this program where nobody is named."""
    program = f"reidrisk {document.version}"
    named = {fact.name: fact.value for fact in document.facts}
    author = named.get(RELEASE_NAMES["prepared_by"]) or program
    return Properties(_plain_title(document), author, program, document.date)


def _footer(document: ReportDocument) -> ET.Element:
    audience = document.audience.partition(":")[0]
    words = run(f"Made with reidrisk {document.version}. Audience: {audience}.")
    page = [run("Page "), *markup.field("PAGE", "1"), run(" of "), *markup.field("NUMPAGES", "1")]
    return w("ftr", paragraph([words, tab(), *page], style="Footer"))


def _page_setup(*, is_brief: bool) -> ET.Element:
    """A4; the first page has no header, since the title is on it. A single chapter should fit on it."""
    edge = 794 if is_brief else 1134
    references = [
        w("headerReference", type="default"),
        w("footerReference", type="default"),
        w("footerReference", type="first"),
    ]
    for reference, name in zip(references, ("header", "footer", "first"), strict=True):
        reference.set(markup.full_name("r:id"), name)
    margins = w("pgMar", top=edge, right=1134, bottom=edge, left=1134, header=567, footer=567, gutter=0)
    return w("sectPr", *references, w("pgSz", w=11906, h=16838), margins, w("titlePg"))


@dataclass(slots=True)
class WordWriter:
    """Writes blocks one after the other, and counts what is numbered."""

    references: CrossReferences
    pngs: Iterator[bytes]
    relations: Relations = field(default_factory=Relations)
    tables: int = 0
    figures: int = 0
    bookmarks: int = 0
    reference_lists: int = 0

    def whole(self, document: ReportDocument) -> Iterator[ET.Element]:
        """Title, first chapter, contents and the other chapters, as in the other formats."""
        yield from self._opening(document)
        last: ET.Element | None = None
        for place, (chapter, target) in enumerate(
            zip(document.chapters, self.references.chapters, strict=True)
        ):
            for last in self._chapter(chapter, target):
                yield last
            if place == 0 and len(document.chapters) > 1:
                yield self._contents()
        if last is not None and last.tag == markup.full_name("w:tbl"):
            yield paragraph([])  # a word processor wants a place to type after a table

    def _opening(self, document: ReportDocument) -> Iterator[ET.Element]:
        yield paragraph(document.title, style="Title")
        yield paragraph(document.subtitle, style="Subtitle")
        yield paragraph(f"Audience: {document.audience}", style="About")
        for seal in document.seals:
            yield paragraph(self.references.runs(seal), style="About")
        if document.facts:
            yield drawn_table(title_cells(document.facts))

    def _contents(self) -> ET.Element:
        """A field with a line for each chapter; updating it adds the page numbers."""
        start = markup.field('TOC \\o "1-1" \\h \\z \\u', "")
        lines = [
            paragraph(
                [
                    *(start[:3] if place == 0 else ()),
                    link_within([run(target.number), tab(), run(target.title)], target.bookmark),
                    *(start[4:] if place + 1 == len(self.references.chapters) else ()),
                ],
                style="TOC1",
            )
            for place, target in enumerate(self.references.chapters)
        ]
        heading = paragraph("Contents", style="TOCHeading", looks=[w("pageBreakBefore")])
        kind = w("docPartObj", w("docPartGallery", val="Table of Contents"), w("docPartUnique"))
        return w("sdt", w("sdtPr", kind), w("sdtContent", heading, *lines))

    def _chapter(self, chapter: Chapter, target: CrossTarget) -> Iterator[ET.Element]:
        appendix = [numbered(APPENDICES)] if chapter.is_appendix and target.number else []
        yield paragraph(self._marked([run(chapter.title)], target.bookmark), style="Heading1", looks=appendix)
        if chapter.origin:
            yield paragraph(chapter.origin, style="Explanation", looks=[w("keepNext")])
        is_break = False
        for block, depth in zip(chapter.blocks, chapter.depths, strict=True):
            for made in self._block(block, depth):
                if is_break and made.tag == markup.full_name("w:p"):
                    _start_page(made)
                    is_break = False
                yield made
            is_break = is_break or isinstance(block, PageBreak)

    def _marked(self, inside: Sequence[ET.Element], bookmark: str | None) -> list[ET.Element]:
        if bookmark is None:
            return list(inside)
        self.bookmarks += 1
        return bookmarked(inside, bookmark, self.bookmarks)

    def _block(self, block: Block, depth: int) -> list[ET.Element]:  # noqa: PLR0911, PLR0912 - one line per kind
        match block:
            case SectionHeading(text):
                return [paragraph(text, style=f"Heading{1 + depth}")]
            case Prose(paragraphs):
                return [paragraph(self.references.runs(text)) for text in paragraphs]
            case Bullets(title, items):
                return [*_label(title), *self._items(items)]
            case Notice(text):
                return _box("BoxNotice", [BoxLine(self.references.runs(text, style="Strong"))])
            case Conditions(items):
                return self._conditions(items)
            case Pictures(charts):
                return [made for chart in charts for made in self._picture(chart)]
            case Formula():
                return self._formula(block, depth)
            case References():
                return self._references(block)
            case Signature(roles):
                return [drawn_table(signature_cells(roles))]
            case Verdict():
                return self._verdict(block)
            case Table():
                return self._table(block)
            case Facts():
                return self._facts(block)
            case PageBreak():
                return []

    def _items(self, items: Sequence[str]) -> list[ET.Element]:
        return [paragraph(self.references.runs(item), style="ListBullet") for item in items]

    def _conditions(self, items: Sequence[str]) -> list[ET.Element]:
        head = BoxLine([run(CONDITIONS, style="Strong")])
        return _box("BoxNotice", [head, *(BoxLine(self.references.runs(item), BULLETS) for item in items)])

    def _verdict(self, block: Verdict) -> list[ET.Element]:
        style = {None: "BoxOpen", True: "BoxGood", False: "BoxBad"}[block.acceptable]
        head = BoxLine([run(block.word, style=f"{style}Word")])
        marks = {None: OPEN, True: HOLDS, False: FAILS}
        reasons = (BoxLine(self.references.runs(one.text), marks[one.holds]) for one in block.reasons)
        return _box(style, [head, *reasons])

    def _table(self, block: Table) -> list[ET.Element]:
        note = [paragraph(self.references.runs(block.note), style="Note")] if block.note else []
        if not block.rows:
            return [*_label(block.title), *self._explained(block.explanation), *note]
        return [*self._captioned(block.title, block.explanation, table_cells(block, self.references)), *note]

    def _facts(self, block: Facts) -> list[ET.Element]:
        if not block.facts:
            return [*_label(block.title), *self._explained(block.explanation)]
        return self._captioned(block.title, block.explanation, facts_cells(block, self.references))

    def _captioned(self, title: str, explanation: str, cells: WordTable) -> list[ET.Element]:
        self.tables += 1
        name = self._marked([run(title)], self.references.bookmark(title))
        head = paragraph(_numbered_caption("Table", self.tables, name), style="Caption")
        return [head, *self._explained(explanation, keep=True), drawn_table(cells)]

    def _explained(self, text: str, *, keep: bool = False) -> list[ET.Element]:
        if not text:
            return []
        return [
            paragraph(self.references.runs(text), style="Explanation", looks=[w("keepNext")] if keep else ())
        ]

    def _picture(self, chart: Chart) -> list[ET.Element]:
        if chart.draw is None:
            return [*_label(chart.title), *self._explained(chart.caption)]
        self.figures += 1
        drawn = picture(chart, self.relations.picture(next(self.pngs)), self.figures)
        name = _numbered_caption("Figure", self.figures, [run(chart.title)])
        return [
            paragraph([drawn], style="Figure"),
            paragraph(name, style="Caption", looks=[w("spacing", before=60)]),
            *self._explained(chart.caption),
        ]

    def _formula(self, block: Formula, depth: int) -> list[ET.Element]:
        letters = [
            paragraph(
                [run(letter.name, w("i")), tab(), run(letter.value)], style="Symbol", looks=[w("keepNext")]
            )
            for letter in block.letters
        ]
        return [
            paragraph(block.title, style=f"Heading{1 + depth}"),
            paragraph([equation(block.expression)], looks=[w("keepNext")]),
            paragraph(block.spoken, style="Explanation", looks=[w("keepNext")]),
            *letters,
            paragraph(f"Source: {block.source}", style="Note"),
        ]

    def _references(self, block: References) -> list[ET.Element]:
        list_id = REFERENCES + self.reference_lists
        self.reference_lists += 1
        made = []
        for source in block.sources:
            runs = [run(source.citation)]
            if source.doi:
                relation = self.relations.address(f"https://doi.org/{source.doi}")
                doi = run(f"doi:{source.doi}", style="Hyperlink")
                runs += [run(" "), link_outside([doi], relation)]
            made.append(paragraph(runs, style="ListNumber", looks=[numbered(list_id)]))
        return made


def _label(title: str) -> list[ET.Element]:
    return [paragraph(title, style="Label")] if title else []


def _numbered_caption(kind: str, number: int, name: Sequence[ET.Element]) -> list[ET.Element]:
    """The number is a field, so that a new table or figure counts the others on."""
    return [run(f"{kind} "), *markup.field(f"SEQ {kind} \\* ARABIC", str(number)), run(": "), *name]


@dataclass(frozen=True, slots=True)
class BoxLine:
    """A paragraph in a box, and the list that it belongs to, if any."""

    inside: Sequence[ET.Element]
    list_id: int | None = None


def _box(style: str, lines: Sequence[BoxLine]) -> list[ET.Element]:
    """Paragraphs that form one box, with room above and below it."""
    left, hanging = IN_BOX
    made = []
    for place, line in enumerate(lines):
        is_last = place + 1 == len(lines)
        room = {"before": AROUND_BOX} if place == 0 else {}
        room |= {"after": AROUND_BOX} if is_last else {}
        is_item = line.list_id is not None
        looks = [
            w("keepNext") if place == 0 and not is_last else None,
            None if line.list_id is None else numbered(line.list_id),
            w("spacing", **room) if room else None,
            w("ind", left=left, hanging=hanging) if is_item else None,
        ]
        made.append(paragraph(line.inside, style=style, looks=[one for one in looks if one is not None]))
    return made


def _start_page(made: ET.Element) -> None:
    """Let a paragraph begin on a new page."""
    properties = made.find(markup.full_name("w:pPr"))
    if properties is None:
        properties = w("pPr")
        made.insert(0, properties)
    before = {markup.full_name(f"w:{name}") for name in ("pStyle", "keepNext", "keepLines")}
    properties.insert(sum(one.tag in before for one in properties), w("pageBreakBefore"))
