"""How the records of a table were drawn from their population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Sampling:
    """What is known of the population: one of a fraction, a number of people, or survey weights."""

    fraction: float | None = None
    """The share of the population that is in the table."""
    population_size: int | None = None
    """How many people the table was drawn from."""
    weights: str | None = None
    """The column that says how many people each record stands for."""

    def __post_init__(self) -> None:
        given = [value for value in (self.fraction, self.population_size, self.weights) if value is not None]
        if len(given) != 1:
            raise InvalidSetting(
                "A sample is told by one of a fraction, a population size and a column of weights.",
                hint="Give --sampling-fraction, --population-size or --weights.",
            )
        if self.fraction is not None and not 0 < self.fraction <= 1:
            raise InvalidSetting(
                f"A sampling fraction is above 0 and at most 1, not {self.fraction}.",
                hint="Write one per cent as 0.01.",
            )
        if self.population_size is not None and self.population_size < 1:
            raise InvalidSetting(
                f"A population has people: {self.population_size} is no size.",
                hint="It counts everybody whom the table was drawn from.",
            )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Sampling | None:
        """From `sampling_fraction`, `population_size` and `weights`; None if nothing is said."""
        fraction, size = given.get("sampling_fraction"), given.get("population_size")
        weights = given.get("weights")
        if fraction is None and size is None and weights is None:
            return None
        return cls(fraction, size, weights)

    def people(self, records: int, weighted: float | None) -> int:
        """The size of the population, for a table of so many records."""
        if self.population_size is not None:
            if self.population_size < records:
                raise InvalidSetting(
                    f"A population of {self.population_size:,} cannot hold the {records:,} records.",
                    hint="It counts everybody whom the table was drawn from.",
                )
            return self.population_size
        if self.fraction is not None:
            return max(records, round(records / self.fraction))
        people = round(weighted or 0.0)
        if people < records:
            raise InvalidSetting(
                f"The weights sum to {people:,}, fewer than the {records:,} records.",
                hint="A weight is how many people a record stands for: 1 or more on average.",
            )
        return people

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)
