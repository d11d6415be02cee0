"""A greedy construction led by prices: open the group whose records are worth most above its cost."""

from __future__ import annotations

import heapq

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.state import State, cheapest_open, enter, leave


@compiled
def worth(s: State, group: int, prices: Floats) -> tuple[float, float]:
    """Profit of opening a group for those on the move, filled up to k, and the least spare that enters."""
    cost = s.costs[s.pattern[group]]
    profit, count = 0.0, 0
    spares = np.full(s.k, -np.inf)
    for row in s.members[s.start[group] : s.start[group + 1]]:
        spare = prices[row] - cost
        for unit in range(s.first_unit[row], s.first_unit[row + 1]):
            if s.place[unit] >= 0:
                continue
            if spare > 0:
                profit += spare
                count += 1
            elif spare > spares[s.k - 1]:
                at = s.k - 1
                while at > 0 and spares[at - 1] < spare:
                    spares[at] = spares[at - 1]
                    at -= 1
                spares[at] = spare
    least = 0.0
    for index in range(s.k - count - s.size[group]):
        profit += spares[index]
        least = spares[index]
    return profit, least


@compiled
def fill_group(s: State, group: int, prices: Floats, least: float) -> None:
    """Move in all whose price exceeds the cost, then others down to `least` until there are k."""
    place = s.pattern[group]
    for tier in range(3):
        for row in s.members[s.start[group] : s.start[group + 1]]:
            spare = prices[row] - s.costs[place]
            if spare <= 0 and (tier == 0 or spare < least or (tier == 1 and spare == least)):
                continue
            for unit in range(s.first_unit[row], s.first_unit[row + 1]):
                if s.place[unit] < 0 and (spare > 0 or s.size[group] < s.k):
                    enter(s, unit, place)


@compiled
def open_by_price(s: State, prices: Floats, floor: float, ease: float) -> None:
    """Open groups, most profitable first, down to a profit of `floor`.

    The price of those a group leaves out falls to its cost plus `ease`, since it is open to them now.
    """
    heap = [(0.0, 0)]
    heap.pop()
    for group in range(len(s.pattern)):
        profit, _ = worth(s, group, prices)
        if profit > floor:
            heap.append((-profit, group))
    heapq.heapify(heap)
    while len(heap) > 0:
        promised, group = heapq.heappop(heap)
        profit, least = worth(s, group, prices)
        if profit <= floor:
            continue
        if profit < -promised - 1e-9:
            heapq.heappush(heap, (-profit, group))
            continue
        fill_group(s, group, prices, least)
        most = s.costs[s.pattern[group]] + ease
        for row in s.members[s.start[group] : s.start[group + 1]]:
            prices[row] = min(prices[row], most)


@compiled
def settle(s: State) -> None:
    """Place all units still on the move: in new groups where that saves, else in the cheapest open class."""
    prices = np.full(len(s.of), s.costs[-1])
    for unit in range(len(s.place)):
        if s.place[unit] < 0:
            place = cheapest_open(s, s.tuple_of[unit])
            if place >= 0:
                prices[s.tuple_of[unit]] = s.costs[place]
    open_by_price(s, prices, 1e-9, 0.0)
    stranded = False
    for unit in range(len(s.place)):
        if s.place[unit] < 0:
            place = cheapest_open(s, s.tuple_of[unit])
            stranded = stranded or place < 0
            enter(s, unit, place if place >= 0 else len(s.costs) - 1)
    if stranded:
        rescue(s)


@compiled
def rescue(s: State) -> None:
    """Fill the class of wholly starred records up to k: with records others can spare, then by classes."""
    last = len(s.costs) - 1
    group = s.of[0, last]
    for dissolve in range(2):
        for unit in range(len(s.place)):
            if s.size[group] >= s.k:
                return
            own = s.of[s.tuple_of[unit], s.place[unit]]
            if own == group or (dissolve == 0 and s.fixed[own] == 0 and s.size[own] <= s.k):
                continue
            if dissolve == 1:
                while s.head[own] >= 0:
                    friend = s.head[own]
                    leave(s, friend)
                    enter(s, friend, last)
            else:
                leave(s, unit)
                enter(s, unit, last)


@compiled
def construct(s: State, prices: Floats, floor: float) -> None:
    """A whole answer from nothing, led by prices."""
    for unit in range(len(s.place)):
        if s.place[unit] >= 0:
            leave(s, unit)
    open_by_price(s, prices, floor, np.inf)
    settle(s)
