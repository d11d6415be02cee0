"""Words of a context, and how levels and probabilities are read from its settings.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from reidrisk.core.spec import Spec, number
from reidrisk.errors import InvalidSetting

Level = Literal["low", "medium", "high"]
LEVELS: tuple[Level, ...] = get_args(Level)
Access = Literal["public", "semi_public", "non_public"]
Treatment = Literal["redaction", "resynthesis"]


def level_of(given: Any, place: str) -> Level:
    """Read a level."""
    for level in LEVELS:
        if given == level:
            return level
    if not isinstance(given, str):
        raise InvalidSetting(f"{place} is not a level.", hint=f"Choose one of: {', '.join(LEVELS)}.")
    raise InvalidSetting.among(place, given, LEVELS)


def settings_of(given: Any, *, place: str, hint: str) -> Spec:
    """Check that a value is a mapping of settings; `hint` says what to write instead."""
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"{place} is not a mapping of settings.", hint=hint)
    return Spec.of(given, place=place)


def probability_of(given: Any, *, place: str, hint: str) -> float:
    """Read a number from 0 to 1."""
    found = number(given, place)
    if not 0 <= found <= 1:
        raise InvalidSetting(f"{place} is not a number from 0 to 1.", hint=hint)
    return found
