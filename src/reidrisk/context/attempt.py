"""How likely an attempt at re-identification is: deliberate, by an acquaintance, or after a breach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import expm1, inf, log1p
from typing import Any

from reidrisk.context.settings import Level, probability_of, settings_of
from reidrisk.errors import InvalidSetting
from reidrisk.stats.uncertain import Triangular

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


PUBLISHED = "0.27 a year for US health care providers: HIMSS survey, as quoted by Kniola 2016"
"""The one value with a source that can be found."""


@dataclass(frozen=True, slots=True)
class Breach:
    """The chance of a breach at the recipient, and who says so."""

    probability: float
    source: str

    def __post_init__(self) -> None:
        if not 0 <= self.probability <= 1:
            raise InvalidSetting(
                f"The chance of a breach is a probability in [0, 1], not {self.probability}.",
                hint=f"Published is {PUBLISHED}.",
            )

    @classmethod
    def of(cls, given: Any, *, place: str) -> Breach:
        """From settings; a number without its source is not taken."""
        hint = f'Write {{probability: 0.27, source: "..."}}. Published is {PUBLISHED}.'
        spec = settings_of(given, place=place, hint=hint)
        spec.allow(("probability", "source"))
        said = spec.need("source", hint=f"Say who found it. Published is {PUBLISHED}.")
        chance = spec.need("probability", hint=hint)
        return cls(probability_of(chance, place=spec.at("probability"), hint=hint), str(said))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"probability": self.probability, "source": self.source}


ATTEMPT: Mapping[tuple[Level, Level], float] = {
    ("high", "low"): 0.05,
    ("high", "medium"): 0.1,
    ("high", "high"): 0.2,
    ("medium", "low"): 0.2,
    ("medium", "medium"): 0.3,
    ("medium", "high"): 0.4,
    ("low", "low"): 0.4,
    ("low", "medium"): 0.5,
    ("low", "high"): 0.6,
}
"""By controls, then motives and capacity: IPC Ontario 2016, p. 15, after El Emam 2013, p. 208."""
STEPS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
LOWEST, HIGHEST = 0.05, 0.75
"""The ends of what is published; 0.75 is the highest in Kniola 2016."""


def deliberate(controls: Level, motives: Level) -> float:
    """The chance of an attempt that the table gives.

    >>> deliberate("medium", "low")
    0.2
    """
    return ATTEMPT[controls, motives]


def spread(value: float) -> Triangular:
    """A value of the table with its neighbours as limits; this spread is ours.

    >>> spread(0.1)
    Triangular(low=0.05, mode=0.1, high=0.2)
    """
    lower = [step for step in STEPS if step < value]
    higher = [step for step in STEPS if step > value]
    return Triangular(max(lower, default=LOWEST), value, min(higher, default=HIGHEST))
