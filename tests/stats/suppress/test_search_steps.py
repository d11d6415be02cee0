"""The steps of the search on a few records: each is compared with a plain look at all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from reidrisk.stats.suppress import search
from reidrisk.stats.suppress.result import cost
from reidrisk.stats.suppress.search import (
    LARGE,
    NOWHERE,
    SearchStep,
    SuppressionState,
    cap_by_price,
    cheapest_open,
    choose,
    draw,
    enter,
    free_unit,
    improve,
    leave,
    make_state,
    moves_of,
    net_gain,
    open_group,
    open_groups,
    price_fallback,
    recreate,
    restore,
    ruin,
    take,
    tally,
    total_cost,
    undo,
)
from reidrisk.stats.suppress.table import Request, SuppressionTable, make_table
from tests.stats.suppress.small import (
    cheaper,
    check_state,
    fewest,
    groups_of,
    is_sound,
    place_classes,
    random_classes,
    small_table,
    state_of,
)

pytestmark = pytest.mark.usefixtures("plain_loops")
CALM = SearchStep(30, 1.0, 0.6, 0.0)


def tables(number: int = 8) -> Iterator[tuple[int, SuppressionTable]]:
    for seed in range(number):
        yield (
            seed,
            small_table(seed, k=1 + seed % 3, records=7, columns=2 + seed % 2, weighted=seed % 2 == 0),
        )


def placed(table: SuppressionTable, seed: int) -> SuppressionState:
    """A state with random classes; tuples are small, so that every record is a unit."""
    state = state_of(table, 2 * seed + 11)
    place_classes(table, state, random_classes(table, seed))
    return state


def sound_tables(number: int = 8) -> Iterator[tuple[int, SuppressionTable, SuppressionState]]:
    for seed, table in tables(number):
        if (table.counts <= 2 * table.k).all():
            yield seed, table, placed(table, seed)


def freed_state(seed: int, table: SuppressionTable) -> tuple[SuppressionState, int]:
    """Some units are free, in random order and with random values; a few of the freed have a place again."""
    rng = np.random.default_rng(seed)
    state = state_of(table)
    units = rng.permutation(len(state.place))
    freed = int(rng.integers(3, len(units) + 1))
    state.freed[:freed] = units[:freed]
    state.value[:freed] = rng.integers(0, 10, freed) / 2
    for unit in [*units[freed:], *units[: rng.integers(0, 2)]]:
        row = state.tuple_of[unit]
        enter(state, unit, int(np.flatnonzero(state.of[row] >= 0)[0]))
    return state, freed


def free_spares(state: SuppressionState, freed: int, group: int) -> list[float]:
    """What each freed unit without a place would save in a group, the most first."""
    place = state.pattern[group]
    return sorted(
        (
            float(state.value[index] - state.costs[place])
            for index, unit in enumerate(state.freed[:freed])
            if state.place[unit] < 0 and state.of[state.tuple_of[unit], place] == group
        ),
        reverse=True,
    )


def test_of_tuples_above_twice_k_all_but_k_records_stay() -> None:
    codes = np.array([[0], [1], [2], [3]], dtype=np.int32)
    table = make_table(codes, np.array([5, 4, 9, 1]), Request(2))
    groups = groups_of(table)
    state = make_state(groups, table.counts, 2, 6)
    assert state.tuple_of.tolist() == [0, 0, 1, 1, 1, 1, 2, 2, 3]
    assert state.first_unit.tolist() == [0, 2, 6, 8, 9]
    assert state.fixed.tolist() == [3, 0, 7, 0] == state.size.tolist()
    assert state.random.tolist() == [7]
    for links in (state.place, state.head, state.after, state.before):
        assert set(links.tolist()) == {-1}
    restore(state, np.array([0, 0, 0, 0, 1, 0, 0, 1, 1], dtype=np.int32))
    assert state.size.tolist() == [5, 3, 8, 3]
    assert total_cost(state) == 3.0
    restore(state, state.place.copy())
    assert state.size.tolist() == [5, 3, 8, 3]
    check_state(state)
    done = moves_of(state.place, state, groups, table.counts)
    assert [column.tolist() for column in done] == [
        [0, 1, 1, 2, 2, 3],
        [0, 0, 1, 0, 1, 1],
        [5, 3, 1, 8, 1, 1],
    ]
    assert cost(done, table) == 3.0


def test_a_number_of_records_beyond_32_bits_stays() -> None:
    codes = np.array([[0], [1]], dtype=np.int32)
    table = make_table(codes, np.array([2**40, 1]), Request(2))
    state = state_of(table)
    assert state.fixed[0] == 2**30
    restore(state, np.array([0, 0, 1], dtype=np.int32)[: len(state.place)])
    done = moves_of(state.place, state, groups_of(table), table.counts)
    assert done.numbers.tolist() == [2**40, 1]


def test_random_numbers_are_those_of_the_published_generator() -> None:
    """Vigna, An experimental exploration of Marsaglia's xorshift generators: xorshift64*, from state 1."""
    state, outputs = 1, []
    for _ in range(50):
        state ^= state >> 12
        state = (state ^ state << 25) % 2**64
        state ^= state >> 27
        outputs.append(state * 2685821657736338717 % 2**64)
    assert outputs[0] == 5180492295206395165
    random = np.array([1], dtype=np.uint64)
    assert [draw(random, 2**31) for _ in range(25)] == [one >> 33 for one in outputs[:25]]
    assert [draw(random, 7) for _ in range(25)] == [(one >> 33) % 7 for one in outputs[25:]]
    assert random.tolist() == [state]


