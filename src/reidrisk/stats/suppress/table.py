"""The question (distinct tuples, cell size, weights, limits) and how much work may be spent on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal, NamedTuple, get_args

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.keys import ranked
from reidrisk.stats.suppress.groups import Codes, column_keys, kept_keys

Method = Literal["auto", "subsets", "integer", "search"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_COLUMNS = 62


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for."""

    k: int
    """Cell size: every record shares its row, stars included, with at least k - 1 others."""
    weights: tuple[float, ...] = ()
    """What a star costs in each column; one each if empty."""
    max_records: float | None = None
    """Largest share of records with any star."""
    max_column: float | None = None
    """Largest share of records starred in any one column."""
    method: Method = "auto"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InvalidSetting(f"A cell size is at least 1, not {self.k}.", hint="Five is customary.")
        if any(not 0 < weight < np.inf for weight in self.weights):
            raise InvalidSetting("A weight is greater than 0.", hint="Leave a column out instead.")
        for share in (self.max_records, self.max_column):
            if share is not None and not 0 <= share <= 1:
                raise InvalidSetting(
                    f"A limit is a share in [0, 1], not {share}.", hint="Write 15 % as 0.15."
                )
        if self.method not in METHODS:
            raise InvalidSetting.among("The method of cell suppression", self.method, METHODS)

    @property
    def limited(self) -> bool:
        """Whether any share is limited."""
        return self.max_records is not None or self.max_column is not None


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to work. Rounds keep the answer repeatable; seconds and `stop` end it early."""

    rounds: int = 12
    """Ruin-and-recreate rounds for each record that moves."""
    ascents: int = 400
    """Steps towards the largest lower bound."""
    seconds: float | None = None
    """Stop improving after this time; the answer then depends on the speed of the machine."""
    stop: Callable[[], bool] = field(default=lambda: False)
    """Asked now and then; a true answer ends the work with the best so far."""
    gap: float = 0.0
    """Relative gap at which the integer programme may stop."""
    integer_seconds: float = 20.0
    """Time limit of the integer programme."""

    def watch(self) -> Callable[[], bool]:
        """A question to ask between pieces of work: is it time to stop?"""
        end = np.inf if self.seconds is None else monotonic() + self.seconds
        return lambda: monotonic() > end or self.stop()


class Table(NamedTuple):
    """Distinct tuples, how many records have each, and what matters about stars."""

    codes: Codes
    counts: Ints
    k: int
    weights: Floats
    entry: float
    """Added cost of a record's first star; 0 unless a limit on records is being enforced."""

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    @property
    def risky(self) -> int:
        """Records in classes below k: at least these need a star."""
        return int(self.counts[self.counts < self.k].sum())


def make_table(codes: Codes, counts: Ints, request: Request) -> Table:
    """Check the arrays; codes become small non-negative numbers."""
    if codes.ndim != 2 or len(codes) != len(counts) or not len(codes):
        raise InvalidSetting(
            "There are no records to suppress.", hint="Give one row of codes for each count."
        )
    columns = codes.shape[1]
    if not 1 <= columns <= MOST_COLUMNS:
        raise InvalidSetting(
            f"Cell suppression takes 1 to {MOST_COLUMNS} columns, not {columns}.",
            hint="Choose fewer columns.",
        )
    if request.weights and len(request.weights) != columns:
        raise InvalidSetting(
            f"There are {columns} columns and {len(request.weights)} weights.",
            hint="Give one weight a column.",
        )
    if np.any(counts < 1):
        raise InvalidSetting("A count is at least 1.", hint="Leave out tuples that do not occur.")
    dense = np.empty(codes.shape, dtype=np.int32)
    for column in range(columns):
        dense[:, column] = ranked(codes[:, column].astype(np.int64) - int(codes[:, column].min()))[1]
    if not np.all(np.diff(np.sort(kept_keys(column_keys(dense), 0)))):
        raise InvalidSetting("Some tuples occur twice.", hint="Group the records first.")
    weights = np.array(request.weights or (1.0,) * columns, dtype=np.float64)
    return Table(dense, np.asarray(counts, dtype=np.int64), request.k, weights, 0.0)
