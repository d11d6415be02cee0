"""What a reviewer said of findings: accept, reject, another type, or a place that was missed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from reidrisk.errors import InvalidSetting

Action = Literal["accept", "reject", "retype", "add"]
ACTIONS: tuple[Action, ...] = get_args(Action)
TYPED: tuple[Action, ...] = ("retype", "add")
"""The actions that name a type."""


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

    def __post_init__(self) -> None:
        if not self.reviewer.strip():
            raise InvalidSetting("A review has no reviewer.", hint="Name one, such as --reviewer anna.")
