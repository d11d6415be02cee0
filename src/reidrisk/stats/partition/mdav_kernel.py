"""Compiled kernels: MDAV on tuples of numbers and categories."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled


@compiled
def nearest(points: Floats, counts: Ints, left: Ints, start: int, want: int, out: Ints) -> int:
    """The tuples among `left` nearest to a point, until they hold `want` records; returns their number.

    The nearest comes first in `out`; ties keep their order.
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
    """The tuple among `left` that is farthest from a point; the first one of ties."""
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
    """Make a group of tuples; returns how many tuples and records are left after it."""
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
def begin(points: Floats, counts: Ints, left: Ints) -> tuple[Floats, int]:
    """The sum of the points of the tuples `left`, weighted by records, and the number of these records."""
    total, records = np.zeros(points.shape[1]), 0
    for i in range(left.size):
        records += counts[left[i]]
        for a in range(points.shape[1]):
            total[a] += points[left[i], a] * counts[left[i]]
    return total, records


@compiled
def mdav(  # noqa: PLR0913, PLR0917 - a loop has no objects
    points: Floats,
    counts: Ints,
    group: Ints,
    left: Ints,
    total: Floats,
    records: int,
    cell_size: int,
    groups: int,
    rounds: int,
) -> tuple[int, int, int]:
    """Run some rounds on the tuples `left`; returns the number of groups, and of tuples and records left.

    Domingo-Ferrer and Mateo-Sanz 2002: the tuple farthest from the center and its nearest tuples form a
    group, then the tuple farthest from that one and its nearest, until fewer than two groups' worth are left.
    """
    center, number = np.zeros(points.shape[1]), left.size
    out = np.empty(cell_size + 1, dtype=np.int64)
    while records >= 2 * cell_size and rounds > 0:
        rounds -= 1
        for a in range(points.shape[1]):
            center[a] = total[a] / records
        first = farthest(points, left[:number], center)
        second = farthest(points, left[:number], points[first])
        for start in (first, second):
            if group[start] >= 0 or records < 2 * cell_size:
                continue
            size = nearest(points, counts, left[:number], start, cell_size, out)
            for i in range(size):
                for a in range(points.shape[1]):
                    total[a] -= points[out[i], a] * counts[out[i]]
            number, records = take(counts, group, left[:number], out[:size], groups)
            groups += 1
    return groups, number, records


@compiled
def join(points: Floats, group: Ints, members: Ints) -> None:
    """Add each tuple without a group to that of the nearest tuple in one; the first one of ties."""
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
