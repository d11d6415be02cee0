"""The published tables, and what each scenario makes of leaks and classes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reidrisk.context.qualitative import qualitative_risk
from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk import scenarios
from reidrisk.documents.risk.measure import measure_documents
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.run import document_risk, risk_of
from reidrisk.documents.risk.scenarios import Case
from reidrisk.documents.risk.settings import DocumentSettings, Scenario, document_settings
from reidrisk.documents.study.schema import StudySchema
from reidrisk.documents.study.study import ReleaseRules
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure
from reidrisk.stats.caught import COMBINES
from reidrisk.stats.uncertain import Triangular
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from tests.documents.risk.builders import everybody, findings, kumar_study, reviewed

ELEVEN = Threshold.from_cell_size(11, "EMA, as a cell size")
HIDDEN = Release.public("resynthesis", recognition=0.27)


def test_table_2_everybody_by_sex_and_age(tmp_path: Path) -> None:
    found = document_risk(kumar_study(tmp_path), "ipd").to_dict()
    assert found["highest"] == 1.0
    rows = [(one["class_size"], one["participants"]) for one in found["subjects"]]
    assert rows == [(1, 1), (2, 6), (3, 3)]
    assert not found["acceptable"]
    assert found["final"]["why"] == "the most exposed of 10 participants is alone in their class"
    for size, below in ((1, 0), (2, 1), (3, 7), (4, 10)):
        cells = Threshold.from_cell_size(size, "test")
        known = document_risk(kumar_study(tmp_path), "ipd", threshold=cells).to_dict()["known"]
        assert known["static"]["below_cell_size"] == below


@pytest.mark.parametrize(
    ("variables", "people", "risk"),
    [(("SEX", "AGE"), (1, 2), 0.5), (("AGE",), (1, 2), 0.2), (("SEX", "AGE"), (1, 8), 1.0), ((), (1,), 0.1)],
)
def test_table_3_only_those_who_are_mentioned_by_what_appears(
    tmp_path: Path, variables: tuple[str, ...], people: tuple[int, ...], risk: float
) -> None:
    document = findings(everybody([*variables, "USUBJID"], people))
    study = kumar_study(tmp_path)
    assert document_risk(study, "ipd_mentioned", findings=reviewed(document)).highest == risk


def test_everybody_on_a_set_of_their_own(tmp_path: Path) -> None:
    spots = [(1, "AGE", None), (8, "SEX", None), (5, "SEX", None), (5, "AGE", None)]
    found = document_risk(
        kumar_study(tmp_path), "ipd_mentioned", findings=reviewed(findings(spots))
    ).to_dict()
    seen = {(tuple(one["variables"]), one["class_size"]) for one in found["subjects"]}
    assert seen == {(("AGE",), 5), (("SEX",), 7), (("SEX", "AGE"), 2)}
    assert found["highest"] == 0.5


def test_a_class_of_eleven_passes_as_cell_size_and_fails_to_the_letter(tmp_path: Path) -> None:
    rows = "\n".join(["USUBJID,SEX", *(f"{number},F" for number in range(11))])
    study = kumar_study(tmp_path, schema=StudySchema(quasi=("SEX",)))
    (tmp_path / "adsl.csv").write_text(rows + "\n", encoding="utf-8")
    read = reviewed(findings([(1, "SEX", None)]))
    letter = Threshold(0.09, "EMA, to the letter")
    assert document_risk(study, "ipd", review=read, threshold=ELEVEN).acceptable
    assert not document_risk(study, "ipd", review=read, threshold=letter).acceptable


def test_generalized_data_lower_the_risk_and_measures_are_told(tmp_path: Path) -> None:
    ages = Hierarchy.of("AGE", {"kind": "age", "unit": "years", "levels": ["10 years"]})
    rules = ReleaseRules(hierarchies={"AGE": ages}, levels={"AGE": "10 years"})
    found = document_risk(kumar_study(tmp_path, deidentified=rules), "ipd").to_dict()
    assert (found["initial"]["highest"], found["final"]["highest"]) == (1.0, 1 / 3)
    assert [one["measure"] for one in found["measures"]] == ["generalization"]


def test_rules_of_sections_decide_what_can_be_read(tmp_path: Path) -> None:
    study = kumar_study(tmp_path, sections={"16": "redact", "16.2": "leave_out", "12.3": "keep"})
    spots = [(8, "AGE", "16.2.7"), (8, "SEX", "16.1"), (1, "AGE", "12.3.2"), (1, "SEX", "10.1")]
    result = document_risk(study, "ipd_mentioned", findings=reviewed(findings(spots)))
    assert {(one.variables, one.class_size) for one in result.sides.classes.groups} == {  # type: ignore[union-attr]
        ((), 10),
        (("SEX", "AGE"), 3),
    }
    assert [(one.section, one.rule) for one in result.measured.seen.sections] == [  # type: ignore[union-attr]
        ("10.1", "replace"),
        ("12.3.2", "keep"),
        ("16.1", "redact"),
        ("16.2.7", "leave_out"),
    ]


@pytest.mark.parametrize("scenario", ["ipd", "ipd_mentioned"])
def test_a_direct_identifier_that_stays_is_certain(tmp_path: Path, scenario: str) -> None:
    study = kumar_study(tmp_path, sections={"12.3": "keep"}, schema=StudySchema(quasi=("SEX",)))
    document = findings([(1, "SEX", None), (1, "USUBJID", "12.3.2")])
    found = document_risk(study, scenario, findings=[document], threshold=Threshold(1.0, "none"))  # type: ignore[arg-type]
    assert found.highest == 1.0
    assert not found.acceptable
    assert found.to_dict()["documents"]["unmasked_direct"] == 1
    assert found.to_dict()["documents"]["open"] == 0
    assert found.to_dict()["holds"][0] is False
    assert (
        "Sections that are kept as they are contain 1 direct identifier: the risk is 1."
        in found.to_dict()["reasons"][0]
    )


def test_names_of_staff_that_stay_are_told_and_do_not_decide(tmp_path: Path) -> None:
    study = kumar_study(tmp_path, sections={"6": "keep"}, schema=StudySchema(quasi=("SEX",)))
    document = findings([(1, "SEX", None), (1, "AGE", "6")])
    staff = replace(document.findings[1], type="NAME", variable=None, subjects=(), source="model")
    read = reviewed(replace(document, findings=(document.findings[0], staff)))
    found = document_risk(study, "ipd", findings=read).to_dict()
    assert found["documents"]["unmasked_others"] == 1
    assert found["documents"]["open"] == 1
    assert any("No class counts 1 finding that could not be assigned" in text for text in found["warnings"])
    assert found["documents"]["unmasked_direct"] == 0
    assert any("check whose they are" in text for text in found["warnings"])
    assert found["highest"] < 1


def test_leaks_of_redacted_documents_are_a_text_evaluation(tmp_path: Path) -> None:
    document = findings(everybody(["USUBJID", "SEX", "AGE"]), pages=3)
    sample = reviewed(document, [(3, "AGE", None)], pages=3)
    found = document_risk(kumar_study(tmp_path), "redacted", findings=sample, review=sample).to_dict()
    leak = found["leak"]
    assert leak["documents"] == 10
    assert leak["direct"]["plug_in"] == 0.0
    assert leak["quasi_model"]["recall"] == pytest.approx(20 / 21)
    assert found["highest"] == max(leak["direct"]["high"], leak["quasi"]["high"])
    assert found["catch"] is None
    assert found["initial"]["highest"] == 1.0


def test_the_three_rules_put_leak_and_catch_together(tmp_path: Path) -> None:
    document = findings(everybody(["USUBJID", "SEX", "AGE"]), pages=3)
    sample = reviewed(document, [(3, "AGE", None), (4, "SEX", None), (4, "AGE", None)], pages=3)
    study = kumar_study(tmp_path)
    found = {}
    for rule in COMBINES:
        settings = document_settings(options={"combine": rule, "given_catch": "0.09", "crosscheck": "no"})
        result = document_risk(study, "replaced", review=sample, release=HIDDEN, settings=settings).to_dict()
        found[rule] = result["combined"]
        leak = result["leak"]["quasi"]
    assert found["max"]["value"] >= max(0.09, leak["value"]) - 1e-12
    assert found["eq8"]["value"] == pytest.approx(0.09 + 0.91 * leak["value"])
    assert found["literal"]["value"] < 0.09 + leak["value"]
    assert found["max"]["value"] <= found["eq8"]["value"]
    assert {rule: one["rule"] for rule, one in found.items()} == {rule: rule for rule in COMBINES}


def test_an_uncertain_catch_widens_the_interval(tmp_path: Path) -> None:
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"]), pages=3), [(3, "AGE", None)], pages=3)
    settings = document_settings(options={"crosscheck": "no"})

    def spread(catch: Triangular) -> float:
        own = replace(settings, given_catch=catch)
        both = document_risk(
            kumar_study(tmp_path), "replaced", review=sample, release=HIDDEN, settings=own
        ).sides.combined
        assert both is not None
        return both.estimate.high - both.estimate.low

    assert spread(Triangular(0.05, 0.09, 0.13)) > spread(Triangular.constant(0.09))


def test_the_catch_is_the_risk_of_the_data(tmp_path: Path) -> None:
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"], (1, 2))))
    settings = document_settings(options={"catch": "mentioned", "crosscheck": "no"})
    study = kumar_study(tmp_path)
    given = {"findings": sample, "review": sample, "release": HIDDEN}
    assert document_risk(study, "replaced", **given).sides.catch == Triangular.constant(1.0)  # type: ignore[arg-type]
    mentioned = document_risk(study, "replaced", settings=settings, **given)  # type: ignore[arg-type]
    assert mentioned.sides.catch == Triangular.constant(0.5)
    told = mentioned.to_dict()
    assert (told["catch"]["measured"], told["catch"]["smallest_class"]) == (True, 2)
    assert "combined" not in told["undefined"]
    fixed = replace(settings, given_catch=Triangular.constant(0.09))
    told = document_risk(study, "replaced", settings=fixed, **given).to_dict()  # type: ignore[arg-type]
    assert (told["catch"]["measured"], told["catch"]["smallest_class"]) == (False, None)
    redacted = document_risk(study, "redacted", review=sample).to_dict()["undefined"]
    assert redacted["combined"] == "There is only one way to re-identify in this scenario."


def test_the_profile_of_the_paper_adds_as_printed_with_its_recognition(tmp_path: Path) -> None:
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"])))
    settings = document_settings("paper", {"crosscheck": "no"})
    found = document_risk(kumar_study(tmp_path), "replaced", review=sample, settings=settings).to_dict()
    assert found["combined"]["rule"] == "literal"
    assert found["leak"]["release"]["recognition"] == 0.1


def test_replaced_documents_need_a_recognition(tmp_path: Path) -> None:
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"])))
    with pytest.raises(InvalidSetting, match="recognition"):
        document_risk(kumar_study(tmp_path), "replaced", review=sample)


def test_the_qualitative_scenario_tells_before_and_after(tmp_path: Path) -> None:
    factors = {"population": "moderate", "participants": "moderate", "centres": "moderate"}
    study = kumar_study(tmp_path, qualitative=qualitative_risk(identifiers="high", **factors))
    before = document_risk(study, "qualitative").to_dict()
    assert (before["initial"]["level"], before["final"]["level"]) == ("moderate", "moderate")
    assert not before["acceptable"]
    assert before["holds"] == [False]
    assert before["reasons"][0].startswith("The risk is moderate before treatment: not acceptable")
    assert scenarios.REMAINING in before["warnings"]
    after = document_risk(study, "qualitative", settings=DocumentSettings(remaining="low")).to_dict()
    assert after["final"]["level"] == "low"
    assert after["acceptable"]
    assert after["holds"] == [True]
    assert after["reasons"][0].startswith(
        "The risk is moderate before treatment and low after it: acceptable"
    )
    assert scenarios.REMAINING not in after["warnings"]
    assert after["highest"] is None
    assert "highest" in after["undefined"]


def test_what_is_missing_is_asked_for(tmp_path: Path) -> None:
    study = kumar_study(tmp_path)
    with pytest.raises(NothingToMeasure, match="reviewed sample"):
        document_risk(study, "redacted")
    with pytest.raises(NothingToMeasure, match="four factors"):
        document_risk(study, "qualitative")
    with pytest.raises(InvalidSetting, match="scenario"):
        document_risk(study, "public")  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="who is mentioned"):
        document_risk(study, "ipd_mentioned")
    with pytest.raises(BadData, match="participant 11, but the study has 10"):
        document_risk(study, "ipd_mentioned", findings=[findings([(11, "AGE", None)])])


def test_nobody_is_named_unless_asked(tmp_path: Path) -> None:
    document = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"], (3, 8))))
    study = kumar_study(tmp_path)
    silent = document_risk(study, "ipd_mentioned", findings=document)
    assert all("subjects" not in one for one in silent.to_dict()["subjects"])
    for text in (json.dumps(silent.to_dict()), repr(silent), str(silent)):
        assert "CT1/1" not in text
    asked = document_settings(options={"show_subjects": "yes"})
    assert asked == document_settings(options={"show_subjects": True})
    assert document_settings(options={"show_subjects": False}) == document_settings()
    told = document_risk(study, "ipd_mentioned", findings=document, settings=asked).to_dict()
    assert sorted(number for one in told["subjects"] for number in one["subjects"]) == [3, 8]


def test_the_same_seed_gives_the_same_result(tmp_path: Path) -> None:
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"])), [(2, "AGE", None)])
    study = kumar_study(tmp_path)
    first, second = (document_risk(study, "redacted", review=sample, seed=3).to_json() for _ in range(2))
    assert first == second


@pytest.mark.parametrize("scenario", ["redacted", "replaced", "ipd", "ipd_mentioned", "qualitative"])
def test_what_was_measured_survives_json(tmp_path: Path, scenario: Scenario) -> None:
    factors = {"population": "low", "participants": "low", "centres": "low"}
    study = kumar_study(tmp_path, qualitative=qualitative_risk(identifiers="high", **factors))
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"], (1, 2))), [(2, "AGE", None)])
    settings = DocumentSettings()
    measured = measure_documents(study, scenario, findings=sample, review=sample, settings=settings)
    again = DocumentMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    case = Case(ELEVEN, settings, HIDDEN if scenario == "replaced" else None, 7)
    assert risk_of(again, case).to_dict() == risk_of(measured, case).to_dict()


def test_the_larger_of_both_limits_decides_for_redacted_documents(tmp_path: Path) -> None:
    """Most ages leaked and no direct identifier: the limit is that of quasi-identifiers, and is told."""
    document = findings(everybody(["USUBJID", "SEX"]), pages=2)
    sample = reviewed(document, [(who, "AGE", None) for who in range(1, 10)], pages=2)
    found = document_risk(kumar_study(tmp_path), "redacted", findings=sample, review=sample).to_dict()
    leak = found["leak"]
    assert leak["quasi"]["high"] > leak["direct"]["high"]
    assert found["highest"] == leak["quasi"]["high"]
    assert not found["acceptable"]
    assert [reason.partition(":")[0] for reason in found["reasons"]] == [
        "Direct identifiers",
        "Quasi-identifiers",
    ]
    assert "the upper limit of the risk" in found["reasons"][1]


def test_a_verdict_says_why_a_low_limit_is_not_enough() -> None:
    low = scenarios._said("Quasi-identifiers", 0.05, 0.09, accepted=True)
    assert (
        low == "Quasi-identifiers: the upper limit of the risk, 0.0500, does not exceed 0.0900: acceptable."
    )
    veto = scenarios._said("Quasi-identifiers", 0.09, 0.09, accepted=False)
    assert "does not exceed 0.0900, but the leaks counted without any model are too many" in veto
    assert veto.endswith(": not acceptable.")
    high = scenarios._said("Quasi-identifiers", 0.2, 0.09, accepted=False)
    assert high.endswith(", 0.2000, exceeds 0.0900: not acceptable.")


@pytest.mark.parametrize("released", [None, ReleaseRules()])
def test_replaced_values_that_nobody_de_identified_are_told(
    tmp_path: Path, released: ReleaseRules | None
) -> None:
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"], (1, 2))))
    settings = document_settings(options={"given_catch": "0.09", "crosscheck": "no"})
    study = kumar_study(tmp_path, **({} if released is None else {"deidentified": released}))
    found = document_risk(study, "replaced", review=sample, release=HIDDEN, settings=settings).to_dict()
    told = any("values count as released unchanged" in text for text in found["warnings"])
    assert told is (released is None)
    redacted = document_risk(study, "redacted", review=sample).to_dict()
    assert not any("released unchanged" in text for text in redacted["warnings"])


def test_kept_sections_without_a_review_are_certain_and_the_risk_before_stays(tmp_path: Path) -> None:
    study = kumar_study(tmp_path, schema=StudySchema(quasi=("SEX",)), sections={"12": "keep"})
    found = document_risk(study, "ipd", findings=[findings(everybody(["USUBJID", "SEX"]))]).to_dict()
    assert found["initial"]["highest"] == 1.0
    assert "the documents contain 10 direct identifiers of participants" in found["initial"]["why"]
    assert found["final"]["highest"] == 1.0
    assert "a direct identifier may stay" in found["final"]["why"]


def test_what_a_study_does_not_say_is_undefined(tmp_path: Path) -> None:
    factors = {"population": "low", "participants": "low", "centres": "low"}
    plain = document_risk(kumar_study(tmp_path), "ipd").to_dict()
    assert plain["undefined"]["qualitative"] == "The study names no factors."
    assert plain["undefined"]["leak"] == "No review tells how much the detection missed."
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"])))
    full = document_risk(kumar_study(tmp_path), "ipd", review=sample).to_dict()
    assert full["undefined"]["leak"] == "Every page was reviewed, which excludes leaks."
    redacted = document_risk(kumar_study(tmp_path), "redacted", review=sample).to_dict()
    assert "leak" not in redacted["undefined"]
    assert "leak.observed" not in redacted["undefined"], "it was counted"
    assert "review" in plain["undefined"]
    study = kumar_study(tmp_path, qualitative=qualitative_risk(identifiers="high", **factors))
    found = document_risk(study, "qualitative").to_dict()
    assert "qualitative" not in found["undefined"]
    assert "known" in found["undefined"]


def test_resampled_documents_know_no_catch_so_that_the_limit_is_exact(tmp_path: Path) -> None:
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"]), pages=3), [(3, "AGE", None)], pages=3)
    found = {}
    for engine in ("exact", "bootstrap"):
        options = {"given_catch": "0.09", "crosscheck": "no", "engine": engine}
        settings = document_settings(options=options)
        result = document_risk(
            kumar_study(tmp_path), "replaced", review=sample, release=HIDDEN, settings=settings
        )
        found[engine] = result.to_dict()["combined"]
    assert found["bootstrap"] == found["exact"]


def test_an_interval_per_document_is_wider(tmp_path: Path) -> None:
    """Ten documents vary more than the recall alone."""
    document = findings(everybody(["USUBJID", "SEX", "AGE"]), pages=3)
    sample = reviewed(document, [(who, "AGE", None) for who in (3, 4, 5)], pages=3)
    high = {}
    for interval in ("parameter", "per_document"):
        options = {"given_catch": "0.09", "crosscheck": "no", "interval": interval}
        both = document_risk(
            kumar_study(tmp_path),
            "replaced",
            review=sample,
            release=HIDDEN,
            settings=document_settings(options=options),
        ).sides.combined
        assert both is not None
        assert both.estimate.low <= both.estimate.value <= both.estimate.high
        high[interval] = both.estimate.high
    assert high["per_document"] > high["parameter"]
