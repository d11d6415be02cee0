"""How an attack is run and judged."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class AttackSettings:
    """What the adversary accepts, and how the answer is kept honest."""

    precision: float = 0.5
    """The smallest share of right flags at which an adversary acts: every second flag may be wrong."""
    folds: int = 5
    """Parts of the documents; limits are learnt on all parts but the one that is judged."""
    level: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.precision <= 1:
            raise InvalidSetting(
                f"An accepted precision of {self.precision} makes no sense.",
                hint="Give 0.5 or another share.",
            )
        if not 2 <= self.folds <= 50:
            raise InvalidSetting("There are 2 to 50 folds.", hint="Leave it out for 5.")
        if not 0.5 <= self.level < 1:
            raise InvalidSetting("The level lies between 0.5 and 1.", hint="Leave it out for 0.95.")

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return asdict(self)


def attack_settings(precision: float, options: dict[str, str]) -> AttackSettings:
    """The settings from what a user types."""
    given: dict[str, Any] = {"precision": precision}
    kinds = {"folds": int, "level": float}
    for name, text in options.items():
        if name not in kinds:
            raise InvalidSetting.among("An option of an attack", name, kinds)
        try:
            given[name] = kinds[name](text)
        except ValueError:
            raise InvalidSetting(
                f"{name} takes a number, not {text!r}.", hint="Give --set folds=5."
            ) from None
    return AttackSettings(**given)
