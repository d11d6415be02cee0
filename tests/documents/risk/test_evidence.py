"""Reviewed pages become the evidence of a text evaluation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import Decision
from reidrisk.documents.risk.evidence import reviewed_evidence
from reidrisk.documents.risk.leaks import WholeDocuments
from reidrisk.documents.risk.participants import FindingRoles
from reidrisk.documents.risk.run import document_risk
from reidrisk.documents.risk.settings import document_settings
from reidrisk.errors import NothingToMeasure
from tests.documents.risk.builders import everybody, findings, kumar_study, reviewed

KNOWN = frozenset({"SEX", "AGE"})
ROLES = FindingRoles(frozenset({"USUBJID"}), KNOWN, KNOWN)


def test_participants_are_the_documents() -> None:
    document = findings(everybody(["USUBJID", "AGE", "AGE"], (1, 2, 3)))
    evidence = reviewed_evidence(reviewed(document, [(2, "USUBJID", None), (3, "SEX", None)]), ROLES)
    assert evidence.documents == 3
    assert evidence.direct_types == ("USUBJID",)
    assert evidence.holds.tolist() == [[True]] * 3
    assert evidence.leaks.ravel().tolist() == [False, True, False]
    assert evidence.values.tolist() == [1, 1, 2]
    assert evidence.repeats.tolist() == [2, 2, 2, 1]
    assert evidence.leaked_values.tolist() == [0, 0, 1]
    assert evidence.quasi_recall == 6 / 7
    assert [kind.leaking_documents for kind in evidence.types] == [1, 0, 1]
    assert [(kind.type, kind.instances, kind.caught, kind.values) for kind in evidence.types] == [
        ("USUBJID", 4, 3, 0),
        ("AGE", 6, 6, 3),
        ("SEX", 1, 0, 1),
    ]
    assert [kind.excused for kind in evidence.types] == [0, 0, 0], "what a reviewer added has no excuse"
    assert evidence.precision == 1.0


def test_only_pages_that_were_read_count() -> None:
    document = findings(everybody(["USUBJID", "AGE"], (1, 2)), pages=2)
    file = reviewed(document, pages=2)
    first = replace(file.reviews[0], seen=(("csr.pdf", "page 1"),))
    evidence = reviewed_evidence(replace(file, reviews=(first,)), ROLES)
    assert [kind.type for kind in evidence.types] == ["USUBJID"]


def test_texts_tell_values_apart() -> None:
    document = findings(everybody(["AGE", "AGE", "AGE"], (1,)))
    names = [one.name_in("csr.pdf") for one in document.findings]
    texts = dict(zip(names, ["54 years", "54  YEARS", "aged 54"], strict=True))
    file = replace(reviewed(document), texts=texts)
    assert reviewed_evidence(file, ROLES).repeats.tolist() == [2, 1]


def test_identifiers_of_staff_are_left_out() -> None:
    document = findings([(1, "AGE", None), (2, "AGE", None)])
    alone = replace(document.findings[0], subjects=(), variable=None, type="NAME")
    file = reviewed(replace(document, findings=(alone, document.findings[1])))
    evidence = reviewed_evidence(file, ROLES)
    assert evidence.documents == 1
    assert evidence.direct_types == ()
    assert "1 identifier on them, of staff" in " ".join(evidence.notes)


def test_confidential_business_is_nobodys_identifier() -> None:
    document = findings([(1, "AGE", None), (2, "AGE", None)])
    business = replace(document.findings[0], category="CCI")
    file = reviewed(replace(document, findings=(business, document.findings[1])))
    assert reviewed_evidence(file, ROLES).documents == 1


def test_without_a_page_there_is_no_recall() -> None:
    with pytest.raises(NothingToMeasure, match="read as a whole"):
        reviewed_evidence(FindingsFile(1, {}, (findings([(1, "AGE", None)]),)), ROLES)


def test_events_without_texts_are_values_of_their_own() -> None:
    document = findings(everybody(["AGE", "AGE"], (1,)))
    several = FindingRoles(frozenset({"USUBJID"}), KNOWN)
    assert reviewed_evidence(reviewed(document), several).repeats.tolist() == [1, 1]


def test_what_reviewers_add_for_nobody_counts_for_who_stands_nearest() -> None:
    document = findings(everybody(["USUBJID"], (1, 2, 3)))
    file = reviewed(document)
    added = tuple(Decision("csr.pdf", "page 1", start, start + 3, "add", "NAME") for start in (6, 27))
    evidence = reviewed_evidence(replace(file, reviews=(replace(file.reviews[0], decisions=added),)), ROLES)
    assert evidence.documents == 3
    assert evidence.direct_leaks.tolist() == [1, 0, 1]
    assert "2 identifiers that reviewers added" in " ".join(evidence.notes)


def test_pages_that_nobody_read_raise_the_risk(tmp_path: Path) -> None:
    document = findings(everybody(["USUBJID", "SEX", "AGE"] * 4), pages=4)
    file = reviewed(document, [(2, "USUBJID", None)], pages=4)
    half = replace(file.reviews[0], seen=(("csr.pdf", "page 1"), ("csr.pdf", "page 2")))
    study, settings = kumar_study(tmp_path), document_settings(options={"crosscheck": "no"})
    results = [
        document_risk(study, "redacted", review=replace(file, reviews=(one,)), settings=settings)
        for one in (half, file.reviews[0])
    ]
    some, every = (result.to_dict()["leak"] for result in results)
    assert every["whole"] is None
    assert some["whole"]["times_as_often"]["USUBJID"] == pytest.approx(40 / 21, rel=0.05)
    # One of ten leaked on half of the pages, so on all of them 1 - (9/10) ** (41/21).
    power = some["whole"]["times_as_often"]["USUBJID"]
    assert some["direct"]["plug_in"] == pytest.approx(1 - 0.9**power)
    assert some["direct"]["high"] > every["direct"]["high"]
    assert some["direct"]["low"] < some["direct"]["value"] < some["direct"]["high"]
    assert "not all of 4 pages" in " ".join(results[0].warnings).lower()


def test_how_often_a_participant_is_told_of_does_not_depend_on_how_many_there_are() -> None:
    """Two participants twice each on the page that was read; all four, 3 times each on average, on both."""
    spots = [(1, "USUBJID", None), (2, "USUBJID", None)] * 2
    first = findings(spots)
    second = [(who, "USUBJID", None) for who in (3, 4, 3, 4, 3, 4, 1, 2)]
    more = tuple(replace(one, block="page 2") for one in findings(second).findings)
    document = replace(first, blocks=("page 1", "page 2"), findings=(*first.findings, *more))
    file = reviewed(document)
    read = replace(file, reviews=(replace(file.reviews[0], seen=(("csr.pdf", "page 1"),)),))
    evidence, everything = (reviewed_evidence(read, ROLES, only_seen=only) for only in (True, False))
    (kind,) = WholeDocuments.of(evidence, everything, pages=2).direct
    assert (kind.type, kind.participants, kind.power) == ("USUBJID", 4, 1.5)