def test_units_enter_and_leave_in_any_order() -> None:
    for seed, table in tables():
        state, rng = state_of(table), np.random.default_rng(seed)
        for _ in range(40):
            unit = int(rng.integers(len(state.place)))
            if state.place[unit] >= 0:
                leave(state, unit)
                assert state.place[unit] == -1
            else:
                place = int(rng.choice(np.flatnonzero(state.of[state.tuple_of[unit]] >= 0)))
                enter(state, unit, place)
                assert state.place[unit] == place
            check_state(state)


def test_the_cheapest_open_class_of_each_tuple() -> None:
    seen = set()
    for _, table, state in sound_tables():
        for unit in range(6):
            leave(state, unit)
        for row in range(len(table.counts)):
            ready = [
                place
                for place, group in enumerate(state.of[row].tolist())
                if group >= 0 and state.size[group] >= table.k
            ]
            assert cheapest_open(state, row) == min(ready, default=-1)
            seen.add(min(ready, default=-1))
    assert -1 in seen
    assert len(seen) > 2
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([2, 2]), Request(2))
    state = state_of(table)
    enter(state, 0, 0)
    assert cheapest_open(state, 0) == -1
    enter(state, 1, 0)
    assert (cheapest_open(state, 0), cheapest_open(state, 1)) == (0, -1)


def test_places_are_restored_and_their_cost_is_that_of_their_cells() -> None:
    for seed, table, state in sound_tables():
        groups = groups_of(table)
        places = state.place.copy()
        assert total_cost(state) == pytest.approx(cost(moves_of(places, state, groups, table.counts), table))
        other = placed(table, seed + 100)
        leave(other, 1)
        restore(other, places)
        assert other.place.tolist() == places.tolist()
        check_state(other)


def test_a_freed_unit_is_remembered() -> None:
    for _, _, state in sound_tables():
        places = state.place.copy()
        assert free_unit(state, 2, 0) == 1
        assert free_unit(state, 0, 1) == 2
        assert state.freed[:2].tolist() == [2, 0]
        assert state.old[:2].tolist() == places[[2, 0]].tolist()
        assert state.place[[2, 0]].tolist() == [-1, -1]
        check_state(state)


@pytest.mark.parametrize(
    ("k", "records", "least", "most"),
    [(2, 3, 1.0, 1.0), (2, 4, 0.15, 0.35), (1, LARGE - 1, 0.15, 0.35), (1, LARGE, 0.0, 0.0)],
)
def test_small_classes_are_freed_as_a_whole_larger_ones_seldom(
    k: int, records: int, least: float, most: float
) -> None:
    table = make_table(np.arange(records, dtype=np.int32)[:, None], np.ones(records, dtype=int), Request(k))
    whole = 0
    for seed in range(100):
        state = state_of(table, 1000 * seed + 7)
        restore(state, np.full(records, len(state.costs) - 1, dtype=np.int32))
        draw(state.random, 2)
        freed = take(state, 1, 0)
        assert freed in (1, records)
        assert 1 in state.freed[:freed]
        assert sorted(state.freed[:freed]) == np.flatnonzero(state.place < 0).tolist()
        check_state(state)
        whole += freed > 1
    assert least <= whole / 100 <= most


def test_a_class_with_records_that_stay_spares_any_unit() -> None:
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([5, 2]), Request(2))
    for seed in range(20):
        state = state_of(table, seed)
        restore(state, np.zeros(4, dtype=np.int32))
        assert take(state, 0, 0) == 1
        assert take(state, 1, 1) == 2
        assert take(state, 2, 2) == 4  # two records: the whole class


