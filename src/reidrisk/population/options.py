"""What is asked of a population beside the policy and the attacker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from reidrisk.errors import InvalidSetting
from reidrisk.population.dates import UNIFORM, BirthDates

TOTAL = "total"
SIZES = (1, 3, 5, 10)
"""The g of the published study."""
LARGEST, MOST = 10**12, 1_000_000


@dataclass(frozen=True, slots=True)
class PopulationOptions:
    """How a population is measured."""

    g: Sequence[int] = SIZES
    """Group sizes; a person is g-distinct who is like at most g - 1 others."""
    birth_dates: BirthDates = UNIFORM
    across: bool = False
    """The attacker does not know the state: people of all states are confused with each other."""
    counted_in: int | None = None
    """The year in which the population was counted: makes ages of a data set's years of birth."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """The largest acceptable shares, by g or `total`; without any nothing is decided."""

    def __post_init__(self) -> None:
        sizes = list(self.g)
        if not sizes or any(isinstance(size, bool) or size != int(size) or size < 1 for size in sizes):
            raise InvalidSetting("g is a list of whole numbers of 1 or more.", hint="Write g=(1, 3, 5, 10).")
        if max(sizes) > LARGEST or len(sizes) > MOST:
            raise InvalidSetting(
                f"g goes up to {LARGEST:,}, and there are {MOST:,} of them at most.",
                hint="A g above the number of people says no more than that number.",
            )
        limits = {str(name): float(share) for name, share in self.limits.items()}
        for name, share in limits.items():
            if not (name == TOTAL or (name.isdecimal() and int(name) > 0)) or not 0 <= share <= 1:
                raise InvalidSetting(
                    "A limit is a share from 0 to 1 for a g or for the total.", hint="Write 5=0.01."
                )
        asked = {int(size) for size in sizes} | {int(name) for name in limits if name != TOTAL}
        object.__setattr__(self, "g", tuple(sorted(asked)))
        object.__setattr__(self, "limits", MappingProxyType(limits))

    def to_dict(self) -> dict[str, Any]:
        """For the settings of a result; a long run of g is told by its ends."""
        sizes = list(self.g)
        run = len(sizes) > 20 and sizes == list(range(sizes[0], sizes[-1] + 1))
        return {
            "g": f"{sizes[0]} to {sizes[-1]}" if run else sizes,
            "days": None if self.birth_dates.chances else self.birth_dates.days,
            "birth_dates": self.birth_dates.name,
            "across": self.across,
            "counted_in": self.counted_in,
            "max_share": dict(self.limits),
        }
