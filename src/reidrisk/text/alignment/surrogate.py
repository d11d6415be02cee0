"""Align a text with surrogates, or changed in any way, with its original: which words are gone?

Long runs of words that occur once in both texts are fixed first (Cohen's patience diff, with runs in place
of lines); what lies between is compared exactly, with all best alignments at once. A stretch that is too
long for that is judged strictly: a word that occurs in it at all may have survived.

The best alignments are those with the longest common subsequence. All of them are considered at once, from
the lengths before and after every point (Wagner and Fischer's table, doi:10.1145/321796.321811, from both
ends): some best alignment keeps a token if it can be matched without losing length, and all of them keep it
if it cannot be left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.text.alignment.placement import Allowance
from reidrisk.text.alignment.result import MOST_WAYS, DocumentAlignment, Doubt, MaskedSpan, Span
from reidrisk.text.alignment.tokens import Tokens, number_tokens, same_for_a_reader
from reidrisk.text.formats.location import misaligned

_COUNTED = 20_000
"""Largest table, in cells, for which alignments are counted."""
Table = NDArray[np.int32]


Pair = tuple[int, int]
"""Start of a run in one text and in the other."""


RUN = 12
SHORTER_RUNS = (6, 3, 1)
"""Only for stretches whose table would be too large: short runs may match by chance."""
SMALL, LARGE = 60_000, 8_000_000
"""Cells of a table: below SMALL, runs are not needed; above LARGE, the table costs too much."""


REPLACED = "REPLACED"
"""The label of a replaced word: the text does not show which type the tool assigned."""
LEAST_KEPT = 0.5
"""Share of the words outside the gold standard that must be found again; otherwise the texts do not match."""
_LONG_ENOUGH = 4
"""A word with this many letters inside a longer word of the released text is not there by chance."""


def align_surrogate(original: str, released: str, identifiers: Sequence[Span] = ()) -> DocumentAlignment:
    """The words of the original that the released text no longer contains at their position.

    A word is gone if no best alignment of the two texts keeps it. If some alignments keep it, there is a
    doubt and it counts as visible; so does a word inside a longer word. Case, composed letters and white
    space do not matter. `identifiers` are the spans of the gold standard, in any order.
    """
    here, there = Tokens.of(original), Tokens.of(released)
    found = survival(*number_tokens(here, there))
    _check_same_document(here, found, identifiers)
    gone = _ReplacedWords(original, released, identifiers).spans(here, there, found)
    masked = tuple(MaskedSpan(start, end, REPLACED) for start, end in gone)
    return DocumentAlignment(masked, tuple(_doubts(here, found)))


def _check_same_document(tokens: Tokens, found: Survival, identifiers: Sequence[Span]) -> None:
    inside = _inside(tokens, identifiers)
    words = np.array([tokens.is_word(at) for at in range(len(tokens))], dtype=bool) & ~inside
    kept = int(np.count_nonzero(words & (found.always | found.perhaps)))
    total = int(np.count_nonzero(words))
    if kept < LEAST_KEPT * total:
        share = f"{kept:,} of the {total:,} words outside the gold standard"
        hint = "Check that both are the same document. A translation or a summary cannot be aligned."
        raise misaligned(f"only {share} are in the released text, in the same order", hint=hint)


def _inside(tokens: Tokens, identifiers: Sequence[Span]) -> Bools:
    """Which tokens an identifier touches."""
    starts, ends = [span[0] for span in tokens.spans], [span[1] for span in tokens.spans]
    inside = np.zeros(len(tokens), dtype=bool)
    for start, end in identifiers:
        inside[bisect_right(ends, start) : bisect_left(starts, end)] = True
    return inside


class _ReplacedWords:
    """Words that no best alignment keeps, unless a longer word of the released text contains them."""

    def __init__(self, original: str, released: str, identifiers: Sequence[Span]) -> None:
        self._original = original
        self._edges = sorted({edge for span in identifiers for edge in span})
        self._allowance = Allowance(len(original) + len(released))

    def spans(self, here: Tokens, there: Tokens, found: Survival) -> Iterator[Span]:
        """The spans that are gone, joined where only white space is between them."""
        kept = found.always | found.perhaps
        for stretch, _ in found.stretches:
            inserted = [there.keys[at] for at in range(*stretch.there) if found.free[at]]
            # a line end is never part of a word, so that no word is found across two tokens
            text = "\n".join(dict.fromkeys(inserted))
            run: Span | None = None
            for at in range(*stretch.here):
                for start, end, is_gone in self._pieces(here, at, text) if not kept[at] else [(0, 0, False)]:
                    if is_gone:
                        run = (start, end) if run is None else (run[0], end)
                    elif run is not None:
                        yield run
                        run = None
            if run is not None:
                yield run

    def _pieces(self, tokens: Tokens, at: int, inserted: str) -> Iterator[tuple[int, int, bool]]:
        """A token, or its parts if an identifier starts or ends within it, and whether each is gone."""
        start, end = tokens.spans[at]
        inner = self._edges[bisect_right(self._edges, start) : bisect_left(self._edges, end)]
        for first, last in pairwise([start, *inner, end]):
            piece = same_for_a_reader(self._original[first:last]) if inner else tokens.keys[at]
            least = 1 if inner else _LONG_ENOUGH if piece.isascii() else 2
            yield first, last, len(piece) < least or not self._held(piece, inserted)

    def _held(self, piece: str, inserted: str) -> bool:
        if not self._allowance.take(len(inserted)):
            return True
        if piece.isdigit():  # digits within a longer number are a different number
            return re.search(rf"(?<!\d){re.escape(piece)}(?!\d)", inserted) is not None
        return piece in inserted


def _doubts(tokens: Tokens, found: Survival) -> Iterator[Doubt]:
    """Spans where best alignments differ, each from the first such word to the last."""
    for stretch, ways in found.stretches:
        first: int | None = None
        last = stretch.here[0]
        for at in range(*stretch.here):
            if found.always[at] and first is not None:
                yield Doubt(tokens.spans[first][0], tokens.spans[last][1], ways)
                first = None
            if found.perhaps[at] and tokens.is_word(at):
                first, last = at if first is None else first, at
        if first is not None:
            yield Doubt(tokens.spans[first][0], tokens.spans[last][1], ways)


def whole_identifiers(masked: Sequence[MaskedSpan], identifiers: Collection[Span]) -> tuple[MaskedSpan, ...]:
    """The masked spans if an identifier counts as replaced as soon as any word of it is replaced.

    >>> whole_identifiers([MaskedSpan(0, 4)], [(0, 9), (10, 12)])
    (MaskedSpan(start=0, end=4, label='REDACTED'), MaskedSpan(start=0, end=9, label='REPLACED'))
    """
    starts = [one.start for one in masked]
    touched = []
    for start, end in sorted(set(identifiers)):
        at = bisect_left(starts, end) - 1
        if at >= 0 and masked[at].end > start:
            touched.append(MaskedSpan(start, end, REPLACED))
    return (*masked, *touched)


@dataclass(frozen=True, slots=True)
class TextStretch:
    """A part of the original, and the part of the released text that corresponds to it."""

    here: Span
    there: Span

    @property
    def cells(self) -> int:
        """The size of the table that compares them."""
        return (self.here[1] - self.here[0]) * (self.there[1] - self.there[0])


@dataclass(frozen=True, slots=True)
class Survival:
    """Whether each token of the original survived."""

    always: Bools
    """Tokens that every best alignment keeps."""
    perhaps: Bools
    """Tokens that only some best alignments keep."""
    free: Bools
    """Tokens of the released text that need not come from the original."""
    stretches: tuple[tuple[TextStretch, int], ...]
    """Where the texts differ, with the number of ways to align them there."""


def survival(one: Ints, other: Ints) -> Survival:
    """Compare two texts, both given as numbered tokens."""
    always, perhaps = np.zeros(one.size, dtype=bool), np.zeros(one.size, dtype=bool)
    free = np.ones(other.size, dtype=bool)
    found: list[tuple[TextStretch, int]] = []
    waiting = [(TextStretch((0, one.size), (0, other.size)), 0)]
    while waiting:
        stretch, tried = waiting.pop()
        here, there = slice(*stretch.here), slice(*stretch.there)
        runs, size, tried = _runs(one[here], other[there], tried, cells=stretch.cells)
        if runs:
            for start, to in runs:
                always[stretch.here[0] + start : stretch.here[0] + start + size] = True
                free[stretch.there[0] + to : stretch.there[0] + to + size] = False
            waiting += [(part, tried) for part in _between(stretch, runs, size)]
        elif stretch.cells > LARGE:
            perhaps[here] = np.isin(one[here], other[there])
            found.append((stretch, 2))
        else:
            best = best_alignments(one[here], other[there])
            always[here], perhaps[here], free[there] = best.always, best.perhaps, best.free
            found.append((stretch, best.ways))
    return Survival(always, perhaps, free, tuple(sorted(found, key=lambda pair: pair[0].here)))


def _runs(one: Ints, other: Ints, tried: int, *, cells: int) -> tuple[list[Pair], int, int]:
    """The longest runs that two stretches share, their size, and how many sizes were tried."""
    sizes = (RUN, *SHORTER_RUNS) if cells > LARGE else (RUN,) if cells > SMALL else ()
    here, there = (one.tolist(), other.tolist()) if tried < len(sizes) else ([], [])
    for number in range(tried, len(sizes)):
        runs = common_runs(here, there, sizes[number])
        if runs:
            return runs, sizes[number], number + 1
    return [], 0, len(sizes)


def _between(whole: TextStretch, runs: list[Pair], size: int) -> Iterator[TextStretch]:
    """The stretches before, between and after the runs."""
    here, there = whole.here[0], whole.there[0]
    for start, to in runs:
        begin, begin_there = whole.here[0] + start, whole.there[0] + to
        if begin > here or begin_there > there:
            yield TextStretch((here, max(begin, here)), (there, max(begin_there, there)))
        here, there = begin + size, begin_there + size
    if here < whole.here[1] or there < whole.there[1]:
        yield TextStretch((here, whole.here[1]), (there, whole.there[1]))


def common_runs(one: Sequence[int], other: Sequence[int], size: int) -> list[Pair]:
    """Runs of `size` tokens that occur once in each text, as many as possible in the same order.

    Runs that overlap do so by the same amount in both texts.

    >>> common_runs([1, 2, 3, 9, 4, 5], [1, 2, 3, 8, 8, 4, 5], 2)
    [(0, 0), (1, 1), (4, 5)]
    """
    here, there = _single(one, size), _single(other, size)
    pairs = sorted((at, there[run]) for run, at in here.items() if run in there)
    return _compatible(_rising(pairs), size)


def _single(tokens: Sequence[int], size: int) -> dict[tuple[int, ...], int]:
    """Position of each run that occurs once."""
    found: dict[tuple[int, ...], int] = {}
    again: set[tuple[int, ...]] = set()
    for at, run in enumerate(zip(*(tokens[shift:] for shift in range(size)), strict=False)):
        if run in found:
            again.add(run)
        else:
            found[run] = at
    return {run: at for run, at in found.items() if run not in again}


def _rising(pairs: list[Pair]) -> list[Pair]:
    """The longest chain that increases in both texts; the pairs are sorted by the first."""
    tops: list[int] = []
    ends: list[int] = []
    before = [-1] * len(pairs)
    for number, (_, at) in enumerate(pairs):
        length = bisect_left(tops, at)
        before[number] = ends[length - 1] if length else -1
        if length == len(tops):
            tops.append(at)
            ends.append(number)
        else:
            tops[length], ends[length] = at, number
    chain = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _compatible(chain: list[Pair], size: int) -> list[Pair]:
    kept: list[Pair] = []
    for here, there in chain:
        if kept:
            step, other_step = here - kept[-1][0], there - kept[-1][1]
            if step != other_step and min(step, other_step) < size:
                continue
        kept.append((here, there))
    return kept


@dataclass(frozen=True, slots=True)
class BestAlignments:
    """What the best alignments of a stretch have in common."""

    always: Bools
    """Tokens of the original that every best alignment keeps."""
    perhaps: Bools
    """Tokens that only some best alignments keep."""
    free: Bools
    """Tokens of the released text that need not come from the original."""
    ways: int
    """Number of best alignments, as far as they are counted."""


def best_alignments(one: Ints, other: Ints) -> BestAlignments:
    """Compare the tokens of the original with those of the released text."""
    equal = one[:, None] == other[None, :]
    before, after = _lengths(equal), _lengths(equal[::-1, ::-1])[::-1, ::-1]
    total = before[-1, -1]
    kept = (before[:-1, :-1] + after[1:, 1:] + 1 == total) & equal
    skipped = (before[:-1] + after[1:] == total).any(axis=1)
    free = (before[:, :-1] + after[:, 1:] == total).any(axis=0)
    perhaps = kept.any(axis=1) & skipped
    return BestAlignments(~skipped, perhaps, free, _ways(before, one, other) if perhaps.any() else 1)


def _lengths(equal: Bools) -> Table:
    """Length of the longest common subsequence before each pair of positions."""
    rows, columns = equal.shape
    if rows > columns:  # loop over the shorter text
        return _lengths(equal.T).T
    table = np.zeros((rows + 1, columns + 1), dtype=np.int32)
    for at in range(rows):
        above, row = table[at], table[at + 1]
        np.add(above[:-1], equal[at], out=row[1:])
        np.maximum(row, above, out=row)
        np.maximum.accumulate(row, out=row)
    return table


def _ways(table: Table, one: Ints, other: Ints) -> int:
    """The number of best alignments, from 2 to `MOST_WAYS`."""
    if table.size > _COUNTED:
        return 2
    lengths, counts = table.tolist(), [[1] * (other.size + 1) for _ in range(one.size + 1)]
    tokens = other.tolist()
    for at, token in enumerate(one.tolist(), start=1):
        above, row, counted, counting = lengths[at - 1], lengths[at], counts[at - 1], counts[at]
        for to in range(1, len(tokens) + 1):
            length = row[to]
            ways = counted[to] * (above[to] == length) + counting[to - 1] * (row[to - 1] == length)
            ways -= counted[to - 1] * (above[to - 1] == length)
            ways += counted[to - 1] * (token == tokens[to - 1] and above[to - 1] + 1 == length)
            counting[to] = ways
    return min(counts[-1][-1], MOST_WAYS)
