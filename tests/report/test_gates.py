from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml

from reidrisk.errors import InvalidSetting
from reidrisk.report.gates.checks import CheckList, checks_of
from reidrisk.report.gates.junit import junit_text
from reidrisk.report.gates.markdown import markdown_text
from reidrisk.report.gates.sarif import RULES, sarif_text
from tests.assess.builders import HIDDEN, content, write_data, write_file
from tests.cli.running import PROGRAM, runner
from tests.report import assessed

PIPELINES = Path(__file__).parents[2] / "examples" / "pipelines"


def part(name: str, *, acceptable: bool | None, decision: str | None = None) -> dict[str, Any]:
    judged = {
        "acceptable": acceptable,
        "decision": decision,
        "risk": 0.5,
        "overall": 0.25,
        "threshold": 0.2,
        "sentence": f"The sentence of {name} <b>.",
    }
    return {"name": name, "kind": "table", "status": "measured", "judged": judged, "error": None}


def assessment(*parts: dict[str, Any], acceptable: bool = False) -> dict[str, Any]:
    return {
        "kind": "assessment",
        "acceptable": acceptable,
        "release": {"name": "A | release"},
        "parts": list(parts),
        "reasons": [{"part": None, "text": "A public release.", "holds": None}],
        "context": {"notes": ["Access is not stated, so the release counts as public."]},
        "verdict": {"sentence": "Not acceptable; something leaves unmeasured."},
        "remedies": [{"text": "Raise the cell size."}],
    }


FAILED = part("c", acceptable=None) | {"status": "failed", "error": {"problem": "The file is missing."}}
MIXED = assessment(
    part("a", acceptable=True),
    part("b", acceptable=False),
    FAILED,
    part("d", acceptable=False, decision="undecided"),
)


def test_every_part_is_a_check_with_its_state() -> None:
    found = checks_of(MIXED)
    assert [one.state for one in found.checks] == ["passed", "failed", "error", "undecided"]
    assert (found.checks[1].risk, found.checks[1].limit) == (0.25, 0.2)
    assert "3 of 4 checks" in found.line


def test_the_summary_is_one_line_whatever_the_name() -> None:
    named = MIXED | {"release": {"name": "A\nlong\r\n name"}}
    assert checks_of(named).line.startswith("reidrisk: release A long name did not pass")


def test_a_release_may_fail_though_every_part_passes() -> None:
    found = checks_of(assessment(part("a", acceptable=True)))
    assert [one.name for one in found.failing] == ["release"]
    assert "unmeasured" in found.failing[0].sentence


def test_what_is_about_no_part_is_a_check_of_its_own_beside_others() -> None:
    whole = {"part": None, "text": "What the parts tell together was not measured.", "holds": False}
    found = checks_of(MIXED | {"reasons": [*MIXED["reasons"], whole]})
    assert [one.name for one in found.failing] == ["b", "c", "d", "release"]
    assert "together" in found.failing[-1].sentence


JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors", "disabled"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "time", "skipped", "timestamp", "hostname", "id", "package"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "assertions", "time", "classname", "status"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "system-out": (set(), set()),
}
"""Attributes and elements that the schema of Jenkins (junit-10.xsd) allows."""


def junit(*lists: CheckList) -> ElementTree.Element:
    """The document, after a check of its structure."""
    root = ElementTree.fromstring(junit_text(lists))  # noqa: S314 - our own
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= children
    for suite in (root, *root):
        cases = list(suite.iter("testcase"))
        counted = [sum(case.find(tag) is not None for case in cases) for tag in ("failure", "error")]
        assert [int(suite.attrib[name]) for name in ("tests", "failures", "errors")] == [len(cases), *counted]
    return root


def test_junit_counts_failures_and_errors() -> None:
    root = junit(checks_of(MIXED), checks_of(assessment(part("a", acceptable=True), acceptable=True)))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "2", "1")
    cases = root.findall("./testsuite/testcase")
    assert [[child.tag for child in case] for case in cases] == [
        ["system-out"],
        ["failure"],
        ["error"],
        ["failure"],
        ["system-out"],
    ]
    assert "The sentence of b <b>." in (cases[1][0].text or "")


def test_junit_is_readable_whatever_a_name_contains() -> None:
    odd = assessment(part("a\x00\ud800\x1b<&", acceptable=False))
    assert junit(checks_of(odd)).find("./testsuite/testcase") is not None


TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "pattern": "^https://.*sarif-2.1.0.json$"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                                "additionalProperties": False,
                                                "properties": {
                                                    "artifactLocation": {
                                                        "type": "object",
                                                        "properties": {
                                                            "uri": {
                                                                "type": "string",
                                                                "pattern": r"^[\w.~%!$&'()*+,;=:@/-]+$",
                                                            }
                                                        },
                                                    },
                                                    "region": {
                                                        "type": "object",
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1}
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                                "properties": {"type": "object"},
                            },
                        },
                    },
                },
            },
        },
    },
}
"""What SARIF 2.1.0 (OASIS, 2020) demands of the objects that we write; nothing else may be written."""


