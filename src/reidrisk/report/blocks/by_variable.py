"""Before and after by variable: what was done to each, why, and what a researcher can still do with it.

The tables of every template come from the rows of one function, which reads the result of a part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reidrisk.report.blocks.relational import GONE, release_of, role_of
from reidrisk.report.blocks.utility import requested_blocks
from reidrisk.report.kind import ResultDict, when_shown
from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Facts, Table

TECHNIQUES = (
    ("retained", ("unchanged", "kept", "exact values", "exact", "as in the table")),
    (
        "recoding",
        ("pseudonym", "new value", "consecutive number", "numbered", "surrogate", "becomes ", "replaced"),
    ),
    ("offset", ("shift", "moved", "offset")),
    ("generalization", ("generalized", "rounded", "not before", "grouped", "level")),
    ("redaction", ("redacted", "boxed", "removed", "emptied", "suppressed", "left out", "not released")),
)
"""Words of a treatment and the technique that they stand for, those that decide first."""
FATES = ("replaced", "unchanged", "redacted", "left_out", "kept")
DIRECT = "It identifies a person on its own, so no value is released that leads to the person."
CHOSEN = "Chosen in the settings."
WHY = {
    "direct identifier": DIRECT,
    "unit of analysis": "It tells the records of people apart; the original would identify them.",
    "quasi-identifier": "It identifies in combination with others and counts in the risk as released.",
    "date": "It identifies in combination with others and counts in the risk as released.",
    "event": "Somebody may know that it happened; it counts in the risk as released.",
    "replaced or removed": CHOSEN,
    "quasi-identifier of another layout": "The chosen layout releases other columns instead.",
}
NOTHING = "No value is released, so none adds to the risk."
LINKS = "It links rows; the original value would lead to the person."
OTHER = {"with a treatment": "other"}
"""Roles of a codebook that say nothing about the variable."""
KEEPS = (
    "Pseudonyms keep which records belong together, and shifted dates keep the intervals of a person, not "
    "the values themselves."
)


@dataclass(frozen=True, slots=True)
class VariableRow:
    """A variable of a part, as its result describes it; None for what was not measured."""

    source: Mapping[str, Any]
    """The object of the result that describes it."""
    name: str
    role: str
    treatment: str
    justification: str = ""
    values_before: int | None = None
    values_after: int | None = None
    suppressed: float | None = None
    """Share of the values that are gone."""
    kept: float | None = None
    """Share of the information that is left."""
    unique_before: float | None = None
    unique_after: float | None = None
    places: Mapping[str, int] | None = None
    """In documents, by what becomes of them."""

    @property
    def technique(self) -> str:
        """In the words of public descriptions of the template for anonymization reports."""
        found = technique_of(self.treatment)
        return "retained" if found == "redaction" and self.suppressed == 0 else found


def technique_of(treatment: str) -> str:
    """The technique that a treatment stands for.

    >>> [technique_of(text) for text in ("generalized to weeks; 3 records of 9 suppressed", "unchanged", "?")]
    ['generalization', 'retained', 'other']
    """
    words = treatment.lower()
    found = [
        (min(words.find(sign) for sign in signs if sign in words), order, name)
        for order, (name, signs) in enumerate(TECHNIQUES)
        if any(sign in words for sign in signs)
    ]
    return min(found)[2] if found else "other"


def variable_rows(result: ResultDict) -> list[VariableRow]:
    """Every variable of a result; empty for a kind that changes and releases no variables."""
    build = _ROWS.get(str(result["kind"]))
    return [] if build is None else when_shown(lambda: build(result), result, [])


def _table_rows(result: ResultDict) -> list[VariableRow]:
    """A de-identified table: the codebook has every column, the quasi-identifiers have figures."""
    figures = {row["column"]: row for row in result["variables"]}
    reasons = {row["item"]: row.get("reason") or "" for row in result.get("inventory") or ()}
    rows = []
    for entry in result["codebook"]:
        name = entry["column"]
        found = figures.get(name) or {}
        why = found.get("reason") or WHY.get(entry["role"]) or reasons.get(name) or ""
        is_lost = found.get("level") == "suppressed"
        gone = 1.0 if entry["position"] is None or is_lost else found.get("suppressed_share")
        rows.append(
            VariableRow(
                entry,
                name,
                OTHER.get(entry["role"]) or entry["role"],
                "suppressed in every record" if is_lost else entry["treatment"],
                why,
                found.get("values_before"),
                found.get("values_after"),
                gone,
                found.get("information_kept"),
                found.get("unique_before"),
                found.get("unique_after"),
            )
        )
    return rows


def _linked_rows(result: ResultDict) -> list[VariableRow]:
    release = result if result["kind"] == "relational_release" else release_of(result)
    if release is None:
        return _inventory_rows(result)
    rows = []
    for row in release["variables"]:
        loss, filled = row.get("loss"), row.get("filled")
        gone = None if not filled else 1 - row["left"] / filled
        rows.append(
            VariableRow(
                row,
                f"{row['table']}.{row['variable']}",
                role_of(row),
                row["treatment"],
                _why(row) if row["source"] == "settings" else row["source"],
                suppressed=gone,
                kept=None if loss is None else 1 - loss,
            )
        )
    return rows


def _why(row: ResultDict) -> str:
    """Why a variable of linked tables got the treatment that the settings name."""
    if row["treatment"] in GONE:
        return NOTHING
    role = role_of(row)
    if "key" in role and technique_of(row["treatment"]) == "recoding":
        return LINKS
    return WHY.get(role, CHOSEN) if role in ("quasi-identifier", "date", "event") else CHOSEN


def _document_rows(result: ResultDict) -> list[VariableRow]:
    rows = []
    for row in result.get("variables") or ():
        places = {name: row[name] for name in FATES if name in row}
        rows.append(
            VariableRow(
                row,
                row["variable"] if row["in_data"] else f"{row['variable']} (not in the data)",
                row["role"],
                row["treatment"],
                WHY.get(row["role"], ""),
                row.get("values_before"),
                row.get("values_after"),
                None,
                row.get("information_kept"),
                row.get("unique_before"),
                row.get("unique_after"),
                places if len(places) == len(FATES) else None,
            )
        )
    return rows


def _text_rows(result: ResultDict) -> list[VariableRow]:
    """Types of identifiers in texts: what the tool catches is redacted or replaced, the rest leaks."""
    how = result["settings"]["release"]["treatment"]
    done = (
        "replaced by surrogates where it was found" if how == "resynthesis" else "redacted where it was found"
    )
    key = "replaced" if how == "resynthesis" else "redacted"
    return [
        VariableRow(
            row,
            row["type"],
            f"{row['role']} identifier" if row["role"] == "direct" else "quasi-identifier",
            done,
            WHY["direct identifier" if row["role"] == "direct" else "quasi-identifier"],
            places={key: row["instances"] - row["leaked_instances"], "kept": row["leaked_instances"]},
        )
        for row in result["by_type"]
        if row["role"] in ("direct", "quasi")
    ]


def _inventory_rows(result: ResultDict) -> list[VariableRow]:
    """Parts that leave as they are: what the inventory names."""
    return [
        VariableRow(row, row["item"], row["role"], row["treatment"], row.get("reason") or "")
        for row in result.get("inventory") or ()
    ]


_ROWS: dict[str, Callable[[ResultDict], list[VariableRow]]] = {
    "table_deidentified": _table_rows,
    "relational_release": _linked_rows,
    "relational_deidentified": _linked_rows,
    "relational_risk": _linked_rows,
    "document_risk": _document_rows,
    "text_risk": _text_rows,
    "table_risk": _inventory_rows,
    "table_transformed": _inventory_rows,
}


def techniques(rows: Sequence[VariableRow]) -> Table | None:
    """The technique for each variable, with its justification; one row for those treated alike."""
    if not rows:
        return None
    alike: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        shared = (row.role, row.technique, row.treatment, row.justification or MISSING)
        alike.setdefault(shared, []).append(row.name)
    return Table(
        "Technique for each variable",
        "What was done to each variable, and why. Variables that were treated alike share a row.",
        (
            Column("variable", is_prose=True),
            Column("role"),
            Column("technique"),
            Column("detail", is_prose=True),
            Column("justification", is_prose=True),
        ),
        tuple((", ".join(names), *shared) for shared, names in alike.items()),
    )


def without_empty_columns(table: Table) -> Table:
    """The table without columns of numbers that nothing was measured for."""
    kept = [
        place
        for place, column in enumerate(table.columns)
        if not column.is_number or any(row[place] != MISSING for row in table.rows)
    ]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def before_and_after(rows: Sequence[VariableRow]) -> Table | None:
    """What each variable still tells; None if nothing about it was measured."""
    measured = [(row, (row.values_before, row.kept, row.suppressed)) for row in rows]
    shown = [row for row, figures in measured if any(one is not None for one in figures)]
    if not shown:
        return None
    names = ("values before", "values after", "values gone", "information kept")
    table = Table(
        "What a researcher can still do with each variable",
        "How many different values each variable has before and after, the share of its values that are "
        "missing in the release, and the share of its information (in bits) that is left.",
        (Column("variable"), Column("technique"), *(Column(name, is_number=True) for name in names)),
        tuple(
            (
                row.name,
                row.technique,
                count(row.values_before),
                count(row.values_after),
                "all" if row.suppressed == 1 else percent(row.suppressed),
                "none" if row.suppressed == 1 else percent(row.kept),
            )
            for row in shown
        ),
        KEEPS if any(row.technique in ("recoding", "offset") for row in shown) else "",
    )
    return without_empty_columns(table)


def replaced_and_redacted(rows: Sequence[VariableRow]) -> Table | None:
    """Places of identifiers in documents and texts, by what becomes of them."""
    shown = [(row, row.places) for row in rows if row.places and sum(row.places.values())]
    if not shown:
        return None
    names = [name for name in FATES if any(places.get(name) for _, places in shown)]
    heads = {"left_out": "left out", "kept": "left as it is"}
    totals = Counter({name: sum(places.get(name, 0) for _, places in shown) for name in names})
    return Table(
        "Replaced and redacted places",
        "How often each identifier occurs in the documents or texts, and what becomes of it there. A "
        "replaced place still has a value to work with; a redacted one does not.",
        (Column("variable"), *(Column(heads.get(name, name), is_number=True) for name in names)),
        (
            *((row.name, *(count(places.get(name, 0)) for name in names)) for row, places in shown),
            ("all", *(count(totals[name]) for name in names)),
        ),
    )


def kept_share(rows: Iterable[VariableRow]) -> tuple[int, int]:
    """Places that keep a value, replaced or unchanged, and all places that are not left out."""
    found: Counter[str] = Counter()
    for row in rows:
        found.update(row.places or {})
    transformed = found["replaced"] + found["unchanged"]
    return transformed, transformed + found["redacted"]


def utility_by_variable(result: ResultDict) -> tuple[Table | Facts, ...]:
    """What a part is still good for: by variable, in documents, and by queries and models."""
    rows = variable_rows(result)
    found = (before_and_after(rows), replaced_and_redacted(rows))
    nothing: tuple[Table | Facts, ...] = ()
    asked = when_shown(lambda: requested_blocks(result.get("usefulness")), result, nothing)
    return (*(one for one in found if one is not None), *asked)
