"""How often each identifier occurs: the case study's table, and the same for other sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reidrisk.text.corpus import Role

PUBLISHED_DOCUMENTS = 120


@dataclass(frozen=True, slots=True)
class Tally:
    """One row of the table."""

    type: str
    role: Role
    documents: int
    """Documents that contain the type."""
    annotations: int
    most: int
    """The most annotations of one document, so that no note becomes a list of names."""


PUBLISHED = (
    Tally("ID", "direct", 105, 438, 11),
    Tally("PHONE", "direct", 34, 78, 6),
    Tally("STREET", "direct", 10, 14, 2),
    Tally("NAME", "direct", 118, 1332, 30),
    Tally("DATE", "quasi", 111, 703, 18),
    Tally("ORGANIZATION", "quasi", 50, 110, 6),
    Tally("AGE", "quasi", 2, 3, 2),
    Tally("ZIP", "quasi", 9, 13, 2),
    Tally("COUNTRY", "quasi", 2, 3, 2),
    Tally("STATE", "quasi", 32, 47, 4),
    Tally("CITY", "quasi", 43, 78, 5),
)
ROLE_OF: dict[str, Role] = {row.type: row.role for row in PUBLISHED}


def _rounded(count: int, documents: int) -> int:
    return (2 * count * documents + PUBLISHED_DOCUMENTS) // (2 * PUBLISHED_DOCUMENTS)


def table_for(documents: int) -> tuple[Tally, ...]:
    """The table in proportion; a type too rare for so few documents is kept once.

    >>> [(row.documents, row.annotations) for row in table_for(120)][:2]
    [(105, 438), (34, 78)]
    >>> next((row.documents, row.annotations) for row in table_for(4) if row.type == "AGE")
    (1, 1)
    """
    rows = []
    for row in PUBLISHED:
        holding = max(1, _rounded(row.documents, documents))
        annotations = max(holding, _rounded(row.annotations, documents))
        rows.append(replace(row, documents=holding, annotations=annotations))
    return tuple(rows)
