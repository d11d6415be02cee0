"""A full review is a fact: without it leaks count, and what was missed never lowers the risk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from reidrisk.core.threshold import Threshold
from reidrisk.documents.document import sha256_of
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.documents.risk.run import document_risk
from reidrisk.documents.risk.settings import Scenario, document_settings
from reidrisk.documents.study.recall import DirectRecall, QuasiRecall, RecallFigures
from reidrisk.documents.study.schema import StudySchema
from reidrisk.documents.study.study import Study
from tests.documents.risk.builders import everybody, findings, kumar_study, reviewed

TWO = Threshold.from_cell_size(2, "two alike")
SEXES = StudySchema(quasi=("SEX",))
QUICK = document_settings(options={"crosscheck": "no"})
DATA_ONLY: tuple[Scenario, ...] = ("ipd", "ipd_mentioned")


def partly(file: FindingsFile, pages: int) -> FindingsFile:
    """The same review, of the first pages only; what was added elsewhere is not there either."""
    seen = {(one.document, block) for one in file.documents for block in one.blocks[:pages]}
    reviews = tuple(
        Review(
            one.reviewer,
            one.time,
            tuple(each for each in one.decisions if (each.document, each.block) in seen),
            tuple(place for place in one.seen if place in seen),
        )
        for one in file.reviews
    )
    return replace(file, reviews=reviews)


@pytest.mark.parametrize("scenario", DATA_ONLY)
def test_a_full_review_excludes_leaks(tmp_path: Path, scenario: Scenario) -> None:
    file = reviewed(findings(everybody(["USUBJID", "SEX"]), pages=3), [(2, "SEX", None)], pages=3)
    risk = document_risk(kumar_study(tmp_path, schema=SEXES), scenario, findings=file, threshold=TWO)
    assert risk.acceptable
    found = risk.to_dict()
    assert found["review"] == {"documents": 1, "pages": 3, "reviewed": 3, "missing": [], "full": True}
    assert found["unmeasured"] == []
    assert found["leak"]["quasi"] is None
    assert found["holds"] == [True, True], "the classes, and the review"
    assert risk.obstacles == ()


@pytest.mark.parametrize("scenario", DATA_ONLY)
def test_no_review_is_not_acceptable_and_says_why(tmp_path: Path, scenario: Scenario) -> None:
    document = findings(everybody(["USUBJID", "SEX"]))
    risk = document_risk(kumar_study(tmp_path, schema=SEXES), scenario, findings=[document], threshold=TWO)
    found = risk.to_dict()
    assert not found["acceptable"]
    assert found["highest"] == 1 / 3, "the figures are there"
    (item,) = found["unmeasured"]
    assert (item["item"], item["role"]) == ("review of the documents", "documents")
    assert "nobody read the documents" in item["reason"]
    told = dict(zip(found["reasons"], found["holds"], strict=True))
    assert [holds for text, holds in told.items() if "No review" in text and "not acceptable" in text] == [
        False
    ]
    assert len(risk.obstacles) == 1


@pytest.mark.parametrize("scenario", DATA_ONLY)
def test_leaks_on_the_pages_that_were_read_enter_the_decision(tmp_path: Path, scenario: Scenario) -> None:
    study = kumar_study(tmp_path, schema=SEXES)
    file = reviewed(findings(everybody(["USUBJID", "SEX"] * 4), pages=4), [(2, "SEX", None)], pages=4)
    part = document_risk(study, scenario, findings=partly(file, 3), threshold=TWO, settings=QUICK)
    found = part.to_dict()
    assert found["review"]["reviewed"] == 3
    assert found["leak"]["direct"]["high"] > 0, "an upper limit, though none was seen to leak"
    assert found["combined"]["high"] > 1 / 3
    assert found["highest"] == max(found["leak"]["direct"]["high"], found["combined"]["high"])
    assert not found["acceptable"]
    assert found["unmeasured"] == []
    assert any("3 of 4 pages" in text for text in found["warnings"])
    assert found["initial"]["highest"] == 1.0, "direct identifiers were found in the documents"
    assert found["holds"] == [True, False, False], "the classes pass, neither leak does"
    assert list(part.obstacles) == found["reasons"][1:]


def test_more_leaks_on_the_same_pages_are_more_risk(tmp_path: Path) -> None:
    study = kumar_study(tmp_path, schema=SEXES)
    document = findings(everybody(["USUBJID", "SEX"] * 4), pages=4)
    risks = []
    for missed in ([], [(2, "SEX", None)], [(2, "SEX", None), (3, "USUBJID", None), (4, "USUBJID", None)]):
        file = partly(reviewed(document, missed, pages=4), 3)
        risk = document_risk(study, "ipd", review=file, threshold=TWO, settings=QUICK).highest
        assert risk is not None
        risks.append(risk)
    assert risks == sorted(risks)
    assert risks[0] < risks[-1]


def test_figures_of_recall_are_an_estimate_not_a_review(tmp_path: Path) -> None:
    figures = RecallFigures(
        2000, {"USUBJID": DirectRecall(2000, 0)}, QuasiRecall(0.9999, documents=2000, values=4, instances=2)
    )
    study = kumar_study(tmp_path, schema=SEXES, recall=figures)
    found = document_risk(study, "ipd", threshold=TWO, settings=QUICK)
    assert found.acceptable
    assert found.highest is not None
    assert 1 / 3 < found.highest < 0.34


def test_a_document_that_nobody_reviewed_or_that_changed_stops_the_verdict(tmp_path: Path) -> None:
    report = tmp_path / "csr.txt"
    report.write_text("Subject CT1/101 was male.", encoding="utf-8")
    document = replace(findings(everybody(["USUBJID", "SEX"]), name="csr.txt"), sha256=sha256_of(report))
    study = kumar_study(tmp_path, schema=SEXES, documents=str(report))
    file = reviewed(document)
    assert document_risk(study, "ipd", review=file, threshold=TWO).acceptable
    report.write_text("Subject CT1/101 was male, and a mayor.", encoding="utf-8")
    changed = document_risk(study, "ipd", review=file, threshold=TWO).to_dict()
    assert not changed["acceptable"]
    assert changed["review"]["missing"] == ["csr.txt"]
    assert "changed since" in changed["unmeasured"][0]["reason"]
    other = tmp_path / "appendix.txt"
    other.write_text("Nothing.", encoding="utf-8")
    more = replace(study, documents=(str(report), str(other)))
    assert "appendix.txt" in document_risk(more, "ipd", review=file).to_dict()["review"]["missing"]


def test_pages_without_an_identifier_tell_nothing_of_the_detection(tmp_path: Path) -> None:
    document = findings(everybody(["USUBJID", "SEX"]), pages=1)
    document = replace(document, blocks=("page 1", "page 2"))
    empty = FindingsFile(1, {}, (document,), (Review("anna", "", (), (("csr.pdf", "page 2"),)),))
    found = document_risk(kumar_study(tmp_path, schema=SEXES), "ipd", review=empty, threshold=TWO).to_dict()
    assert not found["acceptable"]
    assert "hold no identifier" in found["unmeasured"][0]["reason"]


def test_kept_sections_need_a_full_review(tmp_path: Path) -> None:
    study = kumar_study(tmp_path, schema=SEXES, sections={"12": "keep"})
    document = findings(everybody(["USUBJID", "SEX"]))
    assert document_risk(study, "ipd", findings=[document], threshold=TWO).highest == 1.0
    assert document_risk(study, "ipd", findings=reviewed(document), threshold=TWO).highest == 1 / 3


def test_low_in_words_still_means_that_direct_identifiers_go(tmp_path: Path) -> None:
    from reidrisk.context.qualitative import ACTIONS, qualitative_risk

    assert all("direct identifiers" in action for action in ACTIONS.values())
    factors = {"identifiers": "low", "population": "high", "participants": "high", "centres": "high"}
    study = kumar_study(
        tmp_path, schema=SEXES, sections={"12": "keep"}, qualitative=qualitative_risk(**factors)
    )
    clean = document_risk(study, "qualitative", findings=[findings([(1, "SEX", None)])])
    assert clean.acceptable
    assert "direct identifiers" in " ".join(clean.to_dict()["reasons"])
    stays = document_risk(study, "qualitative", findings=[findings([(1, "USUBJID", "12.3")])])
    assert not stays.acceptable


SPOTS = st.lists(
    st.tuples(
        st.integers(1, 10), st.sampled_from(["USUBJID", "SEX", "AGE"]), st.sampled_from([None, "12.3"])
    ),
    min_size=2,
    max_size=14,
)


@pytest.mark.parametrize("scenario", DATA_ONLY)
@hypothesis_settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(SPOTS, st.data(), st.integers(0, 3), st.booleans())
def test_a_mention_that_the_detection_missed_never_lowers_the_risk(
    tmp_path: Path,
    scenario: Scenario,
    spots: list[tuple[int, str, str | None]],
    data: st.DataObject,
    pages: int,
    keeps: bool,
) -> None:
    """Whatever was read: nothing, some pages or all. On pages read, the reviewer adds what was missed."""
    keeps &= pages < 3  # after a full review, what was added is masked in kept sections too
    study = kumar_study(tmp_path, sections={"12": "keep"} if keeps else {})
    document = findings(spots, pages=3)
    gone = data.draw(st.sampled_from(document.findings))
    left = replace(document, findings=tuple(one for one in document.findings if one is not gone))
    whole, missed = (
        risk_after_review(study, scenario, one, pages, added)
        for one, added in ((document, None), (left, gone))
    )
    assert missed >= whole - 1e-12


def risk_after_review(
    study: Study,
    scenario: Scenario,
    document: DocumentFindings,
    pages: int,
    added: DocumentFinding | None,
) -> float:
    """The risk where somebody read the first pages, and added there what was missed."""
    seen = tuple((document.document, block) for block in document.blocks[:pages])
    decisions: tuple[Decision, ...] = ()
    if added is not None and (document.document, added.block) in seen:
        decisions = (
            Decision(document.document, *added.place, "add", added.type, added.variable, added.subjects),
        )
    reviews = (Review("anna", "", decisions, seen),) if seen else ()
    file = FindingsFile(1, {}, (document,), reviews)
    found = document_risk(study, scenario, findings=file, threshold=TWO, settings=QUICK)
    assert found.highest is not None
    return found.highest