def sarif(*lists: CheckList) -> dict[str, Any]:
    """The only run of the document, after a check of its structure."""
    content: dict[str, Any] = json.loads(sarif_text(lists))
    jsonschema.validate(content, SARIF)
    run: dict[str, Any] = content["runs"][0]
    return run


def test_sarif_names_rules_that_exist() -> None:
    run = sarif(checks_of(MIXED, about="release.yaml"))
    assert [one["ruleId"] for one in run["results"]] == [
        "risk-above-limit",
        "not-judged",
        "too-few-documents",
    ]
    for one in run["results"]:
        assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
    assert len(run["tool"]["driver"]["rules"]) == len(RULES)


@pytest.mark.parametrize(
    ("given", "uri"),
    [
        ("a b/r#1.yaml", "a%20b/r%231.yaml"),
        ("/home/somebody/release.yaml", "release.yaml"),
        ("../elsewhere/release.yaml", "release.yaml"),
        ("data/../release.yaml", "release.yaml"),
        ("{here}/data/release.yaml", "data/release.yaml"),
    ],
)
def test_sarif_has_paths_below_the_working_folder_and_no_others(
    given: str, uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = sarif(checks_of(MIXED, about=given.format(here=Path.cwd())))
    places = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]]
    assert set(places) == {uri}


def test_markdown_is_a_table_that_names_cannot_break() -> None:
    odd = MIXED | {"release": {"name": "A | release @you &copy;"}}
    text = markdown_text(checks_of(odd, about="release.yaml"), odd)
    assert text.startswith("### reidrisk: release A \\| release &#64;you &amp;copy; did not pass")
    assert text.count("\n| ") == 6
    assert "\\<b\\>" in text
    assert "Raise the cell size." in text
    assert "> Access is not stated" in text
    assert text.endswith(": release.yaml\n")


def test_a_real_text_evaluation_has_two_checks() -> None:
    found = checks_of(assessed.text())
    assert [one.name for one in found.checks] == ["direct", "quasi"]
    assert found.checks[0].risk == assessed.text()["direct"]["high"]


def test_other_results_have_no_checks() -> None:
    with pytest.raises(InvalidSetting, match="population"):
        checks_of(assessed.compared())


