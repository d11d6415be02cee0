"""Every layout of visible pieces, against all of them tried one by one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.text.alignment.placement import Allowance, Misfit, Placement, occurrences, place_pieces
from reidrisk.text.alignment.result import MOST_WAYS, without

PIECES = st.lists(st.text("ab ", min_size=1, max_size=3), min_size=0, max_size=4)


def every_layout(text: str, pieces: list[str]) -> list[list[int]]:
    """All ways to put the pieces in order, each hiding at least one character before the next."""
    layouts = [[0]] if text.startswith(pieces[0]) else []
    for number in range(1, len(pieces)):
        before = len(pieces[number - 1])
        layouts = [
            [*layout, at]
            for layout in layouts
            for at in occurrences(text, pieces[number], layout[-1] + before + 1, len(text))
        ]
    return [layout for layout in layouts if layout[-1] + len(pieces[-1]) == len(text)]


@given(st.text("ab ", min_size=1, max_size=14), st.text("ab", max_size=2), PIECES, st.text("ab", max_size=2))
def test_first_last_and_ways_are_those_of_all_layouts(
    text: str, start: str, inner: list[str], end: str
) -> None:
    pieces = [start, *inner, end]
    layouts = every_layout(text, pieces) if end else [[*one, len(text)] for one in _open(text, pieces)]
    found = place_pieces(text, pieces, [1] * (len(pieces) - 1))
    assert isinstance(found, Placement) == bool(layouts)
    if not isinstance(found, Placement):
        return
    columns = list(zip(*layouts, strict=True))
    assert list(found.first) == [min(column) for column in columns]
    assert list(found.last) == [max(column) for column in columns]
    ways = 1
    for before, after in found.gaps():
        ways *= found.ways(before, after) if after > before + 1 else 1
        expected = {
            (at, at + len(pieces[number]))
            for layout in layouts
            for number in range(before + 1, after)
            for at in [layout[number]]
        }
        assert set(found.perhaps_visible(before, after, Allowance(100))) == expected
    assert ways == len(layouts)


def _open(text: str, pieces: list[str]) -> list[list[int]]:
    """Layouts whose last mark runs to the end of the text."""
    inner = pieces[:-1]
    layouts = [[0]] if text.startswith(inner[0]) else []
    for before, piece in pairwise(inner):
        layouts = [
            [*one, at]
            for one in layouts
            for at in occurrences(text, piece, one[-1] + len(before) + 1, len(text))
        ]
    return [one for one in layouts if one[-1] + len(inner[-1]) < len(text)]


def test_what_does_not_fit_is_named_by_its_number() -> None:
    assert place_pieces("one two three", ["one ", " tree"], [1]) == Misfit(1)
    assert place_pieces("one two three", ["One ", " three"], [1]) == Misfit(0)
    assert place_pieces("one two", ["one"], []) == Misfit(0)
    assert place_pieces("one two", ["one ", " two"], [1]) == Misfit(1)


def test_without_an_allowance_the_whole_window_may_be_visible() -> None:
    text = "x" + "ab" * 10 + "x"
    found = place_pieces(text, ["x", "b", "x"], [1, 1])
    assert isinstance(found, Placement)
    spent = Allowance(0)
    assert spent.take(10)
    while spent.take(1000):
        pass
    assert found.perhaps_visible(0, 2, spent) == [(2, 19)]
    assert len(found.perhaps_visible(0, 2, Allowance(len(text)))) == 9


def test_ways_are_counted_up_to_a_limit() -> None:
    found = place_pieces("<" + "ab" * 300 + ">", ["<", *["b"] * 20, ">"], [1] * 21)
    assert isinstance(found, Placement)
    assert found.ways(0, 21) == MOST_WAYS
    long = place_pieces("<" + "ab" * 60_000 + ">", ["<", "b", ">"], [1, 1])
    assert isinstance(long, Placement)
    assert long.ways(0, 2) == 2


@pytest.mark.parametrize(
    ("holes", "left"), [([], [(2, 9)]), ([(0, 9)], []), ([(1, 3), (3, 4)], [(4, 9)]), ([(8, 20)], [(2, 8)])]
)
def test_holes(holes: list[tuple[int, int]], left: list[tuple[int, int]]) -> None:
    assert without((2, 9), holes) == left
