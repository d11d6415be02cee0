"""Compiled: MDAV on tuples of numbers and categories."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled


@compiled
def nearest(points: Floats, counts: Ints, left: Ints, start: int, want: int, out: Ints) -> int:
    """The tuples among `left` that are nearest to a point until they hold `want` records; how many they are.

    The nearest stands first in `out`; equals keep their order.
    """
    far = np.empty(out.size, dtype=np.float64)
    number, records = 0, 0
    for i in range(left.size):
        t = left[i]
        distance = 0.0
        for a in range(points.shape[1]):
            distance += (points[t, a] - points[start, a]) ** 2
        if records >= want and distance >= far[number - 1]:
            continue
        at = number
        while at > 0 and far[at - 1] > distance:
            if at < out.size:
                far[at], out[at] = far[at - 1], out[at - 1]
            at -= 1
        far[at], out[at] = distance, t
        number, records = number + 1, records + counts[t]
        while records - counts[out[number - 1]] >= want:
            number -= 1
            records -= counts[out[number]]
    return number


@compiled
def farthest(points: Floats, left: Ints, center: Floats) -> int:
    """The tuple among `left` that is farthest from a place; the first of equals."""
    found, most = int(left[0]), -1.0
    for i in range(left.size):
        t = left[i]
        distance = 0.0
        for a in range(points.shape[1]):
            distance += (points[t, a] - center[a]) ** 2
        if distance > most:
            found, most = int(t), distance
    return found


@compiled
def take(counts: Ints, group: Ints, left: Ints, found: Ints, g: int) -> tuple[int, int]:
    """Make a group of tuples; how many tuples and records are left after it."""
    for i in range(found.size):
        group[found[i]] = g
    kept, records = 0, 0
    for i in range(left.size):
        if group[left[i]] < 0:
            left[kept] = left[i]
            kept += 1
            records += counts[left[i]]
    return kept, records


@compiled
def mdav(points: Floats, counts: Ints, group: Ints, left: Ints, cell_size: int, groups: int) -> int:
    """Groups of at least the cell size among the tuples `left`; the number of groups there are then.

    Domingo-Ferrer and Mateo-Sanz 2002: the tuple farthest from the middle and its nearest make a group, then
    the tuple farthest from that one and its nearest, until fewer than three groups' worth are left.
    """
    columns = points.shape[1]
    center, total = np.zeros(columns), np.zeros(columns)
    records, number = 0, left.size
    for i in range(number):
        records += counts[left[i]]
        for a in range(columns):
            total[a] += points[left[i], a] * counts[left[i]]
    out = np.empty(cell_size + 1, dtype=np.int64)
    while records >= 2 * cell_size:
        for a in range(columns):
            center[a] = total[a] / records
        first = farthest(points, left[:number], center)
        second = farthest(points, left[:number], points[first])
        for start in (first, second):
            if group[start] >= 0 or records < 2 * cell_size:
                continue
            size = nearest(points, counts, left[:number], start, cell_size, out)
            for i in range(size):
                for a in range(columns):
                    total[a] -= points[out[i], a] * counts[out[i]]
            number, records = take(counts, group, left[:number], out[:size], groups)
            groups += 1
    if records >= cell_size:
        take(counts, group, left[:number], left[:number].copy(), groups)
        groups += 1
    return groups


@compiled
def join(points: Floats, group: Ints, members: Ints) -> None:
    """Tuples in no group join that of the nearest tuple that is in one."""
    chosen = np.full(members.size, -1, dtype=np.int64)
    for i in range(members.size):
        t = members[i]
        if group[t] >= 0:
            continue
        least = np.inf
        for j in range(members.size):
            u = members[j]
            if group[u] < 0:
                continue
            distance = 0.0
            for a in range(points.shape[1]):
                distance += (points[t, a] - points[u, a]) ** 2
            if distance < least:
                chosen[i], least = group[u], distance
    for i in range(members.size):
        if chosen[i] >= 0:
            group[members[i]] = chosen[i]