@pytest.mark.parametrize("limit", [2, 4, 100])
def test_ruin_frees_suppressed_records_and_those_that_could_join_them(limit: int) -> None:
    beyond = 0
    for _, table, start in sound_tables(24):
        places = start.place.copy()
        old_sizes = start.size.copy()
        if not (places > 0).any():
            continue
        freed = ruin(start, limit)
        units = start.freed[:freed].tolist()
        assert len(set(units)) == freed >= 1
        assert start.old[:freed].tolist() == places[units].tolist()
        assert np.flatnonzero(start.place < 0).tolist() == sorted(units)
        assert (start.place[start.place >= 0] == places[start.place >= 0]).all()
        check_state(start)
        assert is_sound(start)
        assert freed < limit + old_sizes.max()
        assert explained(start, places, units, every=limit == 100)
        beyond += len({(int(start.tuple_of[unit]), int(places[unit])) for unit in units}) > table.k
    assert beyond


def explained(state: SuppressionState, places: np.ndarray, units: list[int], *, every: bool) -> bool:
    """Whether a suppressed unit has a group, no costlier than its own, with a member in every freed class."""
    classes: dict[int, set[int]] = {}
    for unit in units:
        classes.setdefault(int(state.of[state.tuple_of[unit], places[unit]]), set()).add(
            int(state.tuple_of[unit])
        )
    for unit in units:
        own = int(state.of[state.tuple_of[unit], places[unit]])
        for place in range(places[unit] + 1) if places[unit] > 0 else ():
            group = int(state.of[state.tuple_of[unit], place])
            if group < 0:
                continue
            members = set(state.members[state.start[group] : state.start[group + 1]].tolist())
            shared = all(rows & members for one, rows in classes.items() if one != own)
            gone = all(state.place[one] < 0 for one in range(len(places)) if state.tuple_of[one] in members)
            if shared and (gone or not every):
                return True
    return False


def test_ruin_finds_the_suppressed_record_among_many() -> None:
    """One of forty units has a cell suppressed."""
    codes = np.array([[row, 0] for row in range(20)], dtype=np.int32)
    table = make_table(codes, np.full(20, 2), Request(1))
    for seed in range(10):
        state = state_of(table, seed * 2 + 1)
        places = np.zeros(40, dtype=np.int32)
        places[17] = 1
        restore(state, places)
        ruin(state, 1)
        assert state.freed[0] == 17


def test_a_freed_unit_falls_back_to_the_cheapest_open_class_at_most_at_its_price() -> None:
    for _, _, state in sound_tables():
        freed = free_unit(state, 1, free_unit(state, 0, 0))
        price_fallback(state, freed)
        for index in range(freed):
            place = cheapest_open(state, state.tuple_of[state.freed[index]])
            assert state.goal[index] == place
            assert state.value[index] == (state.costs[place] if place >= 0 else NOWHERE)
        before = state.value[:freed].copy()
        state.price[:] = 0.75
        cap_by_price(state, freed, 0.5)
        assert state.value[:freed].tolist() == np.minimum(before, 1.25).tolist()


def test_a_unit_falls_back_to_its_own_values_where_that_class_is_open() -> None:
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([3, 2]), Request(2))
    state = state_of(table)
    restore(state, np.zeros(5, dtype=np.int32))
    freed = free_unit(state, 3, free_unit(state, 0, 0))
    price_fallback(state, freed)
    assert state.goal[:2].tolist() == [0, -1]
    assert state.value[:2].tolist() == [0.0, NOWHERE]


@pytest.mark.parametrize("reach", [0.0, 0.5, 1.5, 100.0])
def test_what_freed_units_could_save_in_each_group(reach: float) -> None:
    for seed, table in tables():
        state, freed = freed_state(seed, table)
        touched = tally(state, freed, reach)
        seen = state.seen[:touched].tolist()
        assert len(set(seen)) == touched
        for group in range(len(state.pattern)):
            near = [spare for spare in free_spares(state, freed, group) if spare >= -reach]
            assert (group in seen) == bool(near)
            assert state.able[group] == len(near)
            if near:
                assert state.gain[group] == pytest.approx(sum(spare for spare in near if spare > 0))


def best_saving(spares: list[float], k: int) -> tuple[float, float]:
    """All that save, filled up to k with those that lose least; and the least of the latter."""
    good = sum(spare > 0 for spare in spares)
    if len(spares) < k:
        return -1.0, 0.0
    return sum(spares[: max(k, good)]), spares[k - 1] if good < k else 0.0


