"""The draft of a table part: complete, so that it can be assessed without an edit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from reidrisk.assess.sketch import DraftedColumn, PartSketch, draft_line
from reidrisk.core.wording import plural
from reidrisk.core.yaml_file import yaml_text, yaml_value
from reidrisk.tables.draft import TableDraft
from reidrisk.tables.suggest import KNOWN_EVENTS, Suggestion

GUESSED = "none recognized: these columns count until you name others"
HIDDEN = "no column is left that could be released; a part needs one"


@dataclass(frozen=True)
class TableSketch(PartSketch):
    """A table with suggested roles of its columns and drafted hierarchies."""

    draft: TableDraft
    found: Suggestion
    kind: ClassVar[str] = "table"

    @property
    def reason(self) -> str:
        """Every file with columns is a table."""
        return f"It has {plural(len(self.found.columns), 'column')} and {plural(self.found.rows, 'row')}."

    @property
    def columns(self) -> tuple[DraftedColumn, ...]:
        """Every column in the order of the table."""
        return tuple(
            DraftedColumn(
                name=one.name,
                role=self._role(one.name),
                suggested=one.role,
                confidence=one.confidence,
                reason=one.reason,
                kind=one.kind.key if one.kind else None,
            )
            for one in self.found.columns
        )

    def _role(self, name: str) -> str:
        draft = self.draft
        roles = {"quasi": draft.quasi, "direct": draft.direct, "text": draft.text, "event": draft.events}
        roles |= {"unit": () if draft.unit is None else (draft.unit,), "dropped": draft.crowded}
        roles |= {"sensitive": draft.sensitive}
        return next((role for role, names in roles.items() if name in names), "open")

    def lines(self, name: str) -> Iterator[str]:
        """The YAML of a table part."""
        yield draft_line("name", name, first=True)
        yield draft_line("kind", "table", "a data set")
        yield draft_line("table", yaml_text(self.path))
        yield from self._reading()
        yield draft_line("confirmed", "false", "read every role below, correct it, then write true")
        yield from self._known()
        yield from self._people()
        yield from self._removed()
        yield from self._hierarchies()
        yield draft_line("deidentify", "true", "search for the smallest acceptable loss")
        if self.draft.method:
            yield draft_line("method", self.draft.method, "too many columns for one level each")
        out = f"{name}-released.csv"
        own = Path(self.path).name == out
        yield draft_line("out", yaml_text(f"new-{out}" if own else out), "written if it is acceptable")

    def _reading(self) -> Iterator[str]:
        for column, formats in self.draft.ambiguous.items():
            both = " or ".join(formats)
            yield f"    # {yaml_text(column)}: its dates can be read as {both}; check which is right"
        for name, value in self.draft.reading.to_dict().items():
            yield draft_line(name, yaml_value(value), "how the file is read")

    def _known(self) -> Iterator[str]:
        draft = self.draft
        remark = HIDDEN if draft.hidden else GUESSED if draft.is_guessed else "columns an intruder may know"
        yield draft_line("quasi", yaml_value(draft.quasi), remark)
        if draft.to_consider:
            names = ", ".join(yaml_text(column) for column in draft.to_consider)
            yield f"    # possible quasi-identifiers, which you must decide on: {names}"
        if draft.sensitive:
            yield draft_line("sensitive", yaml_value(draft.sensitive), "what an intruder would learn")

    def _people(self) -> Iterator[str]:
        draft = self.draft
        if draft.unit is None:
            return
        yield draft_line("unit", yaml_text(draft.unit), "rows with the same value are one person or visit")
        if draft.reduce:
            remark = "one value per person, from the rows that have it"
            yield draft_line("reduce", yaml_value(draft.reduce), remark)
        if draft.events:
            yield draft_line("events", yaml_value(draft.events), "columns that vary within a person")
            yield draft_line(
                "known", str(KNOWN_EVENTS), "events of a person that an intruder knows; 2 is stricter"
            )

    def _removed(self) -> Iterator[str]:
        draft = self.draft
        if draft.direct:
            remark = "identify people or number records: drop, pseudonym, number or keep"
            yield draft_line("direct", yaml_value(dict.fromkeys(draft.dropped, "drop")), remark)
        elif draft.dropped:
            yield draft_line("direct", yaml_value(dict.fromkeys(draft.dropped, "drop")), "not released")
        if draft.crowded:
            names = ", ".join(yaml_text(column) for column in draft.crowded)
            yield f"    # dropped only because there are too many columns to search: {names}"
        if draft.text:
            remark = "free text: drop, deidentify or keep"
            yield draft_line("text", yaml_value(dict.fromkeys(draft.text, "drop")), remark)

    def _hierarchies(self) -> Iterator[str]:
        yield "    hierarchies:             # how columns may be generalized; min_level is the finest allowed"
        for one in self.draft.hierarchies:
            yield f"      {yaml_text(one.column)}: {yaml_value(one.settings)}  # {one.remark}"
