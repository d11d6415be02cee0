"""Information loss by generalization and suppression: precision, discernibility, entropy, loss.

If whole records are suppressed, 1 - `precision`, `loss_gm` and `loss_am` are the scores of the lattice
search, and so is the discernibility. The entropy of that search treats suppressed records differently (the
entropy of their original values) and is not the figure computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.grouping import grouped
from reidrisk.stats.lattice.inputs import Codes, Recoding, Tuples


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedTuples:
    """The distinct tuples of a table, the level of each column, and the suppressed cells of the records."""

    tuples: Tuples
    recodings: Sequence[Recoding]
    levels: tuple[int, ...]
    moves: tuple[Ints, Ints, Ints]
    """(tuple, suppressed columns as bit mask, number of records); every record occurs once."""
    value_counts: tuple[Ints, ...] = ()
    """By column: how many records have each value, if tuples stand for several values. The entropy then takes
    suppressed cells to be spread like the values with the same general value."""

    def __post_init__(self) -> None:
        columns = self.tuples.codes.shape[1]
        if not columns == len(self.recodings) == len(self.levels):
            raise InvalidSetting(
                f"There are {columns} columns, but {len(self.recodings)} hierarchies and "
                f"{len(self.levels)} levels.",
                hint="Give one hierarchy and one level for each column.",
            )
        for recoding, level in zip(self.recodings, self.levels, strict=True):
            if not 0 <= level <= recoding.height:
                raise InvalidSetting(
                    f"Level {level} does not exist: the hierarchy has levels 0 to {recoding.height}.",
                    hint="The lowest level is 0.",
                )
        rows, masks, numbers = self.moves
        if np.any(masks >> columns):
            raise InvalidSetting(
                "A mask suppresses a column that does not exist.", hint="Bit j stands for column j."
            )
        placed = np.zeros(len(self.tuples.counts), dtype=np.int64)
        np.add.at(placed, rows, numbers)
        if not np.array_equal(placed, self.tuples.counts):
            raise InvalidSetting(
                "The moves do not include every record exactly once.",
                hint="Records without a suppressed cell have the mask 0.",
            )

    @classmethod
    def generalized_only(
        cls, tuples: Tuples, recodings: Sequence[Recoding], levels: tuple[int, ...]
    ) -> ReleasedTuples:
        """A table that is generalized only."""
        rows = np.arange(len(tuples.counts))
        return cls(tuples, recodings, levels, (rows, np.zeros_like(rows), tuples.counts))

    @property
    def columns(self) -> int:
        """Number of quasi-identifiers."""
        return len(self.levels)

    def general(self, column: int) -> Codes:
        """By value code: the code at the chosen level."""
        return self.recodings[column].levels[self.levels[column]]

    def suppressed(self, column: int) -> Bools:
        """By move: whether the column is suppressed."""
        return np.asarray((self.moves[1] >> column) & 1, dtype=np.bool_)

    def by_value(self, column: int) -> tuple[Ints, Ints]:
        """By value code: number of records, and of those suppressed in this column."""
        rows, _, numbers = self.moves
        values = self.tuples.codes[:, column][rows]
        suppressed = self.suppressed(column)
        records = np.zeros(self.recodings[column].levels[0].size, dtype=np.int64)
        lost = np.zeros_like(records)
        np.add.at(records, values, numbers)
        np.add.at(lost, values[suppressed], numbers[suppressed])
        return records, lost


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Shares of all records."""

    before: Floats
    """By value code."""
    generalized: Floats
    """By code of the chosen level, before any cell is suppressed."""
    after: Floats
    """By code of the chosen level, as released; they add up to 1 with `suppressed`."""
    suppressed: float


