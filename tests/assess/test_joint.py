"""What the parts of a release tell together: from a release file to the verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting

PEOPLE = 40


def release(folder: Path, *, leaks: bool = True, rare: bool = True) -> dict[str, Any]:
    """A table of patients with diagnoses, and notes of the same patients that tell their jobs.

    One patient has a diagnosis that six have, and a job that six others have: only together they are rare.
    """
    rows, gold, tool = ["id,sex,diagnosis"], [], []
    for at in range(PEOPLE):
        code = "x" if at < 6 else "y"
        job = "diver" if (at == 0 or 6 <= at < 12) and rare else "clerk"
        rows.append(f"p{at},F,{code}")
        text = f"The patient works as a {job} in town."
        start = text.index(job)
        span = {"start": start, "end": start + len(job)}
        missed = leaks and job == "diver"
        gold.append(
            {
                "doc_id": f"n{at}",
                "patient": f"p{at}",
                "text": text,
                "entities": [{**span, "type": "PROFESSION"}],
            }
        )
        tool.append({"doc_id": f"n{at}", "spans": [] if missed else [{**span, "label": "PROFESSION"}]})
    (folder / "patients.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for name, notes in (("gold", gold), ("tool", tool)):
        lines = "".join(json.dumps(one) + "\n" for one in notes)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return {
        "reidrisk": 1,
        "release": {"name": "A clinic and its notes"},
        "context": {"access": "public", "threshold": {"cell_size": 5, "reason": "a test"}},
        "parts": [
            {
                "name": "clinic",
                "kind": "table",
                "table": str(folder / "patients.csv"),
                "quasi": ["sex", "diagnosis"],
                "unit": "id",
                "direct": {"id": "drop"},
            },
            {
                "name": "notes",
                "kind": "text",
                "gold": str(folder / "gold.jsonl"),
                "tool": str(folder / "tool.jsonl"),
                "types": {"PROFESSION": "quasi"},
            },
        ],
    }


JOINT = [{"parts": ["clinic", "notes"], "people": {"notes": "patient"}, "leaks": "observed"}]


def joint_of(result: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in result["parts"] if one["kind"] == "joint")
    return found


def test_what_is_rare_only_together_is_found(tmp_path: Path) -> None:
    result = rr.assess({**release(tmp_path), "joint": JOINT}).to_dict()
    joint = joint_of(result)
    assert joint["name"] == "together"
    assert joint["result"]["kind"] == "joint_risk"
    assert joint["judged"]["risk"] == 1.0
    assert not joint["judged"]["acceptable"]
    assert set(joint["result"]["breaking"]) == {"clinic", "notes"}
    assert joint["result"]["people"] == PEOPLE
    assert not result["acceptable"]
    assert any("Leave out the part notes" in one["text"] for one in result["remedies"])
    clean = rr.assess({**release(tmp_path, leaks=False, rare=False), "joint": JOINT}).to_dict()
    assert joint_of(clean)["judged"]["acceptable"]


def test_leaks_with_their_probability(tmp_path: Path) -> None:
    group = {**JOINT[0], "leaks": "model"}
    joint = joint_of(rr.assess({**release(tmp_path), "joint": [group]}).to_dict())
    assert joint["result"]["settings"]["leaks"] == "model"
    assert joint["judged"]["risk"] > 1 / 5
    assert joint["judged"]["weakest_grade"] == "published"


def test_nobody_said_what_the_parts_tell_together(tmp_path: Path) -> None:
    result = rr.assess(release(tmp_path, leaks=False)).to_dict()
    item = next(one for one in result["inventory"] if one["item"] == "what the parts tell together")
    assert item["status"] == "unmeasured"
    assert not result["acceptable"]
    assert "tell together was not measured" in result["verdict"]["sentence"]
    stated = rr.assess({**release(tmp_path, leaks=False), "joint": {"none": "other people"}}).to_dict()
    item = next(one for one in stated["inventory"] if one["item"] == "what the parts tell together")
    assert (item["status"], item["reason"]) == ("accepted", "other people")
    assert "tell together was not" not in stated["verdict"]["sentence"]


def test_parts_that_cannot_be_linked_are_named(tmp_path: Path) -> None:
    group = {"parts": ["clinic", "notes"]}
    result = rr.assess({**release(tmp_path, leaks=False), "joint": [group]}).to_dict()
    joint = joint_of(result)
    assert [one["part"] for one in joint["result"]["unlinked"]] == ["notes"]
    assert not joint["judged"]["acceptable"]
    assert "notes could not be linked" in joint["judged"]["sentence"]


@pytest.mark.parametrize(
    ("joint", "problem"),
    [
        ("none", "joint"),
        ({"none": " "}, "a reason why"),
        ([{"parts": ["clinic"]}], "fewer than two parts"),
        ([{"parts": ["clinic", "letters"]}], "letters"),
        ([{"parts": ["clinic", "notes"], "people": {"letters": "id"}}], "not among the parts"),
        ([{"parts": ["clinic", "notes"], "leaks": "guessed"}], "guessed"),
    ],
)
def test_refusals(tmp_path: Path, joint: Any, problem: str) -> None:
    with pytest.raises(InvalidSetting, match=problem):
        rr.assess({**release(tmp_path), "joint": joint})


def test_a_draft_asks_for_it(tmp_path: Path) -> None:
    release(tmp_path)
    files = [tmp_path / name for name in ("patients.csv", "gold.jsonl", "tool.jsonl")]
    draft = rr.draft_release(files, folder=tmp_path)
    assert "# joint:" in draft
    assert "none: REASON" in draft
    assert "# joint:" not in rr.draft_release(files[:1], folder=tmp_path)
