"""The limits on sensitive columns in the search: reading their values, and what a solution reveals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.engine.plans import REMOVED, DistinctTuples
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped, grouped
from reidrisk.stats.lattice.sensitive import Flags, NodeClasses, SensitiveAttribute, releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.problem import SuppressionPlan
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.sensitive import (
    AttributeDisclosure,
    disclosure_in,
    levels_of,
    resolve_distance,
    with_sensitive_dates,
)


@dataclass(frozen=True, slots=True, eq=False)
class SensitiveColumn:
    """A sensitive column with its name, its values and its limits."""

    column: str
    attribute: SensitiveAttribute = field(repr=False)
    rule: str | None = None
    """How different values within a unit are combined, if they are."""

    def disclosure(self, of: Ints, rows: Flags | None = None) -> AttributeDisclosure:
        """Measure what the classes of the tuples reveal, in all rows or in these rows only."""
        own = self.attribute if rows is None or rows.all() else self.attribute.only(rows)
        return disclosure_in(self.column, own.classes(of), own.limits, own.levels)


SensitiveColumns = tuple[SensitiveColumn, ...]


def read_sensitive(
    table: Table,
    schema: Schema,
    options: DeidentifyOptions,
    hierarchies: Mapping[str, Hierarchy],
    tuples: DistinctTuples,
) -> SensitiveColumns:
    """Read the sensitive columns of the records of all distinct tuples; empty without limits."""
    limits = options.sensitive_limits
    if limits is None or not limits.asks:
        return ()
    if not schema.sensitive:
        raise InvalidSetting(
            "Limits on attribute disclosure need a sensitive column.", hint="Name it with --sensitive."
        )
    table = with_sensitive_dates(table.dates.derived(options.derived), schema.sensitive, limits, hierarchies)
    if schema.unit is not None:
        known = (*tuples.columns, *schema.sensitive)
        rules: dict[str, Any] = {name: rule for name, rule in schema.reduce.items() if name in known}
        table = table.per_unit(schema.unit, known, rules)
    found = []
    for column in schema.sensitive:
        own = table.tuples((*tuples.columns, column))
        joined = grouped(own.codes[:, :-1], own.counts)
        value = own.codes[:, -1].astype(np.int64)
        overall = np.bincount(value, weights=own.counts) / own.records
        asked = resolve_distance(limits, table.kinds[column])
        levels = levels_of(own, len(tuples.columns), hierarchies) if asked.distance == "hierarchical" else ()
        attribute = SensitiveAttribute(joined.of, value, own.counts, asked, overall, levels)
        found.append(SensitiveColumn(column, attribute, schema.reduce.get(column)))
    return tuple(found)


def narrow(sensitive: SensitiveColumns, tuples: DistinctTuples, columns: Sequence[str]) -> SensitiveColumns:
    """Narrow the sensitive columns to the distinct tuples of some quasi-identifiers."""
    if tuple(columns) == tuples.columns:
        return sensitive
    places = [tuples.columns.index(name) for name in columns]
    of = grouped(tuples.codes[:, places], tuples.counts).of
    return tuple(replace(one, attribute=one.attribute.of_tuples(of)) for one in sensitive)


def classes_within_limits(sensitive: SensitiveColumns, classes: Grouped) -> Flags:
    """Return, by class at a node, whether it is within the limits."""
    kept: Flags = np.ones(len(classes.counts), dtype=np.bool_)
    for one in sensitive:
        kept &= one.attribute.kept(classes.of)
    return kept


def is_releasable(sensitive: SensitiveColumns, classes: Grouped, kept: Flags, cell_size: int) -> bool:
    """Whether the records suppressed at a node can be hidden or removed within the limits."""
    found = NodeClasses(classes.of, classes.counts, kept, cell_size)
    return not sensitive or releasable([one.attribute for one in sensitive], found, cell_size)


def disclosure_after(
    sensitive: SensitiveColumns, suppressed: SuppressionPlan
) -> tuple[AttributeDisclosure, ...]:
    """Measure what the released classes reveal; suppressed records form one class or are removed."""
    masks = np.zeros(len(suppressed.classes.counts), dtype=np.int64)
    masks[suppressed.tuples] = suppressed.masks
    of = np.where(masks == 0, np.arange(len(masks)) + 1, 0)[suppressed.classes.of]
    gone = (masks == REMOVED)[suppressed.classes.of]
    return tuple(one.disclosure(of, ~gone[one.attribute.owner]) for one in sensitive)
