"""Linked tables as a part of a release, alone and with notes of the same people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.core.key import new_key
from reidrisk.errors import InvalidSetting, UnreadableFile
from tests.relational.databases import SETTINGS, write_people

KEEP = {
    "person.sex": "keep",
    "person.ward": "drop",
    "diagnosis.code": "keep",
    "diagnosis.day": "date",
    "drug.drug": "keep",
}


def release(folder: Path, *, diagnoses: str, drugs: str, **more: Any) -> Path:
    """A release file with a small database."""
    write_people(folder / "base", diagnoses, drugs)
    if not (folder / "my.key").exists():
        new_key(folder / "my.key", "pseudonyms")
    part = {
        **SETTINGS,
        "name": "base",
        "kind": "relational",
        "folder": "base",
        "key": "my.key",
        "quasi": ["person.sex"],
        "columns": KEEP,
        "dates": {"offset": 30, "know": "nothing"},
        **more.pop("settings", {}),
    }
    content = {
        "reidrisk": 1,
        "release": {"name": "A database"},
        "context": {"access": "public", "threshold": {"cell_size": 5, "reason": "a test"}},
        "parts": [part, *more.pop("parts", [])],
        **more,
    }
    path = folder / "release.yaml"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_tables_that_are_harmless_alone_are_refused_together(tmp_path: Path) -> None:
    path = release(tmp_path, diagnoses="xxxyyy", drugs="mnnmnn")
    result = rr.assess(path, out=tmp_path / "assessment").to_dict()
    (part,) = result["parts"]
    assert part["judged"]["risk"] == 1.0
    assert not result["acceptable"]
    assert part["result"]["kind"] == "relational_risk"
    assert {one["item"]: one["status"] for one in result["inventory"]}["person.ward"] == "removed"
    assert (tmp_path / "assessment" / "assessment.json").is_file()


def test_enough_people_of_each_kind_are_accepted(tmp_path: Path) -> None:
    result = rr.assess(release(tmp_path, diagnoses="x" * 10, drugs="mmmmmnnnnn")).to_dict()
    (part,) = result["parts"]
    assert part["judged"]["risk"] == pytest.approx(1 / 5)
    assert result["acceptable"]


WRITTEN = {"deidentify": True, "out": "released"}


def test_the_folder_is_written_only_if_acceptable(tmp_path: Path) -> None:
    folder, released = tmp_path / "assessment", tmp_path / "released"
    strict = {**WRITTEN, "max_event_suppression": 0, "max_suppression": 0.05}
    path = release(tmp_path, diagnoses="x" * 11, drugs="mmmmmnnnnno", settings=strict)
    refused = rr.assess(path, out=folder).to_dict()
    assert not refused["acceptable"]
    assert "not acceptable. " in refused["parts"][0]["judged"]["sentence"]  # and why no search helps
    assert not released.exists()

    less = {**strict, "max_suppression": 0.1}
    release(tmp_path, diagnoses="x" * 11, drugs="mmmmmnnnnno", settings=less)
    done = rr.assess(path, out=folder).to_dict()
    assert done["acceptable"]
    assert any("1 of 11 people" in text for text in done["parts"][0]["measures"])
    assert len((released / "person.csv").read_text().splitlines()) == 11
    assert rr.verify_relational(released, against=tmp_path / "base", key=tmp_path / "my.key").acceptable
    (output,) = json.loads((folder / "manifest.json").read_text())["outputs"]
    assert output["path"] == "released"
    assert rr.verify(folder).holds

    before = (released / "person.csv").stat()
    rr.assess(path, out=folder)
    assert (released / "person.csv").stat() == before
    new_key(tmp_path / "other.key", "pseudonyms")
    other = {**less, "key": "other.key"}
    release(tmp_path, diagnoses="x" * 11, drugs="mmmmmnnnnno", settings=other)
    rr.assess(path, out=folder)
    assert rr.verify_relational(released, against=tmp_path / "base", key=tmp_path / "other.key").acceptable
    logged = (folder / ".reidrisk" / "log.jsonl", tmp_path / ".reidrisk" / "log.jsonl")
    assert any("released/" in log.read_text() for log in logged if log.exists())

    (released / "note.txt").write_text("mine")
    with pytest.raises(UnreadableFile, match="changed since"):
        rr.assess(path, out=folder)
    assert not rr.verify(folder, quick=True).holds


def test_notes_of_the_same_people(tmp_path: Path) -> None:
    gold, tool = [], []
    for at in range(10):
        text = f"Works as a {'diver' if at == 0 else 'clerk'}."
        span = {"start": 11, "end": 16}
        gold.append(
            {
                "doc_id": f"n{at}",
                "patient": str(at),
                "text": text,
                "entities": [{**span, "type": "PROFESSION"}],
            }
        )
        tool.append({"doc_id": f"n{at}", "spans": []})
    for name, texts in (("gold", gold), ("tool", tool)):
        lines = "".join(json.dumps(one) + "\n" for one in texts)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    notes = {
        "name": "notes",
        "kind": "text",
        "gold": "gold.jsonl",
        "tool": "tool.jsonl",
        "types": {"PROFESSION": "quasi"},
    }
    joint = [{"parts": ["base", "notes"], "people": {"notes": "patient"}, "leaks": "observed"}]
    path = release(
        tmp_path, diagnoses="x" * 10, drugs="mmmmmnnnnn", settings=WRITTEN, parts=[notes], joint=joint
    )
    done = rr.assess(path, out=tmp_path / "assessment").to_dict()
    assert done["parts"][0]["judged"]["acceptable"]
    assert not (tmp_path / "released").exists()
    together = done["parts"][-1]
    assert together["kind"] == "joint"
    assert together["judged"]["risk"] == 1.0
    assert together["result"]["people"] == 10
    assert together["result"]["unlinked"] == []
    assert "notes" in together["result"]["breaking"]


def test_refusals(tmp_path: Path) -> None:
    path = release(tmp_path, diagnoses="xx", drugs="mm")
    (tmp_path / "my.key").unlink()
    with pytest.raises(UnreadableFile, match="does not exist"):
        rr.assess(path)
    new_key(tmp_path / "my.key", "pseudonyms")
    for settings, problem in (
        ({"out": "released"}, "de-identified here"),
        ({**WRITTEN, "out": "base/released"}, "the originals"),
        ({**WRITTEN, "out": "my.key"}, "is a file"),
        ({**WRITTEN, "out": "no/where"}, "does not exist"),
    ):
        with pytest.raises(InvalidSetting, match=problem):
            rr.assess(release(tmp_path, diagnoses="xx", drugs="mm", settings=settings))
