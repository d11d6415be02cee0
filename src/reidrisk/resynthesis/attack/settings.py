"""Settings of an attack."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class AttackSettings:
    """What the adversary accepts, and how the recognition is measured."""

    precision: float = 0.5
    """The smallest share of right flags at which an adversary acts; at 0.5 every second flag may be wrong."""
    folds: int = 5
    """Number of cross-validation folds; limits are learned on all folds except the one being tested."""
    level: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.precision <= 1:
            raise InvalidSetting(
                f"precision must be above 0 and at most 1, not {self.precision}.",
                hint="Use a share such as 0.5.",
            )
        if not 2 <= self.folds <= 50:
            raise InvalidSetting("folds must be between 2 and 50.", hint="Leave it out for the default, 5.")
        if not 0.5 <= self.level < 1:
            raise InvalidSetting(
                "level must be at least 0.5 and below 1.", hint="Leave it out for the default, 0.95."
            )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types."""
        return asdict(self)


def attack_settings(precision: float, options: dict[str, str]) -> AttackSettings:
    """The settings from NAME=VALUE options."""
    given: dict[str, Any] = {"precision": precision}
    kinds = {"folds": int, "level": float}
    for name, text in options.items():
        if name not in kinds:
            raise InvalidSetting.among("An attack option", name, kinds)
        try:
            given[name] = kinds[name](text)
        except ValueError:
            raise InvalidSetting(
                f"{name} must be a number, not {text!r}.", hint="Use, for example, --set folds=5."
            ) from None
    return AttackSettings(**given)
