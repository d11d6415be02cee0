"""Operators of a page written again: text without some of its glyphs, marks without what tells of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from reidrisk.documents.pdf.glyphs import Glyph, Mark, Matrix, TextShow

Drawing = bytes
_SMALLEST = 0.01
"""Smaller sizes of letters cannot be written exactly enough."""
_COARSE, _EXACT = 2.0, 1e-4
"""In thousandths of the size of letters: steps that nobody sees, and how exactly widths are known."""
_CLIPS = 4
"""From this mode on text cuts out what is drawn after it."""
_PLAIN = ("/MCID", "/Type", "/Subtype", "/Attached", "/BBox")
_TEXTS = ("/ActualText", "/Alt", "/E")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a box, to be written on the line of the text that it stands for."""

    look: bytes
    """The operators that choose font and color."""
    letters: bytes
    start: float
    """Where it begins, from where the first glyph of the place stands, in text space before stretching."""
    width: float
    """How far it moves the text position, in the same units."""
    hair: bytes
    """A space that has a width only for programs that do not cut widths to whole numbers."""
    hair_width: float
    """Its width in text space."""


class Boxed(bytes):
    """A box with its label, whole; and in two parts for text objects that can go on around it."""

    under: bytes = b""
    """The box alone."""
    label: Label | None = None

    @classmethod
    def of(cls, drawing: bytes, under: bytes, label: Label | None) -> Boxed:
        """The drawing with its parts."""
        made = cls(drawing)
        made.under, made.label = under, label
        return made


class Pushing(bytes):
    """A drawing that moves what its operator draws behind it."""

    shift = 0.0
    """How far, in text space before stretching."""

    @classmethod
    def by(cls, drawing: bytes, shift: float) -> Pushing:
        """The same drawing, pushing so far."""
        made = cls(drawing)
        made.shift = shift
        return made


