"""Options for measuring a population, besides the policy and the attacker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from reidrisk.context.rule import ContextRule
from reidrisk.errors import InvalidSetting
from reidrisk.population.dates import UNIFORM, BirthDates
from reidrisk.population.settings import (
    ACROSS,
    BIRTH_DATES,
    COUNTED_IN,
    DAYS,
    GROUP_SIZES,
    MAX_SHARE,
    TOTAL,
    G,
)

LARGEST, MOST = 10**12, 1_000_000


@dataclass(frozen=True, slots=True)
class PopulationOptions:
    """Options for measuring a population."""

    g: Sequence[int] = GROUP_SIZES
    """Group sizes; a person is g-distinct if at most g - 1 others match."""
    birth_dates: BirthDates = UNIFORM
    across: bool = ACROSS.default
    """Whether the attacker does not know the state, so that people of different states can match."""
    counted_in: int | None = None
    """The year of the population counts, used to turn years of birth in a data set into ages."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """The largest acceptable shares by g or `total`; without limits and rule there is no verdict."""
    rule: ContextRule | None = None
    """The rule of the context of the release, instead of limits."""

    def __post_init__(self) -> None:
        sizes = list(self.g)
        if not sizes or any(isinstance(size, bool) or size != int(size) or size < 1 for size in sizes):
            raise InvalidSetting(
                "g must be a list of whole numbers of 1 or more.", hint="Write g=(1, 3, 5, 10)."
            )
        if max(sizes) > LARGEST or len(sizes) > MOST:
            raise InvalidSetting(
                f"g can be at most {LARGEST:,}, and there can be at most {MOST:,} values of g.",
                hint="A g above the number of people gives the same result as that number.",
            )
        limits = {str(name): float(share) for name, share in self.limits.items()}
        for name, share in limits.items():
            if not (name == TOTAL or (name.isdecimal() and int(name) > 0)) or not 0 <= share <= 1:
                raise InvalidSetting(
                    "A limit must be a share from 0 to 1, for a g or for the total.", hint="Write 5=0.01."
                )
        asked = {int(size) for size in sizes} | {int(name) for name in limits if name != TOTAL}
        object.__setattr__(self, "g", tuple(sorted(asked)))
        object.__setattr__(self, "limits", MappingProxyType(limits))

    def to_dict(self) -> dict[str, Any]:
        """The settings for a result; a long range of g is given by its ends."""
        sizes = list(self.g)
        run = len(sizes) > 20 and sizes == list(range(sizes[0], sizes[-1] + 1))
        return {
            G.name: f"{sizes[0]} to {sizes[-1]}" if run else sizes,
            DAYS.name: None if self.birth_dates.chances else self.birth_dates.days,
            BIRTH_DATES.name: self.birth_dates.name,
            ACROSS.name: self.across,
            COUNTED_IN.name: self.counted_in,
            MAX_SHARE.name: dict(self.limits),
        }
