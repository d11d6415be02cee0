"""Release files say how tables are read, and drafts name both readings of ambiguous dates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import reidrisk as rr
from reidrisk.core.key import make_key
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting

READING: dict[str, Any] = {"null": ["unknown"], "date_format": {"when": "%m/%d/%Y"}, "encoding": "cp1252"}
RULES = {"when": ["day", "month", "year"]}
TASKS: dict[str, dict[str, Any]] = {
    "measure": {"quasi": ["sex", "when"], "hierarchies": RULES},
    "deidentify": {"quasi": ["sex", "when"], "hierarchies": RULES, "deidentify": True},
    "transform": {
        "quasi": ["sex"],
        "steps": [{"kind": "shift_dates", "dates": ["when"], "person": "sex", "days": 9}],
        "key": "key",
    },
    "attack": {"quasi": ["sex", "when"], "hierarchies": RULES, "against": "t.csv", "guesses": 50},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [f"{'FM'[n % 2]};{n % 12 + 1:02d}/01/2022;Süd" for n in range(240)]
    rows[2] = "F;unknown;Nord"
    (tmp_path / "t.csv").write_bytes(("sex;when;region\n" + "\n".join(rows) + "\n").encode("cp1252"))
    make_key(tmp_path / "key")
    return tmp_path


def assessed(folder: Path, part: dict[str, Any]) -> dict[str, Any]:
    content = {
        "reidrisk": 1,
        "release": {"name": "Dates"},
        "context": {"preset": "hospital", "access": "public"},
        "parts": [{"name": "one", "kind": "table", "table": "t.csv", **part}],
    }
    path = folder / "release.yaml"
    path.write_text(yaml.safe_dump(json.loads(json.dumps(content))).replace("'null':", "null:"))
    return rr.assess(path).to_dict()


@pytest.mark.parametrize("task", TASKS)
def test_every_kind_of_table_part_is_read_as_told(task: str, folder: Path) -> None:
    text = json.dumps(assessed(folder, {**TASKS[task], **READING}))
    assert "column 'when': dates read as %m/%d/%Y" in text
    assert "column 'when': 1 cell read as missing" in text


@pytest.mark.parametrize("task", TASKS)
def test_a_part_that_does_not_say_it_is_refused(task: str, folder: Path) -> None:
    found = assessed(folder, {**TASKS[task], "encoding": "cp1252"})
    assert not found["acceptable"]
    assert "1 cell of column 'when' cannot be read as a date: row 3 " in json.dumps(found)
    found = assessed(folder, {**TASKS[task], "encoding": "cp1252", "null": ["unknown"]})
    assert not found["acceptable"]
    assert "the dates of column 'when' are ambiguous" in json.dumps(found)


def test_a_wrong_format_is_refused_before_anything_is_read(folder: Path) -> None:
    for task in TASKS.values():
        with pytest.raises(InvalidSetting, match="does not give year, month and day"):
            assessed(folder, {**task, "date_format": "%m/%Y"})


def test_null_is_a_name_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text("null: [unknown]\nother: null\nin: {null: x, ~: y}\n")
    assert read_yaml(tmp_path / "f.yaml") == {
        "null": ["unknown"],
        "other": None,
        "in": {"null": "x", None: "y"},
    }


def test_a_draft_names_both_readings(tmp_path: Path) -> None:
    rows = "".join(f"{'FM'[n % 2]},{n % 12 + 1:02d}/01/2022\n" for n in range(60))
    (tmp_path / "t.csv").write_text("sex,admitted\n" + rows)
    draft = rr.draft_release([tmp_path / "t.csv"])
    assert "# admitted: its dates can be read as %d/%m/%Y or %m/%d/%Y; check which is right" in draft
    [part] = yaml.safe_load(draft)["parts"]
    assert part["date_format"] == {"admitted": "%d/%m/%Y"}
    (tmp_path / "t.csv").write_text("sex,admitted\n" + rows.replace("/01/", "/25/"))
    assert "date_format" not in rr.draft_release([tmp_path / "t.csv"])