def number(value: float) -> bytes:
    """A number as PDF writes it."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return (text if text not in ("", "-0") else "0").encode("ascii")


def matrix(value: Matrix) -> bytes:
    """The operands of a matrix."""
    return b" ".join(number(part) for part in value)


class _Writer:
    """Collects the new operators."""

    def __init__(self, show: TextShow, back: bytes | None) -> None:
        self.show, self.back = show, back
        self.uncounted: dict[Glyph, float] = {}
        """What some programs do not count of the widths that are removed, by the first glyph of a place."""
        self.done: list[bytes] = []
        self.items: list[bytes] = []
        self.gap = 0.0
        """Movement not yet written, in text space before stretching."""
        self.lost = False
        """Whether the text position was lost by drawing something else."""
        self._is_open = show.inside
        """Whether a text object is open; some files show text outside of any."""
        self.shift = 0.0
        """How far what follows has moved."""

    def keep(self, data: bytes, position: float) -> None:
        if not self.gap and not self.lost and self.items and self.items[-1].endswith(b">"):
            self.items[-1] = self.items[-1][:-1] + data.hex().encode("ascii") + b">"
            return
        self._settle(position)
        self.items.append(b"<" + data.hex().encode("ascii") + b">")

    def finish(self, position: float) -> bytes:
        if not self.lost:
            self.gap -= self.shift
        self.shift = 0.0
        self._settle(position)
        self._flush()
        if self._is_open and not self.show.inside:
            self.done.append(b"ET")
        return b"\n".join(self.done)

    def draw(self, glyph: Glyph, drawing: bytes, position: float) -> None:
        """Draw what stands in the place that begins with a glyph."""
        if self.back is not None and isinstance(drawing, Boxed):
            if drawing.label is not None:
                self._label(drawing.label, self.back, position, self.uncounted.pop(glyph, 0.0))
            return
        self._flush()
        self.gap = 0.0
        self.done.append((b"ET\n" if self._is_open else b"") + drawing + b"\nBT")
        self._is_open = self.lost = True
        if isinstance(drawing, Pushing):
            self.shift += drawing.shift

    def _label(self, label: Label, back: bytes, position: float, uncounted: float) -> None:
        """Write a label within the text object, and come back without losing the text position."""
        self._find(position)
        self.gap += label.start
        self._step()
        self._flush()
        self.done += [label.look, label.letters + b" Tj"]
        if uncounted:
            stretch = uncounted * self.show.stretch / label.hair_width
            self.done.append(number(100 * stretch) + b" Tz " + label.hair + b" Tj")
        self.done.append(back)
        self.gap = -label.start - label.width - uncounted

    def _settle(self, position: float) -> None:
        """Be where the next glyph is to stand."""
        self._find(position)
        self._step()

    def _find(self, position: float) -> None:
        """Know the text position again if it was lost."""
        if self.lost:
            self.done.append(matrix(self.show.line) + b" Tm")
            self.gap, self.lost = position + self.shift, False

    def _step(self) -> None:
        if self.gap and self.show.size:
            self.items.append(number(-self.gap * 1000 / self.show.size))
        self.gap = 0.0

    def _flush(self) -> None:
        if self.items:
            self.done.append(b"[" + b" ".join(self.items) + b"] TJ")
        self.items = []


def goes_on(show: TextShow) -> bool:
    """Whether a label can be written within the text object, so that all else stays where it was.

    Programs add up widths in their own ways: a text position that is set anew is never quite the old one.
    """
    upright = show.size > _SMALLEST and show.stretch > 0 and show.font.em > 0 and not show.font.vertical
    return show.setting is not None and upright and show.mode < _CLIPS


def again(show: TextShow, font: bytes, fill: bytes) -> bytes:
    """The operators that set what a label changed."""
    numbers = (show.mode, show.spacing, show.word_spacing, 100 * show.stretch)
    state = zip(map(number, numbers), (b"Tr", b"Tc", b"Tw", b"Tz"), strict=True)
    return b" ".join([font, *(value + b" " + operator for value, operator in state), fill])


def without(
    show: TextShow,
    removed: Callable[[Glyph], bool],
    drawings: Mapping[Glyph, list[Drawing]],
    back: bytes | None = None,
) -> bytes:
    """The operator without the removed glyphs, with drawings in the place of some of them.

    With operators `back` to the state that it finds, only the labels of boxes are written here.
    """
    instruction = show.drawn.instructions[show.index]
    operator, operands = str(instruction.operator), instruction.operands
    writer = _Writer(show, back)
    if back is not None:
        writer.uncounted = _uncounted(show, removed, drawings)
    writer.done += _before(operator, operands)
    items = list(operands[0]) if operator == "TJ" else [operands[-1]]
    position = show.start
    by_item: dict[int, list[Glyph]] = {}
    for glyph in show.glyphs:
        by_item.setdefault(glyph.item, []).append(glyph)
    for place, item in enumerate(items):
        if isinstance(item, int | float | Decimal):
            step = -float(item) / 1000 * show.size
            position += step
            writer.gap += step
            continue
        position = _string(writer, bytes(item), by_item.get(place, []), (removed, drawings), position)
    return writer.finish(position)


def _uncounted(
    show: TextShow, removed: Callable[[Glyph], bool], drawings: Mapping[Glyph, list[Drawing]]
) -> dict[Glyph, float]:
    """What programs that cut widths to whole numbers do not count of those that go before one that stays.

    In coarse steps: the exact number would tell more of what is gone than the width of its box does.
    """
    found: dict[Glyph, float] = {}
    first, total = None, 0.0
    for glyph in show.glyphs:
        if removed(glyph):
            first = glyph if first is None and glyph in drawings else first
            total += 0.0 if first is None else _cut(glyph)
            continue
        if first is not None and (steps := round(total / _COARSE)):
            found[first] = steps * _COARSE / 1000 * show.size
        first, total = None, 0.0
    return found


def _cut(glyph: Glyph) -> float:
    """What is cut off the width of a glyph, which fonts give in thousandths."""
    width = 1000 * glyph.advance if glyph.show.font.em == 1.0 else 0.0
    return width - int(width + _EXACT)


def _string(
    writer: _Writer,
    data: bytes,
    glyphs: list[Glyph],
    how: tuple[Callable[[Glyph], bool], Mapping[Glyph, list[Drawing]]],
    position: float,
) -> float:
    removed, drawings = how
    for glyph in glyphs:
        if removed(glyph):
            for drawing in drawings.get(glyph, []):
                writer.draw(glyph, drawing, position)
            writer.gap += glyph.step
        else:
            writer.keep(data[glyph.start : glyph.end], position)
        position += glyph.step
    return position


def _before(operator: str, operands: Any) -> list[bytes]:
    """What the operators that also begin a new line do first."""
    if operator == "'":
        return [b"T*"]
    if operator == '"':
        return [number(float(operands[0])) + b" Tw", number(float(operands[1])) + b" Tc", b"T*"]
    return []


def clean_mark(mark: Mark, keeps: Callable[[Mark, str], bool]) -> bytes | None:
    """The operator that begins a marked stretch, with only what structure needs; None: it stays."""
    if mark.tag == "/OC" or (mark.properties is None and not keeps(mark, mark.tag)):
        return b"/Span BMC"
    if mark.properties is None:
        return None
    held = dict(mark.properties.items())
    entries = [(name, held[name]) for name in _PLAIN if name in held]
    texts = [(name, held[name]) for name in _TEXTS if name in held]
    entries += [(name, text) for name, text in texts if keeps(mark, str(text))]
    if "/Lang" in held and _LANGUAGE.fullmatch(str(held["/Lang"])):
        entries.append(("/Lang", held["/Lang"]))
    listed = b" ".join(name.encode("ascii") + b" " + _direct(entry) for name, entry in entries)
    tag = _name(mark.tag) if keeps(mark, mark.tag) or "/MCID" in held else b"/Span"
    return tag + b" <<" + listed + b">> BDC"


@lru_cache(maxsize=1024)
def _name(name: str) -> bytes:
    """A name as PDF writes it: a space in it, for instance, as #20."""
    import pikepdf

    if not name.isascii() and any("\udc80" <= letter <= "\udcff" for letter in name):
        return b"/Span"  # not UTF-8: nobody can read it
    return bytes(pikepdf.Name(name).unparse())


def _direct(entry: Any) -> bytes:
    import pikepdf

    if isinstance(entry, pikepdf.Object):
        return bytes(entry.unparse(resolved=True))
    return str(entry).encode("ascii")
