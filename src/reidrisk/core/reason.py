"""Reasons for a verdict, each with whether it supports the release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a verdict."""

    text: str
    holds: bool | None
    """True if it supports the release, False if it is against it, None if it decides nothing."""


def texts(reasons: Iterable[Reason]) -> list[str]:
    """The sentences, for the list `reasons` of a result."""
    return [reason.text for reason in reasons]


def holds(reasons: Iterable[Reason]) -> list[bool | None]:
    """Whether each reason holds, for the list `holds` next to `reasons`."""
    return [reason.holds for reason in reasons]
