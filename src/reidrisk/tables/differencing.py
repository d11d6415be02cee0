"""Two releases of the same data: what somebody learns who subtracts one from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural
from reidrisk.engine.classes import changed_sizes
from reidrisk.engine.collapse import collapse
from reidrisk.engine.table import Table, open_table
from reidrisk.errors import UnknownColumn


@dataclass(frozen=True, slots=True)
class Releases:
    """The classes of a table and of another release, side by side; no threshold is in it."""

    source: str
    sizes: tuple[tuple[int, int, int], ...] = field(repr=False)
    """Size here, size there, number of such classes."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {"source": self.source, "sizes": [list(row) for row in self.sizes]}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Releases:
        """What `to_dict` wrote."""
        return cls(given["source"], tuple((here, there, number) for here, there, number in given["sizes"]))

    def held(self, cell_size: int) -> Differencing:
        """What the differences tell, if fewer records than the cell size are too few."""
        small = [(abs(here - there), number) for here, there, number in self.sizes]
        small = [(apart, number) for apart, number in small if 0 < apart < cell_size]
        return Differencing(
            self.source,
            classes=sum(number for _, _, number in self.sizes),
            changed=sum(number for here, there, number in self.sizes if here != there),
            small=sum(number for _, number in small),
            records=sum(apart * number for apart, number in small),
            cell_size=cell_size,
        )


@dataclass(frozen=True, slots=True)
class Differencing:
    """Classes that two releases have in different sizes."""

    source: str
    """The other release."""
    classes: int
    changed: int
    small: int
    """Classes that differ by fewer records than the cell size."""
    records: int
    """The records by which they differ."""
    cell_size: int

    @property
    def acceptable(self) -> bool:
        """Whether no difference is smaller than the cell size."""
        return self.small == 0

    def reason(self) -> str:
        """In a sentence beside the verdict."""
        few = plural(self.cell_size, "record")
        if self.acceptable:
            return f"No class differs from the other release by fewer than {few}."
        one = "class differs" if self.small == 1 else "classes differ"
        return (
            f"{self.small:,} {one} from the other release by fewer than {few}: "
            f"who subtracts the two finds groups of too few, {plural(self.records, 'record')} in all."
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        names = ("source", "classes", "changed", "small", "records", "cell_size")
        return {**{name: getattr(self, name) for name in names}, "acceptable": self.acceptable}


def compare_releases(records: Table, previous: Any, schema: Schema) -> Releases:
    """Count the classes of both, one record a unit; they must be coded alike."""
    with open_table(previous) as other:
        for column in (*schema.quasi, *(() if schema.unit is None else (schema.unit,))):
            if column not in other.columns:
                raise UnknownColumn.among(column, other.columns, source=other.source)
        alike = other
        if schema.unit is not None:
            rules = {name: rule for name, rule in schema.reduce.items() if name in schema.quasi}
            alike = collapse(other, schema.unit, schema.quasi, rules)
        return Releases(other.source, changed_sizes(records, alike, schema.quasi))
