"""The documents part of a release: measured once, judged in any context."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import reidrisk as rr
from reidrisk.documents.findings.file import write_findings
from reidrisk.errors import ReidRiskError
from tests.documents.risk.builders import everybody, findings, kumar_study, reviewed

STUDY = {
    "study": "CT1",
    "ipd": {"adsl": "adsl.csv"},
    "schema": {"quasi": ["SEX", "AGE"]},
    "review": {"findings": "reviewed.json"},
    "qualitative": {
        "identifiers": "high",
        "population": "moderate",
        "participants": "moderate",
        "centres": "moderate",
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The published trial with a report that was reviewed."""
    place = tmp_path / "trial"
    place.mkdir()
    kumar_study(place)
    sample = reviewed(
        findings(everybody(["USUBJID", "SEX", "AGE"])), [(2, "AGE", None), (2, "USUBJID", None)]
    )
    write_findings(place / "reviewed.json", sample.documents, settings={}, reviews=sample.reviews)
    (place / "study.yaml").write_text(yaml.safe_dump(STUDY), encoding="utf-8")
    return tmp_path


def release(folder: Path, scenario: str, **more: Any) -> Path:
    """A release file beside the folder of the trial."""
    part = {"name": "report", "kind": "documents", "study": "trial/study.yaml", "scenario": scenario, **more}
    content = {
        "reidrisk": 1,
        "release": {"name": "Report of CT1"},
        "context": {"preset": "ema", "variant": "cell_size_11"},
        "parts": [part],
    }
    path = folder / "release.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("scenario", "more", "risk"),
    [
        ("ipd", {}, 1.0),
        ("ipd_mentioned", {"findings": "trial/reviewed.json"}, 1.0),
        ("redacted", {}, None),
        ("replaced", {"recognition": 0.27}, 1.0),
        ("qualitative", {}, None),
    ],
)
def test_every_scenario_is_judged_and_told_what_would_help(
    folder: Path, scenario: str, more: dict[str, Any], risk: float | None
) -> None:
    done = rr.assess(release(folder, scenario, **more))
    part = done.to_dict()["parts"][0]
    assert part["status"] == "measured"
    assert part["result"]["kind"] == "document_risk"
    assert part["judged"]["acceptable"] is False
    if risk is not None:
        assert part["judged"]["risk"] == risk
    names = {Path(one["path"]).name for one in part["inputs"]}
    assert {"study.yaml", "adsl.csv"} <= names
    assert ("reviewed.json" in names) is (scenario != "qualitative")


def test_the_risk_is_that_of_the_command(folder: Path) -> None:
    part = rr.assess(release(folder, "redacted")).to_dict()["parts"][0]
    eleven = rr.Threshold.from_cell_size(11, "EMA Policy 0070, 0.09 interpreted as a cell size of 11")
    alone = rr.document_risk(folder / "trial" / "study.yaml", "redacted", threshold=eleven).to_dict()
    assert part["result"]["leak"]["quasi"] == alone["leak"]["quasi"]
    assert part["judged"]["risk"] == alone["highest"]


def test_remedies_are_computed_without_reading_again(folder: Path) -> None:
    done = rr.assess(release(folder, "replaced", recognition=0.27))
    (folder / "trial" / "adsl.csv").unlink()
    texts = [one["text"] for one in done.to_dict()["remedies"]]
    assert any("Redact instead of replacing" in text for text in texts)
    ipd = rr.assess(release_of_others(folder)).to_dict()["remedies"]
    assert any(
        "Redact AGE instead of replacing it: lowers the risk from 1.0000 to 0.3333" in one["text"]
        for one in ipd
    )


def release_of_others(folder: Path) -> Path:
    kumar_study(folder / "trial")
    return release(folder, "ipd")


def test_an_assessment_of_documents_is_verified_and_reported(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "assessment"
    done = rr.assess(release(folder, "ipd_mentioned", findings="trial/reviewed.json"), out=out)
    assert rr.verify(out).holds
    assert not done.acceptable
    written = " ".join(path.read_text(encoding="utf-8") for path in out.rglob("*.json"))
    assert "CT1/1" not in written


def test_changes_and_drafts(folder: Path) -> None:
    path = release(folder, "ipd")
    changed = rr.assess(path, changes={"parts.report.scenario": "qualitative"}).to_dict()
    assert changed["parts"][0]["result"]["scenario"] == "qualitative"
    text = rr.draft_release([folder / "trial" / "study.yaml"])
    assert "kind: documents" in text
    assert yaml.safe_load(text)["parts"][0]["scenario"] == "ipd"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"scenario": "public"}, "scenario"),
        ({"study": "trial/other.yaml"}, "does not exist"),
        ({"settings": {"combine": "sum"}}, "combine"),
        ({"scenario": "replaced"}, "recognition"),
        ({"stuy": "x"}, "stuy"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(folder: Path, more: dict[str, Any], said: str) -> None:
    path = release(folder, **{"scenario": "ipd", **more})
    with pytest.raises(ReidRiskError, match=r"release\.yaml, line") as error:
        rr.assess(path)
    assert said in str(error.value)


def test_documents_alone_are_no_release(folder: Path) -> None:
    (folder / "csr.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(rr.ReidRiskError, match=r"study\.yaml"):
        rr.draft_release([folder / "csr.pdf"])
