"""Messages about documents name their numbers, and their ids only if somebody asks for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.core.shown_ids import SHOW_IDS, showing_ids
from reidrisk.errors import BadData, UnmatchedDocuments
from reidrisk.text.read import read_documents
from tests.cli.running import runner

NAME = "MRN-4711"


@pytest.fixture(autouse=True)
def ids_are_hidden(ids_are_shown: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SHOW_IDS)


def lines(path: Path, *documents: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    return path


def document(name: str, **more: object) -> dict[str, object]:
    return {"doc_id": name, "text": "Ann was here.", "entities": [], **more}


def test_a_reader_that_does_not_know_the_number(tmp_path: Path) -> None:
    wrong = [{"start": 0, "end": 99, "type": "NAME"}]
    path = lines(tmp_path / "gold.jsonl", document("a"), document(NAME, entities=wrong))
    with pytest.raises(BadData, match=r"gold\.jsonl.*document 2, annotation 1") as caught:
        list(read_documents(path))
    assert NAME not in str(caught.value)
    with showing_ids(), pytest.raises(BadData, match=f"document '{NAME}', annotation 1"):
        list(read_documents(path))


def test_the_name_of_a_file(tmp_path: Path) -> None:
    for name in ("a", NAME):
        (tmp_path / f"{name}.txt").write_text("Ann was here.", encoding="utf-8")
        (tmp_path / f"{name}.ann").write_text("T1\tNAME 0 3\tAnn\n", encoding="utf-8")
    (tmp_path / f"{NAME}.ann").write_text("T1\tNAME 0 99\tAnn\n", encoding="utf-8")
    with pytest.raises(BadData, match="document 1, annotation 1") as caught:
        list(read_documents(tmp_path))
    assert NAME not in str(caught.value)
    with showing_ids(), pytest.raises(BadData, match=rf"{NAME}\.ann"):
        list(read_documents(tmp_path))


def test_what_is_missing_or_there_twice(tmp_path: Path) -> None:
    gold = lines(tmp_path / "gold.jsonl", document("a"), document(NAME))
    tool = lines(tmp_path / "tool.jsonl", document("a"))
    with pytest.raises(UnmatchedDocuments, match="lacks document 2 of the gold standard"):
        rr.evaluate_text(gold, tool)
    twice = lines(tmp_path / "twice.jsonl", document(NAME), document(NAME))
    with pytest.raises(UnmatchedDocuments, match="contains document 2 twice"):
        list(read_documents(twice))


def test_the_command_says_how_to_see_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = lines(tmp_path / "gold.jsonl", document("a"), document(NAME))
    tool = lines(tmp_path / "tool.jsonl", document("a"))
    command = runner(capsys)
    code, out, err = command("text", "evaluate", gold, tool)
    assert code == 1
    assert "--show-ids" in err
    assert NAME not in out + err
    _, _, err = command("text", "evaluate", gold, tool, "--show-ids")
    assert f"document '{NAME}'" in err
