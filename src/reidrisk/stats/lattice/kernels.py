"""Compiled kernels: roll-up of class tables, bounds, and the depth-first search itself.

Loops are written out where slices would do, because assignments to slices take seconds each to compile. All
tables are sorted, so that classes are runs of neighbors: no hashing, no packed keys. A table at depth a is
sorted by (group of the fixed attributes, ranks of the attributes after a, attribute a). Rolling up attribute
a merges neighbors, because codes keep the order of the hierarchy. Fixing a level sorts once, by counting, and
makes attribute a + 1 the last.
"""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.lattice.tables import (
    DISCERNIBILITY,
    ENTROPY,
    LINEAR,
    LatticeProblem,
    LatticeState,
    LossMeasure,
    SearchLimits,
)


@compiled
def sort_by(keys: Codes, given: Codes, tally: Ints, out: Codes) -> None:
    """Sort the entries `given` by their keys: a stable counting sort."""
    most = 0
    for i in range(keys.size):
        most = max(most, keys[i])
    for key in range(most + 2):
        tally[key] = 0
    for i in range(keys.size):
        tally[keys[i] + 1] += 1
    for key in range(most):
        tally[key + 1] += tally[key]
    for i in range(given.size):
        entry = given[i]
        key = keys[entry]
        out[tally[key]] = entry
        tally[key] += 1


@compiled
def rank_pairs(high: Codes, low: Codes, room: LatticeState, ranks: Codes) -> int:
    """Write dense ranks of pairs, `high` first, to `ranks`; returns their number.

    The caller makes the array: a loop that makes one takes longer to load.
    """
    sort_by(low, room.identity, room.tally, room.spare)
    sort_by(high, room.spare, room.tally, room.order)
    rank = -1
    for i in range(high.size):
        here, before = room.order[i], room.order[i - 1]
        if i == 0 or high[here] != high[before] or low[here] != low[before]:
            rank += 1
        ranks[here] = rank
    return rank + 1


@compiled
def roll_up(problem: LatticeProblem, state: LatticeState, a: int) -> None:
    """Raise attribute a by one level in its table, in place.

    Without a branch for entries that are merged: which ones are is hard to predict for a processor.
    """
    step = problem.step[problem.offset[a, state.level[a]] :]
    group, rest, value, count = state.group[a], state.rest[a], state.value[a], state.counts[a]
    last, total = -1, 0
    before_group, before_rest, before_code = np.int32(-1), np.int32(-1), np.int32(-1)
    for i in range(state.size[a]):
        code, rank, number = step[value[i]], rest[i], group[i]
        same = ((code ^ before_code) | (rank ^ before_rest) | (number ^ before_group)) == 0
        last += 1 - same
        total = total * same + count[i]
        group[last], rest[last], value[last], count[last] = number, rank, code, total
        before_group, before_rest, before_code = number, rank, code
    state.size[a] = last + 1
    gone, begin = state.gone[a], problem.place[a]
    for code in range(problem.offset[a, state.level[a] + 1] - problem.offset[a, state.level[a]]):
        records, gone[begin + code] = gone[begin + code], 0
        gone[begin + step[code]] += records
    state.level[a] += 1


@compiled
def number_groups(problem: LatticeProblem, state: LatticeState, a: int) -> None:
    """Number the classes over the attributes up to a at its present level, and count their records."""
    above, last, weight = state.above[a + 1], state.last[a + 1], state.weight[a + 1]
    groups, values, counts = state.group[a], state.value[a], state.counts[a]
    stamp, numbers, entries, joined = state.stamp, state.number, state.entries, state.joined
    level = state.level[a]
    for code in range(problem.offset[a, level + 1] - problem.offset[a, level]):
        stamp[code] = -1
    made = -1
    for i in range(state.size[a]):
        group, value = groups[i], values[i]
        if stamp[value] != group:
            made += 1
            stamp[value], numbers[value] = group, made
            above[made], last[made], weight[made], entries[made] = group, value, 0, 0
        number = numbers[value]
        weight[number] += counts[i]
        entries[number] += 1
        joined[i] = number
    state.groups[a + 1] = made + 1


@compiled
def fix_level(problem: LatticeProblem, state: LatticeState, a: int) -> None:
    """Make the table of attribute a + 1 from that of a, whose groups are numbered: a counting sort.

    Records that are suppressed whatever follows are left behind; `state.gone` has them. With a linear loss
    they are added to it here, by later attributes at their lowest level; other losses have done so before.
    """
    parent, code, places = problem.parent[a + 1], problem.code[a + 1], state.entries
    adds, noted, of = problem.measure.kind == LINEAR, state.gone[a + 1], problem.place
    weight, smallest, begin = state.weight[a + 1], problem.limits.smallest, 0
    for number in range(state.groups[a + 1]):
        if weight[number] >= smallest:
            begin, places[number] = begin + places[number], begin
        else:
            places[number] = -1
    joined, rest, count = state.joined, state.rest[a], state.counts[a]
    group, later = state.group[a + 1], state.rest[a + 1]
    value, records = state.value[a + 1], state.counts[a + 1]
    for i in range(state.size[a]):
        number, rank = joined[i], rest[i]
        place = places[number]
        if place >= 0:
            places[number] = place + 1
            group[place], records[place] = number, count[i]
            later[place], value[place] = parent[rank], code[rank]
        elif adds:
            for after in range(a + 1, of.size):
                noted[of[after] + problem.code[after, rank]] += count[i]
                rank = problem.parent[after, rank]
    state.size[a + 1] = begin
    state.level[a + 1] = problem.low[a + 1]


