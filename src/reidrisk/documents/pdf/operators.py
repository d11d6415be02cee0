"""Operators of a page written again: text without some of its glyphs, marks without what tells of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from reidrisk.documents.pdf.glyphs import Glyph, Mark, Matrix, TextShow

Drawing = bytes
_PLAIN = ("/MCID", "/Type", "/Subtype", "/Attached", "/BBox")
_TEXTS = ("/ActualText", "/Alt", "/E")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


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

    def __init__(self, show: TextShow) -> None:
        self.show = show
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

    def draw(self, drawing: bytes) -> None:
        self._flush()
        self.gap = 0.0
        self.done.append((b"ET\n" if self._is_open else b"") + drawing + b"\nBT")
        self._is_open = self.lost = True
        if isinstance(drawing, Pushing):
            self.shift += drawing.shift

    def _settle(self, position: float) -> None:
        """Be where the next glyph is to stand."""
        if self.lost:
            self.done.append(matrix(self.show.line) + b" Tm")
            self.gap, self.lost = position + self.shift, False
        if self.gap and self.show.size:
            self.items.append(number(-self.gap * 1000 / self.show.size))
        self.gap = 0.0

    def _flush(self) -> None:
        if self.items:
            self.done.append(b"[" + b" ".join(self.items) + b"] TJ")
        self.items = []


def without(
    show: TextShow, removed: Callable[[Glyph], bool], drawings: Mapping[Glyph, list[Drawing]]
) -> bytes:
    """The operator without the removed glyphs, with drawings in the place of some of them."""
    instruction = show.drawn.instructions[show.index]
    operator, operands = str(instruction.operator), instruction.operands
    writer = _Writer(show)
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
                writer.draw(drawing)
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
