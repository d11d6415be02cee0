"""A detected type is a guess from the first rows: here every row has its say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reidrisk.core.wording import plural
from reidrisk.engine.names import literal, quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

CODE = r"^\s*[-+]?0[0-9]|^\s*[-+]?[0-9]{16,}\s*$"
"""Leading zeros and very long numbers are codes: as numbers different ones would become equal."""


def fitting_types(
    texts: DuckDBPyRelation, types: Mapping[str, str], *, decimal: str = "."
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The types that lose nothing on any row, and a note for each that had to give way to text."""
    doubtful = {name: kind for name, kind in types.items() if kind != "VARCHAR"}
    misfits = _counts(texts, {name: _fits(name, kind, decimal) for name, kind in doubtful.items()})
    whole = [name for name, number in misfits.items() if number and types[name] == "BIGINT"]
    inexact = _counts(texts, {name: _fits(name, "DOUBLE", decimal) for name in whole}) if whole else {}
    fitted, notes = dict(types), []
    for name, number in misfits.items():
        if number:
            is_decimal = inexact.get(name) == 0
            fitted[name] = "DOUBLE" if is_decimal else "VARCHAR"
            shown = "decimal numbers" if is_decimal else "text"
            if types[name] == "BOOLEAN":
                continue  # F is a sex, not a "false": nobody has to hear of it
            notes.append(f"column {name!r} is read as {shown}: {_reason(number, types[name])}")
    return fitted, tuple(notes)


def _counts(texts: DuckDBPyRelation, fits: Mapping[str, str]) -> dict[str, int]:
    """How many values of each column do not fit.

    Counting the rows as well reads each to its end: a broken one is found now and not half-way.
    """
    tests = [
        f"count(*) FILTER (WHERE {quoted(name)} IS NOT NULL AND ({test}) IS NOT TRUE)"
        for name, test in fits.items()
    ]
    found = texts.aggregate(", ".join(["count(*)", *tests])).fetchone() or ()
    return dict(zip(fits, map(int, found[1:]), strict=True))


def _reason(misfits: int, kind: str) -> str:
    verb = "does" if misfits == 1 else "do"
    return f"{plural(misfits, 'value')} {verb} not fit {kind}"


def _fits(name: str, kind: str, decimal: str) -> str:
    column = quoted(name)
    if kind in {"BIGINT", "DATE", "BOOLEAN"}:
        return f"TRY_CAST({column} AS {kind})::VARCHAR = {column}"
    if kind != "DOUBLE":
        return f"TRY_CAST({column} AS {kind}) IS NOT NULL"
    # With a decimal comma a point stands between thousands, if anywhere: 1.234 would be another number.
    text = f"replace({column}, ',', '.')" if decimal == "," else column
    point = f" AND NOT contains({column}, '.')" if decimal == "," else ""
    number = f"TRY_CAST({text} AS DOUBLE) IS NOT NULL"
    return f"{number}{point} AND NOT regexp_matches({text}, {literal(CODE)})"
