"""A sentence that explains a verdict, and whether it speaks for the release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a verdict."""

    text: str
    holds: bool | None
    """True if it speaks for the release, False if against it, None if nothing is decided by it."""


def texts(reasons: Iterable[Reason]) -> list[str]:
    """The sentences, for the list `reasons` of a result."""
    return [reason.text for reason in reasons]


def holds(reasons: Iterable[Reason]) -> list[bool | None]:
    """Whether each of them holds, for the list `holds` beside it."""
    return [reason.holds for reason in reasons]
