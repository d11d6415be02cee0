"""Column names become identifiers here and nowhere else."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from reidrisk.engine.protocol import known_columns
from reidrisk.errors import BadData


def quoted(name: str) -> str:
    """A name as an SQL identifier, whatever characters it holds.

    >>> quoted('the "big" one')
    '"the ""big"" one"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as an SQL literal, for the few statements that take no parameters (paths, formats)."""
    return "'" + text.replace("'", "''") + "'"


def exact(path: Path) -> str:
    """A path for the database, which would take the name a[1].csv for a pattern and read a1.csv."""
    return glob.escape(str(path))


def chosen(wanted: Iterable[str], columns: Sequence[str], *, place: str) -> tuple[str, ...]:
    """The wanted columns, all of them known and at least one."""
    return known_columns(wanted, columns, source=place)


def distinct_names(names: Sequence[str], *, place: str) -> None:
    """Refuse names that cannot be told apart; the database ignores upper and lower case."""
    seen = Counter(name.casefold() for name in names)
    twice = sorted({name for name in names if seen[name.casefold()] > 1})
    if twice:
        raise BadData(
            f"{place} has more than one column named {', '.join(map(repr, twice))}.",
            hint="Rename the columns; names that differ only in upper and lower case count as the same.",
        )


def filled_names(names: Sequence[str | None]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names for columns that have none, and a note about each.

    >>> filled_names(["age", " "])
    (('age', 'column_2'), ("column 2 has no name and is called 'column_2'",))
    """
    full = tuple(
        name if name and name.strip() else f"column_{place}" for place, name in enumerate(names, start=1)
    )
    notes = tuple(
        f"column {place} has no name and is called {new!r}"
        for place, (old, new) in enumerate(zip(names, full, strict=True), start=1)
        if old != new
    )
    return full, notes
