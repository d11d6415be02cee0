"""The construction and annealing of one block: profits by looking at all records, worked classes, optima."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from reidrisk.stats.arrays import Floats
from reidrisk.stats.suppress import block
from reidrisk.stats.suppress.block import (
    CHUNKS,
    HEAT,
    anneal,
    choose_sets,
    construct,
    fill_group,
    group_block,
    least_cost,
    led_by_prices,
    mean_weight,
    open_by_price,
    rescue,
    risky_units,
    search_block,
    settle,
    worth,
)
from reidrisk.stats.suppress.bound import REFRESH, Ascent
from reidrisk.stats.suppress.result import cost, cost_of, smallest_class
from reidrisk.stats.suppress.search import (
    SearchStep,
    SuppressionState,
    enter,
    improve,
    leave,
    restore,
    total_cost,
)
from reidrisk.stats.suppress.table import Budget, Request, SuppressionTable, make_table
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


def never() -> bool:
    return False


def priced(number: int = 12) -> Iterator[tuple[int, SuppressionTable, SuppressionState, Floats]]:
    """A state with a few units placed, and random prices, some of which equal each other."""
    for seed in range(number):
        rng = np.random.default_rng(seed)
        table = small_table(seed, k=2 + seed % 3, records=8, columns=2, weighted=seed % 2 == 0)
        state = state_of(table)
        for unit in rng.permutation(len(state.place))[: seed % 3]:
            enter(state, unit, int(np.flatnonzero(state.of[state.tuple_of[unit]] >= 0)[-1]))
        yield seed, table, state, rng.integers(0, 9, len(table.counts)) / 2


def spares_of(state: SuppressionState, prices: Floats, group: int) -> list[float]:
    """What the free units of a group are worth beyond its cost, the most first."""
    rows = state.members[state.start[group] : state.start[group + 1]]
    price = state.costs[state.pattern[group]]
    return sorted(
        (
            float(prices[row] - price)
            for row in rows
            for unit in range(state.first_unit[row], state.first_unit[row + 1])
            if state.place[unit] < 0
        ),
        reverse=True,
    )


def best_worth(state: SuppressionState, prices: Floats, group: int) -> tuple[float, int]:
    """The profit of the best units that fill a group up to k, and how many they are."""
    spares = spares_of(state, prices, group)
    number = max(sum(spare > 0 for spare in spares), state.k - int(state.size[group]))
    return (sum(spares[:number]) if number <= len(spares) else -np.inf), number


def test_the_worth_of_a_group_is_that_of_its_best_units() -> None:
    filled = 0
    for _, _, state, prices in priced():
        for group in range(len(state.pattern)):
            expected, number = best_worth(state, prices, group)
            spares = spares_of(state, prices, group)
            profit, least = worth(state, group, prices)
            assert profit == pytest.approx(expected)
            if number > len(spares):
                assert least == -np.inf
            elif number > sum(spare > 0 for spare in spares):
                assert least == spares[number - 1]
                filled += 1
            else:
                assert least == 0.0
    assert filled > 10


def test_a_group_is_filled_with_what_it_is_worth() -> None:
    filled = 0
    for seed, table, _, _ in priced():
        for group in range(len(state_of(table).pattern)):
            [(_, _, state, prices)] = [one for one in priced(seed + 1) if one[0] == seed]
            expected, number = best_worth(state, prices, group)
            _, least = worth(state, group, prices)
            if number > len(spares_of(state, prices, group)):
                continue
            free, before = state.place < 0, int(state.size[group])
            fill_group(state, group, prices, least)
            check_state(state)
            entered = np.flatnonzero(free & (state.place >= 0))
            place = state.pattern[group]
            assert (state.place[entered] == place).all()
            assert len(entered) == number == state.size[group] - before
            assert sum(prices[state.tuple_of[entered]] - state.costs[place]) == pytest.approx(expected)
            filled += 1
    assert filled > 20


@pytest.mark.parametrize(("floor", "ease"), [(1e-9, 0.0), (1.0, 0.0), (-2.0, np.inf), (-1.0, 0.5)])
def test_groups_are_opened_down_to_the_floor(floor: float, ease: float) -> None:
    opened = 0
    for _, _, state, prices in priced():
        before, sizes, free = prices.copy(), state.size.copy(), state.place < 0
        open_by_price(state, prices, floor, ease)
        check_state(state)
        grown = np.flatnonzero(state.size > sizes)
        opened += len(grown)
        assert (state.size[grown] >= state.k).all()
        for group in range(len(state.pattern)):
            assert worth(state, group, prices)[0] <= (max(floor, 0.0) if state.size[group] else floor)
        lowest = before.copy()
        for group in grown.tolist():
            rows = state.members[state.start[group] : state.start[group + 1]]
            lowest[rows] = np.minimum(lowest[rows], state.costs[state.pattern[group]] + ease)
        assert prices.tolist() == lowest.tolist()
        spent = sum(
            before[state.tuple_of[unit]] - state.costs[state.place[unit]]
            for unit in np.flatnonzero(free & (state.place >= 0))
        )
        assert spent >= floor * len(grown) - 1e-9
    assert opened > 4


def test_the_most_profitable_group_is_opened_first() -> None:
    """k = 2: the pair 00, 01 is worth 5 + 3 - 2, the pair 01, 11 is worth 3 + 4 - 2: the first wins."""
    codes = np.array([[0, 0], [0, 1], [1, 1]], dtype=np.int32)
    table = make_table(codes, np.ones(3, dtype=int), Request(2, (1.0, 1.0)))
    for prices, places in (([5.0, 3.0, 4.0], [1, 1, None]), ([4.0, 3.0, 5.0], [None, 0, 0])):
        state = state_of(table)
        open_by_price(state, np.array(prices), 3.5, 0.0)
        masks = groups_of(table).masks
        found = [None if place < 0 else int(masks[place]).bit_length() - 1 for place in state.place.tolist()]
        assert found == places


def total_cost_of_placed(state: SuppressionState) -> float:
    return float(sum(state.costs[place] for place in state.place if place >= 0))


def test_free_units_are_settled_in_sound_classes() -> None:
    for seed in range(12):
        table = small_table(seed, k=2 + seed % 2, records=8, columns=3, weighted=seed % 2 == 0)
        if (table.counts > 2 * table.k).any():
            continue
        state, rng = state_of(table), np.random.default_rng(seed)
        place_classes(table, state, random_classes(table, seed))
        for unit in rng.permutation(8)[: rng.integers(1, 9)].tolist():
            group = state.of[state.tuple_of[unit], max(0, state.place[unit])]
            while state.place[unit] >= 0 and state.head[group] >= 0:
                leave(state, state.head[group])
        before = total_cost_of_placed(state)
        free = np.flatnonzero(state.place < 0)
        settle(state)
        check_state(state)
        assert (state.place >= 0).all()
        assert is_sound(state)
        assert fewest(table) - 1e-9 <= total_cost(state)
        assert total_cost(state) <= before + table.records * state.costs[-1]
        assert len(free)


@pytest.mark.parametrize("weight", [1.0, 0.1])
def test_settling_uses_open_classes_and_new_ones_where_they_cost_less(weight: float) -> None:
    """Row 00 is open; a second 00 joins it, and the rows 21 and 22 lose one cell rather than two."""
    codes = np.array([[0, 0], [2, 1], [2, 2]], dtype=np.int32)
    table = make_table(codes, np.array([3, 1, 1]), Request(2, (weight, weight)))
    state = state_of(table)
    enter(state, 0, 0)
    enter(state, 1, 0)
    settle(state)
    masks = groups_of(table).masks[state.place].tolist()
    assert masks == [0, 0, 0, 2, 2]
    assert total_cost(state) == 2 * weight


def test_a_unit_joins_the_cheapest_open_class_where_a_new_one_saves_nothing() -> None:
    """The lone row 01 could lose column 1 with the open class of 0*."""
    codes = np.array([[0, 0], [0, 1], [1, 2]], dtype=np.int32)
    table = make_table(codes, np.array([2, 1, 2]), Request(2))
    state = state_of(table)
    star = groups_of(table).masks.tolist().index(2)
    enter(state, 0, star)
    enter(state, 1, star)
    enter(state, 3, 0)
    enter(state, 4, 0)
    settle(state)
    assert state.place.tolist() == [star, star, star, 0, 0]


def test_a_new_class_of_dear_cells_is_not_opened_where_open_ones_are_cheaper() -> None:
    """The rows 01 and 51 could share *1 for 1.5 each; each joins the open class of its own value for 1."""
    codes = np.array([[0, 0], [0, 1], [5, 0], [5, 1]], dtype=np.int32)
    table = make_table(codes, np.array([2, 1, 2, 1]), Request(2, (1.5, 1.0)))
    state = state_of(table)
    star = groups_of(table).masks.tolist().index(2)
    for unit in (0, 1, 3, 4):
        enter(state, unit, star)
    settle(state)
    assert state.place.tolist() == [star] * 6


def test_a_record_with_an_open_class_of_its_own_values_loses_no_cell() -> None:
    """A third 00 is free, and so are 01, 02 and 03: these three share 0*, and 00 stays as it is."""
    codes = np.array([[0, 0], [0, 1], [0, 2], [0, 3], [7, 1], [7, 2], [7, 3]], dtype=np.int32)
    table = make_table(codes, np.array([3, 1, 1, 1, 2, 2, 2]), Request(2, (1.5, 1.0)))
    state = state_of(table)
    masks = groups_of(table).masks
    enter(state, 0, 0)
    enter(state, 1, 0)
    for unit in range(6, 12):
        enter(state, unit, masks.tolist().index(1))
    settle(state)
    assert masks[state.place].tolist() == [0] * 3 + [2] * 3 + [1] * 6


def test_of_equal_records_a_group_takes_the_dearest_first() -> None:
    """k = 4: two records are worth their cost, three half a cell less; two of these are taken."""
    table = make_table(np.arange(5, dtype=np.int32)[:, None], np.ones(5, dtype=int), Request(4))
    state = state_of(table)
    prices = np.array([0.5, 0.5, 0.5, 1.0, 1.0])
    assert worth(state, 0, prices) == (-1.0, -0.5)
    fill_group(state, 0, prices, -0.5)
    assert (state.place >= 0).tolist()[3:] == [True, True]
    assert state.size.tolist() == [4]


def stranded(counts: list[int], k: int, alone: int) -> SuppressionState:
    """Every value is a class of its own, but `alone` units of the last one are suppressed."""
    table = make_table(np.arange(len(counts), dtype=np.int32)[:, None], np.array(counts), Request(k))
    state = state_of(table)
    units = len(state.place)
    for unit in range(units):
        enter(state, unit, 1 if unit >= units - alone else 0)
    return state


def test_a_suppressed_record_is_joined_by_those_that_others_can_spare() -> None:
    state = stranded([3, 5, 1], 3, 1)
    rescue(state)
    assert state.place.tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 1]
    check_state(state)
    one = stranded([2, 3, 1], 2, 1)
    rescue(one)
    assert one.place.tolist() == [0, 0, 1, 0, 0, 1]
    check_state(one)
    fixed = stranded([9, 1], 2, 1)  # of nine records seven stay for good
    rescue(fixed)
    assert fixed.place.tolist() == [1, 0, 1]
    assert fixed.size.tolist() == [8, 2]


def test_where_none_can_be_spared_a_whole_class_is_added() -> None:
    state = stranded([2, 2, 1], 2, 1)
    rescue(state)
    assert state.place.tolist() == [1, 1, 0, 0, 1]
    check_state(state)
    large = stranded([3, 3, 1], 3, 1)
    rescue(large)
    assert large.place.tolist() == [1, 1, 1, 0, 0, 0, 1]
    enough = stranded([2, 2, 2], 2, 2)
    rescue(enough)
    assert enough.place.tolist() == [0, 0, 0, 0, 1, 1]


def test_a_class_that_spared_what_it_can_is_left_at_k() -> None:
    """Two records are missing: each class of 4 spares one, that of 3 none."""
    state = stranded([4, 3, 4, 1], 3, 1)
    rescue(state)
    assert is_sound(state)
    assert state.size[state.of[0, 1]] == 3
    assert state.place.tolist() == [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]


@pytest.mark.parametrize("k", [2, 3])
def test_a_construction_is_sound_whatever_stood_before(k: int) -> None:
    for seed in range(6):
        table = small_table(seed, k=k, records=7, columns=3)
        state = state_of(table)
        prices = np.full(len(table.counts), 2.0)
        construct(state, prices.copy(), -3.0)
        first = state.place.copy()
        check_state(state)
        assert (first >= 0).all()
        assert is_sound(state)
        assert fewest(table) - 1e-9 <= total_cost(state)
        construct(state, prices.copy(), -3.0)
        assert state.place.tolist() == first.tolist()


def test_records_that_stood_unsuppressed_are_placed_anew() -> None:
    table = make_table(np.array([[0], [1], [2]], dtype=np.int32), np.array([3, 2, 1]), Request(2))
    state = state_of(table)
    for _ in range(2):
        construct(state, np.full(3, 2.0), -3.0)
        check_state(state)
        assert state.size.sum() == 6
        assert is_sound(state)


def test_good_prices_construct_the_fewest_cells() -> None:
    """Pairs 00 01, 10 11 lose column 1, which is the cheaper one."""
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32)
    table = make_table(codes, np.ones(4, dtype=int), Request(2, (1.5, 1.0)))
    state = state_of(table)
    construct(state, np.full(4, 1.2), 1e-9)
    assert groups_of(table).masks[state.place].tolist() == [2, 2, 2, 2]


def test_all_sets_are_chosen_if_they_fit() -> None:
    table = small_table(0, weighted=True)
    sets = choose_sets(table, 8)
    assert sorted(sets.masks.tolist()) == list(range(8))
    assert sets.costs.tolist() == sorted(cost_of(np.arange(8), table.weights).tolist())
    assert sets.ceiling == 3.0
    dear = choose_sets(table._replace(entry=10.0), 8)
    assert dear.costs.tolist() == [0.0, *(sets.costs[1:] + 10.0).tolist()]
    assert dear.ceiling == 13.0


def test_of_many_sets_the_cheapest_and_a_ladder_are_chosen() -> None:
    """Weights 1, 1.5, 0.5, 2.25; by values for the cost, column 3 comes last but one, and column 1 last."""
    codes = np.array([[0, 0, 0, 0], [1, 0, 1, 1], [2, 1, 2, 2], [3, 1, 3, 3], [3, 1, 3, 4]], dtype=np.int32)
    table = make_table(codes, np.ones(5, dtype=int), Request(2, (1.0, 1.5, 0.5, 2.25)))._replace(entry=3.0)
    sets = choose_sets(table, 4)
    assert dict(zip(sets.masks.tolist(), sets.costs.tolist(), strict=True)) == {
        0b0000: 0.0,
        0b0100: 3.5,
        0b0001: 4.0,
        0b0010: 4.5,
        0b0101: 4.5,
        0b1101: 6.75,
        0b1111: 8.25,
    }
    assert sets.ceiling == 4.5
    assert (np.diff(sets.costs) >= 0).all()


def test_as_many_sets_as_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    table = small_table(0)
    rows = len(table.codes)
    for most, cells, number in [
        (8, 10**6, 8),
        (5, 10**6, 5),
        (8, 6 * rows, 6),
        (8, 6 * rows - 1, 5),
        (8, 1, 2),
    ]:
        monkeypatch.setattr(block, "MOST_SETS", most)
        monkeypatch.setattr(block, "MOST_CELLS", cells)
        groups, ceiling = group_block(table)
        expected = choose_sets(table, number)
        assert groups.masks.tolist() == expected.masks.tolist()
        assert ceiling == expected.ceiling


def test_the_least_cost_is_a_whole_number_of_cells() -> None:
    codes = np.array([[0, 0], [1, 1]], dtype=np.int32)

    def least(bound: float, weights: tuple[float, float], entry: float = 0.0) -> float:
        table = make_table(codes, np.array([1, 1]), Request(2, weights))._replace(entry=entry)
        return least_cost(table, bound)

    assert least(3.1, (2.0, 2.0)) == 4.0
    assert least(4.0, (2.0, 2.0)) == 4.0
    assert least(4.0000001, (2.0, 2.0)) == 4.0000001
    assert least(0.61, (0.3, 0.3)) == pytest.approx(0.9)
    assert least(3.1, (2.0, 1.0)) == 3.1
    assert least(3.1, (2.0, 2.0), entry=1.0) == 3.1
    assert least(0.0, (2.0, 2.0)) == 0.0


def test_the_scale_of_costs_and_who_needs_cells() -> None:
    table = make_table(
        np.array([[0, 0], [1, 0], [2, 0]], dtype=np.int32), np.array([5, 1, 1]), Request(2, (1.0, 4.0))
    )
    assert mean_weight(table) == 2.5
    assert risky_units(state_of(table)) == 2


def ascended(table: SuppressionTable) -> tuple[SuppressionState, Ascent]:
    groups, ceiling = group_block(table)
    return state_of(table), Ascent(groups, table.counts, table.k, ceiling)


class Halt:
    """Ends the work after so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def test_prices_lead_to_better_constructions() -> None:
    better = 0
    for seed in range(6):
        table = cheaper(small_table(seed, k=3, records=8, columns=3, weighted=seed % 2 == 1), 0.1)
        best = fewest(table)
        state, ascent = ascended(table)
        plain = cost_at(state, led_by_prices(state, ascent, 0, mean_weight(table), never))
        state, ascent = ascended(table)
        place = led_by_prices(state, ascent, 120, mean_weight(table), never)
        led = cost_at(state, place)
        assert best - 1e-9 <= led <= plain
        assert ascent.best <= best + 1e-6
        restore(state, place)
        assert is_sound(state)
        better += led < plain
    assert better