def test_the_saving_of_a_group_is_that_of_its_best_units() -> None:
    short = 0
    for seed, table in [
        (seed, small_table(seed, k=1 + seed % 4, records=9, columns=2)) for seed in range(24)
    ]:
        state, freed = freed_state(seed, table)
        for group in range(len(state.pattern)):
            spares = free_spares(state, freed, group)
            assert net_gain(state, freed, group) == pytest.approx(best_saving(spares, table.k))
            short += 0 < sum(spare > 0 for spare in spares) < table.k <= len(spares)
    assert short > 10


def test_the_group_that_saves_most_is_chosen() -> None:
    chosen_before_others = 0
    for seed, table in tables(24):
        state, freed = freed_state(seed, table)
        touched = tally(state, freed, 100.0)
        sums = {
            group: best_saving(free_spares(state, freed, group), table.k)[0]
            for group in range(len(state.pattern))
        }
        best = max(sums.values())
        group = choose(state, touched, freed, 0.0)
        assert not state.able.any()
        if best <= 1e-9:
            assert group == -1
            continue
        assert sums[group] == pytest.approx(best)
        chosen_before_others += sum(value > 0 for value in sums.values()) > 1
        found = set()
        for _ in range(12):
            noisy = choose(state, tally(state, freed, 100.0), freed, 0.5)
            assert sums[noisy] >= 0.5 * best - 1e-9
            found.add(noisy)
        near = [one for one, value in sums.items() if value >= 0.999 * best]
        assert len(found) > 1 or len(near) == 1 or table.k > 1
    assert chosen_before_others > 5


def test_groups_with_too_few_units_in_reach_are_left_out() -> None:
    """Three of one value save 2 together, but only two are in reach of a cell more than they are worth."""
    table = make_table(np.array([[0]], dtype=np.int32), np.array([3]), Request(3))
    state = state_of(table)
    state.freed[:3], state.value[:3] = [0, 1, 2], [2.0, 1.0, -1.0]
    assert choose(state, tally(state, 3, 0.5), 3, 0.0) == -1
    assert choose(state, tally(state, 3, 1.0), 3, 0.0) == 0


def test_opening_a_group_places_the_units_that_it_is_best_for() -> None:
    opened = 0
    for seed, table in tables(24):
        state, freed = freed_state(seed, table)
        free = state.place < 0
        values, goals = state.value.copy(), state.goal.copy()
        sums = {
            group: best_saving(free_spares(state, freed, group), table.k)
            for group in range(len(state.pattern))
        }
        group = max(sums, key=lambda one: (sums[one][0], -one))
        if sums[group][0] <= 0 or state.size[group]:
            continue
        opened += 1
        spares = free_spares(state, freed, group)
        open_group(state, group, freed)
        check_state(state)
        place = state.pattern[group]
        entered = [
            index for index, unit in enumerate(state.freed[:freed]) if free[unit] and state.place[unit] >= 0
        ]
        assert {int(state.place[state.freed[index]]) for index in entered} == {place}
        assert state.size[group] == len(entered) == max(table.k, sum(spare > 0 for spare in spares))
        assert sum(values[entered] - state.costs[place]) == pytest.approx(sums[group][0])
        for index, unit in enumerate(state.freed[:freed].tolist()):
            mine = state.of[state.tuple_of[unit], place] == group and state.place[unit] < 0
            cheaper = mine and state.costs[place] < values[index]
            assert state.value[index] == (state.costs[place] if cheaper else values[index])
            assert state.goal[index] == (place if cheaper else goals[index])
    assert opened > 10


def test_the_others_learn_of_a_group_that_is_open_now() -> None:
    """All units are worth the same; a group takes as many as it must, and becomes the goal of the others."""
    table = make_table(np.array([[0, 0], [0, 1]], dtype=np.int32), np.array([2, 2]), Request(3))
    state = state_of(table)
    state.freed[:4], state.value[:4], state.goal[:4] = range(4), [3.0, 0.5, 0.5, 3.0], -1
    place = int(state.pattern[0])
    assert state.costs[place] == 1.0
    open_group(state, 0, 4)
    assert state.size[0] == 3
    assert (state.place[[0, 3]] == place).all()
    assert (state.value[:4].tolist(), set(state.goal[:4].tolist())) == ([3.0, 0.5, 0.5, 3.0], {-1})


