"""Cells of free text after identifiers in them were replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CleanedTexts:
    """Texts without the identifiers that a detector found in them."""

    texts: tuple[str, ...] = field(repr=False)
    """In the order of the texts that were given."""
    by_type: Mapping[str, int]
    """How many identifiers of each type were replaced."""


CellCleaner = Callable[[Sequence[str]], CleanedTexts]
"""Replaces identifiers in texts. Rooms below the detector take it as an argument."""
