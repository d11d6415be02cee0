"""Places of text in a Word document, in runs, attributes and pictures, and how a box is put there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from reidrisk.documents.docx.names import LOOKS, SPACE, A, C, Element, M, W, drop_leaf, named, take_out
from reidrisk.documents.docx.package import Package, Part, Relation
from reidrisk.documents.pictures import BLANK, stripped
from reidrisk.documents.places import Edit, bracketed, spliced

_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RUNS = {f"{W}t": f"{W}r", f"{M}t": f"{M}r", f"{A}t": f"{A}r"}
_CLASHING = (f"{W}color", f"{W}highlight", f"{W}shd")
_AFTER_SHADE = named(W, "fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath")
_AFTER_COLOUR = _AFTER_SHADE | named(W, "spacing w kern position sz szCs highlight u effect bdr shd")
_LETTERS = re.compile(rb"[\x20-\x7e\xa1-\xff]{4,}")
_WIDE_LETTERS = re.compile(rb"(?:[\x20-\x7e\xa1-\xff]\0){4,}")
_KINDS = frozenset(
    f"image/{kind}" for kind in ("png", "jpeg", "jpg", "gif", "bmp", "tiff", "x-emf", "emf", "x-wmf", "wmf")
)


@dataclass(frozen=True, slots=True)
class DocxAttributePlace:
    """A text that stands in an attribute."""

    element: Element = field(repr=False)
    name: str

    def edit(self, edits: Sequence[Edit]) -> None:
        """Change it as it stands."""
        self.element.set(self.name, writable(spliced(self.element.get(self.name), edits)))


@dataclass(frozen=True, slots=True)
class TargetPlace:
    """An address to which a link leads."""

    relation: Relation

    def edit(self, edits: Sequence[Edit]) -> None:
        """A link that lost a part of its address leads nowhere."""
        self.relation.target = "about:blank#" + "".join(bracketed(edit) for edit in edits if edit.new)


@dataclass(frozen=True, slots=True)
class StyleNamePlace:
    """The name that somebody gave to a style."""

    element: Element = field(repr=False)

    def edit(self, edits: Sequence[Edit]) -> None:  # noqa: ARG002 - no two styles may have one name
        """A style whose name told something is called by its number."""
        self.element.set(f"{W}val", self.element.getparent().get(f"{W}styleId"))


@dataclass(frozen=True, slots=True)
class CodePlace:
    """Words of the code of a field."""

    element: Element = field(repr=False)

    def edit(self, edits: Sequence[Edit]) -> None:  # noqa: ARG002 - a code that lost a word means nothing
        """The code goes; what it shows stays once the field is unlinked."""
        if self.element.tag == f"{W}fldSimple":
            self.element.set(f"{W}instr", "")
        else:
            self.element.text = ""


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """The value of a point in a chart."""

    element: Element = field(repr=False)

    def edit(self, edits: Sequence[Edit]) -> None:
        """Where a number is asked for and none is given, the point is left out."""
        new = spliced(self.element.text, edits)
        cache = next(self.element.iterancestors(f"{C}numCache", f"{C}numLit"), None)
        if cache is None or _is_number(new):
            self.element.text = writable(new)
        else:
            take_out(self.element.getparent())


@dataclass(frozen=True, slots=True)
class SignPlace:
    """A sign that is an element of its own: a tab, a break, a hyphen, a letter of a symbol font."""

    element: Element = field(repr=False)

    def edit(self, edits: Sequence[Edit]) -> None:
        """Becomes text if something new stands there, and goes otherwise."""
        from lxml import etree

        edit = edits[0]
        if not edit.new:
            drop_leaf(self.element)
            return
        drawn = self.element.tag == f"{A}br"
        text = etree.Element(f"{A}t" if drawn else f"{W}t")
        text.text = " "
        self.element.getparent().replace(self.element, _in_run(text) if drawn else text)
        DocxTextPlace(text).edit([edit])


@dataclass(frozen=True, slots=True)
class DocxTextPlace:
    """The text of an element such as w:t."""

    element: Element = field(repr=False)

    def edit(self, edits: Sequence[Edit]) -> None:
        """Change the text; boxes become runs of their own."""
        element = self.element
        run = element.getparent()
        if run.tag != _RUNS.get(element.tag) or not any(edit.box for edit in edits):
            _put(element, spliced(element.text, edits))
            if not element.text and run.tag == _RUNS.get(element.tag):
                drop_leaf(element)
            return
        if _is_all(element, edits):
            element.attrib.clear()
            _put(element, edits[0].new)
            _paint(run, edits[0])
            return
        text, following = element.text, run
        tail = _split_after(element)
        if tail is not None:
            run.addnext(tail)
        last = 0
        for edit in edits:
            if edit.start > last:
                following = _follow(following, element, text[last : edit.start])
            if edit.new:
                following = _follow(following, element, edit.new)
                if edit.box:
                    _paint(following, edit)
            last = edit.end
        if text[last:]:
            _follow(following, element, text[last:])
        drop_leaf(element)


def _is_all(element: Element, edits: Sequence[Edit]) -> bool:
    """Whether one box takes the place of all that a run shows, so that the run can stay."""
    if len(edits) > 1 or edits[0].start or edits[0].end < len(element.text) or not edits[0].new:
        return False
    others = (child for child in element.getparent() if child is not element)
    return element.getnext() is None and all(other.tag in LOOKS for other in others)


def _in_run(text: Element) -> Element:
    from lxml import etree

    run = etree.Element(_RUNS[text.tag])
    run.append(text)
    return run


def _split_after(element: Element) -> Element | None:
    """A run with everything that follows an element in its run; None if nothing does."""
    rest = list(element.itersiblings())
    if not rest:
        return None
    run = _like(element.getparent())
    for child in rest:
        run.append(child)
    return run


def _like(run: Element) -> Element:
    """An empty run of the same look."""
    from lxml import etree

    new = etree.Element(run.tag, attrib=dict(run.attrib), nsmap=run.nsmap)
    for child in run:
        if child.tag in LOOKS:
            new.append(deepcopy(child))
    return new


def _follow(run: Element, element: Element, text: str) -> Element:
    """A run with a text, put after another run."""
    from lxml import etree

    new = _like(element.getparent())
    _put(etree.SubElement(new, element.tag), text)
    run.addnext(new)
    return new


def _paint(run: Element, edit: Edit) -> None:
    from lxml import etree

    fill, ink = (edit.box or "").lstrip("#").upper(), edit.ink.lstrip("#").upper()
    if run.tag == f"{A}r":
        _paint_drawn(run, fill, ink)
        return
    look = run.find(f"{W}rPr")
    if look is None:
        look = etree.Element(f"{W}rPr")
        run.insert(sum(child.tag in LOOKS for child in run), look)
    for clashing in list(look):
        if clashing.tag in _CLASHING or clashing.tag.rpartition("}")[2] == "textFill":
            look.remove(clashing)
    _insert(look, f"{W}color", {f"{W}val": ink}, _AFTER_COLOUR)
    _insert(look, f"{W}shd", {f"{W}val": "clear", f"{W}color": "auto", f"{W}fill": fill}, _AFTER_SHADE)


def _insert(look: Element, tag: str, attributes: dict[str, str], following: frozenset[str]) -> None:
    """Put a property where the order of properties wants it."""
    from lxml import etree

    tags = [child.tag for child in look]
    place = next((index for index, own in enumerate(tags) if own in following), None)
    if place is None:
        place = next((index for index, own in enumerate(tags) if not own.startswith(W)), None)
    new = etree.SubElement(look, tag, attributes)
    if place is not None:
        look.insert(place, new)


def _paint_drawn(run: Element, fill: str, ink: str) -> None:
    from lxml import etree

    look = run.find(f"{A}rPr")
    if look is None:
        look = etree.Element(f"{A}rPr")
        run.insert(0, look)
    for clashing in look.findall("*"):
        if clashing.tag in (f"{A}noFill", f"{A}solidFill", f"{A}gradFill", f"{A}pattFill", f"{A}highlight"):
            look.remove(clashing)
    line = look.find(f"{A}ln")
    place = 0 if line is None else 1
    for tag, colour in ((f"{A}highlight", fill), (f"{A}solidFill", ink)):
        made = etree.Element(tag)
        etree.SubElement(made, f"{A}srgbClr", val=colour)
        effects = [
            look.index(child) for child in look.findall(f"{A}effectLst") + look.findall(f"{A}effectDag")
        ]
        look.insert(
            max([place, *(index + 1 for index in effects)]) if tag == f"{A}highlight" else place, made
        )


def _put(element: Element, text: str) -> None:
    element.text = writable(text)
    if element.tag in (f"{W}t", f"{M}t") and text != text.strip():
        element.set(SPACE, "preserve")


def writable(text: str) -> str:
    """A text without the control characters that XML cannot hold."""
    return _UNWRITABLE.sub("", text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def clean_media(package: Package) -> int:
    """Strip all pictures; gives how many stay, whose sight nobody searched."""
    pictures = package.of_kind("image")
    for part in pictures:
        if part.type not in _KINDS:
            blank(part)
            continue
        data = package.content(part)
        clean = stripped(data)
        if clean != data:
            part.data = clean
    return len(pictures)


def blank(part: Part) -> None:
    """Put a white point in the place of a picture."""
    part.data, part.type = BLANK, "image/png"


@dataclass(frozen=True, slots=True)
class LettersPlace:
    """Letters that a drawing holds as such."""

    part: Part

    def edit(self, edits: Sequence[Edit]) -> None:  # noqa: ARG002 - nothing of the drawing stays
        """A drawing that tells a value is not kept."""
        blank(self.part)


def letters_of(package: Package, part: Part) -> Iterator[str]:
    """Words that stand as letters in a drawing made of lines (EMF, WMF)."""
    if part.data is None and part.type.endswith("mf"):
        data = package.content(part)
        for found in _WIDE_LETTERS.finditer(data):
            yield found[0].decode("utf-16-le")
        for found in _LETTERS.finditer(data):
            yield found[0].decode("latin-1")
