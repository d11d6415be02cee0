"""Transformations in a release file: what is measured, written, told and verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import reidrisk as rr
from reidrisk.core.key import make_key, read_key
from reidrisk.errors import ReidRiskError
from reidrisk.report.case import case_of
from reidrisk.report.documents.general import document
from tests.assess.builders import HIDDEN, written

DRAWN: list[dict[str, Any]] = [
    {"kind": "sample", "share": 0.8},
    {"kind": "pram", "column": "sex", "keep": 0.9},
    {"kind": "noise", "columns": ["income"], "share": 0.1},
]
PART: dict[str, Any] = {
    "name": "blurred",
    "kind": "table",
    "table": "t.csv",
    "quasi": ["sex"],
    "direct": ["name"],
    "other": {"age": "a test"},
    "steps": [*DRAWN, {"kind": "pseudonyms", "columns": ["person"], "release": "one"}],
    "key": "key",
    "out": "blurred.csv",
}
SEARCHED: dict[str, Any] = {
    **PART,
    "name": "searched",
    "quasi": ["sex", "age"],
    "other": {},
    "deidentify": True,
    "hierarchies": {"age": {"kind": "number", "levels": [{"width": 20}]}},
    "max_suppression": 0.3,
    "out": "searched.csv",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [(HIDDEN, f"p{n}", "FM"[n * n % 5 % 2], 20 + n * 7 % 40, 1000 + n * n % 313) for n in range(240)]
    written(tmp_path / "t.csv", ("name", "person", "sex", "age", "income"), rows)
    make_key(tmp_path / "key")
    return tmp_path


def release(folder: Path, *parts: dict[str, Any], seed: int = 5) -> Path:
    content = {
        "reidrisk": 1,
        "release": {"name": "Blurred"},
        "context": {"preset": "hospital", "access": "public"},
        "seed": seed,
        "parts": json.loads(json.dumps(parts)),
        "joint": {"none": "a test of single parts"},
    }
    path = folder / "release.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path


def test_transformed_parts_are_judged_written_told_and_verified(folder: Path) -> None:
    done = rr.assess(release(folder, PART, SEARCHED), out=folder / "out")
    assert done.acceptable, str(done)
    for part in done.to_dict()["parts"]:
        assert [one["kind"] for one in part["result"]["steps"]] == ["sample", "pram", "noise", "pseudonyms"]
        assert part["initial"]["risk"] is not None
        assert "pram: sex" in " ".join(part["measures"])
        assert part["judged"]["sentence"].endswith("changed at random: sex.")
        assert (folder / "out" / "parts" / part["name"] / "steps.csv").is_file()
    found = rr.verify(folder / "out")
    assert found.holds, str(found)
    shown = document(case_of(done))
    for text in (str(done), repr(shown), (folder / "blurred.csv").read_text()):
        assert HIDDEN not in text
    assert "What each step changed" in repr(shown)


def test_what_is_written_is_what_was_measured(folder: Path) -> None:
    done = rr.assess(release(folder, PART), out=folder / "out")
    [part] = done.to_dict()["parts"]
    five = rr.Threshold.from_cell_size(5, "test")
    risk = rr.table_risk(folder / "blurred.csv", rr.Schema(quasi=("sex",)), threshold=five)
    assert part["result"]["smallest_class"] == risk.sizes.smallest
    assert (folder / "blurred.csv").read_text().splitlines()[0] == "person,sex,age,income"
    direct = rr.transform_table(
        folder / "t.csv", PART["steps"], folder / "direct.csv", key=read_key(folder / "key"), seed=5
    )
    assert direct.rows_after == part["result"]["rows"]


def test_another_key_or_seed_is_noticed(folder: Path) -> None:
    rr.assess(release(folder, PART), out=folder / "out")
    first = (folder / "blurred.csv").read_bytes()
    rr.assess(release(folder, PART), out=folder / "out")
    assert (folder / "blurred.csv").read_bytes() == first
    rr.assess(release(folder, PART, seed=6), out=folder / "out")
    assert (folder / "blurred.csv").read_bytes() != first
    (folder / "key").unlink()
    make_key(folder / "key")
    found = rr.verify(folder / "out")
    assert not found.holds
    assert "another key" in str(found)


def test_a_sample_is_a_sampling_fraction_for_the_journalist(folder: Path) -> None:
    alone = {name: value for name, value in PART.items() if name not in {"out", "key"}}
    part = {**alone, "steps": DRAWN[:1], "adversary": "journalist"}
    [judged] = rr.assess(release(folder, part)).to_dict()["parts"]
    assert judged["result"]["settings"]["sampling"]["fraction"] == 0.8
    assert judged["judged"]["statistic"].endswith("journalist")
    twice = {**part, "sampling_fraction": 0.5}
    [judged] = rr.assess(release(folder, twice)).to_dict()["parts"]
    assert judged["result"]["settings"]["sampling"]["fraction"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"steps": [{"kind": "sample", "share": 3}]},
            r"line \d+: parts\[0\]\.steps\[0\].*share of a sample cannot be 3",
        ),
        ({"steps": [{"kind": "blur"}]}, "blur"),
        ({"steps": []}, "empty"),
        ({"steps": None}, "released unchanged"),
        ({"key": None}, r"steps\[3\] \(pseudonyms\) needs a key"),
        ({"key": "nowhere"}, "does not exist"),
        ({"out": "t.csv"}, "is also an input"),
        ({"out": "none/x.csv"}, "folder that does not exist"),
        ({"direct": {"name": "number"}}, "kind: pseudonyms"),
        ({"weights": "income"}, "sampling_fraction"),
    ],
)
def test_nonsense_is_refused_by_its_line(folder: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(ReidRiskError, match=words) as found:
        rr.assess(release(folder, {**PART, **change}))
    assert HIDDEN not in str(found.value)


def test_a_step_on_a_column_that_is_not_there_fails_its_part(folder: Path) -> None:
    wrong = {**PART, "steps": [{"kind": "noise", "columns": ["incme"]}]}
    [part] = rr.assess(release(folder, wrong)).to_dict()["parts"]
    assert part["status"] == "failed"
    assert "blurred.steps[0] (noise)" in part["error"]["problem"]
    assert "income" in part["error"]["hint"]


def test_rows_drawn_one_by_one_are_no_sampling_fraction_of_people(folder: Path) -> None:
    written(folder / "rows.csv", ("person", "sex"), [(n // 4, "FM"[n // 4 % 2]) for n in range(400)])
    part = {"name": "rows", "kind": "table", "table": "rows.csv", "quasi": ["sex"], "unit": "person"}
    asked = {**part, "adversary": "journalist", "sampling_fraction": 0.4}
    drawn = {"kind": "sample", "share": 0.5}
    for steps, fraction in (([drawn], 0.4), ([{**drawn, "person": "person"}], 0.2)):
        [judged] = rr.assess(release(folder, {**asked, "steps": steps})).to_dict()["parts"]
        assert judged["result"]["settings"]["sampling"]["fraction"] == pytest.approx(fraction)


def test_whose_record_a_row_is_stays(folder: Path) -> None:
    steps = [{"kind": "pram", "column": "person", "keep": 0.5}]
    part = {**PART, "unit": "person", "reduce": {"sex": "first"}, "steps": steps}
    done = rr.assess(release(folder, part), out=folder / "out")
    [judged] = done.to_dict()["parts"]
    assert not done.acceptable
    assert "identifies the unit of a row" in judged["error"]["problem"]
    assert not (folder / "blurred.csv").exists()
