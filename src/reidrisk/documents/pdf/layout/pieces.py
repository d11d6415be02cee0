"""Glyphs that stand beside each other make a piece of a line, in whatever order they were drawn."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, hypot, pi

from reidrisk.documents.pdf.glyph import Glyph

_LINE = 0.4
"""How far base lines of one line may differ, in letter heights: superscripts stay in their line."""
_APART = 1.2
"""A wider gap ends a piece: the next one may be another column."""
_OVER = 0.35
"""How far the next letter may reach back; more, and it is drawn over the first."""


@dataclass(slots=True, eq=False)
class Letter:
    """A glyph in the frame of its line."""

    glyph: Glyph
    order: int
    start: float
    end: float
    height: float
    base: float
    """Place of its base line across the direction; greater is higher."""


@dataclass(slots=True, eq=False)
class Piece:
    """Letters beside each other on one line."""

    angle: int
    """Direction of the line in degrees."""
    base: float
    """Place of the base line across the direction; greater is higher."""
    height: float
    letters: list[Letter] = field(default_factory=list)

    @property
    def start(self) -> float:
        """Where it begins along the line."""
        return self.letters[0].start

    @property
    def end(self) -> float:
        """Where it ends along the line."""
        return self.letters[-1].end

    @property
    def order(self) -> int:
        """When its first glyph was drawn."""
        return min(letter.order for letter in self.letters)

    def follows(self, other: Piece) -> bool:
        """Whether it may stand on the same line as another."""
        near = abs(self.base - other.base) <= _LINE * max(self.height, other.height)
        return self.angle == other.angle and near


def pieces_of(glyphs: list[Glyph]) -> list[Piece]:
    """All pieces, each with its letters from left to right."""
    return _joined(_runs(glyphs))


def _runs(glyphs: list[Glyph]) -> list[Piece]:
    """Glyphs that were drawn one after the other beside each other."""
    runs: list[Piece] = []
    frames: dict[tuple[float, float], tuple[int, float, float]] = {}
    for order, glyph in enumerate(glyphs):
        a, b, c, d, e, f = glyph.matrix
        if (a, b) not in frames:
            frames[(a, b)] = _frame(a, b)
        angle, x, y = frames[(a, b)]
        height = hypot(c, d) or 1.0
        start, base = e * x + f * y, f * x - e * y
        letter = Letter(glyph, order, start, start + glyph.advance * hypot(a, b), height, base)
        last = runs[-1] if runs else None
        if last is not None and last.angle == angle and _beside(last, letter, base):
            last.letters.append(letter)
        else:
            runs.append(Piece(angle, base, height, [letter]))
    return runs


def _frame(a: float, b: float) -> tuple[int, float, float]:
    length = hypot(a, b)
    if not length:
        return 0, 1.0, 0.0
    return round(atan2(b, a) * 180 / pi) % 360, a / length, b / length


def _beside(run: Piece, letter: Letter, base: float) -> bool:
    height = max(run.height, letter.height)
    gap = letter.start - run.end
    return abs(base - run.base) <= _LINE * height and -_OVER * height <= gap <= _APART * height


def _joined(runs: list[Piece]) -> list[Piece]:
    """Runs of one line that were drawn in another order, or in parts, become one piece."""
    lines: dict[int, list[Piece]] = defaultdict(list)
    for run in runs:
        lines[run.angle].append(run)
    pieces: list[Piece] = []
    for of_angle in lines.values():
        of_angle.sort(key=lambda run: (-run.base, run.start))
        row: list[Piece] = []
        for run in of_angle:
            if row and row[0].base - run.base > _LINE * row[0].height:
                pieces += _row(row)
                row = []
            row.append(run)
        pieces += _row(row)
    return sorted(pieces, key=lambda piece: piece.order)


def _row(runs: list[Piece]) -> list[Piece]:
    """The runs of one line, joined where one goes on where another ends."""
    pieces: list[Piece] = []
    for run in sorted(runs, key=lambda run: (run.start, run.order)):
        home = min(pieces, key=lambda piece: abs(run.start - piece.end), default=None)
        if home is not None and run.follows(home) and _goes_on(home, run):
            home.letters += run.letters
            home.height = max(home.height, run.height)
        elif (woven := next((mixed for piece in pieces if (mixed := _woven(piece, run))), None)) is not None:
            pieces[:] = [piece for piece in pieces if piece.letters[0] not in woven.letters] + [woven]
        else:
            pieces.append(run)
    return pieces


def _woven(home: Piece, run: Piece) -> Piece | None:
    """Two runs as one where each fills the gaps of the other: letters drawn out of their order."""
    if run.start >= home.end or not run.follows(home):
        return None
    letters = sorted([*home.letters, *run.letters], key=lambda letter: letter.start)
    over = any(after.start - before.end < -_OVER * after.height for before, after in pairwise(letters))
    return None if over else Piece(home.angle, home.base, max(home.height, run.height), letters)


def _goes_on(home: Piece, run: Piece) -> bool:
    height = max(home.height, run.height)
    return -_OVER * min(home.height, run.height) <= run.start - home.end <= _APART * height
