"""How the records of a table were sampled from their population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.errors import InvalidSetting
from reidrisk.tables.settings import ORDINAL, POPULATION_SIZE, SAMPLING_FRACTION, SAMPLING_SETTINGS


@dataclass(frozen=True, slots=True)
class Sampling:
    """What is known about the population: a sampling fraction, a number of people, or survey weights."""

    fraction: float | None = None
    """The share of the population that is in the table."""
    population_size: int | None = None
    """Number of people in the population that the table was sampled from."""
    weights: str | None = None
    """The column with the number of people that each record represents."""
    ordinal: tuple[str, ...] = ()
    """Quasi-identifiers whose values have an order, such as age groups."""

    def __post_init__(self) -> None:
        given = [value for value in (self.fraction, self.population_size, self.weights) if value is not None]
        if len(given) != 1:
            raise InvalidSetting(
                "Describe a sample by exactly one of: a fraction, a population size, a column of weights.",
                hint="Give --sampling-fraction, --population-size or --weights.",
            )
        SAMPLING_FRACTION.check(self.fraction)
        POPULATION_SIZE.check(self.population_size)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Sampling | None:
        """Build from the settings of a sample by their names; None if none is given."""
        fraction, size, weights = (given.get(one.name) for one in SAMPLING_SETTINGS)
        ordinal = tuple(given.get(ORDINAL.name) or ())
        if not (fraction is None and size is None and weights is None):
            return cls(fraction, size, weights, ordinal)
        if ordinal:
            raise InvalidSetting(
                "Columns with an order are only used to estimate a population.",
                hint="Give --sampling-fraction, --population-size or --weights.",
            )
        return None

    def people(self, records: int, weighted: float | None) -> int:
        """Return the size of the population of a table with this number of records."""
        if self.population_size is not None:
            if self.population_size < records:
                raise InvalidSetting(
                    f"A population of {self.population_size:,} is smaller than the {records:,} records.",
                    hint="It is the number of people that the table was sampled from.",
                )
            return self.population_size
        if self.fraction is not None:
            return max(records, round(records / self.fraction))
        people = round(weighted or 0.0)
        if people < records:
            raise InvalidSetting(
                f"The weights sum to {people:,}, fewer than the {records:,} records.",
                hint="A weight is the number of people that a record represents: 1 or more on average.",
            )
        return people

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {**asdict(self), "ordinal": list(self.ordinal)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Sampling:
        """Read what `to_dict` wrote."""
        return cls(**{**given, "ordinal": tuple(given["ordinal"])})
