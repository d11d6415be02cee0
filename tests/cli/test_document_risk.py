"""`reidrisk document risk`: scenarios, exit codes, and nobody named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.documents.findings.file import write_findings
from tests.cli.running import Run
from tests.documents.risk.builders import everybody, findings, kumar_study, reviewed

YAML = """\
study: CT1
ipd: {adsl: adsl.csv}
schema: {quasi: [SEX, AGE]}
review: {findings: reviewed.json}
qualitative: {identifiers: high, population: moderate, participants: moderate, centres: moderate}
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The trial of the publication with a reviewed report that mentions two people."""
    kumar_study(tmp_path)
    sample = reviewed(findings(everybody(["USUBJID", "SEX", "AGE"], (1, 2))), [(2, "AGE", None)])
    write_findings(tmp_path / "reviewed.json", sample.documents, settings={}, reviews=sample.reviews)
    path = tmp_path / "study.yaml"
    path.write_text(YAML, encoding="utf-8")
    return path


def test_each_scenario_by_its_exit_code(command: Run, study: Path) -> None:
    found = study.with_name("reviewed.json")
    start = ("document", "risk", "--study", study, "--findings", found)
    for scenario, code in (("ipd", 3), ("ipd_mentioned", 3), ("redacted", 3), ("qualitative", 3)):
        assert command(*start, "--scenario", scenario)[0] == code
    assert command(*start, "--scenario", "ipd_mentioned", "--cell-size", 2)[0] == 0
    assert command(*start, "--scenario", "qualitative", "--set", "remaining=low")[0] == 0


def test_json_page_and_options(command: Run, study: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    _, out, _ = command(
        *("document", "risk", "--study", study, "--scenario", "replaced", "--recognition", "0.27"),
        *("--set", "combine=max", "--set", "given_catch=0.05,0.09,0.1", "--json", "-", "--html", page),
    )
    result = json.loads(out)
    assert (result["kind"], result["scenario"]) == ("document_risk", "replaced")
    assert result["combined"]["rule"] == "max"
    assert result["catch"]["given"] == [0.05, 0.09, 0.1]
    text = page.read_text(encoding="utf-8")
    assert "Risk of re-identification in clinical documents" in text
    assert "CT1/1" not in text + out


def test_rows_are_named_only_if_asked(command: Run, study: Path) -> None:
    found = study.with_name("reviewed.json")
    start = ("document", "risk", "--study", study, "--scenario", "ipd_mentioned", "--findings", found)
    silent, told = (
        json.loads(command(*start, "--json", "-", *more)[1]) for more in ((), ("--show-subjects",))
    )
    assert all("subjects" not in one for one in silent["subjects"])
    assert [one["subjects"] for one in told["subjects"]] == [[2], [1]]


def test_what_makes_no_sense_is_refused(command: Run, study: Path) -> None:
    start = ("document", "risk", "--study", study)
    assert command(*start)[0] == 2
    assert command(*start, "--scenario", "public")[0] == 2
    assert command(*start, "--scenario", "ipd", "--recognition", "0.1")[0] == 2
    assert command(*start, "--scenario", "ipd", "--cell-size", 5, "--threshold", 0.2)[0] == 2
    code, _, error = command(*start, "--scenario", "replaced")
    assert code == 2
    assert "recognition" in error
    code, _, error = command(*start, "--scenario", "ipd", "--set", "combin=max")
    assert code == 2
    assert "combin" in error
