"""Differencing: what an intruder learns by subtracting one release of the data from another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reidrisk.core.reason import Reason
from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.errors import UnknownColumn


@dataclass(frozen=True, slots=True)
class ReleaseComparison:
    """The classes of a table and of another release, side by side; independent of any threshold."""

    source: str
    sizes: tuple[tuple[int, int, int], ...] = field(repr=False)
    """Size in this release, size in the other, number of such classes."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {"source": self.source, "sizes": [list(row) for row in self.sizes]}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> ReleaseComparison:
        """Read what `to_dict` wrote."""
        return cls(given["source"], tuple((here, there, number) for here, there, number in given["sizes"]))

    def at_cell_size(self, cell_size: int) -> Differencing:
        """Judge the differences: one of fewer records than the cell size is too small."""
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
    """Classes with different sizes in two releases."""

    source: str
    """The other release."""
    classes: int
    changed: int
    small: int
    """Classes that differ by fewer records than the cell size."""
    records: int
    """Number of records by which they differ."""
    cell_size: int

    @property
    def acceptable(self) -> bool:
        """Whether no difference is smaller than the cell size."""
        return self.small == 0

    def reason(self) -> Reason:
        """Explain the finding in the verdict."""
        few = plural(self.cell_size, "record")
        if self.acceptable:
            return Reason(f"No class differs from the other release by fewer than {few}.", holds=True)
        one = "class differs" if self.small == 1 else "classes differ"
        return Reason(
            f"{self.small:,} {one} from the other release by fewer than {few}: subtracting the two "
            f"releases reveals groups that are too small, with {plural(self.records, 'record')} in all.",
            holds=False,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        names = ("source", "classes", "changed", "small", "records", "cell_size")
        return {**{name: getattr(self, name) for name in names}, "acceptable": self.acceptable}


def compare_releases(records: Table, previous: Any, schema: Schema) -> ReleaseComparison:
    """Count the classes of both releases, one record per unit; both must use the same coding."""
    with open_table(previous, reading=records.reading.for_other()) as other:
        for column in (*schema.quasi, *(() if schema.unit is None else (schema.unit,))):
            if column not in other.columns:
                raise UnknownColumn.among(column, other.columns, source=other.source)
        units = other
        if schema.unit is not None:
            rules = {name: rule for name, rule in schema.reduce.items() if name in schema.quasi}
            units = other.per_unit(schema.unit, schema.quasi, rules)
        return ReleaseComparison(other.source, records.changed_sizes(units, schema.quasi))
