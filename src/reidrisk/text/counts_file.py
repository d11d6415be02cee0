"""Risk from published counts: a table with the counts of each type, without any document.

Which documents leak several types is not known. Leaks of direct identifiers are therefore laid out so that
as few as possible fall into the same document: k = min(n, sum of leaking documents). The risk from
quasi-identifiers needs the documents, so it is computed by the model.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from reidrisk.context.release import Release
from reidrisk.core.csv_rows import DELIMITERS, csv_rows
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, UnreadableFile
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.evaluate import default_release
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import TextSettings

ALL = "all"
NUMBERS = ("documents", "leaking_documents", "instances", "caught", "values")
NEEDED: Mapping[str, tuple[str, ...]] = {
    ALL: ("documents",),
    "direct": ("documents", "leaking_documents"),
    "quasi": ("documents", "instances", "caught", "values"),
}
"""Columns that a row of each role must fill in."""
FORM = (
    "The columns are type, role, documents, leaking_documents, instances, caught and values. One row has the "
    "role `all` and the number of documents."
)


@dataclass(frozen=True, slots=True)
class CountRow:
    """The counts of one type."""

    type: str
    role: str
    numbers: Mapping[str, int]
    """By column; columns that were left empty are absent."""


def evaluate_counts(
    path: str | Path,
    *,
    release: Release | None = None,
    threshold: Threshold | None = None,
    settings: TextSettings | None = None,
    seed: int = 7,
) -> TextRisk:
    """Compute the risk from a file of counts, such as those of a publication."""
    settings = without_documents(settings or TextSettings())
    evidence = read_counts(path)
    provenance = Provenance(seed, (("counts", path_text(path)),), (ASSUMED,))
    threshold = threshold or Threshold.from_cell_size(5, "cell size of five, the default")
    return assess(evidence, release or default_release(settings), threshold, settings, provenance=provenance)


ASSUMED = (
    "Only counts are known. As few leaks as possible are assumed to be in the same document, and the risk "
    "from quasi-identifiers is computed by the model, which assumes the same recall in all documents."
)


def without_documents(settings: TextSettings) -> TextSettings:
    """The settings with distributions that need no documents."""
    values = "poisson" if settings.values == "empirical" else settings.values
    repeats = "shifted_poisson" if settings.repeats == "empirical" else settings.repeats
    return replace(settings, values=values, repeats=repeats)


def read_counts(path: str | Path) -> Evidence:
    """The counts of a CSV file as evidence."""
    rows = _rows(Path(path))
    whole = [row for row in rows if row.role == ALL]
    if len(whole) != 1:
        raise BadData(
            f"{path_text(path)} has {len(whole)} rows with the role `all`, not one.",
            hint="Add one row with the role `all` and the number of documents that were examined.",
        )
    documents = whole[0].numbers["documents"]
    for number, row in enumerate(rows, start=2):
        _check(row, documents, f"{path_text(path)}, row {number}")
    return evidence_of_counts(rows, documents, path_text(path))


def _rows(path: Path) -> list[CountRow]:
    if path.suffix.lower() not in DELIMITERS:
        raise UnreadableFile(f"{path_text(path)} is not a .csv or .tsv file.", hint=FORM)
    try:
        lines = [cells for _, cells in csv_rows(path) if any(cell.strip() for cell in cells)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnreadableFile(
            f"{path_text(path)} cannot be read as a table: {type(error).__name__}.", hint=FORM
        ) from None
    heads = [cell.strip() for cell in lines[0]] if lines else []
    wrong = sorted(set(heads) - {"type", "role", *NUMBERS})
    if "role" not in heads or "type" not in heads or wrong:
        found = f"does not know the column {wrong[0]!r}" if wrong else "lacks the column type or role"
        raise UnreadableFile(f"{path_text(path)} {found}.", hint=FORM)
    return [
        _row(dict(zip(heads, cells, strict=False)), f"{path_text(path)}, row {number}")
        for number, cells in enumerate(lines[1:], start=2)
    ]


def _row(cells: Mapping[str, str], place: str) -> CountRow:
    role = cells.get("role", "").strip()
    if role not in NEEDED:
        raise BadData(f"{place}: the role is not direct, quasi or all.", hint=FORM)
    numbers = {}
    for name in NUMBERS:
        text = cells.get(name, "").strip()
        if text and not text.isdecimal():
            raise BadData(f"{place}: {name} is not a whole number.", hint=FORM)
        if text:
            numbers[name] = int(text)
    missing = [name for name in NEEDED[role] if name not in numbers]
    if missing:
        raise BadData(f"{place}: {' and '.join(missing)} is missing for the role {role}.", hint=FORM)
    return CountRow(cells.get("type", "").strip() or role, role, numbers)


def _check(row: CountRow, documents: int, place: str) -> None:
    """Refuse counts that contradict each other."""
    found = row.numbers
    pairs = (
        ("leaking_documents", "documents"),
        ("caught", "instances"),
        ("values", "instances"),
        ("documents", "values") if row.role == "quasi" else ("documents", "instances"),
    )
    wrong = [pair for pair in pairs if set(pair) <= set(found) and found[pair[0]] > found[pair[1]]]
    if wrong:
        raise BadData(f"{place}: {wrong[0][0]} is more than {wrong[0][1]}.", hint=FORM)
    if found["documents"] > documents or found["documents"] == 0:
        raise BadData(f"{place}: documents is 0, or more than the {documents:,} of all documents.", hint=FORM)


def evidence_of_counts(rows: list[CountRow], documents: int, source: str) -> Evidence:
    """Counts by type as evidence, with documents that fit them."""
    direct = [row for row in rows if row.role == "direct"]
    quasi = [row for row in rows if row.role == "quasi"]
    names = [(row.type, row.role) for row in rows]
    if len(set(names)) < len(names) or not (direct or quasi):
        raise BadData(f"{source} has a type twice, or no type at all.", hint=FORM)
    holds, leaks = _layout(direct, documents)
    total = {name: sum(row.numbers[name] for row in quasi) for name in ("instances", "caught", "values")}
    # The largest type is the least number of documents with any quasi-identifier: a cautious support.
    holding = max((row.numbers["documents"] for row in quasi), default=0)
    values = _spread(total["values"], holding, documents)
    repeats = _spread(total["instances"], total["values"], total["values"])
    instances = _sums(repeats, values)
    return Evidence(
        types=tuple(sorted((_type(row) for row in (*direct, *quasi)), key=lambda one: (one.type, one.role))),
        mapping=(),
        labels=(),
        direct_types=tuple(row.type for row in direct),
        holds=holds,
        leaks=leaks,
        direct_leaks=leaks.sum(axis=1),
        values=values,
        leaked_values=np.zeros(documents, dtype=np.int64),
        instances=instances,
        caught=_filled(total["caught"], instances),
        repeats=repeats,
        masked_words=0,
        masked_identifier_words=0,
        records=documents,
        notes=(),
        only_counts=True,
    )


def _type(row: CountRow) -> TypeEvidence:
    found = row.numbers
    return TypeEvidence(
        row.type,
        "direct" if row.role == "direct" else "quasi",
        found["documents"],
        found.get("leaking_documents", 0),
        found.get("instances", 0),
        found.get("caught", 0),
        0,
        0,
        values=found.get("values", 0),
    )


def _layout(direct: list[CountRow], documents: int) -> tuple[Bools, Bools]:
    """Leaks one document after the other, so that few documents leak twice; then documents without leaks."""
    holds = np.zeros((documents, len(direct)), dtype=bool)
    leaks = np.zeros_like(holds)
    start = 0
    for column, row in enumerate(direct):
        places = (start + np.arange(row.numbers["documents"])) % documents
        leaking = row.numbers["leaking_documents"]
        holds[places, column] = True
        leaks[places[:leaking], column] = True
        start = (start + leaking) % documents
    return holds, leaks


def _spread(total: int, holders: int, size: int) -> Ints:
    """A total spread evenly over the first `holders` places."""
    found = np.zeros(size, dtype=np.int64)
    if holders:
        found[:holders] = total // holders
        found[: total % holders] += 1
    return found


def _sums(parts: Ints, sizes: Ints) -> Ints:
    """The sums of consecutive groups of the given sizes."""
    ends = np.cumsum(np.concatenate([[0], parts]))
    stops = np.cumsum(sizes)
    return np.asarray(ends[stops] - ends[stops - sizes], dtype=np.int64)


def _filled(total: int, room: Ints) -> Ints:
    """A total filled into places with limited room, the first places first."""
    before = np.cumsum(room) - room
    return np.asarray(np.clip(total - before, 0, room), dtype=np.int64)
