"""What an adversary knows of the events of a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reidrisk.core.schema import Schema
from reidrisk.errors import InvalidSetting
from reidrisk.stats.events.risk import BUDGET

MOST = 5
"""Events that an adversary may know: beyond, the subsets of a long history cannot be gone through."""


@dataclass(frozen=True, slots=True)
class EventKnowledge:
    """Which columns make an event, and how many events of a person the adversary knows."""

    columns: tuple[str, ...]
    """An event is a combination of their values, such as a diagnosis and a month."""
    known: int = 2
    """Of each person; beside the quasi-identifiers."""
    counted: bool = False
    """Whether the adversary also knows how often the same event happened."""
    seed: int = 7
    """For subsets that are drawn, where there are too many."""
    budget: int = BUDGET
    """Subsets up to which all are looked at."""

    def __post_init__(self) -> None:
        if isinstance(self.columns, str):
            raise InvalidSetting(
                "events takes several column names, not one text.", hint=f'Write columns=["{self.columns}"].'
            )
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or len(set(self.columns)) < len(self.columns):
            raise InvalidSetting(
                "Events have no column, or one twice.", hint="Name each once, such as diagnosis,month."
            )
        if isinstance(self.known, bool) or not isinstance(self.known, int) or not 0 <= self.known <= MOST:
            raise InvalidSetting(
                f"An adversary who knows {self.known} events of a person.", hint=f"Say 0 to {MOST}."
            )

    def check(self, schema: Schema) -> None:
        """Events belong to people, and their columns have no other role."""
        if schema.unit is None:
            raise InvalidSetting(
                "Events are of people: nothing says which rows are one person.",
                hint="Name the column with --unit, or unit: in a file.",
            )
        others = (*schema.quasi, *schema.direct, *schema.sensitive, schema.unit)
        twice = [name for name in self.columns if name in others]
        if twice:
            raise InvalidSetting(
                f"A column has one role: {', '.join(twice)} makes events and has another.",
                hint="What is the same in all rows of a person is a quasi-identifier, what changes an event.",
            )

    def said(self) -> dict[str, Any]:
        """As JSON types."""
        return {"columns": list(self.columns), "known": self.known, "counted": self.counted}


def knowledge(columns: Any, known: int | None, *, counted: bool = False) -> EventKnowledge | None:
    """From settings that may be missing; None if events are not spoken of."""
    if columns is None:
        if known is not None or counted:
            raise InvalidSetting(
                "Nothing says what an event is that an adversary knows.",
                hint="Name its columns with --events, or events: in a file.",
            )
        return None
    return EventKnowledge(columns, 2 if known is None else known, counted)
