"""`reidrisk init`, `assess` and `verify` as a newcomer types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reidrisk as rr
from tests.assess.builders import content, write_data, write_file
from tests.cli.running import Run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_data(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_files_to_a_verdict_and_back(command: Run, folder: Path) -> None:
    code, draft, err = command("init", "gold.jsonl", "tool.jsonl", "rx.csv", "people.csv")
    assert (code, err) == (0, "")
    (folder / "release.yaml").write_text(draft, encoding="utf-8")
    code, out, err = command("assess", "--out", "done")
    assert (code, err) == (3, "")
    assert "NOT ACCEPTABLE" in out
    assert f"Report: {Path('done') / 'report.pdf'}" in out
    assert {"report.html", "report.pdf", "assessment.json"} <= {
        path.name for path in (folder / "done").iterdir()
    }
    root = rr.verify("done", quick=True).root
    assert f"Root hash: {root}" in out
    code, out, _ = command("verify", "done")
    assert (code, out.startswith("CONSISTENT WITH ITSELF")) == (0, True)
    assert f"Root hash: {root}" in out
    assert command("verify", "done", "--root", root)[1].startswith(
        "VERIFIED: done has the root hash that you gave"
    )
    (folder / "done" / "report.html").write_text("<p>", encoding="utf-8")
    code, out, _ = command("verify", "done", "--quick")
    assert code == 3
    assert "report.html was changed" in out


def test_acceptable_not_acceptable_and_failed(command: Run, folder: Path) -> None:
    write_file(folder, "records")
    assert command("assess", "--quiet") == (0, "", "")
    assert (folder / "assessment" / "assessment.json").is_file(), "beside the release file if nothing is said"
    assert command("assess", "--quiet", "--set", "context.threshold.cell_size=11") == (3, "", "")
    given = content("records")["parts"][0]
    write_file(folder, parts=[{**given, "quasi": ["nobody"]}])
    code, out, _ = command("assess")
    assert code == 1
    assert "COULD NOT BE JUDGED" in out
    assert "rx.csv has no column 'nobody'" in out
    code, out, err = command("assess", "--quiet")
    assert (code, out) == (1, "")
    assert err.startswith("Error: release.yaml, line 13: records could not be judged: rx.csv has no column")
    assert "\n\nHint: " in err


def test_a_what_if_says_so_and_json_is_alone(command: Run, folder: Path) -> None:
    write_file(folder, "records", "state")
    command("assess", "--quiet")
    code, out, _ = command("assess", "--set", "context.access=public")
    assert "What if: nothing was written" in out
    code, out, err = command("assess", "--set", "context.access=public", "--json", "-")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["context"]["access"] == "public"
    assert result["settings"]["context"]["access"] == "public"


def test_since_tells_what_changed(command: Run, folder: Path) -> None:
    write_file(folder, "records")
    command("assess", "--out", "old", "--quiet")
    write_data(folder, extra=3)
    code, out, _ = command("assess", "--out", "new", "--since", "old")
    assert code == 3
    assert "THE VERDICT HAS CHANGED" in out
    assert "input rx.csv" in out
    assert "The next review is due on 2027-05-01" in out


def test_a_table_is_written_with_its_codebook(command: Run, folder: Path) -> None:
    write_file(folder, "made")
    code, out, _ = command("assess")
    assert code == 0
    assert "Table: made.csv" in out
    assert "# " in (folder / "made.codebook.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("init",), 2, "Name the files"),
        (("init", "none.csv"), 1, "does not exist"),
        (("assess", "none.yaml"), 1, "does not exist"),
        (("assess", "--set", "context"), 2, "NAME=VALUE"),
        (("assess", "--set", "contex.access=public"), 2, "Did you mean 'context'"),
        (("assess", "--threads", "0"), 2, "not in the range"),
        (("assess", "--since", "."), 1, "contains no assessment"),
        (("assess", "--out", "rx.csv"), 1, "not a folder"),
        (("verify", "."), 1, "contains no assessment"),
    ],
)
def test_wrong_usage(command: Run, folder: Path, words: tuple[str, ...], code: int, said: str) -> None:
    write_file(folder, "records")
    ended, out, err = command(*words)
    assert (ended, out) == (code, "")
    assert said in err


def test_a_bad_file_is_one_message_with_its_line(command: Run, folder: Path) -> None:
    (folder / "release.yaml").write_text("reidrisk: 1\nrelease: {name: x}\nprats: []\n", encoding="utf-8")
    code, out, err = command("assess")
    assert (code, out) == (2, "")
    assert err.startswith("Error: release.yaml, line 3: a release file has no setting 'prats'.")
    assert "Did you mean 'parts'?" in err


def test_the_schema_is_printed(command: Run) -> None:
    code, out, _ = command("init", "--schema")
    assert code == 0
    assert json.loads(out)["title"] == "reidrisk release file"


def test_a_table_of_an_earlier_run_is_not_taken_for_this_one(command: Run, folder: Path) -> None:
    write_file(folder, "made")
    code, out, _ = command("assess")
    assert code == 0
    assert out.endswith("Table: made.csv\n")
    write_file(folder, "made", context={"preset": "cell_size_30", "threshold": {"cell_size": 100}})
    code, out, _ = command("assess")
    assert code == 3
    assert out.endswith(
        "made.csv was not written, because made is not acceptable; "
        "the file there is from an earlier run and was not assessed\n"
    )


def test_a_bar_on_a_terminal_and_none_in_a_pipe(
    command: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_file(folder, "records", "made")
    _, _, err = command("assess")
    assert err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, _, err = command("assess", "--out", "again")
    assert "[##########..........] 1 of 2 parts" in err
    assert "[####################] 2 of 2 parts" in err
