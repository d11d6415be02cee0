"""Secret columns of a table that is de-identified: what its classes may tell of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.engine.collapse import collapse
from reidrisk.engine.derive import with_derived
from reidrisk.engine.recode import REMOVED
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped, grouped
from reidrisk.stats.lattice.secrets import Flags, NodeClasses, Secret, releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.problem import Lost
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.secrets import SecretFound, found_in, levels_of, resolved


@dataclass(frozen=True, slots=True, eq=False)
class NamedSecret:
    """A secret column by its name."""

    column: str
    secret: Secret = field(repr=False)
    rule: str | None = None
    """How rows of a unit become one value, if they differ."""

    def found(self, of: Ints, rows: Flags | None = None) -> SecretFound:
        """What the classes tell that the tuples are put in; of these rows only, if not of all."""
        own = self.secret if rows is None or rows.all() else self.secret.only(rows)
        return found_in(self.column, own.classes(of), own.limits, own.levels)


Secrets = tuple[NamedSecret, ...]


def read_secrets(
    table: Table,
    schema: Schema,
    options: DeidentifyOptions,
    hierarchies: Mapping[str, Hierarchy],
    tuples: DistinctTuples,
) -> Secrets:
    """The sensitive columns of the records of all distinct tuples; none if nothing is asked of them."""
    limits = options.secrets
    if limits is None or not limits.asks:
        return ()
    if not schema.sensitive:
        raise InvalidSetting(
            "Limits on what is told of secrets need a sensitive column.", hint="Name it with --sensitive."
        )
    table = with_derived(table, options.derived)
    if schema.unit is not None:
        known = (*tuples.columns, *schema.sensitive)
        rules: dict[str, Any] = {name: rule for name, rule in schema.reduce.items() if name in known}
        table = collapse(table, schema.unit, known, rules)
    found = []
    for column in schema.sensitive:
        own = distinct_tuples(table, (*tuples.columns, column))
        joined = grouped(own.codes[:, :-1], own.counts)
        value = own.codes[:, -1].astype(np.int64)
        overall = np.bincount(value, weights=own.counts) / own.records
        asked = resolved(limits, table.types[column])
        levels = levels_of(own, len(tuples.columns), hierarchies) if asked.distance == "hierarchical" else ()
        secret = Secret(joined.of, value, own.counts, asked, overall, levels)
        found.append(NamedSecret(column, secret, schema.reduce.get(column)))
    return tuple(found)


def narrowed(secrets: Secrets, tuples: DistinctTuples, columns: Sequence[str]) -> Secrets:
    """The same for the distinct tuples of some of the columns."""
    if tuple(columns) == tuples.columns:
        return secrets
    places = [tuples.columns.index(name) for name in columns]
    of = grouped(tuples.codes[:, places], tuples.counts).of
    return tuple(replace(one, secret=one.secret.of_tuples(of)) for one in secrets)


def telling_little(secrets: Secrets, classes: Grouped) -> Flags:
    """By class at a node: whether it tells no more than is allowed."""
    kept: Flags = np.ones(len(classes.counts), dtype=np.bool_)
    for one in secrets:
        kept &= one.secret.kept(classes.of)
    return kept


def is_releasable(secrets: Secrets, classes: Grouped, kept: Flags, cell_size: int) -> bool:
    """Whether what is suppressed at a node can be hidden or left out within the limits."""
    found = NodeClasses(classes.of, classes.counts, kept, cell_size)
    return not secrets or releasable([one.secret for one in secrets], found, cell_size)


def told_after(secrets: Secrets, lost: Lost) -> tuple[SecretFound, ...]:
    """What the released classes tell; suppressed records are one class, or gone."""
    masks = np.zeros(len(lost.classes.counts), dtype=np.int64)
    masks[lost.tuples] = lost.masks
    of = np.where(masks == 0, np.arange(len(masks)) + 1, 0)[lost.classes.of]
    gone = (masks == REMOVED)[lost.classes.of]
    return tuple(one.found(of, ~gone[one.secret.owner]) for one in secrets)
