"""Figures of recall stand for a reviewed sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.core.spec import Spec
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.evidence import figures_evidence
from reidrisk.documents.risk.run import document_risk
from reidrisk.documents.risk.settings import document_settings
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.recall import DirectRecall, QuasiRecall, RecallFigures
from reidrisk.errors import InvalidSetting
from tests.documents.risk.builders import kumar_study

PRINTED = RecallFigures(
    100,
    {"USUBJID": DirectRecall(100, 2), "NAME": DirectRecall(50, 5)},
    QuasiRecall(recall=0.95, documents=100, values=4, instances=2),
)
YAML = """\
study: CT1
ipd: {adsl: adsl.csv}
schema: {quasi: [SEX, AGE]}
review:
  recall:
    documents: 100
    direct: {USUBJID: {documents: 100, leaking: 2}, NAME: {documents: 50, leaking: 5}}
    quasi: {recall: 0.95, documents: 100, values: 4, instances: 2}
"""


def test_the_evidence_has_the_figures() -> None:
    evidence = figures_evidence(PRINTED)
    assert evidence.documents == 100
    assert evidence.quasi_recall == 0.95
    assert evidence.holds.sum(axis=0).tolist() == [100, 50]
    assert evidence.leaks.sum(axis=0).tolist() == [2, 5]
    assert not (evidence.leaks & ~evidence.holds).any()
    assert (evidence.masked_words, evidence.masked_identifier_words) == (0, 0), "no words were counted"
    assert (float(evidence.values.mean()), float(evidence.repeats.mean())) == (4.0, 2.0)
    assert [kind.leaking_documents for kind in evidence.of_role("direct")] == [2, 5]
    (pooled,) = evidence.of_role("quasi")
    assert (pooled.documents, pooled.leaking_documents, pooled.instances, pooled.caught) == (100, 0, 800, 760)
    assert (pooled.words, pooled.masked_words, pooled.excused, pooled.values) == (0, 0, 0, 400)
    assert [(one.documents, one.caught, one.values) for one in evidence.of_role("direct")] == [
        (100, 98, 0),
        (50, 45, 0),
    ]


def test_equations_3_and_4_from_figures_in_the_study(tmp_path: Path) -> None:
    kumar_study(tmp_path)
    (tmp_path / "study.yaml").write_text(YAML, encoding="utf-8")
    study = read_study(tmp_path / "study.yaml")
    assert study.recall == PRINTED
    leak = document_risk(study, "redacted", threshold=Threshold(0.2, "test")).to_dict()["leak"]
    assert leak["direct"]["plug_in"] == pytest.approx(0.069)
    assert leak["quasi"]["plug_in"] == pytest.approx(0.04989373136718757)


def test_either_risk_alone_refuses_redacted_documents(tmp_path: Path) -> None:
    """No identifier leaks, and half of the ages do; or the other way round."""
    settings = document_settings(options={"crosscheck": "no"})
    found = {}
    for leaking, recall in ((0, 0.5), (200, 1.0)):
        figures = RecallFigures(
            400, {"USUBJID": DirectRecall(400, leaking)}, QuasiRecall(recall, 400, values=4, instances=2)
        )
        result = document_risk(
            kumar_study(tmp_path),
            "redacted",
            review=figures,
            threshold=Threshold(0.2, "t"),
            settings=settings,
        )
        assert result.acceptable is all(result.to_dict()["holds"])
        found[leaking, recall] = result.to_dict()["holds"]
    assert found == {(0, 0.5): [True, False], (200, 1.0): [False, True]}


def test_the_replaced_scenario_from_figures(tmp_path: Path) -> None:
    options = {"given_catch": "0.09", "crosscheck": "no", "gate": "always"}
    found = {}
    for rule in ("literal", "eq8"):
        settings = document_settings("paper", {**options, "combine": rule})
        result = document_risk(kumar_study(tmp_path), "replaced", review=PRINTED, settings=settings)
        assert result.sides.combined is not None
        found[rule] = result.sides.combined.plug_in
    assert found == pytest.approx({"literal": 0.08178798723563671, "eq8": 0.09051231838442941})


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"documents": 10},
        {"documents": 10, "direct": {"ID": {"documents": 11, "leaking": 1}}},
        {"documents": 10, "direct": {"ID": {"documents": 9, "leaking": 10}}},
        {"documents": 10, "direct": {"ID": {"documents": 9, "leaks": 1}}},
        {"documents": 10, "direct": ["ID"]},
        {"documents": 10, "quasi": {"recall": 1.2, "documents": 9, "values": 2, "instances": 2}},
        {"documents": 10, "quasi": {"recall": 0.9, "documents": 9, "values": 2, "instances": 0.5}},
        {"documents": 10, "quasi": {"recall": 0.9, "documents": 9, "values": 0.2, "instances": 2}},
        {"documents": 10, "quasi": {"recall": 0.9}},
    ],
)
def test_figures_that_cannot_be_are_refused(content: dict[str, object]) -> None:
    with pytest.raises(InvalidSetting):
        RecallFigures.of(Spec.of(content, place="review.recall"))


def test_findings_or_figures_not_both(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(YAML.replace("  recall:", "  findings: x.json\n  recall:"), encoding="utf-8")
    with pytest.raises(InvalidSetting, match=r"study\.yaml, line 4.*one of both"):
        read_study(path)
