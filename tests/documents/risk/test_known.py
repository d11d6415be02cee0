"""Events that an adversary knows: who is alone with an event is not one of twelve."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from reidrisk.core.threshold import Threshold
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.risk.measure import measure_documents
from reidrisk.documents.risk.run import document_risk
from reidrisk.documents.risk.scenarios import class_reasons
from reidrisk.documents.risk.settings import DocumentSettings, Scenario, document_settings
from reidrisk.documents.study.schema import StudySchema
from reidrisk.documents.study.study import ReleaseRules, Study
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from tests.documents.risk.builders import reviewed

TWELVE = Threshold(0.09, "EMA, to the letter")
AE = StudySchema(quasi=("SEX",), events={"ae": ("AEDECOD", "AESTDTC")})
Events = dict[int, list[tuple[str, str]]]


def study_of(folder: Path, events: Events, people: int = 12, **more: object) -> Study:
    """So many women, and their adverse events with the day of each."""
    folder.mkdir(exist_ok=True)
    rows = "".join(f"{number},F\n" for number in range(1, people + 1))
    (folder / "adsl.csv").write_text(f"USUBJID,SEX\n{rows}", encoding="utf-8")
    lines = [f"{who},{term},{day}\n" for who, own in events.items() for term, day in own]
    (folder / "ae.csv").write_text("USUBJID,AEDECOD,AESTDTC\n" + "".join(lines), encoding="utf-8")
    tables = {"adsl": folder / "adsl.csv", "ae": folder / "ae.csv"}
    return Study(tables, more.pop("schema", AE), name="T", **more)  # type: ignore[arg-type]


def told(people: int, *variables: str, kept: str | None = None) -> DocumentFindings:
    """A report that tells these variables of everybody."""
    spots = [(who, name) for who in range(1, people + 1) for name in variables]
    found = [
        DocumentFinding("page 1", 10 * at, 10 * at + 5, "OTHER", 1.0, f"known:{name}", (who,), name, kept)
        for at, (who, name) in enumerate(spots)
    ]
    return DocumentFindings("csr.pdf", "0" * 64, ("page 1",), tuple(found))


HIP: Events = {1: [("Hip fracture", "2019-04-01")]} | {
    who: [("Nausea", "2019-04-01")] for who in range(2, 13)
}


@pytest.mark.parametrize("scenario", ["ipd", "ipd_mentioned"])
def test_the_only_one_with_a_hip_fracture_is_not_one_of_twelve(tmp_path: Path, scenario: Scenario) -> None:
    study = study_of(tmp_path, HIP)
    read = reviewed(told(12, "SEX", "AEDECOD"))
    risk = document_risk(study, scenario, findings=read, threshold=TWELVE)
    found = risk.to_dict()
    assert found["known"]["static"]["highest"] == 1 / 12
    assert found["known"]["with_events"]["highest"] == 1.0
    assert found["highest"] == found["final"]["highest"] == 1.0
    assert not found["acceptable"]
    assert found["known"]["with_events"]["unique"] == 1
    assert [one["highest"] for one in found["known"]["by_known"]] == [1 / 12, 1.0]
    assert "nobody else" in " ".join(found["reasons"])


@pytest.mark.parametrize("scenario", ["ipd", "ipd_mentioned"])
def test_no_known_event_needs_a_reason_which_is_printed(tmp_path: Path, scenario: Scenario) -> None:
    study, read = study_of(tmp_path, HIP), reviewed(told(12, "SEX", "AEDECOD"))
    with pytest.raises(InvalidSetting, match="needs a reason"):
        document_settings(options={"known": 0})
    with pytest.raises(InvalidSetting, match="needs a reason"):
        DocumentSettings(known=0, known_reason=" ")
    with pytest.raises(InvalidSetting, match="Choose 0 to 5") as refused:
        document_settings(options={"known": "9"})
    assert "known" in str(refused.value)
    settings = document_settings(options={"known": "0", "known_reason": "adverse events are coded elsewhere"})
    risk = document_risk(study, scenario, findings=read, threshold=TWELVE, settings=settings)
    assert risk.acceptable
    assert risk.highest == 1 / 12
    assert "adverse events are coded elsewhere" in str(risk)
    said = "Events of participants were not counted: adverse events are coded elsewhere."
    assert said in risk.warnings
    usual = document_risk(study, scenario, findings=read, threshold=TWELVE)
    assert not any("were not counted" in text for text in usual.warnings)
    (item,) = (one for one in risk.to_dict()["inventory"] if one["role"] == "events")
    assert (item["status"], item["reason"]) == ("accepted", "adverse events are coded elsewhere")


def test_only_events_that_the_documents_mention_count(tmp_path: Path) -> None:
    study = study_of(tmp_path, HIP)
    risk = document_risk(study, "ipd_mentioned", findings=reviewed(told(12, "SEX")), threshold=TWELVE)
    assert risk.acceptable
    assert risk.to_dict()["known"]["with_events"] is None
    everybody = document_risk(study, "ipd", findings=reviewed(told(12, "SEX")), threshold=TWELVE)
    assert not everybody.acceptable, "the released tables tell of events"


def test_events_that_are_redacted_or_left_out_do_not_count(tmp_path: Path) -> None:
    study = study_of(tmp_path, HIP, sections={"12.3": "redact", "10": "keep"})
    hidden = told(12, "SEX", "AEDECOD", kept="12.3.2")
    shown = tuple(replace(one, section=None) if one.variable == "SEX" else one for one in hidden.findings)
    hidden = replace(hidden, findings=shown)
    risk = document_risk(study, "ipd_mentioned", findings=reviewed(hidden), threshold=TWELVE)
    assert risk.highest == 1 / 12
    kept = told(12, "AEDECOD", kept="10.1")
    assert document_risk(study, "ipd_mentioned", findings=reviewed(kept), threshold=TWELVE).highest == 1.0


def test_events_count_as_they_are_released(tmp_path: Path) -> None:
    tree = {"kind": "tree", "names": ["term", "any"], "tree": {"Any": ["Hip fracture", "Nausea"]}}
    rules = ReleaseRules(
        hierarchies={
            "AEDECOD": Hierarchy.of("AEDECOD", tree),
            "AESTDTC": Hierarchy.of("AESTDTC", {"kind": "exact", "suppress": True}),
        },
        levels={"AEDECOD": "any", "AESTDTC": "suppressed"},
    )
    study = study_of(tmp_path, HIP, deidentified=rules)
    read = reviewed(told(12, "SEX", "AEDECOD", "AESTDTC"))
    for scenario in ("ipd", "ipd_mentioned"):
        assert document_risk(study, scenario, findings=read, threshold=TWELVE).acceptable


def test_shifted_dates_and_days_of_the_study_count(tmp_path: Path) -> None:
    """The same term at another time is another event."""
    events: Events = {who: [("Nausea", f"2019-04-{who:02d}")] for who in range(1, 13)}
    key = tmp_path / "study.key"
    key.write_text("a key for which no two shifted days are the same", encoding="ascii")
    key.chmod(0o600)
    rules = ReleaseRules(key=key, recode=("USUBJID",), shift_days=365)
    found = document_risk(study_of(tmp_path, events, deidentified=rules), "ipd").to_dict()
    assert found["known"]["with_events"]["unique"] == 12
    terms = document_risk(
        study_of(tmp_path, events, schema=StudySchema(quasi=("SEX",), events={"ae": ("AEDECOD",)})), "ipd"
    ).to_dict()
    assert terms["known"]["with_events"]["highest"] == 1 / 12
    table = tmp_path / "ae.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    days = [f"{line},{at}" if at else f"{line},AESTDY" for at, line in enumerate(lines)]
    table.write_text("\n".join(days) + "\n", encoding="utf-8")
    study = Study(
        {"adsl": tmp_path / "adsl.csv", "ae": table},
        StudySchema(quasi=("SEX",), events={"ae": ("AEDECOD",)}),
        name="T",
    )
    assert document_risk(study, "ipd").to_dict()["known"]["with_events"]["unique"] == 12


def test_tables_that_the_schema_does_not_name_count_by_their_cdisc_names(tmp_path: Path) -> None:
    study = study_of(tmp_path, HIP, schema=StudySchema(quasi=("SEX",)))
    assert document_risk(study, "ipd").to_dict()["known"]["tables"] == {"ae": ["AEDECOD", "AESTDTC"]}


def test_known_events_are_what_counting_every_subset_gives(tmp_path: Path) -> None:
    """By brute force: for every choice of known events, how many women have all of them."""

    @hypothesis_settings(max_examples=15, deadline=None)
    @given(
        st.dictionaries(
            st.integers(1, 6), st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), max_size=4)
        ),
        st.integers(0, 3),
    )
    def holds(events: Events, known: int) -> None:
        study = study_of(tmp_path, events, people=6)
        settings = DocumentSettings(known=known, known_reason=None if known else "a test")
        found = document_risk(study, "ipd", settings=settings)
        sets = [set(events.get(who, ())) for who in range(1, 7)]
        smallest = [
            min(
                sum(set(chosen) <= other for other in sets)
                for chosen in combinations(sorted(own), min(known, len(own)))
            )
            for own in sets
        ]
        assert found.highest == 1 / min(smallest)

    holds()


def test_what_was_measured_of_events_survives_json(tmp_path: Path) -> None:
    from reidrisk.documents.risk.measured import DocumentMeasure

    measured = measure_documents(study_of(tmp_path, HIP), "ipd", settings=DocumentSettings())
    again = DocumentMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    assert again.of_everybody.classes == measured.of_everybody.classes
    assert again.to_dict() == measured.to_dict()
    assert again.of_everybody.accepts(1)
    assert not again.of_everybody.accepts(2)
    assert "Hip" not in json.dumps(measured.to_dict())


def test_only_a_sample_of_what_may_be_known_proves_nothing(tmp_path: Path) -> None:
    """Where not every set of events was examined, the figure is a bound and the floor decides."""
    everybody = {who: [("Nausea", "2019-04-01")] for who in range(1, 13)}
    measured = measure_documents(study_of(tmp_path, everybody), "ipd", settings=DocumentSettings())
    exact = measured.of_everybody
    assert exact.events is not None
    (_, (accepted, said)) = class_reasons(exact, Threshold(1 / 12, "test"))
    assert accepted
    assert ", a risk of 0.0833;" in said
    assert said.endswith(" 0 are in groups smaller than 12: acceptable.")
    worst = replace(exact.events.worst, floor=np.ones_like(exact.events.worst.least), method="sampled")
    bound = replace(exact, events=replace(exact.events, by_known=(*exact.events.by_known[:-1], worst)))
    (_, (accepted, said)) = class_reasons(bound, Threshold(1 / 12, "test"))
    assert not accepted
    assert ", a risk of at least 0.0833;" in said
    assert said.endswith(
        "Only a sample of the possible knowledge was examined, which proves nothing: not acceptable."
    )


@pytest.mark.parametrize(("days", "unique"), [("{who:02d}", 12), ("01", 0)])
def test_dates_of_participants_that_are_released_as_they_are_are_events(
    tmp_path: Path, days: str, unique: int
) -> None:
    """The first day of treatment tells twelve women apart; if it is the same for all, it tells nothing."""
    rows = "".join(f"{who},F,2019-04-{days.format(who=who)}\n" for who in range(1, 13))
    (tmp_path / "adsl.csv").write_text(f"USUBJID,SEX,RFSTDTC\n{rows}", encoding="utf-8")
    tables = {"adsl": tmp_path / "adsl.csv"}
    key = tmp_path / "study.key"
    key.write_text("a key for which no two shifted days are the same", encoding="ascii")
    key.chmod(0o600)
    shifted = ReleaseRules(key=key, recode=("USUBJID",), shift_days=365)
    for rules, counted in ((None, True), (ReleaseRules(), False), (shifted, False)):
        study = Study(tables, StudySchema(quasi=("SEX",)), name="T", deidentified=rules)
        known = document_risk(study, "ipd").to_dict()["known"]
        assert known["tables"] == ({"adsl": ["RFSTDTC"]} if counted else {})
        if counted:
            assert known["with_events"]["unique"] == unique
        else:
            assert known["with_events"] is None


def test_a_harmless_table_does_not_lower_the_average(tmp_path: Path) -> None:
    """Everybody has an adverse event of their own, and the same medicines: as in any linked tables."""
    study = study_of(tmp_path, {who: [(f"term {who}", "2019-04-01")] for who in range(1, 13)})
    medicines = "".join(f"{who},{name}\n" for who in range(1, 13) for name in ("a", "b", "c"))
    (tmp_path / "cm.csv").write_text(f"USUBJID,CMDECOD\n{medicines}", encoding="utf-8")
    both = Study(
        {**study.tables, "cm": tmp_path / "cm.csv"},
        StudySchema(quasi=("SEX",), events={"ae": ("AEDECOD",), "cm": ("CMDECOD",)}),
        name="T",
    )
    for one in (study, both):
        assert document_risk(one, "ipd").to_dict()["known"]["with_events"]["average"] == 1.0
