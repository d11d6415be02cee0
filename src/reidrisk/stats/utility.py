"""How much a release has lost, cell by cell: a starred cell is lost as a whole.

If whole records are starred, `precision_loss`, `loss_gm` and `loss_am` are the scores of the lattice
search. Its entropy and discernibility treat suppressed records in a way of their own (the entropy of
what they were; as many as there are records for each of them) and are other figures than these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.grouping import grouped
from reidrisk.stats.released import Released


@dataclass(frozen=True, slots=True)
class Utility:
    """What is left, or lost, of all quasi-identifiers together and of each."""

    precision: float
    """1 less the mean over cells of level / height, 1 for a star."""
    discernibility: int
    """Sum of squared class sizes of what is released, a star being a value."""
    entropy: float
    """Bits lost: for each cell how much rarer its value was than what stands in its place."""
    loss_gm: float
    loss_am: float
    columns: tuple[ColumnUtility, ...]


@dataclass(frozen=True, slots=True)
class ColumnUtility:
    """The same of one column."""

    precision: float
    entropy: float
    loss: float
    """0 if all values are as they were, 1 if all are starred."""
    starred: int
    """Starred cells."""


def utility(released: Released, *, weights: Sequence[float] | None = None) -> Utility:
    """All measures; weights say how much each column counts in the means of precision and loss."""
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


def column_utility(released: Released, column: int) -> ColumnUtility:
    """The measures of one column."""
    records, lost = released.by_value(column)
    recoding, level = released.recodings[column], released.levels[column]
    total, starred = int(records.sum()), int(lost.sum())
    step = level / recoding.height if recoding.height else 0.0
    shares = recoding.leaves[level][released.general(column)] / recoding.domain
    return ColumnUtility(
        precision=1 - ((total - starred) * step + starred) / total,
        entropy=_entropy(released, column),
        loss=_loss(float((records - lost) @ shares) + starred, total, recoding.domain),
        starred=starred,
    )


def released_discernibility(released: Released) -> int:
    """Sum of squared sizes of the classes that are released; whole starred records are one class."""
    rows, _, numbers = released.moves
    values = np.empty((len(rows), released.columns), dtype=np.int32, order="F")
    for column in range(released.columns):
        general = released.general(column)[released.tuples.codes[:, column]][rows]
        values[:, column] = np.where(released.starred(column), 0, general + 1)
    sizes = grouped(values, numbers).counts
    return int(sizes @ sizes)


def _entropy(released: Released, column: int) -> float:
    """Bits lost in a column: log2 of what shares the released value over what shared the original.

    Values count over the whole column, starred or not, as if it were released at its level.
    """
    records, lost = released.by_value(column)
    general = released.general(column)
    together = np.zeros(int(general.max()) + 1, dtype=np.int64)
    np.add.at(together, general, records)
    present = records > 0
    values, gone = records[present], lost[present]
    shown = (values - gone) * np.log2(together[general[present]] / values)
    return fsum([*shown, *(gone * np.log2(int(records.sum()) / values))])


def _loss(shares: float, records: int, domain: int) -> float:
    """Sum of the cells' shares of the hierarchy's rows, from its least to its most, as 0 to 1."""
    if domain <= 1:
        return 0.0
    least = records / domain
    return max(0.0, (shares - least) / (records - least))


def _shares(weights: Sequence[float] | None, columns: int) -> Floats:
    given = np.ones(columns) if weights is None else np.asarray(weights, dtype=np.float64)
    if given.shape != (columns,) or np.any(given < 0) or not 0 < given.sum() < np.inf:
        raise InvalidSetting(
            "The weights of the columns do not fit.", hint="Give one for each, 0 or more, not all of them 0."
        )
    return np.asarray(given / given.sum(), dtype=np.float64)