def cost_at(state: SuppressionState, place: np.ndarray) -> float:
    return float(state.costs[place].sum())


def test_a_halt_ends_the_ascent() -> None:
    table = small_table(1, k=3, records=8, columns=3, weighted=True)
    for looks in (0, 2):
        state, ascent = ascended(table)
        halt = Halt(looks)
        led_by_prices(state, ascent, 200, mean_weight(table), halt)
        assert halt.looks == -1
        state, other = ascended(table)
        led_by_prices(state, other, 10 * looks, mean_weight(table), never)
        assert ascent.best == other.best


@pytest.mark.parametrize("factor", [0.1, 2.0])
def test_new_constructions_are_tried_in_the_second_half_and_at_the_end(
    factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 38 pieces of the ascent, after the 30th and the last: by its best prices, shifted."""
    table = cheaper(small_table(0, k=2, records=7, columns=3), factor)
    state, ascent = ascended(table)
    halt, seen = Halt(100), []
    own: Callable[..., None] = construct

    def noted(state: SuppressionState, prices: Floats, floor: float) -> None:
        shifts = set(np.round((prices - ascent.best_prices) / factor, 9).tolist())
        seen.append((99 - halt.looks, round(floor / factor, 9), shifts))
        own(state, prices, floor)

    monkeypatch.setattr(block, "construct", noted)
    led_by_prices(state, ascent, 38 * REFRESH, mean_weight(table), halt)
    assert seen[0] == (-1, -3.0, {1.0})
    assert seen[1:] == [(leg, floor, {shift}) for leg in (29, 37) for floor, shift in block.TRIES]


def test_a_proved_construction_ends_the_ascent() -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32)
    table = make_table(codes, np.ones(4, dtype=int), Request(2))
    state, ascent = ascended(table)
    halt = Halt(100)
    place = led_by_prices(state, ascent, 100, 1.0, halt)
    assert (cost_at(state, place), ascent.best, halt.looks) == (4.0, 4.0, 99)


def watched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, float, SearchStep]]:
    """The rounds, heat and settings of each piece of annealing, which is done as ever."""
    seen: list[tuple[int, float, SearchStep]] = []
    own: Callable[..., None] = improve

    def noted(state: SuppressionState, rounds: int, heat: float, step: SearchStep) -> None:
        seen.append((rounds, heat, step))
        own(state, rounds, heat, step)

    monkeypatch.setattr(block, "improve", noted)
    return seen


def test_the_heat_falls_to_nothing_and_every_third_piece_is_varied(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watched(monkeypatch)
    table = small_table(0, k=3, records=8, columns=3)
    state = state_of(table)
    construct(state, np.full(len(table.counts), 2.0), -3.0)
    before = total_cost(state)
    place = anneal(state, 101, 2.0, never)
    assert cost_at(state, place) <= before
    heats = [heat for _, heat, _ in seen]
    assert len(seen) == CHUNKS
    assert {rounds for rounds, _, _ in seen} == {2}
    assert heats[-1] == 0.0
    assert heats[0] == pytest.approx(HEAT * 2.0 * 0.99)
    assert np.diff(heats) == pytest.approx(np.full(99, -HEAT * 2.0 / 100))
    steps = [step for _, _, step in seen]
    assert [one for one in range(CHUNKS) if steps[one] != steps[0]] == list(range(2, CHUNKS, 3))
    assert steps[2].size < steps[0].size
    assert 0.0 < steps[0].noise < steps[2].noise < 1.0
    assert (steps[0].reach, steps[2].reach) == (2.0, 4.0)
    assert steps[0].rise == steps[2].rise == pytest.approx(1.2)


def test_annealing_returns_the_best_of_all_and_ends_where_nothing_costs_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = watched(monkeypatch)
    table = cheaper(small_table(4, k=3, records=7, columns=3), 0.1)
    best = fewest(table)
    state = state_of(table)
    place_classes(table, state, random_classes(table, 4))
    state.price[:] = best / 7
    start = state.place.copy()
    place = anneal(state, 100, 0.1, never, best)
    assert cost_at(state, place) == pytest.approx(best)
    assert 0 < len(seen) < CHUNKS
    seen.clear()
    restore(state, place)
    assert anneal(state, 100, 0.1, never, best).tolist() == place.tolist()
    assert seen == []
    assert anneal(state, 100, 50.0, never).tolist() == place.tolist(), "hot pieces end in worse places"
    assert len(seen) == CHUNKS
    seen.clear()
    restore(state, start)
    assert anneal(state, 100, 0.1, Halt(3)).shape == place.shape
    assert len(seen) == 3


@pytest.mark.parametrize(("k", "seeds"), [(2, (1, 2, 5, 7)), (3, (1, 3, 5, 6, 7))])
def test_a_block_is_searched_to_the_fewest_cells(
    k: int, seeds: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block, "FEWEST", 100)
    for seed in seeds:
        table = small_table(seed, k=k, records=7, columns=3, weighted=seed % 2 == 1)
        rng = np.random.default_rng(seed)
        found = search_block(table, Budget(ascents=60, rounds=1), rng, never)
        best = fewest(table)
        assert cost(found.moves, table) == pytest.approx(best)
        assert 0 < found.bound <= best + 1e-6
        assert smallest_class(found.moves, table) >= k
        assert found.moves.numbers.sum() == 7


def test_the_rounds_of_a_search_grow_with_the_risky_records(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watched(monkeypatch)
    table = small_table(6, k=3, records=8, columns=3)
    monkeypatch.setattr(block, "least_cost", lambda *_: -1.0)
    risky = risky_units(state_of(table))
    for smallest, budget in ((100, 2), (1, 50)):
        monkeypatch.setattr(block, "FEWEST", smallest)
        seen.clear()
        search_block(table, Budget(ascents=0, rounds=budget), np.random.default_rng(1), never)
        assert {rounds for rounds, _, _ in seen} == {-(-budget * max(smallest, risky) // CHUNKS)}