def inside(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def limited(size: int) -> dict[str, Any]:
    """The context of the small release with another cell size; its smallest class has 6 records."""
    context: dict[str, Any] = content("records")["context"]
    return context | {"threshold": {"cell_size": size, "reason": "a test"}}


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release folder inside the working folder."""
    folder = tmp_path / "my data"
    folder.mkdir()
    write_data(folder)
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize(("size", "wanted"), [(5, 0), (11, 3)])
def test_the_command_gives_one_line_files_and_an_exit_code(
    release: Path, capsys: pytest.CaptureFixture[str], size: int, wanted: int
) -> None:
    write_file(release, "records", context=limited(size))
    before = inside(release)
    files = ("--markdown", "m.md", "--junit", "j.xml", "--sarif", "s.json", "--json", "r.json")
    code, out, error = runner(capsys)("gate", "my data/release.yaml", *files)
    assert (code, error) == (wanted, "")
    line, *more = out.strip().splitlines()
    assert line.startswith("reidrisk: release A small release ")
    assert ("did not pass" in line) == (wanted == 3)
    assert more == ["JSON: r.json"]
    (place,) = [
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for one in json.loads(Path("s.json").read_text())["runs"][0]["results"]
    ] or ["my%20data/release.yaml"]
    assert place == "my%20data/release.yaml"
    assert json.loads(Path("r.json").read_text())["acceptable"] == (wanted == 0)
    written = "".join(Path(name).read_text() for name in ("m.md", "j.xml", "s.json"))
    assert HIDDEN not in written
    assert str(release) not in written
    assert inside(release) == before
    assert runner(capsys)("gate", "my data/release.yaml", "--quiet", *files[:6]) == (wanted, "", "")


def test_several_releases_are_judged_at_once_and_the_worst_decides(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, size in (("good", 5), ("bad", 11)):
        write_file(release, "records", context=limited(size)).rename(release / f"{name}.yaml")
    paths = ("my data/good.yaml", "my data/bad.yaml")
    code, out, _ = runner(capsys)("gate", *paths, "--junit", "j.xml", "--markdown", "m.md")
    assert code == 3
    assert [" did not pass" in line for line in out.splitlines()] == [False, True]
    assert Path("m.md").read_text().count("### reidrisk: ") == 2
    assert len(ElementTree.parse("j.xml").getroot()) == 2  # noqa: S314 - our own
    assert runner(capsys)("gate", *paths, "--json", "r.json")[0] == 2


def test_a_text_with_too_few_documents_is_undecided_and_does_not_pass(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_data(release, leaky=0)
    write_file(release, "notes")
    code, out, _ = runner(capsys)("gate", "my data/release.yaml", "--markdown", "m.md")
    assert (code, "notes UNDECIDED" in out) == (3, True)
    assert "**UNDECIDED**" in Path("m.md").read_text()


def test_a_release_without_a_context_says_what_was_assumed(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file(release, "records")
    whole = yaml.safe_load(path.read_text())
    del whole["context"]
    path.write_text(yaml.safe_dump(whole))
    code, _, _ = runner(capsys)("gate", "my data/release.yaml", "--markdown", "m.md")
    assert code == 0
    assert "Access is not stated, so the release counts as public" in Path("m.md").read_text()


def test_a_part_that_cannot_be_judged_fails_the_gate(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_file(release, parts=[{**content("records")["parts"][0], "quasi": ["nobody"]}])
    code, out, error = runner(capsys)("gate", "my data/release.yaml", "--junit", "j.xml")
    assert code == 1
    assert "could not be judged" in out
    assert "no column 'nobody'" in error
    assert 'errors="1"' in Path("j.xml").read_text()


def test_files_of_a_gate_name_no_document_even_if_ids_may_be_shown(
    release: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REIDRISK_SHOW_IDS", "1")
    lines = (release / "gold.jsonl").read_text().splitlines()
    broken = json.loads(lines[2]) | {"doc_id": "MRN 4711"}
    broken["entities"][0]["end"] = 10**6
    (release / "gold.jsonl").write_text("\n".join([*lines[:2], json.dumps(broken), *lines[3:]]))
    write_file(release, "notes")
    code, _, error = runner(capsys)("gate", "my data/release.yaml", "--junit", "j.xml", "--markdown", "m.md")
    assert code == 1
    for text in (Path("j.xml").read_text(), Path("m.md").read_text(), error):
        assert "document 3" in text
        assert "4711" not in text


def test_a_damaged_release_file_and_a_missing_one_are_errors(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (release / "release.yaml").write_text("parts: [")
    assert runner(capsys)("gate", "my data/release.yaml", "--junit", "j.xml")[0] == 1
    assert runner(capsys)("gate", "nowhere.yaml")[0] == 1
    assert runner(capsys)("gate")[0] == 1
    assert not Path("j.xml").exists()


def filled(text: str, known: dict[str, str]) -> str:
    return EXPRESSION.sub(lambda found: known[found[2]], text)


EXPRESSION = re.compile(r"\$\{\{ *(inputs|steps\.gate\.outputs)\.([\w-]+) *\}\}")


def run_action(folder: Path, releases: str) -> tuple[int, dict[str, str]]:
    """Run the steps of the action one after the other, as a runner does; its exit code and its outputs."""
    action = yaml.safe_load((PIPELINES / "action.yml").read_text(encoding="utf-8"))
    known = {name: given["default"] for name, given in action["inputs"].items()} | {"releases": releases}
    files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    fixed = {"PATH": os.pathsep.join([str(Path(PROGRAM).parent), os.environ["PATH"]])}
    fixed |= {"RUNNER_TEMP": str(folder / "temp")} | {name: str(path) for name, path in files.items()}
    for name in ("temp", "repository"):
        (folder / name).mkdir(exist_ok=True)
    for step in action["runs"]["steps"]:
        own = {name: filled(text, known) for name, text in step["env"].items()}
        done = subprocess.run(
            [step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder / "repository",
            env={**os.environ, **fixed, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        if files["GITHUB_OUTPUT"].exists():
            known |= dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        if done.returncode:
            break
    outputs = {name: filled(given["value"], known) for name, given in action["outputs"].items()}
    return done.returncode, outputs | {"summary": files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")}


@pytest.mark.parametrize(("size", "wanted"), [(5, 0), (11, 3)])
def test_the_shell_steps_of_the_action_run_as_they_are(tmp_path: Path, size: int, wanted: int) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    write_data(folder)
    write_file(folder, "records", context=limited(size))
    before = inside(folder)
    code, outputs = run_action(tmp_path, "release.yaml")
    assert (code, outputs["exit-code"]) == (wanted, str(wanted))
    assert ("did not pass" if wanted else "passed") in outputs["summary"]
    assert all(Path(outputs[name]).stat().st_size for name in ("markdown", "junit", "sarif"))
    assert inside(folder) == before


def test_the_action_says_so_if_there_is_no_verdict(tmp_path: Path) -> None:
    code, outputs = run_action(tmp_path, "release.yaml")
    assert (code, outputs["exit-code"]) == (1, "1")
    assert "wrote no verdict" in outputs["summary"]


def test_the_hook_is_called_with_the_files_that_changed(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (hook,) = yaml.safe_load((PIPELINES / "pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {"id", "name", "entry", "language"} <= set(hook)
    write_file(release, "records", context=limited(11))
    (release / "sub").mkdir()
    for path in release.glob("*.*"):
        shutil.copy(path, release / "sub")
    changed = [str(path.relative_to(release.parent)) for path in sorted(release.rglob("*")) if path.is_file()]
    matched = [path for path in changed if re.search(hook["files"], path)]
    assert matched == ["my data/release.yaml", "my data/sub/release.yaml"]
    program, *entry = hook["entry"].split()
    assert program == "reidrisk"
    code, out, _ = runner(capsys)(*entry, *matched)
    assert (code, len(out.splitlines())) == (3, 2)
