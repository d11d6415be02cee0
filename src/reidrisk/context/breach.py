"""How likely the recipient loses the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reidrisk.context.settings import probability_of, settings_of
from reidrisk.errors import InvalidSetting

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
