"""A place in a document that may identify somebody, and all places of one document."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from reidrisk.documents.document import Category
from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True, order=True)
class DocumentFinding:
    """Offsets are code points of the block's text, the end is exclusive."""

    block: str
    start: int
    end: int
    type: str
    """A type of the i2b2 2014 scheme, such as NAME or DATE, or a label of the user's own."""
    confidence: float
    source: str
    """Which part found it, such as `known:AGE`, `pattern:phone`, `model`, or `reviewer`."""
    subjects: tuple[int, ...] = field(default=(), repr=False)
    """The participants it can mean, by the number of their row in the study's data from 1; none if open."""
    variable: str | None = None
    """The variable of the study's data whose value it is, such as `AGE`."""
    section: str | None = None
    """The section of the report by its ICH E3 number, such as `12.3.2`; None outside any."""
    category: Category = "PPD"

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidSetting(
                f"A finding in {self.block} runs from {self.start} to {self.end}.",
                hint="Offsets count characters from 0; the end is exclusive and greater than the start.",
            )
        if not 0 <= self.confidence <= 1:
            raise InvalidSetting(
                f"A finding in {self.block} has confidence {self.confidence}.",
                hint="A confidence lies between 0 and 1.",
            )

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it is."""
        return self.block, self.start, self.end

    def name_in(self, document: str) -> str:
        """A short name that stays the same as long as the place does."""
        text = f"{document}\0{self.block}\0{self.start}\0{self.end}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class DocumentFindings:
    """All places of one document, which is known by the hash of its bytes."""

    document: str
    """Its file name, without the folder."""
    sha256: str
    blocks: tuple[str, ...]
    """Names of the blocks that were read, in order."""
    findings: tuple[DocumentFinding, ...] = field(repr=False)
    """Sorted, without overlap."""
    concerns: tuple[str, ...] = ()
    """What its owner must know in words, such as scanned pages: never a text of the document."""