def test_of_equal_units_a_group_takes_those_that_lose_least_first() -> None:
    """k = 4: two units are worth their cost, three half a cell less; two of these are taken."""
    table = make_table(np.arange(5, dtype=np.int32)[:, None], np.ones(5, dtype=int), Request(4))
    state = state_of(table)
    state.freed[:5], state.value[:5] = range(5), [0.5, 0.5, 0.5, 1.0, 1.0]
    assert net_gain(state, 5, 0) == (-1.0, -0.5)
    open_group(state, 0, 5)
    assert (state.place >= 0).tolist()[3:] == [True, True]
    assert state.size.tolist() == [4]


def test_groups_are_opened_until_none_saves() -> None:
    for seed, table in tables(16):
        state, freed = freed_state(seed, table)
        before = state.size.copy()
        open_groups(state, freed, CALM._replace(reach=100.0))
        check_state(state)
        grown = state.size > before
        assert (state.size[grown] - before[grown] >= table.k).all()
        for group in range(len(state.pattern)):
            assert best_saving(free_spares(state, freed, group), table.k)[0] <= 1e-9


def test_recreating_places_all_freed_units_in_sound_classes() -> None:
    for seed, table, state in sound_tables(16):
        freed = ruin(state, 4)
        after = recreate(state, freed, CALM)
        check_state(state)
        assert (state.place >= 0).all()
        assert is_sound(state)
        assert after == pytest.approx(sum(state.costs[state.place[unit]] for unit in state.freed[:freed]))
        undo(state, freed)
        check_state(state)
        assert state.place.tolist() == placed(table, seed).place.tolist()


def test_prices_guide_three_of_four_rounds() -> None:
    """Two records that differ in one cell, and a class with both cells suppressed.

    By their fallback they save one cell each in a class of their own; by a price of nothing they do not.
    """
    codes = np.array([[0, 0], [0, 1], [1, 2], [2, 3]], dtype=np.int32)
    table = make_table(codes, np.ones(4, dtype=int), Request(2))
    for seed in range(12):
        state = state_of(table, 7919 * seed + 5)
        last = len(state.costs) - 1
        restore(state, np.full(4, last, dtype=np.int32))
        freed = free_unit(state, 1, free_unit(state, 0, 0))
        assert recreate(state, freed, CALM._replace(rise=0.0)) == 2.0
        assert total_cost(state) == 6.0


def test_units_that_find_no_class_cost_more_than_anything() -> None:
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([1, 1]), Request(2))
    state = state_of(table)
    state.freed[0], state.old[0] = 0, 1
    assert recreate(state, 1, CALM) == NOWHERE
    assert state.place.tolist() == [-1, -1]


ROUND = CALM._replace(size=6, reach=4.0)
CHEAP = SearchStep(6, 0.4, 0.06, 0.0)


@pytest.mark.parametrize(("k", "seed"), [(2, 0), (2, 3), (2, 4), (3, 1), (3, 3), (3, 4), (3, 5)])
def test_without_heat_the_cost_only_falls_and_reaches_the_fewest_cells(k: int, seed: int) -> None:
    table = cheaper(small_table(seed, k=k, records=7, columns=3, weighted=seed % 2 == 1), 0.1)
    state, best = placed(table, seed), fewest(table)
    state.price[:] = best / table.records
    value = total_cost(state)
    assert value > best
    for _ in range(8):
        improve(state, 5, 0.0, CHEAP)
        assert total_cost(state) <= value + 1e-9
        value = total_cost(state)
        assert is_sound(state)
    check_state(state)
    assert value == pytest.approx(best)


def test_with_heat_a_costlier_result_is_accepted_and_without_it_never() -> None:
    table = small_table(4, k=3, records=7, columns=3)
    raised = {}
    for heat in (0.0, 1000.0):
        state = placed(table, 4)
        state.price[:] = fewest(table) / table.records
        values = [total_cost(state)]
        for _ in range(40):
            improve(state, 1, heat, ROUND._replace(noise=0.5))
            values.append(total_cost(state))
            assert is_sound(state)
        raised[heat] = int((np.diff(values) > 0).sum())
    assert raised[0.0] == 0
    assert raised[1000.0] > 3


def test_the_least_luck_there_is_accepts_nothing_costlier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "draw", lambda *_: 0)
    monkeypatch.setattr(search, "recreate", lambda *_: NOWHERE)
    state = placed(small_table(4, k=3, records=7, columns=3), 4)
    before = state.place.tolist()
    for heat in (0.0, 1.0):
        improve(state, 1, heat, CALM)
        assert state.place.tolist() == before
