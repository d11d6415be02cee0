"""A release of three parts in which some people are singular only across all of them.

A database has wards and diagnoses, notes tell jobs that a tool missed, and a report tells ages. The planted
people, one per ward, have a rare diagnosis, a rare job and a rare age. With any two of the three parts, each
of them fits at least five people. Generator and planted people have seeds of their own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from reidrisk.assess.joint_people import people_of_part
from reidrisk.assess.kind import RunControl
from reidrisk.assess.kinds.joint import JointParts
from reidrisk.assess.release_file import read_release
from reidrisk.core.key import new_key
from reidrisk.core.threshold import Threshold
from reidrisk.documents.findings.file import write_findings
from reidrisk.relational.joint import JointPart, joint_risk
from tests.documents.risk.builders import findings, reviewed

PEOPLE, WARDS = 900, "abc"
RARE_CODE, COMMON_CODES = 9, 3
RARE_JOB, COMMON_JOB = "diver", "clerk"
RARE_AGE, COMMON_AGE = "103", "47"
GROUP = 6
"""People who share two of the three rare values with a planted person."""
FIVE = Threshold.from_cell_size(5, "a test")


@dataclass(eq=False)
class PlantedRelease:
    """What is known of everybody, and who was planted."""

    wards: list[str]
    codes: list[int]
    jobs: list[str | None]
    """As the notes leak them; None if the tool masks the job."""
    ages: list[str | None]
    """As the report tells them; None if it does not mention the person."""
    planted: list[int] = field(default_factory=list)

    @classmethod
    def generated(cls, seed: int) -> PlantedRelease:
        """People with common values only."""
        rng = np.random.default_rng([seed, 1])
        told, leaked = (set(rng.permutation(PEOPLE)[: PEOPLE // 2].tolist()) for _ in range(2))
        return cls(
            [WARDS[at % len(WARDS)] for at in range(PEOPLE)],
            rng.integers(0, COMMON_CODES, PEOPLE).tolist(),
            [COMMON_JOB if at in leaked else None for at in range(PEOPLE)],
            [COMMON_AGE if at in told else None for at in range(PEOPLE)],
        )

    def plant(self, seed: int) -> PlantedRelease:
        """One person per ward with three rare values, hidden among people with two of them."""
        rng = np.random.default_rng([seed, 2])
        for ward in WARDS:
            mine = rng.permutation([at for at in range(PEOPLE) if self.wards[at] == ward]).tolist()
            one, others = mine[0], [mine[1 + GROUP * at : 1 + GROUP * (at + 1)] for at in range(3)]
            self.planted.append(one)
            for at in (one, *others[0], *others[1]):
                self.codes[at] = RARE_CODE
            for at in (one, *others[1], *others[2]):
                self.jobs[at] = RARE_JOB
            for at in (one, *others[0], *others[2]):
                self.ages[at] = RARE_AGE
            for at in others[0]:
                self.jobs[at] = None
            for at in others[1]:
                self.ages[at] = None
            for at in others[2]:
                self.codes[at] = 0
        return self

    def key(self, at: int) -> str:
        """The person's key in all parts."""
        return f"P{at:04}"

    def write(self, folder: Path) -> dict[str, Any]:
        """Write database, notes and study; the content of the release file."""
        self._write_database(folder / "base")
        self._write_notes(folder)
        self._write_study(folder)
        if not (folder / "my.key").exists():
            new_key(folder / "my.key", "pseudonyms")
        return {**RELEASE, "parts": [_in(folder, part) for part in PARTS]}

    def _write_database(self, folder: Path) -> None:
        folder.mkdir()
        people = [f"{self.key(at)},{ward}" for at, ward in enumerate(self.wards)]
        rows = [f"{self.key(at)},c{code}" for at, code in enumerate(self.codes)]
        _lines(folder / "person.csv", ["person_id,ward", *people])
        _lines(folder / "diagnosis.csv", ["person_id,code", *rows])

    def _write_notes(self, folder: Path) -> None:
        gold, tool = [], []
        for at, job in enumerate(self.jobs):
            told = job or COMMON_JOB
            text = f"Seen by Jones. Works as a {told} in town."
            start = text.index(told)
            name = {"start": 8, "end": 13, "type": "NAME"}
            work = {"start": start, "end": start + len(told), "type": "PROFESSION"}
            gold.append({"doc_id": f"n{at}", "patient": self.key(at), "text": text, "entities": [name, work]})
            found = [{**name, "label": "NAME"}, *([] if job else [{**work, "label": "PROFESSION"}])]
            tool.append({"doc_id": f"n{at}", "spans": found})
        _lines(folder / "gold.jsonl", [json.dumps(one) for one in gold])
        _lines(folder / "tool.jsonl", [json.dumps(one) for one in tool])

    def _write_study(self, folder: Path) -> None:
        rows = [f"{self.key(at)},{age or COMMON_AGE}" for at, age in enumerate(self.ages)]
        _lines(folder / "adsl.csv", ["USUBJID,AGE", *rows])
        spots = [(at + 1, "AGE", None) for at, age in enumerate(self.ages) if age is not None]
        file = reviewed(findings(spots))
        write_findings(folder / "found.json", file.documents, settings={}, reviews=file.reviews)
        study = {"study": "CT1", "ipd": {"adsl": "adsl.csv"}, "schema": {"quasi": ["AGE"]}}
        (folder / "study.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")


def _lines(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


PARTS: tuple[dict[str, Any], ...] = (
    {
        "name": "database",
        "kind": "relational",
        "folder": "base",
        "key": "my.key",
        "person": "person.person_id",
        "keys": {"diagnosis.person_id": "person.person_id"},
        "quasi": ["person.ward"],
        "events": {"diagnosis": ["code"]},
        "columns": {"person.ward": "keep", "diagnosis.code": "keep"},
        "known": 1,
        "dates": {"know": "nothing"},
    },
    {
        "name": "notes",
        "kind": "text",
        "gold": "gold.jsonl",
        "tool": "tool.jsonl",
        "types": {"PROFESSION": "quasi", "NAME": "direct"},
    },
    {
        "name": "report",
        "kind": "documents",
        "study": "study.yaml",
        "scenario": "ipd_mentioned",
        "findings": "found.json",
    },
)
RELEASE: dict[str, Any] = {
    "reidrisk": 1,
    "release": {"name": "A hospital and its trial"},
    "context": {"access": "public", "threshold": {"cell_size": 5, "reason": "a test"}},
    "joint": [
        {
            "parts": ["database", "notes", "report"],
            "people": {"notes": "patient", "report": "USUBJID"},
            "known": 1,
            "leaks": "observed",
        }
    ],
}


def _in(folder: Path, part: dict[str, Any]) -> dict[str, Any]:
    paths = ("folder", "key", "gold", "tool", "study", "findings")
    return {name: str(folder / value) if name in paths else value for name, value in part.items()}


def people_above(content: dict[str, Any]) -> set[str]:
    """The keys of the people whose risk over all parts is above the threshold."""
    group = next(part for part in read_release(content).parts if isinstance(part, JointParts))
    links = group.given["people"]
    parts = [people_of_part(one, links.get(one.name), RunControl(7)) for one in group.members]
    linked = [one for one in parts if isinstance(one, JointPart)]
    found = joint_risk(linked, group.settings, threshold=FIVE)
    keys = sorted({key for one in linked for key in one.people})
    return {keys[at] for at in np.flatnonzero(found.together.above(FIVE)).tolist()}
