"""The ten participants of Kumar and Sareen, and findings in a document that mentions them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.documents.study.schema import StudySchema
from reidrisk.documents.study.study import Study
from tests.papers.tables import KUMAR

Spot = tuple[int, str, str | None]
"""A participant, a variable, and a section."""


def kumar_study(folder: Path, **more: Any) -> Study:
    """The trial of the publication: sex and age of ten people."""
    rows = [f"CT1/{101 + at},{sex},{age}" for at, (sex, age) in enumerate(KUMAR)]
    (folder / "adsl.csv").write_text("\n".join(["USUBJID,SEX,AGE", *rows]) + "\n", encoding="utf-8")
    schema = more.pop("schema", StudySchema(quasi=("SEX", "AGE")))
    return Study({"adsl": folder / "adsl.csv"}, schema, name="CT1", **more)


def findings(spots: Iterable[Spot], *, name: str = "csr.pdf", pages: int = 1) -> DocumentFindings:
    """One finding a spot, ten characters apart, pages filled in turn."""
    found = [
        DocumentFinding(
            f"page {at % pages + 1}",
            10 * at,
            10 * at + 5,
            TYPES[variable],
            1.0,
            f"known:{variable}",
            (subject,),
            variable,
            section,
        )
        for at, (subject, variable, section) in enumerate(spots)
    ]
    blocks = tuple(f"page {number}" for number in range(1, pages + 1))
    return DocumentFindings(name, "0" * 64, blocks, tuple(sorted(found)))


TYPES: Mapping[str, str] = {"USUBJID": "ID", "SEX": "OTHER", "AGE": "AGE"}


def reviewed(document: DocumentFindings, missed: Iterable[Spot] = (), *, pages: int = 1) -> FindingsFile:
    """The findings, and a reviewer who read all pages and added what was missed."""
    added = tuple(
        Decision(
            document.document,
            f"page {at % pages + 1}",
            100_000 + 10 * at,
            100_005 + 10 * at,
            "add",
            TYPES[variable],
            variable,
            (subject,),
        )
        for at, (subject, variable, _) in enumerate(missed)
    )
    seen = tuple((document.document, block) for block in document.blocks)
    review = Review("anna", "2026-03-01T09:30:00Z", added, seen)
    return FindingsFile(1, {}, (document,), (review,))


def everybody(variables: Iterable[str], people: Iterable[int] = range(1, 11)) -> list[Spot]:
    """Every variable of everybody, in no section."""
    names = list(variables)
    return [(subject, name, None) for subject in people for name in names]
