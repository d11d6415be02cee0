"""A place in a document that may identify somebody, and what a reviewer said of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from reidrisk.documents.document import Category
from reidrisk.errors import InvalidSetting

Action = Literal["accept", "reject", "retype", "add"]
ACTIONS: tuple[Action, ...] = get_args(Action)
TYPED: tuple[Action, ...] = ("retype", "add")
"""The actions that name a type."""
CONFIDENTIAL: Category = "CCI"
"""The type, and the category, of what is commercially confidential and tells of nobody."""


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

    @property
    def is_personal(self) -> bool:
        """Whether it tells of somebody; commercially confidential information does not."""
        return self.category != CONFIDENTIAL

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


@dataclass(frozen=True, slots=True, order=True)
class Decision:
    """One decision on one place of a document."""

    document: str
    block: str
    start: int
    end: int
    action: Action
    type: str | None = None
    """The type that it should have; only where one is added or changed."""
    variable: str | None = None
    """The variable of the study's data whose value it is, if the reviewer says so."""
    subjects: tuple[int, ...] = field(default=(), repr=False)
    """The participants that are meant, if the reviewer says so."""

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise InvalidSetting.among("A decision", str(self.action), ACTIONS)
        if not 0 <= self.start < self.end:
            raise InvalidSetting(
                f"A decision on {self.block} runs from {self.start} to {self.end}.",
                hint="Offsets count characters from 0; the end is exclusive and greater than the start.",
            )
        if bool(self.type) != (self.action in TYPED):
            raise InvalidSetting(
                f"A decision to {self.action} in {self.block} {'lacks' if not self.type else 'has'} a type.",
                hint="Name a type, such as NAME or DATE, for what is added or retyped, and only there.",
            )

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it is in its document."""
        return self.block, self.start, self.end


@dataclass(frozen=True, slots=True)
class Review:
    """What one reviewer decided at one time."""

    reviewer: str
    time: str
    """ISO 8601, such as 2026-03-01T09:30:00Z."""
    decisions: tuple[Decision, ...] = field(default=(), repr=False)
    seen: tuple[tuple[str, str], ...] = ()
    """Documents and blocks that were read as a whole: what was not marked there is no identifier."""
    in_journal: bool = False
    """Whether it is kept in the journal of its reviewer, next to the findings."""

    def __post_init__(self) -> None:
        if not self.reviewer.strip():
            raise InvalidSetting("A review has no reviewer.", hint="Name one, such as --reviewer anna.")


def by_block(findings: Iterable[DocumentFinding]) -> dict[str, list[DocumentFinding]]:
    """Findings by the names of their blocks, in their order."""
    found: dict[str, list[DocumentFinding]] = {}
    for one in findings:
        found.setdefault(one.block, []).append(one)
    return found


def mentions(findings: DocumentFindings | Iterable[DocumentFindings]) -> Mapping[int, frozenset[str]]:
    """The variables of the study's data that appear of each participant, in one document or in all.

    Participants are known by the number of their row; those of whom nothing appears are left out.
    """
    documents = [findings] if isinstance(findings, DocumentFindings) else findings
    found: dict[int, set[str]] = {}
    for document in documents:
        for one in document.findings:
            for subject in one.subjects:
                found.setdefault(subject, set()).update(() if one.variable is None else (one.variable,))
    return {subject: frozenset(variables) for subject, variables in sorted(found.items())}
