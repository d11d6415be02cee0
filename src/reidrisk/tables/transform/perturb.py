"""Random perturbation: noise, rank swapping and PRAM."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from reidrisk.engine.protocol import Table, known_columns
from reidrisk.engine.results import MOMENTS, NUMBERS
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.perturb import (
    add_noise,
    check_matrix,
    expected_change,
    invariant,
    is_correctable,
    least_certain,
    randomize,
    redraw_matrix,
    refuse_few,
)
from reidrisk.stats.pooled import PooledMoments, compare_blocks
from reidrisk.stats.swap import mean_rank_shift, swap_ranks
from reidrisk.tables.transform.step import StepInputs, StepResult


@dataclass(frozen=True, slots=True)
class Noise:
    """Add correlated noise to columns of numbers."""

    kind: ClassVar[str] = "noise"

    columns: tuple[str, ...]
    share: float = 0.1
    """Variance of the noise, as a share of the variance of the column."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or not 0 < self.share < float("inf"):
            raise InvalidSetting(
                "Noise needs columns, and a share of the variance above 0.", hint="For example share: 0.1."
            )

    @property
    def changes(self) -> tuple[str, ...]:
        """All columns of the step."""
        return self.columns

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Add noise to each cell; columns of whole numbers stay whole."""
        names = known_columns(self.columns, table.columns, source=table.source)
        table = table.dates.read_ordered(names)
        refuse_words(table, names)
        known, moments = [PooledMoments() for _ in names], PooledMoments()
        for block in table.rows.number_blocks(names):
            moments.add(block)
            for place, one in enumerate(known):
                one.add(block[:, [place]])
        refuse_few(moments.rows)
        mean = np.concatenate([one.mean for one in known])
        noisy = (
            add_noise(block, self.share, work.rng, mean=mean, covariance=moments.covariance)
            for block in table.rows.number_blocks(names)
        )
        made = table.edit.number_blocks(names, noisy, note="noise added")
        pairs = zip(table.rows.number_blocks(names), made.rows.number_blocks(names), strict=True)
        text = f"noise with {100 * self.share:g} % of the variance added to {', '.join(names)}"
        return StepResult(made, text, {"share": self.share, **similarity(pairs, names)})


def refuse_words(table: Table, names: tuple[str, ...]) -> None:
    """Refuse columns that are not numbers."""
    for name in names:
        if table.kinds[name] not in NUMBERS:
            raise BadData(
                f"Column {name!r} does not contain numbers: its values are of kind {table.kinds[name]!r}.",
                hint="Leave it out, or write plain numbers.",
            )


def similarity(pairs: Iterable[tuple[Floats, Floats]], names: tuple[str, ...]) -> dict[str, Any]:
    """Measure how similar the changed columns are to the originals, alone and together.

    The pairs are blocks of the same rows before and after.
    """
    found, change = compare_blocks(pairs)
    columns = dict(zip(names, found, strict=True))
    return {
        "correlation_with_original": {name: one.correlation for name, one in columns.items()},
        "largest_correlation_change": change,
        "by_column": [{"column": name, **asdict(one)} for name, one in columns.items()],
    }


@dataclass(frozen=True, slots=True)
class RankSwap:
    """Swap values within a range of ranks, each column separately."""

    kind: ClassVar[str] = "rank_swap"

    columns: tuple[str, ...]
    within: float = 0.05
    """Largest distance of swapped ranks, as a share of all ranks."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or not 0 < self.within <= 1:
            raise InvalidSetting(
                "Rank swapping needs columns, and a share of ranks above 0.", hint="For example within: 0.05."
            )

    @property
    def changes(self) -> tuple[str, ...]:
        """All columns of the step."""
        return self.columns

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Swap values; every column keeps exactly the same set of values."""
        names = known_columns(self.columns, table.columns, source=table.source)
        table = table.dates.read_ordered(names)
        for name in names:
            if not (table.kinds[name] in NUMBERS or table.kinds[name] in MOMENTS):
                raise BadData(
                    f"Column {name!r} has no ranks: its values are of kind {table.kinds[name]!r}.",
                    hint="Swap numbers and dates; for categories use pram.",
                )
        before = table.rows.numbers(names)
        after = before.copy()
        moved = []
        for at, name in enumerate(names):
            sources = swap_ranks(before[:, at], self.within, work.rng)
            after[:, at] = before[sources, at]
            moved.append(mean_rank_shift(before[:, at], after[:, at]))
            table = table.edit.take_from(name, sources, note=f"{name} swapped")
        found = similarity([(before, after)], names)
        rows = [
            {**row, "mean_rank_shift": shift} for row, shift in zip(found["by_column"], moved, strict=True)
        ]
        changed = {row["column"]: row["share_changed"] or 0.0 for row in rows}
        text = f"values of {', '.join(names)} swapped within {100 * self.within:g} % of the ranks"
        figures = {"within": self.within, "share_changed": changed, **found, "by_column": rows}
        return StepResult(table, text, figures)


LISTED = 50
"""Largest number of values for which the matrix is reported."""
MOST = 1000
"""Largest number of distinct values: with more, the values are not categories."""


@dataclass(frozen=True, slots=True)
class Pram:
    """Post-randomization (PRAM) of one column."""

    kind: ClassVar[str] = "pram"

    column: str
    keep: float = 0.8
    """Probability that a value is kept, if no matrix is given."""
    matrix: Mapping[str, Mapping[str, float]] | None = None
    """By value, the probability of each value that it may become; 0 for values that are not listed."""
    invariant: bool = True
    """Whether to adjust the matrix so that the expected shares of the values stay the same."""

    def __post_init__(self) -> None:
        if not 0 <= self.keep <= 1:
            raise InvalidSetting(
                f"The probability to keep a value cannot be {self.keep}.",
                hint="Choose 0 to 1, for example 0.8.",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the step reads."""
        return (self.column,)

    @property
    def changes(self) -> tuple[str, ...]:
        """The column of the step."""
        return (self.column,)

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Draw every value at random; a missing one stays missing."""
        [name] = known_columns([self.column], table.columns, source=table.source)
        counts, values = table.rows.value_counts(name)
        if not 1 < len(values) <= MOST:
            raise BadData(
                f"Column {name!r} has {len(values)} distinct values: too few or too many to randomize.",
                hint=f"Randomize columns with 2 to {MOST} values.",
            )
        chances = self._chances([str(value) for value in values], counts)
        moved = 0

        def randomized() -> Iterator[Ints]:
            nonlocal moved
            for codes in table.rows.code_blocks(name):
                drawn = randomize(codes, chances, work.rng)
                moved += int((drawn != codes).sum())
                yield np.where(drawn == codes, -1, drawn)

        made = table.edit.code_blocks(name, randomized(), note=f"{name} randomized")
        changed = moved / int(counts.sum())
        row = {
            "column": name,
            "share_changed": changed,
            "expected_changed": expected_change(chances, counts),
            "correctable": is_correctable(chances),
        }
        figures: dict[str, Any] = {
            "share_changed": changed,
            "by_column": [row],
            "least_certain": least_certain(chances, counts),
            "matrix": chances.round(6).tolist() if len(values) <= LISTED else None,
        }
        return StepResult(made, f"{name}: {100 * changed:.1f} % of the values changed at random", figures)

    def _chances(self, names: list[str], counts: Ints) -> Floats:
        if self.matrix is None:
            return redraw_matrix(counts, self.keep)
        given = np.eye(len(names))
        for value, row in self.matrix.items():
            for other in (value, *row):
                if other not in names:
                    raise BadData(
                        f"The matrix for {self.column!r} has a value that is not in the column.",
                        hint="Write each value exactly as in the table.",
                    )
            given[names.index(value)] = [float(row.get(other, 0.0)) for other in names]
        return invariant(check_matrix(given), counts) if self.invariant else check_matrix(given)
