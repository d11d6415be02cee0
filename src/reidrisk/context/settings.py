"""Settings of a context with the place where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.core.spec import Spec, number
from reidrisk.errors import InvalidSetting


def settings_of(given: Any, *, place: str, hint: str) -> Spec:
    """A mapping and nothing else; the hint says what to write instead."""
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"{place} is no mapping of settings.", hint=hint)
    return Spec.of(given, place=place)


def probability_of(given: Any, *, place: str, hint: str) -> float:
    """A number from 0 to 1."""
    found = number(given, place)
    if not 0 <= found <= 1:
        raise InvalidSetting(f"{place} is no number from 0 to 1.", hint=hint)
    return found
