"""What documents mention and what is released of a table, linked by people before anybody is renamed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import reidrisk as rr
from reidrisk.assess.joint_people import people_of_part
from reidrisk.assess.kind import RunControl
from reidrisk.assess.release_file import read_release
from reidrisk.core.key import new_key
from reidrisk.documents.findings.file import write_findings
from reidrisk.errors import InvalidSetting
from reidrisk.relational.joint import JointPart, joint_risk
from reidrisk.stats.leaked_values import TextValues, leak_risk
from tests.documents.risk.builders import Spot, findings, kumar_study, reviewed
from tests.papers.tables import KUMAR

AGES = {"kind": "number", "levels": [{"name": "5 years", "width": 5}]}
GROUP: dict[str, Any] = {
    "parts": ["registry", "report"],
    "people": {"registry": "id", "report": "USUBJID"},
    "same": {"age": ["registry.age", "report.AGE"]},
}


def release(folder: Path, *, joint: Any = None, **study: Any) -> dict[str, Any]:
    """The sixth worked example as files: a table with bands of ages, and a report that tells one age."""
    kumar_study(folder)
    write_found(folder / "found.json", [(8, "AGE", None)])
    content = {"study": "CT1", "ipd": {"adsl": "adsl.csv"}, "schema": {"quasi": ["SEX", "AGE"]}, **study}
    (folder / "study.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    people = [*KUMAR, ("M", "26"), ("M", "26")]  # two more men, so that five are alike
    rows = [f"CT1/{101 + at},{sex},{age}" for at, (sex, age) in enumerate(people)]
    (folder / "registry.csv").write_text("\n".join(["id,sex,age", *rows]) + "\n", encoding="utf-8")
    if not (folder / "my.key").exists():
        new_key(folder / "my.key", "pseudonyms")
    return {
        "reidrisk": 1,
        "release": {"name": "A trial"},
        "context": {"access": "public", "threshold": {"cell_size": 5, "reason": "a test"}},
        "parts": [
            {
                "name": "registry",
                "kind": "table",
                "table": str(folder / "registry.csv"),
                "deidentify": True,
                "quasi": ["sex", "age"],
                "direct": {"id": "pseudonym"},
                "key": str(folder / "my.key"),
                "hierarchies": {"age": AGES},
            },
            {
                "name": "report",
                "kind": "documents",
                "study": str(folder / "study.yaml"),
                "scenario": "ipd_mentioned",
                "findings": str(folder / "found.json"),
            },
        ],
        "joint": [GROUP] if joint is None else joint,
    }


def write_found(path: Path, spots: list[Spot]) -> None:
    """Findings of a report of which a reviewer read every page."""
    file = reviewed(findings(spots))
    write_findings(path, file.documents, settings={}, reviews=file.reviews)


def joint_result(content: dict[str, Any]) -> dict[str, Any]:
    parts = rr.assess(content).to_dict()["parts"]
    found: dict[str, Any] = next(one["result"] for one in parts if one["kind"] == "joint")
    return found


def test_a_report_beside_a_generalized_table(tmp_path: Path) -> None:
    found = joint_result(release(tmp_path))
    assert found["unlinked"] == []
    assert found["people"] == 12
    assert found["highest"] == 1.0
    assert [row["alone"]["highest"] for row in found["parts"]] == pytest.approx([1 / 5, 1.0])
    assert found["breaking"] == ["report"]
    rules = {"key": "study.key", "hierarchies": {"AGE": AGES}, "levels": {"AGE": "5 years"}}
    banded = joint_result(release(tmp_path, deidentified=rules))
    assert banded["highest"] == pytest.approx(1 / 5), "a value at the table's level adds nothing"


def test_what_a_detector_may_have_missed_counts_beside_a_table(tmp_path: Path) -> None:
    """Ages that were blacked out: two of 20 were missed on the one page of two that somebody read."""
    content = release(tmp_path, schema={"quasi": ["AGE"]})
    spots: list[Spot] = [(who, "AGE", None) for who in range(1, 11) for _ in range(4)]
    file = reviewed(findings(spots, pages=2), [(1, "AGE", None), (3, "AGE", None)], pages=1)
    half = tuple(place for place in file.reviews[0].seen if place[1] == "page 1")
    write_findings(
        tmp_path / "found.json", file.documents, settings={}, reviews=(replace(file.reviews[0], seen=half),)
    )
    content["parts"][1]["scenario"] = "redacted"
    _, report, _ = read_release(content).parts
    told = people_of_part(report, None, RunControl(1))
    assert isinstance(told, JointPart)
    assert told.leaks is not None
    assert [(kind.name, kind.caught, kind.trials) for kind in told.leaks.kinds] == [("AGE", 20, 22)]
    assert told.leaks.instances[:, 0].tolist() == [5, 4, 5, *[4] * 7]
    assert told.leaks.values == (tuple(str(age) for _, age in KUMAR),)
    assert told.leaks.leaked is None, "nobody read the other page"
    women = JointPart("table", told.people, {"all": ("x",) * 10})
    found = joint_risk([women, told])
    codes = np.unique([age for _, age in KUMAR], return_inverse=True)[1][:, None]
    exact = leak_risk(TextValues(np.zeros(10, dtype=np.int64), codes, told.leaks.instances), told.leaks.kinds)
    assert found.alone[0].highest == pytest.approx(1 / 10)
    assert (found.together.high >= exact.high - 1e-9).all(), "never below the formula"
    assert found.together.highest == pytest.approx(exact.highest, rel=0.15)
    write_findings(tmp_path / "found.json", file.documents, settings={}, reviews=file.reviews)
    seen = people_of_part(read_release(content).parts[1], None, RunControl(1))
    assert isinstance(seen, JointPart)
    assert seen.leaks is not None
    assert seen.leaks.leaked is not None
    assert seen.leaks.leaked[:, 0].tolist() == [at in (0, 2) for at in range(10)]


def test_people_are_linked_before_they_are_renamed(tmp_path: Path) -> None:
    registry, report, _ = read_release(release(tmp_path)).parts
    table = people_of_part(registry, "id", RunControl(1))
    assert isinstance(table, JointPart)
    assert table.people == tuple(sorted(f"CT1/{101 + at}" for at in range(12)))
    assert set(table.attributes["age"]) == {"25-29"}
    assert "0-100" not in table.coarser["age"]["25-29"]
    told = people_of_part(report, None, RunControl(1))
    assert isinstance(told, JointPart)
    assert told.people == tuple(f"CT1/{101 + at}" for at in range(10))
    assert dict(told.told) == {"AGE": (*[None] * 7, "27", None, None)}
    assert "names no person" in str(people_of_part(registry, None, RunControl(1)))


def test_recipients_who_may_pool_and_who_may_not(tmp_path: Path) -> None:
    content = release(tmp_path)
    received = {**GROUP, "recipients": {"a university": ["registry"], "the public": ["report"]}}
    assert [part.name for part in read_release({**content, "joint": [received]}).parts][2:] == ["together"]
    apart = {**received, "apart": "the university signed an agreement"}
    read = read_release({**content, "joint": [apart]})
    assert [part.name for part in read.parts] == ["registry", "report"]
    third = {**content["parts"][0], "name": "copy"}
    three = {
        **content,
        "parts": [*content["parts"], third],
        "joint": [
            {
                **GROUP,
                "parts": ["registry", "report", "copy"],
                "recipients": {"a university": ["registry", "copy"], "the public": ["report"]},
            }
        ],
    }
    names = {part.name: part.given["parts"] for part in read_release(three).parts[3:]}
    assert names == {
        "together-a-university": ["registry", "copy"],
        "together": ["registry", "report", "copy"],
    }
    (group,) = three["joint"]
    everything = {**group, "recipients": {"a university": ["copy", "report", "registry"]}}
    alone = {**group, "apart": "agreed", "recipients": {"a": ["registry"], "b": ["report", "copy"]}}
    for joint, expected in (
        (everything, {"together": ["registry", "report", "copy"]}),
        (alone, {"together-b": ["report", "copy"]}),
    ):
        read = read_release({**three, "joint": [joint]})
        assert {part.name: part.given["parts"] for part in read.parts[3:]} == expected


def test_a_part_that_no_group_names_stops_the_verdict(tmp_path: Path) -> None:
    content = release(tmp_path)
    third = {**content["parts"][0], "name": "copy"}
    forgotten = {**content, "parts": [*content["parts"], third]}
    done = rr.assess(forgotten).to_dict()
    item = next(one for one in done["inventory"] if one["item"] == "what the parts tell together")
    assert item["status"] == "unmeasured"
    assert "copy" in item["reason"]
    stated = {**forgotten, "joint": [GROUP, {"parts": ["copy"], "none": "other people"}]}
    done = rr.assess(stated).to_dict()
    item = next(one for one in done["inventory"] if one["item"] == "what the parts tell together")
    assert item["status"] == "measured"
    assert "other people" in item["reason"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"same": {"age": ["letters.AGE"]}}, "no attribute of the parts"),
        ({"recipients": {"u": ["letters"]}}, "letters"),
        ({"recipients": {"u": ["registry"]}}, "who receives report"),
        ({"apart": "a reason"}, "needs recipients"),
        ({"none": " "}, "none is not a text"),
    ],
)
def test_refusals(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidSetting, match=problem):
        read_release(release(tmp_path, joint=[{**GROUP, **change}]))
