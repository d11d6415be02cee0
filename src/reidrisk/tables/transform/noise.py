"""Numbers with noise that keeps means, variances and correlations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from reidrisk.engine.replacing import is_numeric, known_columns, numbers_of, with_numbers
from reidrisk.engine.table import Table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.perturb.noise import with_noise
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

    def apply(self, table: Table, work: Work) -> Done:
        """One draw for each cell; columns of whole numbers stay whole."""
        names = known_columns(table, self.columns)
        refuse_words(table, names)
        before = numbers_of(table, names)
        after = with_noise(before, self.share, work.rng)
        made = with_numbers(
            table, {name: after[:, place] for place, name in enumerate(names)}, note="noise added"
        )
        told = f"noise of {100 * self.share:g} % of the variance on {', '.join(names)}"
        return Done(made, told, {"share": self.share, **_kept(before, after, names)})


def refuse_words(table: Table, names: tuple[str, ...]) -> None:
    """Numbers only."""
    for name in names:
        if not is_numeric(table, name):
            raise BadData(
                f"Column {name!r} holds no numbers: it is {table.types[name]}.",
                hint="Leave it out, or write plain numbers.",
            )


def _kept(before: Floats, after: Floats, names: tuple[str, ...]) -> dict[str, Any]:
    """How near the changed column stays to the original one."""
    found = {}
    for place, name in enumerate(names):
        known = ~np.isnan(before[:, place])
        varied = known.sum() > 1 and np.ptp(before[known, place]) > 0
        pair = np.corrcoef(before[known, place], after[known, place])[0, 1] if varied else None
        found[name] = None if pair is None else float(pair)
    return {"correlation_with_original": found}
