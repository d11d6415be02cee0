"""What a detector may have missed of participants, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import Decision
from reidrisk.documents.risk.evidence import figures_evidence, reviewed_evidence
from reidrisk.documents.risk.missed import MissedValues, missed_values
from reidrisk.documents.risk.participants import FindingRoles
from reidrisk.documents.risk.settings import document_settings
from reidrisk.documents.study.recall import DirectRecall, QuasiRecall, RecallFigures
from reidrisk.stats.leaked_values import LeakKind
from tests.documents.risk.builders import everybody, findings, kumar_study, reviewed
from tests.papers.tables import KUMAR

SETTINGS = document_settings(options={"crosscheck": "no"})
MISSED = MissedValues(
    kinds=(LeakKind("SEX", 9, 10), LeakKind("AGE", 3, 4)),
    values={"SEX": {1: "F", 2: "M", 3: "F"}},
    found={(1, "SEX"): 3, (1, "AGE"): 1, (2, "USUBJID"): 1},
    missed=None,
    named=frozenset(),
    repeats=2,
    direct=0.25,
)
"""The first of three participants is found with sex and age, the second without, the third nowhere."""


def test_what_is_told_anyway_cannot_leak_and_who_is_not_mentioned_leaks_nothing() -> None:
    leaks = MISSED.beside((1, 2, 3), {"SEX": ("F", None, "M")})
    assert leaks.values == ((None, "M", "F"), ("1", "2", "3")), "an unknown age is one of its own"
    assert leaks.instances.tolist() == [[3, 1], [1, 1], [0, 0]], "at least one of who is mentioned"
    assert leaks.direct_chances().tolist() == [0.25, 0.25, 0.0]
    assert leaks.leaked is None
    assert leaks.direct_leaked is None


def test_where_nobody_counted_everybody_has_as_many_as_usual() -> None:
    leaks = replace(MISSED, found=None).beside((1, 3), {})
    assert leaks.values == (("F", "F"), ("1", "3"))
    assert leaks.instances.tolist() == [[2, 2], [2, 2]]
    assert leaks.direct_chances().tolist() == [0.25, 0.25]


def test_what_reviewers_of_every_page_added_has_leaked() -> None:
    leaks = replace(MISSED, missed=frozenset({(2, "AGE")}), named=frozenset({3})).beside((1, 2, 3), {})
    assert leaks.leaked is not None
    assert leaks.leaked.tolist() == [[False, False], [False, True], [False, False]]
    assert leaks.direct_leaked is not None
    assert leaks.direct_leaked.tolist() == [0.0, 0.0, 1.0]


def missed(folder: Path, given: FindingsFile | RecallFigures, **more: Any) -> MissedValues:
    study = kumar_study(folder)
    file = given if isinstance(given, FindingsFile) else None
    evidence = (
        figures_evidence(given)
        if isinstance(given, RecallFigures)
        else reviewed_evidence(given, FindingRoles.of(study))
    )
    found = None if file is None else file.documents
    return missed_values(study, evidence, None, found=found, reviewed=file, settings=SETTINGS, **more)


def test_figures_are_the_recall_of_every_variable(tmp_path: Path) -> None:
    quasi = QuasiRecall(recall=0.95, documents=100, values=4, instances=2.5)
    found = missed(tmp_path, RecallFigures(100, {"USUBJID": DirectRecall(100, 2)}, quasi))
    assert [(kind.name, kind.caught, kind.trials) for kind in found.kinds] == [
        ("SEX", 950, 1000),
        ("AGE", 950, 1000),
    ]
    assert found.repeats == 3, "two and a half instances of a value are three at most"
    assert (found.found, found.missed, found.named) == (None, None, frozenset())
    assert 0.02 < found.direct < 0.1
    assert found.values["SEX"] == {at: sex for at, (sex, _) in enumerate(KUMAR, start=1)}


def test_a_variable_that_no_page_shows_has_the_recall_of_all_others(tmp_path: Path) -> None:
    file = reviewed(findings(everybody(["USUBJID", "SEX"], (1, 2, 3, 4))), [(2, "SEX", None)])
    found = missed(tmp_path, file)
    assert [(kind.name, kind.caught, kind.trials) for kind in found.kinds] == [("SEX", 4, 5), ("AGE", 4, 5)]
    assert found.found is not None
    assert [found.found[who, "SEX"] for who in (1, 2, 5)] == [1, 1, 0]
    assert found.missed == frozenset({(2, "SEX")})
    assert found.named == frozenset()


def test_without_a_quasi_identifier_only_direct_ones_leak(tmp_path: Path) -> None:
    file = reviewed(findings(everybody(["USUBJID"])), [(4, "USUBJID", None)])
    found = missed(tmp_path, file)
    assert found.kinds == ()
    assert found.named == {4}
    assert found.direct > 1 / 10
    assert found.beside((4, 5), {}).instances.shape == (2, 0)


@pytest.mark.parametrize("kind", ["PLACE", "AGE"])
def test_what_has_no_variable_counts_by_its_type(tmp_path: Path, kind: str) -> None:
    document = findings([(1, "SEX", None), (1, "AGE", None)])
    plain = replace(document.findings[1], variable=None, type=kind)
    file = reviewed(replace(document, findings=(document.findings[0], plain)))
    added = Decision("csr.pdf", "page 1", 100, 105, "add", kind, None, (3,))
    found = missed(tmp_path, replace(file, reviews=(replace(file.reviews[0], decisions=(added,)),)))
    assert found.found == {(1, "SEX"): 1, (1, kind): 1}
    assert found.missed == frozenset({(3, kind)})
