"""The values that must not be in a document: a list, cells of a table, or what was found in the original."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.detect.known.rows import LIST_COLUMN, read_rows
from reidrisk.documents.digest import sha256_of
from reidrisk.documents.findings.file import KIND, read_findings
from reidrisk.documents.kinds import read_document
from reidrisk.documents.proof.needles import folded
from reidrisk.documents.review.decided import decided
from reidrisk.errors import InvalidSetting, NothingToMeasure, UnmatchedDocuments

SHORTEST = 3
"""Shorter cells of a table, such as a sex or an age, stand in every document."""


@dataclass(frozen=True, slots=True)
class GivenValues:
    """Values, each once, and how many were too short to tell anything."""

    values: tuple[str, ...] = field(repr=False)
    skipped: int = 0


def read_values(path: str | Path, *, source: str | Path | None = None) -> GivenValues:
    """Values from a file; `source` is the original document where it is a file of findings."""
    file = Path(path)
    if file.suffix.lower() == ".json" and _holds_findings(file):
        if source is None:
            raise InvalidSetting(
                f"{path_text(path)} holds places, not values.",
                hint="Name the document that it was made from: --source ORIGINAL.",
            )
        return _once(_found(file, Path(source)), shortest=1)
    if source is not None:
        raise InvalidSetting(
            "--source goes with a file of findings.", hint="Lists and tables hold the values themselves."
        )
    rows = list(read_rows(file))
    is_list = all(name == LIST_COLUMN for row in rows for name, _ in row)
    return _once((value for row in rows for _, value in row), shortest=1 if is_list else SHORTEST)


def _holds_findings(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return f'"{KIND}"'.encode() in file.read(200)
    except OSError:
        return False


def _once(values: Iterator[str], *, shortest: int) -> GivenValues:
    found: dict[str, str] = {}
    skipped: set[str] = set()
    for value in values:
        plain = folded(value)
        if len(plain) < shortest:
            skipped.add(plain)
        else:
            found.setdefault(plain, value)
    if not found:
        raise NothingToMeasure(
            "There is no value to search for.", hint="Give one a line, or a table with a header."
        )
    return GivenValues(tuple(found.values()), len(skipped))


def _found(path: Path, source: Path) -> Iterator[str]:
    file = read_findings(path)
    digest = sha256_of(source)
    wanted = next((one for one in file.documents if one.sha256 == digest), None)
    if wanted is None:
        raise UnmatchedDocuments(
            f"{path_text(path)} was not made from {path_text(source)}.",
            hint="Name the document as it was when findings were made.",
        )
    findings = decided(wanted, file.reviews).findings
    for block in read_document(source):
        for one in findings:
            if one.block == block.name:
                yield block.text[one.start : one.end]