def distribution(released: ReleasedTuples, column: int) -> Distribution:
    """The distribution of the records over the values of a column."""
    records, lost = released.by_value(column)
    total = int(records.sum())
    codes = released.general(column)
    size = released.recodings[column].leaves[released.levels[column]].size

    def shares(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        return np.bincount(codes, weights=counts, minlength=size) / total

    return Distribution(records / total, shares(records), shares(records - lost), int(lost.sum()) / total)


@dataclass(frozen=True, slots=True)
class Utility:
    """Utility of all quasi-identifiers together and of each one."""

    precision: float
    """1 minus the mean over cells of level / height, 1 for a suppressed cell."""
    discernibility: int
    """Sum of squared class sizes of the release; a suppressed cell is a value of its own."""
    entropy: float
    """Bits lost: for each cell, how much rarer its original value is than the released one."""
    loss_gm: float
    loss_am: float
    columns: tuple[ColumnUtility, ...]


@dataclass(frozen=True, slots=True)
class ColumnUtility:
    """The same measures for one column."""

    precision: float
    entropy: float
    loss: float
    """0 if all values are unchanged, 1 if all are suppressed."""
    suppressed: int
    """Number of suppressed cells."""


def utility(released: ReleasedTuples, *, weights: Sequence[float] | None = None) -> Utility:
    """All measures; `weights` is how much each column counts in the means of precision and loss."""
    columns = tuple(column_utility(released, column) for column in range(released.columns))
    shares = _shares(weights, released.columns)
    losses = np.array([column.loss for column in columns])
    return Utility(
        precision=float(shares @ [column.precision for column in columns]),
        discernibility=released_discernibility(released),
        entropy=fsum(column.entropy for column in columns),
        loss_gm=float(np.exp(shares @ np.log1p(losses))) - 1,
        loss_am=float(shares @ losses),
        columns=columns,
    )


def column_utility(released: ReleasedTuples, column: int) -> ColumnUtility:
    """The measures of one column."""
    records, lost = released.by_value(column)
    recoding, level = released.recodings[column], released.levels[column]
    total, suppressed = int(records.sum()), int(lost.sum())
    step = level / recoding.height if recoding.height else 0.0
    shares = recoding.leaves[level][released.general(column)] / recoding.domain
    return ColumnUtility(
        precision=1 - ((total - suppressed) * step + suppressed) / total,
        entropy=_entropy(released, column),
        loss=_loss(float((records - lost) @ shares) + suppressed, total, recoding.domain),
        suppressed=suppressed,
    )


def released_discernibility(released: ReleasedTuples) -> int:
    """Sum of squared sizes of the released classes; a fully suppressed record counts as all records."""
    rows, masks, numbers = released.moves
    values = np.empty((len(rows), released.columns), dtype=np.int32, order="F")
    for column in range(released.columns):
        general = released.general(column)[released.tuples.codes[:, column]][rows]
        values[:, column] = np.where(released.suppressed(column), 0, general + 1)
    return discernibility_of(values, numbers, np.asarray(masks == (1 << released.columns) - 1))


def discernibility_of(values: Codes, numbers: Ints, whole: Bools) -> int:
    """DM (doi:10.1109/ICDE.2005.42): f^2 for a class of f records, and all records for a suppressed one."""
    sizes = grouped(values[~whole], numbers[~whole]).counts if not whole.all() else np.zeros(0, np.int64)
    return int(sizes @ sizes) + int(numbers.sum()) * int(numbers[whole].sum())


def _entropy(released: ReleasedTuples, column: int) -> float:
    """Bits lost in a column: log2 of the frequency of the released value over that of the original.

    Frequencies are over the whole column, suppressed or not, as if it were released at its level.
    """
    records, suppressed = released.by_value(column)
    general = released.general(column)
    together = np.zeros(int(general.max()) + 1, dtype=np.int64)
    np.add.at(together, general, records)
    lost: Floats = suppressed.astype(np.float64)
    if released.value_counts:
        records = released.value_counts[column]
        lost = (np.bincount(general, lost) / np.maximum(1, together))[general] * records
    present = records > 0
    values, gone = records[present], lost[present]
    shown = (values - gone) * np.log2(together[general[present]] / values)
    return fsum([*shown, *(gone * np.log2(int(records.sum()) / values))])


@dataclass(frozen=True, slots=True)
class ColumnInformation:
    """What a column tells before and after: how much of its information is left, and whom it singles out."""

    kept: float | None
    """Share of the bits of its values that are left; None if all records have the same value."""
    unique_before: float
    """Share of records whose value no other record has, in this column alone."""
    unique_after: float


def column_information(records: Ints, after: Ints, lost: float) -> ColumnInformation:
    """From the records of each value before and after, and the bits that were lost.

    >>> column_information(np.array([1, 1, 2]), np.array([4]), 6.0)
    ColumnInformation(kept=0.0, unique_before=0.5, unique_after=0.0)
    """
    total = int(records.sum())
    present = records[records > 0]
    bits = fsum((present * np.log2(total / present)).tolist())
    return ColumnInformation(
        kept=min(1.0, max(0.0, 1 - lost / bits)) if bits > 0 else None,
        unique_before=int((records == 1).sum()) / total,
        unique_after=int((after == 1).sum()) / total,
    )


def released_information(released: ReleasedTuples, column: int) -> ColumnInformation:
    """The same for a column that is released at its level, without its suppressed cells."""
    records, lost = released.by_value(column)
    general = released.general(column)
    after = np.zeros(int(general.max()) + 1, dtype=np.int64)
    np.add.at(after, general, records - lost)
    values = released.value_counts[column] if released.value_counts else records
    return column_information(values, after, _entropy(released, column))


def _loss(shares: float, records: int, domain: int) -> float:
    """Sum of the cells' shares of the hierarchy's rows, scaled from its least to its most to 0 to 1."""
    if domain <= 1:
        return 0.0
    least = records / domain
    return max(0.0, (shares - least) / (records - least))


def _shares(weights: Sequence[float] | None, columns: int) -> Floats:
    given = np.ones(columns) if weights is None else np.asarray(weights, dtype=np.float64)
    if given.shape != (columns,) or np.any(given < 0) or not 0 < given.sum() < np.inf:
        raise InvalidSetting(
            "The weights do not match the columns.",
            hint="Give one weight for each column, 0 or more, and at least one above 0.",
        )
    return np.asarray(given / given.sum(), dtype=np.float64)