@compiled
def lose_groups(problem: LatticeProblem, state: LatticeState, a: int, gone: Ints) -> None:
    """Add the suppressed records of `state.lost`, by group at depth a, for all fixed attributes.

    Few groups are suppressed, so each is followed up by itself.
    """
    lost, place, last, above = state.lost, problem.place, state.last, state.above
    for number in range(state.groups[a]):
        if lost[number]:
            group = number
            for fixed in range(a, 0, -1):
                gone[place[fixed - 1] + last[fixed, group]] += lost[number]
                group = above[fixed, group]


@compiled
def attribute_loss(problem: LatticeProblem, a: int, level: int, gone: Ints) -> float:
    """Loss of attribute a at a level with the suppressed records of `gone`."""
    measure, extra, lost = problem.measure, 0.0, 0
    noted, begin = gone[problem.place[a] :], problem.offset[a, level]
    codes = problem.offset[a, level + 1] - begin
    if measure.kind == ENTROPY:
        for code in range(codes):
            lost += noted[code]
        for code in range(codes):
            if noted[code]:
                extra -= noted[code] * np.log2(noted[code] / lost)
    else:
        for code in range(codes):
            extra += noted[code] * measure.gain[begin + code]
    return rounded(measure, measure.base[a, level] + extra)


@compiled
def rounded(measure: LossMeasure, loss: float) -> float:
    """Round the loss of one attribute as ARX does: down to ten digits."""
    return float(np.floor(max(loss, 0.0) * 1e10)) / 1e10 if measure.floored else loss


@compiled
def combined(measure: LossMeasure, losses: Floats) -> float:
    """Combine the losses of all attributes."""
    total = 0.0
    for a in range(losses.size):
        total += measure.weights[a] * (np.log1p(losses[a]) if measure.geometric else losses[a])
    return float(np.expm1(total)) if measure.geometric else total


@compiled
def least_discernibility(state: LatticeState, a: int, limits: SearchLimits) -> float:
    """Lower bound of `dm` with attributes before a fixed.

    A suppressed record costs the number of all records; any other costs the size of its class or more, and
    never less than the cell size.
    """
    total = float(limits.records) * state.sure[a - 1]
    for i in range(state.size[a - 1]):
        count = state.counts[a - 1, i]
        lost = state.weight[a, state.joined[i]] < limits.smallest
        total += count * float(limits.records if lost else min(max(limits.smallest, count), limits.records))
    return float(total)


@compiled
def lose_rest(problem: LatticeProblem, state: LatticeState, a: int) -> None:
    """Add records suppressed whatever follows, for attributes a, a + 1, ... at their lowest level."""
    weight, joined, noted = state.weight[a], state.joined, state.gone[a]
    rest, count = state.rest[a - 1], state.counts[a - 1]
    parent, code, place = problem.parent, problem.code, problem.place
    for i in range(state.size[a - 1]):
        if weight[joined[i]] < problem.limits.smallest:
            rank = rest[i]
            for later in range(a, place.size):
                noted[place[later] + code[later, rank]] += count[i]
                rank = parent[later, rank]


@compiled
def lose_small(problem: LatticeProblem, state: LatticeState, a: int) -> int:
    """Mark the groups at depth a that are suppressed whatever follows; returns their number of records."""
    lost, gone = 0, state.lost
    for group in range(state.groups[a]):
        weight = state.weight[a, group]
        gone[group] = weight if weight < problem.limits.smallest else 0
        lost += gone[group]
    return lost


@compiled
def least_loss(problem: LatticeProblem, state: LatticeState, a: int) -> float:
    """Lower bound of the loss with attributes before a fixed; infinite if too many records are suppressed."""
    lost = state.sure[a - 1] + lose_small(problem, state, a)
    state.sure[a] = lost
    measure, bound = problem.measure, state.bound[a]
    if lost > problem.limits.suppressed:
        return np.inf
    if measure.kind == DISCERNIBILITY:
        return least_discernibility(state, a, problem.limits)
    for place in range(state.gone.shape[1]):
        state.gone[a, place] = state.gone[a - 1, place]
    lose_groups(problem, state, a, state.gone[a])
    if measure.kind == ENTROPY:
        lose_rest(problem, state, a)
    for each in range(bound.size):
        if each < a:
            bound[each] = attribute_loss(problem, each, state.level[each], state.gone[a])
        elif measure.kind == ENTROPY:
            bound[each] = attribute_loss(problem, each, problem.low[each], state.gone[a])
        else:
            low = problem.low[each]
            extra = lost * measure.least_gain[each, low]
            bound[each] = rounded(measure, measure.base[each, low] + extra)
    return combined(measure, bound)


