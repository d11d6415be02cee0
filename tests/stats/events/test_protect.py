"""Events protected: what is promised is counted once more, the slow way."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.events.clean import Demand
from reidrisk.stats.events.protect import Follow, Histories, Protection, UnprotectedEvents, protect
from reidrisk.stats.lattice.inputs import Recoding
from tests.stats.events.people import PEOPLE, People, supports

RULES = Recoding.of_rows([[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 0]])


def histories(people: People) -> Histories:
    rows = [(at, event, n) for at, (_, has) in enumerate(people) for event, n in sorted(Counter(has).items())]
    person, event, copies = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    classes = np.array([of for of, _ in people])
    return Histories(person, event[:, None].astype(np.int32), copies, classes, (RULES,))


def left(people: People, found: Protection) -> People:
    """What goes out."""
    given_out = histories(people)
    out: People = [(of, []) for of, _ in people]
    for person, event, copies, gone in zip(
        given_out.person, given_out.codes[:, 0], given_out.copies, found.dropped, strict=True
    ):
        if not gone:
            out[person][1].extend([int(RULES.levels[found.node[0]][event])] * int(copies))
    return out


@given(PEOPLE, st.integers(0, 4), st.integers(1, 4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_nothing_that_may_be_known_fits_too_few(people: People, known: int, size: int, counted: bool) -> None:
    demand = Demand(known, size, 1.0, counted, 10**6)
    found = protect(histories(people), demand)
    assert isinstance(found, Protection), "everything may be left out"
    out = left(people, found)
    classes = Counter(of for of, _ in people)
    for (of, has), seen in zip(out, supports(out, known, counted=counted), strict=True):
        assert not has or known == 0 or min(seen) >= size
        assert min(seen) >= min(size, classes[of])
    assert 0 <= found.loss <= 1
    assert found.rows == histories(people).rows - sum(len(has) for _, has in out)


@given(PEOPLE, st.integers(1, 3), st.floats(0, 0.6))
@settings(max_examples=30, deadline=None)
def test_no_more_is_left_out_than_allowed(people: People, known: int, limit: float) -> None:
    given_out = histories(people)
    found = protect(given_out, Demand(known, 3, limit, False, 10**6))
    if isinstance(found, Protection):
        assert found.rows <= limit * given_out.rows + 1e-9
    else:
        assert found.tried == 3
        assert found.share is not None
        assert found.share > limit


def test_the_least_loss_is_chosen() -> None:
    alike: People = [(0, [0]), (0, [1]), (0, [2]), (0, [3])]
    pairs = protect(histories(alike), Demand(1, 2, 0.0, False, 10**6))
    assert isinstance(pairs, Protection)
    assert (pairs.node, pairs.rows, pairs.loss) == ((1,), 0, 0.25)
    few = protect(histories([(0, [0]), (0, [0]), (0, [1])]), Demand(1, 2, 0.4, False, 10**6))
    assert isinstance(few, Protection)
    assert (few.node, few.rows) == ((1,), 0), "a coarser level costs less than a third of the rows"
    none = protect(histories([(0, [0]), (1, [0])]), Demand(1, 2, 0.4, False, 10**6))
    assert none == UnprotectedEvents(3, 3, 1.0)


def test_what_cannot_be_shown_is_not_promised() -> None:
    same: People = [(0, [0, 1, 2, 3])] * 3
    found = protect(histories(same), Demand(2, 2, 0.0, False, 10))
    assert isinstance(found, Protection)
    assert found.node == (1,), "with fewer events there are fewer subsets to look at"
    assert protect(histories(same), Demand(1, 2, 0.0, False, 2)) == UnprotectedEvents(3, 3, None)


def test_it_may_be_stopped_with_the_best_so_far() -> None:
    people: People = [(0, [0]), (0, [0]), (0, [1])]
    told: list[tuple[int, int]] = []
    follow = Follow(lambda: bool(told[1:]), lambda done, total: told.append((done, total)))
    found = protect(histories(people), Demand(1, 2, 0.4, False, 10**6), follow)
    assert isinstance(found, Protection)
    assert (found.node, found.rows) == ((0,), 1)
    assert found.loss == pytest.approx(1 / 3)
    assert told == [(0, 3), (1, 3)]
    at_once = protect(histories(people), Demand(1, 2, 0.4, False, 10**6), Follow(lambda: True))
    assert at_once == UnprotectedEvents(3, 0, None)


def test_a_share_that_is_rounded_down_still_allows_the_row() -> None:
    """29 of 100 rows may go, although 0.29 times 100 is a little less than 29 in binary numbers."""
    people: People = [(0, [0])] * 71 + [(1 + at, [0]) for at in range(29)]
    found = protect(histories(people), Demand(1, 2, 0.29, False, 10**6))
    assert isinstance(found, Protection)
    assert found.rows == 29
    assert found.loss == pytest.approx(0.29)
    assert protect(histories(people), Demand(1, 2, 0.28, False, 10**6)) == UnprotectedEvents(3, 3, 0.29)


def test_one_row_only() -> None:
    assert protect(histories([(0, [0])]), Demand(1, 2, 0.9, False, 10**6)) == UnprotectedEvents(3, 3, 1.0)
    none = protect(histories([(0, [])]), Demand(1, 2, 0.0, False, 10**6))
    assert isinstance(none, Protection)
    assert (none.rows, none.loss, none.node) == (0, 0.0, (0,))


def test_what_generalizing_loses() -> None:
    """Of five values, a pair is 1/4 of what can be lost, a value of its own nothing, and the top all."""
    given_out = histories([(0, [0, 0, 4]), (1, [2])])
    assert given_out.rows == 4
    assert given_out.lost((1,)).tolist() == [0.25, 0.0, 0.25]
    assert given_out.lost((2,)).tolist() == [1.0] * 3
    assert given_out.mean(given_out.lost((1,))) == pytest.approx((0.25 + 0.25 + 0 + 0.25) / 4)
    pairs, of = given_out.at((2,))
    assert pairs.person.tolist() == [0, 1]
    assert pairs.copies.tolist() == [3, 1]
    assert of.tolist() == [0, 0, 1]


def test_two_columns_are_one_event() -> None:
    codes = np.array([[0, 0], [0, 1], [0, 0], [0, 1]], dtype=np.int32)
    given_out = Histories(
        np.array([0, 0, 1, 1]), codes, np.ones(4, dtype=np.int64), np.zeros(2, dtype=np.int64), (RULES, RULES)
    )
    pairs, of = given_out.at((0, 0))
    assert len(pairs.person) == 4
    assert pairs.event[of].tolist() == [0, 1, 0, 1]
    assert given_out.lost((1, 2)).tolist() == [(0.25 + 1) / 2] * 4
    assert len(given_out.at((0, 1))[0].person) == 2
