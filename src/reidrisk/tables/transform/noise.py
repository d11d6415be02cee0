"""Numbers with noise that keeps means, variances and correlations."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from reidrisk.engine.replacing import is_numeric, known_columns, numbers_of, with_numbers
from reidrisk.engine.table import Table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.perturb import column_change, correlation_change, with_noise
from reidrisk.tables.transform.step import Done, Work


@dataclass(frozen=True, slots=True)
class Noise:
    """Correlated noise on columns of numbers."""

    kind: ClassVar[str] = "noise"

    columns: tuple[str, ...]
    share: float = 0.1
    """Of the variance."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or not 0 < self.share < float("inf"):
            raise InvalidSetting(
                "Noise needs columns, and a share of the variance above 0.", hint="For example share: 0.1."
            )

    @property
    def changes(self) -> tuple[str, ...]:
        """All of them."""
        return self.columns

    def apply(self, table: Table, work: Work) -> Done:
        """One draw for each cell; columns of whole numbers stay whole."""
        names = known_columns(table, self.columns)
        refuse_words(table, names)
        before = numbers_of(table, names)
        after = with_noise(before, self.share, work.rng)
        made = with_numbers(
            table, {name: after[:, place] for place, name in enumerate(names)}, note="noise added"
        )
        written = numbers_of(made, names)
        told = f"noise of {100 * self.share:g} % of the variance on {', '.join(names)}"
        return Done(made, told, {"share": self.share, **kept_in(before, written, names)})


def refuse_words(table: Table, names: tuple[str, ...]) -> None:
    """Numbers only."""
    for name in names:
        if not is_numeric(table, name):
            raise BadData(
                f"Column {name!r} holds no numbers: it is {table.types[name]}.",
                hint="Leave it out, or write plain numbers.",
            )


def kept_in(before: Floats, after: Floats, names: tuple[str, ...]) -> dict[str, Any]:
    """How near the changed columns stay to the original ones, alone and together."""
    pairs = {name: column_change(before[:, at], after[:, at]) for at, name in enumerate(names)}
    return {
        "correlation_with_original": {name: one.correlation for name, one in pairs.items()},
        "largest_correlation_change": correlation_change(before, after),
        "by_column": [{"column": name, **asdict(one)} for name, one in pairs.items()],
    }
