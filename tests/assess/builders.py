"""A small release of every kind of part, in a folder."""

from __future__ import annotations

import csv
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.jsonl import write_jsonl
from tests.report.tiny import PLACES, TEXT

HIDDEN = "Zebulon"
"""A value of the table that must never be told."""

CONTENT: dict[str, Any] = {
    "reidrisk": 1,
    "release": {"name": "A small release", "date": "2026-11-01", "review_months": 6},
    "context": {"preset": "hospital", "access": "non_public", "controls": "medium", "motives": "low"},
    "seed": 7,
    "parts": [
        {"name": "notes", "kind": "text", "gold": "gold.jsonl", "tool": "tool.jsonl"},
        {
            "name": "records",
            "kind": "table",
            "table": "rx.csv",
            "quasi": ["sex", "age"],
            "direct": ["name"],
            "hierarchies": {"age": {"kind": "number", "levels": [{"width": 10}, {"width": 50}]}},
        },
        {
            "name": "made",
            "kind": "table",
            "table": "rx.csv",
            "deidentify": True,
            "quasi": ["sex", "age"],
            "direct": {"name": "drop"},
            "hierarchies": {"age": {"kind": "number", "levels": [{"width": 10}, {"width": 50}]}},
            "out": "made.csv",
        },
        {
            "name": "state",
            "kind": "population",
            "population": "people.csv",
            "policy": "year_of_birth,sex",
            "compare": "sex",
        },
    ],
    "joint": {"none": "no person is in two parts"},
}


def write_data(folder: Path, *, leaky: int = 3, extra: int = 0) -> None:
    """Notes of which `leaky` leak, a table of 60 records and `extra` odd ones, a population."""
    marks = tuple(
        Annotation(TEXT.index(value), TEXT.index(value) + len(value), kind, role)
        for value, kind, role in PLACES
    )
    gold = [Document(f"d{number}", marks, TEXT) for number in range(20)]
    tool = [Document(f"d{number}", marks[1:3] if number < leaky else marks, TEXT) for number in range(20)]
    write_jsonl(gold, folder / "gold.jsonl")
    write_jsonl(tool, folder / "tool.jsonl")
    rows = [(HIDDEN, "FM"[number % 2], 20 + number % 10) for number in range(60)]
    rows += [(HIDDEN, "F", 70 + number) for number in range(extra)]
    written(folder / "rx.csv", ("name", "sex", "age"), rows)
    people = [("Ohio", sex, age, 40 + age) for sex in "FM" for age in range(20, 40)]
    written(folder / "people.csv", ("state", "sex", "age", "n"), people)


def written(path: Path, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def content(*parts: str, **more: Any) -> dict[str, Any]:
    """The release with some of its parts, and other sections."""
    found = deepcopy(CONTENT) | deepcopy(more)
    if parts:
        found["parts"] = [part for part in found["parts"] if part["name"] in parts]
    return found


def write_file(folder: Path, *parts: str, **more: Any) -> Path:
    """The release file, as YAML."""
    path = folder / "release.yaml"
    plain = json.loads(json.dumps(content(*parts, **more)))
    path.write_text(yaml.safe_dump(plain, sort_keys=False), encoding="utf-8")
    return path
