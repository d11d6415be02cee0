"""A sentence that explains a verdict, and whether it speaks for the release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence about a verdict."""

    text: str
    holds: bool | None
    """True speaks for the release, False against it; None decides nothing."""


def texts(reasons: Iterable[Reason]) -> list[str]:
    """Return the sentences, as `reasons` in JSON.

    >>> texts([Reason("No record is unique.", True), Reason("Nothing was limited.", None)])
    ['No record is unique.', 'Nothing was limited.']
    """
    return [reason.text for reason in reasons]


def holds(reasons: Iterable[Reason]) -> list[bool | None]:
    """Return what each reason says about the release, as `holds` in JSON.

    >>> holds([Reason("No record is unique.", True), Reason("Nothing was limited.", None)])
    [True, None]
    """
    return [reason.holds for reason in reasons]
