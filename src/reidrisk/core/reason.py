"""Reasons for a verdict, each with whether it supports the release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence about a verdict."""

    text: str
    holds: bool | None
    """True if it supports the release, False if it is against it, None if it decides nothing."""


def texts(reasons: Iterable[Reason]) -> list[str]:
    """Return the sentences, as `reasons` in JSON.

    >>> texts([Reason("No record is unique.", True), Reason("Nothing was limited.", None)])
    ['No record is unique.', 'Nothing was limited.']
    """
    return [reason.text for reason in reasons]


def holds(reasons: Iterable[Reason]) -> list[bool | None]:
    """Return whether each reason supports the release, as `holds` in JSON.

    >>> holds([Reason("No record is unique.", True), Reason("Nothing was limited.", None)])
    [True, None]
    """
    return [reason.holds for reason in reasons]
