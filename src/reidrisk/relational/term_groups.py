"""Hierarchies that tables bring along: columns with the groups of a term, such as its class of organs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from reidrisk.engine.linked import TableColumn
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import EXACT
from reidrisk.tables.hierarchy.listed import ListedHierarchy

NO_GROUP = "no group"
"""Stands for the group of a term that has none."""


def grouped_terms(
    database: Database, config: RelationalConfig, groups: Mapping[str, Sequence[str]]
) -> dict[str, Hierarchy]:
    """By attribute: the hierarchy of its groups, unless it has another one, or no groups.

    `groups` has columns of terms, and the columns of the same table with their groups, finest first.
    """
    found: dict[str, Hierarchy] = {}
    for name, columns in groups.items():
        at = TableColumn.of(name)
        there = [one for one in columns if database.has(TableColumn(at.table, one))]
        if not there or not database.has(at):
            continue
        at = database.at(at)
        attribute = config.attribute_of(at)
        if attribute != str(at) or attribute in config.hierarchies:
            continue
        spelled = [database.at(TableColumn(at.table, one)).column for one in there]
        rule = _rule(database, at, spelled)
        if rule is not None:
            found[attribute] = Hierarchy(attribute, rule)
    return found


def _rule(database: Database, at: TableColumn, columns: Sequence[str]) -> ListedHierarchy | None:
    """Each term with its most frequent groups; a column that merges no terms is no level."""
    rows = database.tables.combinations(at.table, (at.column, *columns))
    terms = sorted({str(values[0]) for values, _ in rows if values[0] is not None})
    finer, names, labels = {term: term for term in terms}, [EXACT], []
    for place, column in enumerate(columns, start=1):
        counts: dict[str, Counter[str]] = {}
        for values, number in rows:
            if values[0] is not None:
                own = counts.setdefault(finer[str(values[0])], Counter())
                group = values[place]
                own.update({} if group is None else {group: number})
        parent = {one: _most_frequent(own) for one, own in counts.items()}
        if not 1 < len(set(parent.values())) < len(parent):
            continue
        finer = {term: parent[one] for term, one in finer.items()}
        names.append(column)
        labels.append(np.array([finer[term] for term in terms], dtype=np.object_))
    if not labels:
        return None
    return ListedHierarchy(f"the groups of {at}", tuple(terms), tuple(labels), tuple(names))


def _most_frequent(groups: Counter[str]) -> str:
    return min(groups, key=lambda group: (-groups[group], group), default=NO_GROUP)
