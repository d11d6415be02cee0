"""The texts of the parts of a Word document: what is seen, what describes it, and where links lead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from reidrisk.documents.docx.fields import code_words
from reidrisk.documents.docx.names import CX, A, C, Element, M, O, W, having, named, take_out
from reidrisk.documents.docx.package import Package, Part
from reidrisk.documents.docx.places import (
    CodePlace,
    DocxAttributePlace,
    DocxTextPlace,
    LettersPlace,
    NumberPlace,
    SignPlace,
    StyleNamePlace,
    TargetPlace,
    letters_of,
)
from reidrisk.documents.places import MappedText, TextHolder

_NAMES = {
    "officeDocument": "body",
    "header": "header",
    "footer": "footer",
    "footnotes": "footnotes",
    "endnotes": "endnotes",
    "comments": "comments",
}
_DRAWN = {
    "chart": "chart",
    "chartEx": "chart",
    "chartUserShapes": "drawing on a chart",
    "diagramData": "diagram",
    "diagramDrawing": "picture of a diagram",
}
_SEVERAL = frozenset(("header", "footer", *_DRAWN))
_SILENT = named(W, "pPr rPr sectPr sdtPr sdtEndPr tblPr tblGrid trPr tcPr instrText ffData")
_SIGNS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
LINE = "\u2028"
"""Parts lines within a cell, as a row of a table is a line. It also follows a tab that ends no cell: programs
that leave out tabs and breaks put together the words on both sides."""
_SYMBOL_FONTS = ("symbol", "wingdings", "webdings", "mt extra")
_VALUED = named(W, "tblCaption tblDescription lvlText listEntry")
_SPELLED = re.compile(r"[^\W\d_]|(?<!%)\d")
"""Whether the mark of a list says anything besides its number."""
DESCRIBING = frozenset(("descr", "title", "alt", "tooltip", "string", f"{W}tooltip", f"{O}title", "altText"))
"""Attributes that hold a text for people."""


def texts_of(package: Package) -> Iterator[MappedText]:
    """All texts of a document that was cleaned, each with a name of its own.

    Texts that stand where no text is read, such as among the settings of a paragraph, are taken out.
    """
    numbers: Counter[str] = Counter()
    for part in package.parts.values():
        kind = _NAMES.get(part.kind) or _DRAWN.get(part.kind) or part.kind
        numbers[kind] += 1
        name = f"{kind} {numbers[kind]}" if part.kind in _SEVERAL else kind
        of_part = (
            _letters(package, part, f"picture {numbers[kind]}") if part.tree is None else _of_part(part, name)
        )
        for mapped in of_part:
            if mapped.block.text.strip():
                yield mapped


def _drop_unread(root: Element, shown: MappedText) -> None:
    read = {place.element for place in shown.places if isinstance(place, DocxTextPlace)}
    for element in [one for one in root.iter(f"{W}t", f"{M}t", f"{A}t") if one not in read]:
        take_out(element)


def _shown(part: Part, name: str) -> MappedText:
    """The text of a part that a reader sees."""
    shown = MappedText(name)
    if part.kind in _NAMES:
        _PartReader(shown).blocks(part.tree)
    elif part.kind in _DRAWN:
        _drawn(part.tree, shown)
    return shown


def _of_part(part: Part, name: str) -> Iterator[MappedText]:
    shown = _shown(part, name)
    _drop_unread(part.tree, shown)
    yield shown
    described = MappedText(f"{name} descriptions")
    valued = next(part.tree.iter(f"{W}name", *_VALUED), None) is not None
    for element in having(part.tree, lambda name: name in DESCRIBING or (valued and name == f"{W}val")):
        for attribute, value in element.items():
            if attribute == f"{W}val" and _names_style(element):
                described.add(StyleNamePlace(element), value)
                described.gap("\n")
            elif attribute in DESCRIBING or _is_spelled(element, attribute, value):
                described.add(DocxAttributePlace(element, attribute), value)
                described.gap("\n")
    yield described
    yield _codes(part.tree, f"{name} fields")
    links = MappedText(f"{name} links")
    for relation in part.relations.values():
        for written in _addresses(relation.target) if relation.external else ():
            links.add(TargetPlace(relation), written)
            links.gap("\n")
    yield links


def _is_spelled(element: Element, attribute: str, value: str) -> bool:
    return attribute == f"{W}val" and element.tag in _VALUED and _SPELLED.search(value) is not None


def _addresses(target: str) -> Iterable[str]:
    """An address, and what it spells where signs stand for others: `Ann%20Lee`, `Ann_Lee`."""
    plain = unquote(target)
    return dict.fromkeys((target, plain, plain.replace("_", " ")))


def _codes(root: Element, name: str) -> MappedText:
    """Words in the codes of fields, which nobody sees but all programs read."""
    codes = MappedText(name)
    for element in root.iter(f"{W}instrText", f"{W}fldSimple"):
        simple = element.tag == f"{W}fldSimple"
        for word in code_words(element.get(f"{W}instr", "") if simple else element.text or ""):
            codes.add(CodePlace(element), word)
            codes.gap("\n")
    return codes


def _letters(package: Package, part: Part, name: str) -> Iterator[MappedText]:
    """Letters in a drawing that is made of lines."""
    mapped = MappedText(f"{name} letters")
    for word in letters_of(package, part):
        mapped.add(LettersPlace(part), word)
        mapped.gap("\n")
    yield mapped


def _names_style(element: Element) -> bool:
    """Whether it is the name that somebody gave to a style."""
    return element.tag == f"{W}name" and element.getparent().get(f"{W}customStyle") is not None


class _PartReader:
    """Follows the blocks of a part: a paragraph is a line, a row of a table is a line with tabs."""

    def __init__(self, mapped: MappedText) -> None:
        self._mapped = mapped
        self._cells = 0
        self._due = False

    def blocks(self, container: Element) -> None:
        """Paragraphs and tables in a container, whatever wraps them."""
        for child in container:
            if child.tag == f"{W}p":
                self._paragraph(child)
            elif child.tag == f"{W}tbl":
                self._rows(child)
            elif child.tag not in _SILENT:
                self.blocks(child)

    def _end(self) -> None:
        if self._cells:
            self._due = True
        else:
            self._mapped.gap("\n")

    def _add(self, place: TextHolder, text: str) -> None:
        if text and self._due:
            self._mapped.gap(LINE)
            self._due = False
        self._mapped.add(place, text)

    def _paragraph(self, paragraph: Element) -> None:
        aside: list[Element] = []
        self._inline(paragraph, aside)
        self._end()
        for container in aside:
            if container.tag == f"{A}p":
                _drawn_paragraph(container, self._add)
                self._end()
            elif container.tag == f"{W}rt":
                self._paragraph(container)
            else:
                self.blocks(container)

    def _inline(self, element: Element, aside: list[Element]) -> None:
        """Text in its order; what stands beside the line (a text box) waits until the line is complete."""
        for child in element:
            tag = child.tag
            if tag in (f"{W}t", f"{M}t"):
                self._add(DocxTextPlace(child), child.text or "")
            elif tag in (f"{W}txbxContent", f"{W}rt", f"{A}p"):
                aside.append(child)
            elif tag in _SIGNS:
                self._sign(child, _SIGNS[tag])
            elif tag == f"{W}sym":
                self._add(SignPlace(child), _symbol(child))
            elif tag not in _SILENT:
                self._inline(child, aside)

    def _sign(self, element: Element, sign: str) -> None:
        self._add(SignPlace(element), LINE if self._cells and sign == "\n" else sign)
        if sign == "\t":
            self._mapped.gap(LINE)

    def _rows(self, container: Element) -> None:
        for child in container:
            if child.tag == f"{W}tr":
                self._cells += 1
                self._cells_of(child)
                self._cells -= 1
                self._end()
            elif child.tag not in _SILENT:
                self._rows(child)

    def _cells_of(self, container: Element, *, first: bool = True) -> bool:
        for child in container:
            if child.tag == f"{W}tc":
                if not first:
                    self._mapped.gap("\t")
                first = False
                self.blocks(child)
                self._due = False
            elif child.tag not in _SILENT:
                first = self._cells_of(child, first=first)
        return first


def _symbol(element: Element) -> str:
    """The letter that a symbol shows; signs of symbol fonts keep their private codes."""
    try:
        code = int(element.get(f"{W}char", ""), 16)
    except ValueError:
        return "\ufffd"
    plain = not element.get(f"{W}font", "").casefold().startswith(_SYMBOL_FONTS)
    if plain and 0xF020 <= code <= 0xF0FF:
        code -= 0xF000
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else "\ufffd"


def _drawn(root: Element, mapped: MappedText) -> None:
    """Texts of charts and diagrams: paragraphs, and the values that a chart keeps."""
    for element in root.iter():
        if element.tag == f"{A}p":
            _drawn_paragraph(element, mapped.add)
            mapped.gap("\n")
        elif element.text and (element.tag in (f"{C}v", f"{CX}v", f"{CX}pt")):
            mapped.add(NumberPlace(element), element.text)
            mapped.gap("\n")


def _drawn_paragraph(paragraph: Element, add: Callable[[TextHolder, str], None]) -> None:
    for element in paragraph.iter(f"{A}t", f"{A}br"):
        if element.tag == f"{A}br":
            add(SignPlace(element), "\n")
        else:
            add(DocxTextPlace(element), element.text or "")
