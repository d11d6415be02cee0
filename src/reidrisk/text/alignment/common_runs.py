"""Runs of words that occur once in each of two texts, in the same order: what holds the texts together.

The idea of Cohen's patience diff, with runs in place of lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

Pair = tuple[int, int]
"""Where a run begins in the one text and in the other."""


def common_runs(one: Sequence[int], other: Sequence[int], size: int) -> list[Pair]:
    """Runs of `size` tokens that occur once in each text, as many as can stand in one order.

    Runs that overlap do so alike in both texts.

    >>> common_runs([1, 2, 3, 9, 4, 5], [1, 2, 3, 8, 8, 4, 5], 2)
    [(0, 0), (1, 1), (4, 5)]
    """
    here, there = _single(one, size), _single(other, size)
    pairs = sorted((at, there[run]) for run, at in here.items() if run in there)
    return _compatible(_rising(pairs), size)


def _single(tokens: Sequence[int], size: int) -> dict[tuple[int, ...], int]:
    """Where each run stands that occurs once."""
    found: dict[tuple[int, ...], int] = {}
    again: set[tuple[int, ...]] = set()
    for at, run in enumerate(zip(*(tokens[shift:] for shift in range(size)), strict=False)):
        if run in found:
            again.add(run)
        else:
            found[run] = at
    return {run: at for run, at in found.items() if run not in again}


def _rising(pairs: list[Pair]) -> list[Pair]:
    """The longest chain that rises in both texts, the pairs being in order of the first."""
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