@compiled
def is_hopeless(problem: LatticeProblem, state: LatticeState, a: int) -> bool:
    """Whether neither this level of attribute a nor any above it can improve the result."""
    if problem.minimal:
        return is_above_found(problem, state, a)
    if problem.measure.kind == DISCERNIBILITY:
        return False
    bound, kept, measure = state.bound[a], state.bound[a, a], problem.measure
    level = state.level[a]
    bound[a] = max(kept, measure.base[a, level] + state.sure[a] * measure.least_gain[a, level])
    least = combined(measure, bound)
    bound[a] = kept
    return bool(least >= state.best[0])


@compiled
def is_above_found(problem: LatticeProblem, state: LatticeState, a: int) -> bool:
    """Whether the node (fixed levels, level of a, lowest of the rest) lies above a minimal node."""
    for node in range(state.mark[2]):
        found, below = state.found_levels[node], True
        for each in range(state.level.size):
            level = state.level[each] if each <= a else problem.low[each]
            if found[each] > level:
                below = False
                break
        if below:
            return True
    return False


@compiled
def smallest_kept(limits: SearchLimits, counts: Ints) -> int:
    """Least size of a kept class: raised step by step until the average risk is low enough."""
    size = limits.smallest
    while limits.average < 1.0:
        classes, records, least = 0, 0, limits.records
        for i in range(counts.size):
            if counts[i] >= size:
                classes, records, least = classes + 1, records + counts[i], min(least, counts[i])
        if classes <= limits.average * records * (1.0 + 1e-12):
            break
        size = least + 1
    return size


@compiled
def discernibility(limits: SearchLimits, counts: Ints, size: int) -> float:
    """Sum of squares of the kept classes, plus the number of all records for each suppressed one."""
    total = 0.0
    for i in range(counts.size):
        total += float(counts[i]) * (counts[i] if counts[i] >= size else limits.records)
    return total


@compiled
def node_loss(problem: LatticeProblem, state: LatticeState, size: int) -> float:
    """The loss of the node whose classes are in the last table."""
    a = state.level.size - 1
    counts, limits = state.counts[a, : state.size[a]], problem.limits
    if problem.measure.kind == DISCERNIBILITY:
        return discernibility(limits, counts, size) + float(limits.records * state.sure[a])
    lost, gone = state.lost, state.gone[a + 1]
    for number in range(state.groups[a]):
        lost[number] = 0
    for place in range(gone.size):
        gone[place] = state.gone[a, place]
    group, value, begin = state.group[a], state.value[a], problem.place[a]
    for i in range(counts.size):
        if counts[i] < size:
            gone[begin + value[i]] += counts[i]
            lost[group[i]] += counts[i]
    lose_groups(problem, state, a, gone)
    losses = state.bound[a + 1]
    for each in range(a + 1):
        losses[each] = attribute_loss(problem, each, state.level[each], gone)
    return combined(problem.measure, losses)


@compiled
def judge(problem: LatticeProblem, state: LatticeState) -> None:
    """Evaluate the node whose classes are in the last table; keep it if it is new or better."""
    a = state.level.size - 1
    counts = state.counts[a, : state.size[a]]
    size, lost, classes = smallest_kept(problem.limits, counts), state.sure[a], 0
    for i in range(counts.size):
        if counts[i] < size:
            lost += counts[i]
        else:
            classes += 1
    if lost > problem.limits.suppressed:
        return
    loss = node_loss(problem, state, size)
    if problem.minimal or loss < state.best[0]:
        place = state.mark[2] if problem.minimal else 0
        if not problem.minimal:
            state.best[0] = loss
        for each in range(a + 1):
            state.found_levels[place, each] = state.level[each]
        state.found_figures[place, 0] = lost
        state.found_figures[place, 1] = classes
        state.found_figures[place, 2] = size
        state.found_score[place] = loss
        state.mark[2] = place + 1


@compiled
def next_level(problem: LatticeProblem, state: LatticeState, a: int) -> int:
    """Raise attribute a, or the nearest before it that is not at its highest; -1 if there is none."""
    while a >= 0 and state.level[a] == problem.high[a]:
        a -= 1
    if a >= 0:
        roll_up(problem, state, a)
    return a


@compiled
def advance(problem: LatticeProblem, state: LatticeState, budget: int) -> None:
    """Continue the search until it ends, the list is full, or about `budget` entries were read."""
    a, final = state.mark[0], state.level.size - 1
    while a >= 0 and budget > 0 and state.mark[2] < state.found_score.size:
        while state.level[a] < problem.start[a]:
            roll_up(problem, state, a)
        if is_hopeless(problem, state, a):
            a = next_level(problem, state, a - 1)
            continue
        state.mark[1] += 1
        budget -= state.size[a]
        if a == final:
            judge(problem, state)
        else:
            number_groups(problem, state, a)
            if least_loss(problem, state, a + 1) < state.best[0]:
                fix_level(problem, state, a)
                a += 1
                continue
        a = next_level(problem, state, a)
    state.mark[0] = a
