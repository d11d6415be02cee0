"""Small tables for cell suppression, and a check that shares nothing with the code it checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from reidrisk.stats.arrays import Ints
from reidrisk.stats.suppress.result import Suppression, Unmet
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Codes, Request

KNIOLA = "M26 F28 F31 M29 F28 M30 M29 F32 M29 F31"
KUMAR = "M26 F26 M26 F26 F29 F28 M26 F27 F28 F29"


def coded(rows: Sequence[tuple[int, ...]]) -> tuple[Codes, Ints]:
    codes, counts = np.unique(np.array(rows), axis=0, return_counts=True)
    return codes.astype(np.int32), counts.astype(np.int64)


def published(text: str) -> tuple[Codes, Ints]:
    return coded([("MF".index(word[0]), int(word[1:])) for word in text.split()])


def starred(codes: Codes, answer: Suppression) -> Counter[tuple[int | None, ...]]:
    table: Counter[tuple[int | None, ...]] = Counter()
    for row, mask, number in answer.moves:
        values = enumerate(codes[row].tolist())
        table[tuple(None if mask >> column & 1 else value for column, value in values)] += number
    return table


def check(codes: Codes, counts: Ints, answer: Suppression | Unmet, request: Request) -> Suppression:
    """Every record occurs once, no class is below k, and the sums are what they say."""
    assert isinstance(answer, Suppression)
    placed: Counter[int] = Counter()
    for row, _, number in answer.moves:
        assert number > 0
        placed[row] += number
    assert [placed[row] for row in range(len(counts))] == counts.tolist()
    table = starred(codes, answer)
    assert min(table.values()) >= request.k
    columns = [
        sum(size for values, size in table.items() if values[column] is None)
        for column in range(codes.shape[1])
    ]
    weights = request.weights or (1.0,) * len(columns)
    assert columns == list(answer.by_column)
    assert answer.cells == sum(columns)
    assert abs(answer.weighted - sum(np.multiply(columns, weights))) < 1e-6
    assert answer.records == sum(size for values, size in table.items() if None in values)
    assert answer.bound <= answer.weighted + 1e-6
    return answer


def solve(codes: Codes, counts: Ints, request: Request, *, seed: int = 7) -> Suppression:
    budget = Budget(ascents=60, rounds=8)
    rng = np.random.default_rng(seed)
    return check(
        codes, counts, suppress_cells(codes, counts, request=request, budget=budget, rng=rng), request
    )


def random_table(records: int, sizes: tuple[int, ...], seed: int = 3) -> tuple[Codes, Ints]:
    """Skewed values, as ages and diagnoses are."""
    rng = np.random.default_rng(seed)
    columns = [np.minimum(rng.geometric(2 / (1 + size), records), size) for size in sizes]
    return coded([tuple(int(value) for value in row) for row in np.stack(columns, axis=1)])


cells = st.integers(0, 2)
tables = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.tuples(*[cells] * columns), min_size=1, max_size=11)
)
