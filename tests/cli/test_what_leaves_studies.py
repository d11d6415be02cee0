"""Nothing leaves unmeasured, for studies and their documents: what a person types and what is accepted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reidrisk.documents.findings.file import write_findings
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from tests.cli.running import Run

WOMEN = 12
TYPES = {"USUBJID": "ID", "SEX": "OTHER", "AGE": "AGE", "AEDECOD": "OTHER"}
YAML = "study: W\nipd: {adsl: adsl.csv, ae: ae.csv}\nschema: {quasi: [SEX], events: {ae: [AEDECOD]}}\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Twelve women with nausea."""
    people = "".join(f"W-{who:02},F\n" for who in range(1, WOMEN + 1))
    (tmp_path / "adsl.csv").write_text(f"USUBJID,SEX\n{people}", encoding="utf-8")
    events = "".join(f"W-{who:02},Nausea\n" for who in range(1, WOMEN + 1))
    (tmp_path / "ae.csv").write_text(f"USUBJID,AEDECOD\n{events}", encoding="utf-8")
    (tmp_path / "study.yaml").write_text(YAML, encoding="utf-8")
    return tmp_path / "study.yaml"


def findings(study: Path, names: Sequence[str], *, pages: int = 1, seen: int = 0) -> Path:
    """A report that tells these variables of every woman; so many of its pages were reviewed."""
    spots = [(who, name) for name in names for who in range(1, WOMEN + 1)]
    found = [
        DocumentFinding(f"page {at % pages + 1}", at, at + 1, TYPES[name], 1.0, f"known:{name}", (who,), name)
        for at, (who, name) in enumerate(spots)
    ]
    blocks = tuple(f"page {number}" for number in range(1, pages + 1))
    path = study.with_name("findings.json")
    write_findings(path, [DocumentFindings("csr.pdf", "0" * 64, blocks, tuple(sorted(found)))], settings={})
    read = [{"document": "csr.pdf", "block": block} for block in blocks[:seen]]
    review = {"reviewer": "anna", "time": "2026-03-01T09:30:00Z", "decisions": [], "seen": read}
    content = json.loads(path.read_text(encoding="utf-8")) | {"reviews": [review] if seen else []}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def risk(command: Run, study: Path, scenario: str, found: Path, *more: object) -> tuple[int, dict[str, Any]]:
    start = ("document", "risk", "--study", study, "--scenario", scenario, "--findings", found)
    code, out, error = command(*start, "--threshold", 0.09, *more, "--json", "-")
    assert out, error
    return code, json.loads(out)


@pytest.mark.parametrize("scenario", ["ipd", "ipd_mentioned"])
def test_the_only_woman_with_a_hip_fracture_is_not_one_of_twelve(
    command: Run, study: Path, scenario: str
) -> None:
    """By sex alone she is one of twelve, 0.0833."""
    read = findings(study, ["SEX", "AEDECOD"], seen=1)
    code, found = risk(command, study, scenario, read)
    assert (code, found["highest"]) == (0, 1 / 12), "all have the same event"
    events = study.with_name("ae.csv")
    events.write_text(events.read_text().replace("W-01,Nausea", "W-01,Hip fracture"), encoding="utf-8")
    code, found = risk(command, study, scenario, read)
    assert (code, found["highest"]) == (3, 1.0)
    reason = ("--known", 0, "--set", "known_reason=coded elsewhere")
    assert risk(command, study, scenario, read, *reason)[0] == 0
    words = ("document", "risk", "--study", study, "--scenario", scenario, "--findings", read, "--known", 0)
    assert command(*words)[0] == 2, "no event is known: a reason is needed"


@pytest.mark.parametrize("scenario", ["ipd", "ipd_mentioned"])
def test_leaks_are_excluded_only_by_a_full_review(command: Run, study: Path, scenario: str) -> None:
    names = ["USUBJID", "SEX"]
    code, found = risk(command, study, scenario, findings(study, names, pages=4, seen=4))
    assert (code, found["highest"]) == (0, 1 / 12)
    code, partly = risk(command, study, scenario, findings(study, names, pages=4, seen=3))
    assert code == 3
    assert partly["highest"] > 1 / 12, "identifiers may have leaked on the fourth page"
    code, found = risk(command, study, scenario, findings(study, names, pages=4))
    assert (code, found["highest"], found["acceptable"]) == (3, 1 / 12, False)
    assert "nobody read the documents" in found["unmeasured"][0]["reason"]


def test_what_detection_missed_does_not_lower_the_risk(command: Run, study: Path) -> None:
    """Every age is told once; where the detection missed all of them, the report still tells them."""
    people = "".join(f"W-{who:02},F,{who + 30}\n" for who in range(1, WOMEN + 1))
    study.with_name("adsl.csv").write_text(f"USUBJID,SEX,AGE\n{people}", encoding="utf-8")
    study.write_text(YAML.replace("[SEX]", "[SEX, AGE]"), encoding="utf-8")
    _, whole = risk(command, study, "ipd_mentioned", findings(study, ["SEX", "AGE"]))
    _, missed = risk(command, study, "ipd_mentioned", findings(study, ["SEX"]))
    assert missed["highest"] >= whole["highest"] == 1.0


CDISC = """\
USUBJID,SITEID,SITENAM,INVNAM,BRTHDTC,AGE,SEX,RFSTDTC
T-01-1,01,Clinique des Tilleuls,Dr. Marchand,1958-03-02,61,F,2019-03-12
T-02-2,02,Klinikum Lindenhof,Dr. Brockmeyer,1957-11-30,62,M,2019-04-02
"""
RULES = """\
study: T
ipd: {adsl: adsl.csv}
deidentified:
  key: study.key
  recode: [USUBJID]
  shift: {days: 365}
  hierarchies: {AGE: {kind: age, unit: years, levels: [5 years]}}
  levels: {AGE: 5 years}
"""


def test_births_and_sites_do_not_leave_by_default(command: Run, tmp_path: Path) -> None:
    """A birth shifted like the treatment shows the age in days; a site's name undoes its new number."""
    (tmp_path / "adsl.csv").write_text(CDISC, encoding="utf-8")
    (tmp_path / "study.yaml").write_text(RULES, encoding="utf-8")
    text = "Subject T-01-1, born 1958-03-02, entered at Clinique des Tilleuls (site 01) on 2019-03-12.\n"
    (tmp_path / "csr.txt").write_text(text, encoding="utf-8")
    words = ("--study", tmp_path / "study.yaml", "--mode", "replace", "--out", tmp_path / "out")
    code, _, error = command("document", "anonymize", tmp_path / "csr.txt", *words)
    assert code == 0, error
    (made,) = (tmp_path / "out").glob("*.txt")
    told = made.read_text(encoding="utf-8")
    birth = told.partition("born ")[2].partition(", entered")[0]
    assert not any(letter.isdigit() for letter in birth), "masked, not shifted"
    assert "Tilleuls" not in told
