"""Settings of an attack, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reidrisk.core.setting_values import read_changes
from reidrisk.core.settings import (
    NumberSetting,
    Setting,
    TextSetting,
    WholeNumber,
    check_settings,
    record_settings,
)
from reidrisk.text.settings import LEVEL

PRECISION = Setting(
    "precision",
    NumberSetting(0, 1, above=True),
    "An intruder acts only if at least this share of the flagged values are originals.",
    0.5,
    metavar="P",
)
FOLDS = Setting(
    "folds",
    WholeNumber(2, 50),
    "Number of parts of the documents; limits for each are learned from the others.",
    5,
)
ATTACKS = Setting(
    "attacks",
    TextSetting("list of: plugin:NAME"),
    "Attacks of plug-ins to make, too, separated by semicolons: plugin:NAME.",
)
"""Recorded only if there are any."""
ATTACK_SETTINGS = (PRECISION, FOLDS, LEVEL)
"""What `AttackSettings` holds under the same names, in the order in which results record it."""


@dataclass(frozen=True, slots=True)
class AttackSettings:
    """What the intruder accepts, and how the recognition is measured."""

    precision: float = PRECISION.default
    folds: int = FOLDS.default
    level: float = LEVEL.default
    attacks: tuple[str, ...] = ()
    """Attacks of plug-ins, as `plugin:NAME`."""

    def __post_init__(self) -> None:
        check_settings(ATTACK_SETTINGS, self)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types."""
        return record_settings(ATTACK_SETTINGS, self) | (
            {"attacks": list(self.attacks)} if self.attacks else {}
        )


def attack_settings(precision: float, options: Mapping[str, str]) -> AttackSettings:
    """The settings from NAME=VALUE options."""
    values = read_changes((FOLDS, LEVEL, ATTACKS), options, what="An attack option")
    named = str(values.pop(ATTACKS.name, "")).split(";")
    return AttackSettings(precision, **values, attacks=tuple(one.strip() for one in named if one.strip()))
