"""Columns of free text in a table that is de-identified: identifiers in them are replaced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reidrisk.core.cells import CellCleaner
from reidrisk.core.schema import Schema
from reidrisk.engine.protocol import Table
from reidrisk.errors import BadData


@dataclass(frozen=True, slots=True)
class TextColumn:
    """What the detector replaced in one column."""

    column: str
    values: int
    """Distinct values."""
    changed: int
    """Distinct values in which something was replaced."""
    by_type: Mapping[str, int]

    @property
    def found(self) -> int:
        """How many identifiers were replaced."""
        return sum(self.by_type.values())

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "column": self.column,
            "values": self.values,
            "changed": self.changed,
            "found": self.found,
            "by_type": dict(self.by_type),
        }


def clean_texts(
    table: Table, schema: Schema, clean: CellCleaner | None
) -> tuple[Table, tuple[TextColumn, ...]]:
    """Replace the identifiers in every column of free text that is to be de-identified."""
    done: list[TextColumn] = []
    for name, treatment in schema.text.items():
        if treatment != "deidentify" or clean is None:
            continue
        if table.kinds[name] != "text":
            raise BadData(f"Column {name!r} contains no text.", hint="Give it another role.")
        _, known = table.rows.values(name)
        cleaned = clean(known)
        changed = sum(new != old for new, old in zip(cleaned.texts, known, strict=True))
        done.append(TextColumn(name, len(known), changed, cleaned.by_type))
        table = table.edit.texts(name, cleaned.texts, note="identifiers in free text replaced")
    return table, tuple(done)
