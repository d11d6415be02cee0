"""What tables and texts tell about people, linked by a column or a field, worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reidrisk.assess.joint_people import people_of_part
from reidrisk.assess.kind import RunControl
from reidrisk.assess.release_file import read_release
from reidrisk.errors import BadData
from reidrisk.relational.joint import JointPart

ROWS = [
    ("7", "F", "30", "a"),
    ("3", "M", "41", "b"),
    ("7", "F", "30", "c"),
    ("", "F", "99", "a"),
    ("3", "M", "42", ""),
    ("5", "", "30", "a"),
    ("7", "F", "30", "a"),
]
"""Person, sex, age and code: person 3 has two ages, person 5 no sex, and one row belongs to nobody."""
TABLE: dict[str, Any] = {
    "kind": "table",
    "table": "people.csv",
    "quasi": ["sex", "age"],
    "direct": {"id": "drop"},
}


def part_of(folder: Path, part: dict[str, Any], rows: Sequence[tuple[str, ...]] | None = None) -> Any:
    """A part of a release file, read."""
    lines = [",".join(row) for row in [("id", "sex", "age", "code"), *(ROWS if rows is None else rows)]]
    (folder / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = {name: str(folder / part[name]) for name in ("table", "gold", "tool") if name in part}
    content: dict[str, Any] = {
        "reidrisk": 1,
        "release": {"name": "A test"},
        "context": {"access": "public", "threshold": {"cell_size": 5, "reason": "a test"}},
        "parts": [{"name": "one", **part, **files}],
    }
    return read_release(content).parts[0]


def told(folder: Path, part: dict[str, Any], link: str | None = "id") -> JointPart:
    found = people_of_part(part_of(folder, part), link, RunControl(1))
    assert isinstance(found, JointPart), found
    return found


def test_a_table_as_it_is(tmp_path: Path) -> None:
    found = told(tmp_path, {**TABLE, "other": {"code": "a test"}})
    assert found.people == ("3", "5", "7"), "a row without a key belongs to nobody"
    assert found.attributes == {"sex": ("M", None, "F"), "age": ("41 | 42", "30", "30")}
    assert found.person.size == 0
    assert found.leaks is None


def test_the_unit_of_the_table_is_its_link(tmp_path: Path) -> None:
    own = told(tmp_path, {**TABLE, "unit": "id", "other": {"code": "a test"}}, None)
    assert own.people == ("3", "5", "7")
    other = told(tmp_path, {**TABLE, "unit": "id", "other": {"code": "a test"}}, "code")
    assert other.people == ("a", "b", "c"), "a link that is given goes first"
    without = part_of(tmp_path, {**TABLE, "other": {"code": "a test"}})
    assert "names no person. Write people: {one: COLUMN}" in str(people_of_part(without, None, RunControl(1)))


def test_events_of_a_table(tmp_path: Path) -> None:
    found = told(tmp_path, {**TABLE, "unit": "id", "events": ["code"], "known": 1})
    assert found.tables == ("one",)
    pairs = sorted(zip(found.person.tolist(), found.event.tolist(), strict=True))
    assert [found.people[person] for person, _ in pairs] == ["3", "5", "7", "7"], "an empty code is no event"
    codes = {person: {event for who, event in pairs if found.people[who] == person} for person in "357"}
    assert len(codes["7"]) == 2
    assert codes["5"] < codes["7"], "the same code is the same event"
    assert not codes["3"] & codes["7"]
    assert not found.table.any()


def test_whole_numbers_are_keys_in_every_format(tmp_path: Path) -> None:
    import polars as pl

    part = part_of(tmp_path, {**TABLE, "other": {"code": "a test"}})
    frame = pl.DataFrame(
        {"id": [7.0, 3.0, 7.0, None], "sex": ["F", "M", "F", "M"], "age": [30.0, 41.5, 30.0, 2.0]}
    )
    frame.write_parquet(tmp_path / "people.parquet")
    part = part_of(tmp_path, {**TABLE, "table": "people.parquet"})
    found = people_of_part(part, "id", RunControl(1))
    assert isinstance(found, JointPart)
    assert found.people == ("3", "7")
    assert found.attributes["age"] == ("41.5", "30")


def test_a_table_of_nobody_is_an_error(tmp_path: Path) -> None:
    rows = [("", "F", "30", "a"), ("", "M", "31", "b")]
    part = part_of(tmp_path, {**TABLE, "other": {"code": "a test"}}, rows)
    with pytest.raises(BadData, match="one names no people"):
        people_of_part(part, "id", RunControl(1))


STEPS = [{"kind": "tails", "column": "age", "top": 0.4, "least": 2}]
"""The three highest of seven ages become the least of them: 41."""


def test_a_transformed_table_tells_what_its_steps_leave(tmp_path: Path) -> None:
    part = {**TABLE, "steps": STEPS, "other": {"code": "a test"}}
    found = told(tmp_path, part)
    assert found.people == ("3", "5", "7")
    assert found.attributes == {"sex": ("M", None, "F"), "age": ("41", "30", "30")}
    assert told(tmp_path, {**part, "unit": "id"}, None).people == ("3", "5", "7")
    assert "names no person" in str(people_of_part(part_of(tmp_path, part), None, RunControl(1)))
    renamed = part_of(tmp_path, part)
    assert "steps change the column" in str(people_of_part(renamed, "age", RunControl(1)))
    with_events = told(tmp_path, {**TABLE, "steps": STEPS, "unit": "id", "events": ["code"], "known": 1})
    assert set(with_events.person.tolist()) == {0, 1, 2}


def test_a_table_without_a_solution_tells_nothing(tmp_path: Path) -> None:
    part = part_of(
        tmp_path,
        {**TABLE, "deidentify": True, "other": {"code": "a test"}, "max_suppression": 0.0},
    )
    assert "no solution was found" in str(people_of_part(part, "id", RunControl(1)))


NOTES = [
    ("n1", "p1", "Anna met Bob, a diver. A diver.", [("Anna", "NAME"), ("diver", "JOB"), ("diver", "JOB")]),
    ("n2", "p2", "A   clerk\nwrote.", [("clerk", "JOB")]),
    ("n3", "p1", "The Diver and a pilot.", [("Diver", "JOB"), ("pilot", "JOB")]),
    ("n4", "p3", "Nothing.", []),
]
MISSED = {("n3", "pilot"), ("n1", "Anna")}


def notes(folder: Path, *, patient: bool = True) -> dict[str, Any]:
    """Notes of three people; what is missed is not among the spans of the tool."""
    gold, tool = [], []
    for name, person, text, marks in NOTES:
        spans: list[dict[str, Any]] = []
        start = 0
        for value, kind in marks:
            start = text.index(value, start)
            spans.append({"start": start, "end": start + len(value), "type": kind})
            start += len(value)
        found = [
            {"start": one["start"], "end": one["end"], "label": one["type"]}
            for one in spans
            if (name, text[one["start"] : one["end"]]) not in MISSED
        ]
        own = {"patient": person} if patient or name == "n1" else {}
        gold.append({"doc_id": name, "text": text, "entities": spans, **own})
        tool.append({"doc_id": name, "spans": found})
    for name, rows in (("gold", gold), ("tool", tool)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return {
        "kind": "text",
        "gold": "gold.jsonl",
        "tool": "tool.jsonl",
        "types": {"JOB": "quasi", "NAME": "direct"},
    }


def test_what_texts_say_and_what_leaked(tmp_path: Path) -> None:
    found = told(tmp_path, notes(tmp_path), "patient")
    assert found.people == ("p1", "p2", "p3")
    leaks = found.leaks
    assert leaks is not None
    assert leaks.values == (("diver | pilot", "clerk", None),)
    assert leaks.instances.tolist() == [[4], [1], [0]]
    assert [(one.name, one.caught, one.trials) for one in leaks.kinds] == [("JOB", 4, 5)]
    assert leaks.leaked is not None
    assert leaks.leaked.tolist() == [[True], [False], [False]]
    assert leaks.direct_leaked is not None
    assert leaks.direct_leaked.tolist() == [1.0, 0.0, 0.0]
    assert leaks.direct == pytest.approx(1 / 3)


def test_each_text_is_a_person_or_a_part_of_its_name(tmp_path: Path) -> None:
    assert told(tmp_path, notes(tmp_path), "id").people == ("n1", "n2", "n3", "n4")
    assert told(tmp_path, notes(tmp_path), "(n)[0-9]").people == ("n",)


def test_texts_that_do_not_name_a_person_are_not_linked(tmp_path: Path) -> None:
    part = part_of(tmp_path, notes(tmp_path, patient=False))
    assert "names no person" in str(people_of_part(part, "patient", RunControl(1)))
    assert "names no person" in str(people_of_part(part, None, RunControl(1)))
