"""Values of a variable on one level of its hierarchy, in the writing of the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reidrisk.errors import UnknownColumn
from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import STAR


@dataclass(frozen=True, slots=True)
class Generalized:
    """What each value of a variable becomes."""

    labels: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, hierarchy: Hierarchy, values: Iterable[str], level: str | int) -> Generalized:
        """On a level of the hierarchy, for all values that the data hold."""
        present = sorted(set(values))
        numbers = [_number(value) for value in present]
        given = present if None in numbers else numbers
        order = sorted(range(len(given)), key=lambda at: given[at])  # type: ignore[return-value, arg-type]
        levels = hierarchy.on([given[at] for at in order])
        labels = levels.labels[levels.number(level)].tolist()
        return cls({present[at]: str(label) for at, label in zip(order, labels, strict=True)})

    def written(self, value: str, like: str) -> str | None:
        """The label of a value, with letters as in a writing of it; None if nothing is told."""
        label = self.labels.get(value)
        if label is None or label == STAR:
            return None
        same = label.casefold() == value.casefold()
        return like if same else in_case_of(like, label) if label.isalpha() else label


def _number(text: str) -> int | float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number


def hierarchy_column(name: str, columns: Iterable[str]) -> str:
    """The column that a hierarchy is for."""
    known = list(columns)
    if name not in known:
        raise UnknownColumn.among(name, known, source="The study")
    return name
