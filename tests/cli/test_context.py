from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from reidrisk.context.checklist import practices
from reidrisk.core.yaml_file import read_yaml
from tests.cli.running import Run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "context.yaml"
    path.write_text(
        "preset: hospital\naccess: non_public\ncontrols: medium\nmotives: low\n", encoding="utf-8"
    )
    return path


def answer(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{one}\n" for one in answers)))


def test_a_file_is_scored(command: Run, file: Path) -> None:
    code, out, err = command("context", "score", file)
    assert (code, err) == (0, "")
    assert "THRESHOLD 1/5, CONTEXT RISK 0.2" in out


def test_json_page_and_changes(command: Run, file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, out, _ = command("context", "score", file, "--set", "controls=high", "--json", "-", "--html", page)
    result = json.loads(out)
    assert (code, result["kind"], result["risks"]["deliberate"]) == (0, "context_score", 0.05)
    assert "Context of a release" in page.read_text(encoding="utf-8")
    code, out, _ = command("context", "score", file, "--preset", "cell_size_11", "--json", "-")
    assert json.loads(out)["threshold"]["cell_size"] == 11


def test_settings_alone_are_enough_and_are_kept(command: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.yaml"
    given = ("--preset", "ema", "--set", "variant=literal_0.09", "--out", kept)
    code, out, _ = command("context", "score", *given, "--quiet")
    assert (code, out) == (0, "")
    assert read_yaml(kept) == {"preset": "ema", "variant": "literal_0.09"}
    assert command("context", "score", kept)[0] == 0


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ((), "Questions can be asked only in a terminal"),
        (("--preset", "ema"), "variant is missing"),
        (("--preset", "hipaa"), "does not set a number"),
        (("--set", "controls"), "takes NAME=VALUE"),
        (("--set", "controls=hihg"), "Did you mean 'high'"),
        (("--set", "threshold.cell_size=2"), "than the preset hospital allows"),
    ],
)
def test_wrong_usage(
    command: Run, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], complaint: str
) -> None:
    answer(monkeypatch)
    code, _, err = command("context", "score", *given)
    assert code == 2
    assert complaint in err


def test_files_that_are_no_context(command: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "list.yaml"
    wrong.write_text("- hospital\n", encoding="utf-8")
    code, _, err = command("context", "score", wrong)
    assert code == 2
    assert "list.yaml is not a mapping" in err
    code, _, err = command("context", "score", tmp_path / "none.yaml")
    assert code == 1
    assert "does not exist" in err
    code, _, err = command("context", "score", wrong, "--out", wrong)
    assert code == 2


def test_an_input_is_never_written(command: Run, file: Path) -> None:
    before = file.read_bytes()
    assert command("context", "score", file, "--out", file)[0] == 2
    assert file.read_bytes() == before


def test_the_questions_are_asked(command: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sheet = ["1", "annex 2", "3", "we are not in Canada", "?", "x", "2", *[""] * (len(practices()) - 3)]
    motives, rest = ["1", "1", "2", ""], ["?", "two", "0.0019", "0.27", "HIMSS"]
    answer(monkeypatch, "?", "99", "1", "3", "1", *sheet, *motives, *rest)
    kept = tmp_path / "kept.yaml"
    code, out, err = command("context", "score", "--ask", "--out", kept)
    assert (code, err) == (0, "")
    assert "38 of 38." in out
    assert "Table A1" in out
    found = read_yaml(kept)
    assert found == {
        "preset": "hospital",
        "access": "non_public",
        "checklist": {
            "need_to_know": {"answer": "yes", "evidence": "annex 2"},
            "subcontractor_agreements": {"answer": "not_applicable", "reason": "we are not in Canada"},
            "confidentiality_pledges": "no",
        },
        "motives": {"incidents": "no", "reasons": "no", "expertise": "yes"},
        "acquaintance": {"prevalence": 0.0019, "known": 150},
        "breach": {"probability": 0.27, "source": "HIMSS"},
    }


def test_on_a_terminal_nothing_need_be_said(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "2", "1")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    code, out, _ = command("context", "score")
    assert code == 0
    assert "EMA Policy 0070, 0.09 interpreted as a cell size of 11" in out


def test_who_stops_keeps_the_answers_and_may_go_on(
    command: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept, whole = tmp_path / "kept.yaml", tmp_path / "whole.yaml"
    answer(monkeypatch, "1", "3", "1", "2", "2")
    code, _, err = command("context", "score", "--ask", "--out", kept)
    assert code == 1
    assert f"Your answers are in {kept}. To continue: reidrisk context score {kept} --ask" in err
    assert list(read_yaml(kept)["checklist"].values()) == ["no", "no"]
    answer(monkeypatch, *[""] * (len(practices()) - 2), *[""] * 4, "", "")
    code, _, _ = command("context", "score", kept, "--ask", "--out", whole)
    assert code == 0
    assert read_yaml(whole)["checklist"] == read_yaml(kept)["checklist"]


def test_policies_without_a_number_ask_for_one(
    command: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.yaml"
    answer(monkeypatch, "4", "1", "6", "the expert")
    assert command("context", "score", "--ask", "--out", kept)[0] == 0
    assert read_yaml(kept)["threshold"] == {"cell_size": 11, "reason": "the expert"}
    answer(monkeypatch, "3", "2", *["1"] * 4, "", "", *["1"] * 7)
    code, out, _ = command("context", "score", "--ask", "--set", "preset=ipc")
    assert code == 0
    assert "THRESHOLD 0.1, CONTEXT RISK 0.4" in out
