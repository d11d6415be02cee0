"""Low, medium and high: how controls, motives and the invasion of privacy are told."""

from __future__ import annotations

from typing import Any, Literal, get_args

from reidrisk.errors import InvalidSetting

Level = Literal["low", "medium", "high"]
LEVELS: tuple[Level, ...] = get_args(Level)


def level_of(given: Any, place: str) -> Level:
    """A level as it is typed."""
    for level in LEVELS:
        if given == level:
            return level
    if not isinstance(given, str):
        raise InvalidSetting(f"{place} is no level.", hint=f"Choose one of: {', '.join(LEVELS)}.")
    raise InvalidSetting.among(place, given, LEVELS)
