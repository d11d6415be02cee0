"""The text of a page, and for each of its characters the glyphs that draw it."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, pairwise
from math import atan2, hypot, pi
from statistics import median

from reidrisk.documents.pdf.glyphs import Glyph

_LINE = 0.4
"""How far base lines of one line may differ, in letter heights: superscripts stay in their line."""
_APART = 1.2
"""A wider gap ends a piece: the next one may be another column."""
_OVER = 0.35
"""How far the next letter may reach back; more, and it is drawn over the first."""
_SPACE = 0.18
"""A gap of this many letter heights is a space."""
_EVEN = 0.1
"""Gaps that differ by less are alike."""
_ROW = 3
"""So many alike gaps in a row make a word spaced out, not many words."""
_JUMPS = 0.3
"""Share of steps upward in the same column from which on the drawing order is not believed."""
UNREAD = "\ufffd"
"""Stands for a glyph of which the font does not tell what it says."""
_HYPHENS = "-\u2010\u00ad"
_TO_THE_LEFT = ("R", "AL")
_TO_THE_RIGHT = ("L", "EN", "AN")
"""Classes of characters in the Unicode bidirectional algorithm."""
Direction = int
"""1: to the right, -1: to the left, 0: as what stands around it."""


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

    @property
    def is_leftward(self) -> bool:
        """Whether it is read from right to left."""
        return _is_leftward([_direction(letter.glyph.text) for letter in self.letters])

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


def spaces_in(piece: Piece) -> set[int]:
    """The letters, by their number, that a space stands before."""
    letters = piece.letters
    if any(len(letter.glyph.text or "") > 3 for letter in letters):
        return set(range(1, len(letters)))  # whole words that were recognised on a scan
    gaps = [_gap(before, after) for before, after in pairwise(letters)]
    inside = [gap for gap, (one, other) in zip(gaps, pairwise(letters), strict=True) if _spelled(one, other)]
    usual = median(inside) if len(inside) >= _ROW else 0.0
    limit = _SPACE if usual < 0.6 * _SPACE else max(_SPACE, 1.6 * usual)
    wide = {at for at, gap in enumerate(gaps, 1) if gap > limit} - _spaced_out(letters, gaps)
    marks = {
        at
        for at, (one, other) in enumerate(pairwise(letters), 1)
        if _is_mark(one, other) or _is_mark(other, one)
    }
    return wide | marks


def _gap(before: Letter, after: Letter) -> float:
    return (after.start - before.end) / (min(before.height, after.height) or 1.0)


def _spaced_out(letters: list[Letter], gaps: list[float]) -> set[int]:
    """Gaps within words whose letters were set apart."""
    found: set[int] = set()
    row: list[int] = []
    for at, gap in enumerate([*gaps, 0.0], 1):
        inside = gap > 0.6 * _SPACE and at < len(letters) and _spelled(letters[at - 1], letters[at])
        alike = inside and all(abs(gap - gaps[one - 1]) < _EVEN for one in row)
        if not alike:
            found.update(row if len(row) >= _ROW else [])
            row = []
        if inside:
            row.append(at)
    return found


def _spelled(one: Letter, other: Letter) -> bool:
    """Whether two letters could be of one word; dots that lead to a page number are not."""
    return all((letter.glyph.text or "x")[:1].isalnum() for letter in (one, other))


def _is_mark(number: Letter, word: Letter) -> bool:
    """Whether a small raised number stands at a word: the mark of a footnote, no part of the word."""
    raised = number.height < 0.85 * word.height and number.base - word.base > 0.15 * word.height
    return raised and (number.glyph.text or "").isdigit() and (word.glyph.text or "").isalpha()


def in_reading_order(pieces: list[Piece]) -> list[Piece]:
    """The pieces from first to last."""
    if len(pieces) < 3:
        return pieces
    steps = list(pairwise(pieces))
    jumps = sum(_jumps_up(before, after) for before, after in steps)
    return pieces if jumps <= _JUMPS * len(steps) else _by_place(pieces)


def _jumps_up(before: Piece, after: Piece) -> bool:
    """Whether the next piece stands above in the same column, or before it in the same line."""
    if before.angle != after.angle:
        return False
    if after.follows(before):
        leftward = before.is_leftward and after.is_leftward
        return after.start >= before.end if leftward else after.end <= before.start
    overlap = min(before.end, after.end) - max(before.start, after.start)
    return after.base > before.base and overlap > 0


def _by_place(pieces: list[Piece]) -> list[Piece]:
    """Line by line from the top, each line from its start."""
    ordered: list[Piece] = []
    for angle in dict.fromkeys(piece.angle for piece in pieces):
        rest = sorted((piece for piece in pieces if piece.angle == angle), key=lambda piece: -piece.base)
        row: list[Piece] = []
        for piece in rest:
            if row and not piece.follows(row[0]):
                ordered += _along_line(row)
                row = []
            row.append(piece)
        ordered += _along_line(row)
    return ordered


def _along_line(row: list[Piece]) -> list[Piece]:
    leftward = 2 * sum(piece.is_leftward for piece in row) > len(row)
    return sorted(row, key=lambda one: one.start, reverse=leftward)


@dataclass(slots=True)
class PageText:
    """Text with the glyphs of each character."""

    letters: list[str] = field(default_factory=list, repr=False)
    glyphs: list[tuple[Glyph, ...]] = field(default_factory=list, repr=False)

    @property
    def text(self) -> str:
        """The text as it is read."""
        return "".join(self.letters)

    def add(self, text: str, glyphs: tuple[Glyph, ...] = ()) -> None:
        """Append characters that the same glyphs draw."""
        self.letters += text
        self.glyphs += [glyphs] * len(text)

    def space(self, glyphs: tuple[Glyph, ...] = (), mark: str = " ") -> None:
        """Append white space, but never two kinds of it side by side."""
        if not self.letters:
            return
        if self.letters[-1] in " \t":
            self.glyphs[-1] += glyphs
            if mark != " ":
                self.letters[-1] = mark
        elif self.letters[-1] != "\n" or mark == "\n":
            self.add(mark, glyphs)


def page_text(glyphs: list[Glyph], spans: list[str]) -> PageText:
    """Read the glyphs of a page; `spans` are texts that stand for stretches of them."""
    page, before = PageText(), None
    for piece in in_reading_order(pieces_of(glyphs)):
        if before is not None:
            _between(page, before, piece)
        _read(page, piece, spans)
        before = piece
    _end_line(page)
    return page


def _between(page: PageText, before: Piece, after: Piece) -> None:
    if after.follows(before):
        leftward = before.is_leftward and after.is_leftward
        gap = before.start - after.end if leftward else after.start - before.end
        if gap >= -0.5 * before.height:
            page.space(mark="\t" if gap > 2.0 * before.height else " ")
            return
    _end_line(page)
    drop = before.base - after.base
    if before.angle != after.angle or not _hyphenated(page, after, drop):
        page.space(mark="\n")
        if before.angle != after.angle or not 0 < drop < 2.2 * max(before.height, after.height):
            page.space(mark="\n")


def _end_line(page: PageText) -> None:
    """White space at the end of a line is none."""
    while page.letters and page.letters[-1] in " \t":
        glyphs = page.glyphs.pop()
        page.letters.pop()
        if page.glyphs:
            page.glyphs[-1] += glyphs


def _hyphenated(page: PageText, after: Piece, drop: float) -> bool:
    """Whether a word goes on in the next line; then its hyphen belongs to the letter before it."""
    if len(page.letters) < 2 or page.letters[-1] not in _HYPHENS or not 0 < drop < 2.2 * after.height:
        return False
    first = after.letters[0].glyph.text or ""
    soft = page.letters[-1] == "\u00ad"
    if not page.letters[-2].isalpha() or not (soft or (first[:1].islower() and page.letters[-2].islower())):
        return False
    page.letters.pop()
    hyphen = page.glyphs.pop()
    page.glyphs[-1] += hyphen
    return True


def _read(page: PageText, piece: Piece, spans: list[str]) -> None:
    spaces = spaces_in(piece)
    told: set[int] = set()
    shown: list[Glyph | None] = []
    for at, letter in enumerate(piece.letters):
        shown += [None, letter.glyph] if at in spaces else [letter.glyph]
    for glyph in in_logical_order(shown):
        if glyph is None:
            page.space()
        elif glyph.text is None and glyph.span >= 0 and spans[glyph.span]:
            _read_span(page, glyph, spans[glyph.span], told)
        elif glyph.text is not None and glyph.text.isspace():
            page.space((glyph,))
        else:
            page.add(glyph.text or UNREAD, (glyph,))


def _read_span(page: PageText, glyph: Glyph, text: str, told: set[int]) -> None:
    """A stretch with a text of its own is told once; all its glyphs belong to all of it."""
    if glyph.span not in told:
        told.add(glyph.span)
        page.add(text, (glyph,))
        return
    for at in range(len(page.letters) - len(text), len(page.letters)):
        if at >= 0:
            page.glyphs[at] += (glyph,)


def in_logical_order(shown: Sequence[Glyph | None]) -> list[Glyph | None]:
    """Glyphs of a line, given from left to right, in the order in which they are read; None is a space.

    Hebrew and Arabic are read from the right, numbers and other scripts among them from the left.
    """
    found = [_direction(" " if glyph is None else glyph.text) for glyph in shown]
    if -1 not in found:
        return list(shown)
    turned = _is_leftward(found)
    line = list(zip(shown, _settled(found, -1 if turned else 1), strict=True))
    against = 1 if turned else -1
    if turned:
        line.reverse()
    ordered: list[Glyph | None] = []
    for direction, run in groupby(line, key=lambda pair: pair[1]):
        glyphs = [glyph for glyph, _ in run]
        ordered += reversed(glyphs) if direction == against else glyphs
    return ordered


def _settled(found: list[Direction], base: Direction) -> list[Direction]:
    """Each direction, where characters without one of their own take that of both sides, or of the line."""
    settled, before = list(found), base
    for at, direction in enumerate(found):
        if direction:
            before = direction
            continue
        after = next((one for one in found[at:] if one), base)
        settled[at] = before if before == after else base
    return settled


def _is_leftward(found: list[Direction]) -> bool:
    return found.count(-1) > 0 and found.count(-1) >= found.count(1)


@cache
def _direction(text: str | None) -> Direction:
    kinds = [unicodedata.bidirectional(letter) for letter in text or ""]
    if any(kind in _TO_THE_LEFT for kind in kinds):
        return -1
    return 1 if any(kind in _TO_THE_RIGHT for kind in kinds) else 0
