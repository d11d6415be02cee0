"""`reidrisk text evaluate` on texts without offsets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run
from tests.text.builders import document

NOTES = {
    "n1": "By [NAMEd:Ann Lee] on [DATEq:3 May 2019], again in [CITYq:Graz], a town of some size.",
    "n2": "Nothing was found for [NAMEd:Ms. Roe] in the archive of the ward.",
}
REDACTED = {
    "n1": "By [**Name 1**] on [**Date**], again in Graz, a town of some size.",
    "n2": "Nothing was found for Ms. Roe in the archive of the ward.",
}
REWRITTEN = {
    "n1": "By Bo Ek on 8 July 2001, again in Graz, a town of some size.",
    "n2": "Nothing was found for Mr. Berg in the archive of the ward.",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_jsonl([document(text, name) for name, text in NOTES.items()], tmp_path / "gold.jsonl")
    for folder, texts in (("redacted", REDACTED), ("rewritten", REWRITTEN)):
        (tmp_path / folder).mkdir()
        for name, text in texts.items():
            (tmp_path / folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def leaks(out: str) -> dict[str, int]:
    return {row["type"]: row["leaked_instances"] for row in json.loads(out)["by_type"]}


def test_a_folder_of_redacted_texts_needs_no_options(data: Path, command: Run) -> None:
    code, out, _ = command("text", "evaluate", data / "gold.jsonl", data / "redacted", "--json", "-")
    assert (code, leaks(out)) == (3, {"NAME": 1, "DATE": 0, "CITY": 1})
    named = ("--tool-format", "redacted", "--set", "ambiguous=error")
    again = command("text", "evaluate", data / "gold.jsonl", data / "redacted", "--json", "-", *named)[1]
    assert leaks(again) == leaks(out)


def test_a_whole_pipeline_is_named(data: Path, command: Run) -> None:
    files = (data / "gold.jsonl", data / "rewritten")
    code, _, err = command("text", "evaluate", *files)
    assert (code, "surrogate" in err) == (1, True)
    code, out, _ = command("text", "evaluate", *files, "--tool-format", "surrogate", "--json", "-")
    assert (code, leaks(out)) == (3, {"NAME": 0, "DATE": 0, "CITY": 1})
    assert json.loads(out)["settings"]["tool_format"] == "surrogate"


def test_the_terminal_and_the_page_say_that_texts_were_aligned(data: Path, command: Run) -> None:
    page = data / "page.html"
    _, out, _ = command("text", "evaluate", data / "gold.jsonl", data / "redacted", "--html", page)
    assert "2 released texts aligned with the originals" in " ".join(out.split())
    assert "2 released texts aligned with" in " ".join(page.read_text(encoding="utf-8").split())


def test_a_redacted_text_cannot_be_the_gold_standard(data: Path, command: Run) -> None:
    code, _, err = command("text", "evaluate", data / "redacted", data / "redacted")
    assert (code, "has no text" in err) == (1, True)
