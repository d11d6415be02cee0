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
"""How many people an average person knows; estimates go up to 190 (Kniola 2016, IPC Ontario 2016)."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """How common the disease in the data is, and how many people an acquaintance knows."""

    prevalence: float
    """The share of the population with the characteristic that everybody in the data shares."""
    known: float = DUNBAR

    def __post_init__(self) -> None:
        if not 0 <= self.prevalence <= 1:
            raise InvalidSetting(
                f"A prevalence must be a share in [0, 1], not {self.prevalence}.",
                hint="Write 0.0019 for 190 in 100,000.",
            )
        if not 0 <= self.known < inf:
            raise InvalidSetting(
                f"The number of known people cannot be {self.known}.",
                hint="The usual number is 150; published numbers go up to 190.",
            )

    @classmethod
    def of(cls, given: Any, *, place: str) -> Acquaintance:
        """Read from settings, or from a prevalence alone."""
        hint = "Write the share of the population, such as 0.0019 for 190 in 100,000."
        if isinstance(given, int | float):
            return cls(probability_of(given, place=place, hint=hint))
        spec = settings_of(given, place=place, hint="Write {prevalence: 0.0019, known: 150}.")
        spec.allow(("prevalence", "known"))
        share = probability_of(spec.need("prevalence", hint=hint), place=spec.at("prevalence"), hint=hint)
        known = spec.number("known")
        if known is not None and known < 0:
            raise InvalidSetting(
                f"{spec.at('known')} is below 0.",
                hint="The usual number is 150; published numbers go up to 190.",
            )
        return cls(share, DUNBAR if known is None else known)

    @property
    def risk(self) -> float:
        """The chance of knowing at least one person in the data: 1 - (1 - prevalence) ** known.

        >>> round(Acquaintance(400e3 / 212e6).risk, 3)
        0.247
        """
        if self.prevalence == 1:
            return 1.0 if self.known > 0 else 0.0
        return abs(expm1(self.known * log1p(-self.prevalence)))

    def to_dict(self) -> dict[str, float]:
        """For JSON."""
        return {"prevalence": self.prevalence, "known": self.known}


PUBLISHED = "0.27 per year for US health care providers: HIMSS survey, as quoted by Kniola 2016"
"""The only published value whose source we could find."""


@dataclass(frozen=True, slots=True)
class Breach:
    """The chance of a data breach at the recipient, and the source of that number."""

    probability: float
    source: str

    def __post_init__(self) -> None:
        if not 0 <= self.probability <= 1:
            raise InvalidSetting(
                f"The chance of a breach must be a probability in [0, 1], not {self.probability}.",
                hint=f"Published value: {PUBLISHED}.",
            )

    @classmethod
    def of(cls, given: Any, *, place: str) -> Breach:
        """Read from settings; a number without a source is refused."""
        hint = f'Write {{probability: 0.27, source: "..."}}. Published value: {PUBLISHED}.'
        spec = settings_of(given, place=place, hint=hint)
        spec.allow(("probability", "source"))
        citation = spec.need("source", hint=f"Name the source of the number. Published value: {PUBLISHED}.")
        chance = spec.need("probability", hint=hint)
        return cls(probability_of(chance, place=spec.at("probability"), hint=hint), str(citation))

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
"""By level of controls, then of motives and capacity: IPC Ontario 2016, p. 15, after El Emam 2013, p. 208."""
STEPS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
LOWEST, HIGHEST = 0.05, 0.75
"""The smallest and largest published values; 0.75 is the highest in Kniola 2016."""


def deliberate(controls: Level, motives: Level) -> float:
    """The chance of a deliberate attempt, from the table.

    >>> deliberate("medium", "low")
    0.2
    """
    return ATTEMPT[controls, motives]


def spread(value: float) -> Triangular:
    """A value of the table with its neighbors as limits; this spread is our own choice.

    >>> spread(0.1)
    Triangular(low=0.05, mode=0.1, high=0.2)
    """
    lower = [step for step in STEPS if step < value]
    higher = [step for step in STEPS if step > value]
    return Triangular(max(lower, default=LOWEST), value, min(higher, default=HIGHEST))
