"""What every kind of document is to the rest: blocks of text that are read, and changes that are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from reidrisk.errors import InvalidSetting

Category = Literal["PPD", "CCI"]
"""Protected personal data, or commercially confidential information."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text with offsets of its own: a page of a PDF, or a part of a DOCX such as a footer."""

    name: str
    """Unique in its document, such as `page 12`, `body`, `footer 2` or `comments`."""
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """A place of a block that is taken out, and what stands there afterwards."""

    block: str
    start: int
    end: int
    """Offsets are code points of the block's text, the end is exclusive."""
    new: str | None = field(default=None, repr=False)
    """The value that replaces it; None: a box with the label."""
    label: str = "PPD"
    category: Category = "PPD"

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidSetting(
                f"A change in {self.block} runs from {self.start} to {self.end}.",
                hint="Offsets count characters from 0; the end is exclusive and greater than the start.",
            )


@dataclass(frozen=True, slots=True)
class Look:
    """Boxes: white on blue for personal data, white on black for what is confidential."""

    personal: str = "#0000ff"
    confidential: str = "#000000"
    text: str = "#ffffff"
    labels: bool = True
    """Whether a box shows its label."""
