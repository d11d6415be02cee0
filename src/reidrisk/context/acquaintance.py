"""How likely somebody who gets the data knows a person in them."""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, inf, log1p
from typing import Any

from reidrisk.context.settings import probability_of, settings_of
from reidrisk.errors import InvalidSetting

DUNBAR = 150
"""People whom one knows; estimates go up to 190 (Kniola 2016, IPC Ontario 2016)."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A characteristic of everybody in the data, and how many people one knows."""

    prevalence: float
    """The share of the population that has it, such as the disease that the data are about."""
    known: float = DUNBAR

    def __post_init__(self) -> None:
        if not 0 <= self.prevalence <= 1:
            raise InvalidSetting(
                f"A prevalence is a share in [0, 1], not {self.prevalence}.",
                hint="Write 190 of 100,000 as 0.0019.",
            )
        if not 0 <= self.known < inf:
            raise InvalidSetting(
                f"Nobody knows {self.known} people.", hint="150 is usual, up to 190 is published."
            )

    @classmethod
    def of(cls, given: Any, *, place: str) -> Acquaintance:
        """From settings, or a prevalence alone."""
        hint = "Write the share of the population, 190 of 100,000 as 0.0019."
        if isinstance(given, int | float):
            return cls(probability_of(given, place=place, hint=hint))
        spec = settings_of(given, place=place, hint="Write {prevalence: 0.0019, known: 150}.")
        spec.allow(("prevalence", "known"))
        share = probability_of(spec.need("prevalence", hint=hint), place=spec.at("prevalence"), hint=hint)
        known = spec.number("known")
        if known is not None and known < 0:
            raise InvalidSetting(
                f"{spec.at('known')} is below 0.", hint="150 is usual, up to 190 is published."
            )
        return cls(share, DUNBAR if known is None else known)

    @property
    def risk(self) -> float:
        """The chance to know at least one: 1 - (1 - prevalence) ** known.

        >>> round(Acquaintance(400e3 / 212e6).risk, 3)
        0.247
        """
        if self.prevalence == 1:
            return 1.0 if self.known > 0 else 0.0
        return abs(expm1(self.known * log1p(-self.prevalence)))

    def to_dict(self) -> dict[str, float]:
        """For JSON."""
        return {"prevalence": self.prevalence, "known": self.known}
