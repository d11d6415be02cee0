"""What was done to a document that has no pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a document, and what its owner should know."""

    blocks: int
    changes: int
    notes: tuple[str, ...] = ()
    """What was left out or could not be looked at, in words: never a text of the document."""
