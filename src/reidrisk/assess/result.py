"""The result of an assessment: one verdict, its reasons, remedies, and the changes since an earlier one."""

from __future__ import annotations

import json
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from reidrisk.assess.form import EXPERT_FORM, SUBMISSION_FORM
from reidrisk.assess.judgement import Judgement
from reidrisk.assess.kind import JOINABLE
from reidrisk.assess.release_file import ReleaseFile
from reidrisk.assess.verdict import Remedy, SensitivityRow
from reidrisk.core.about import own_version, versions
from reidrisk.core.evidence import evidence_of, weakest_grade
from reidrisk.core.inventory import Inventory, InventoryItem
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural, probability, undecided_words
from reidrisk.errors import UnreadableFile

ASSESSMENT = "assessment.json"
"""The file of an assessment in its folder."""
ABOUT = ("name", "purpose", "custodian", "recipient", "prepared_by", "date")
SECTIONS: dict[str, tuple[str, ...]] = {
    "submission": tuple(SUBMISSION_FORM.entries),
    "expert": tuple(EXPERT_FORM.entries),
}
"""Sections of `release`, with their settings; what is not stated is null."""
NEEDED = {"acceptable", "version", "release", "context", "parts"}
WHOLE = "release"
TOGETHER = "what the parts tell together"
NOT_JOINED = "what the parts tell together was not measured"
NO_JOINT = (
    "What the parts tell together was not measured. Write joint: with the parts that hold the same people, "
    "or joint: {none: REASON} if no person is in two of them."
)
NOT_NAMED = (
    "What {0} and the other parts tell together was not measured. Name it in a group of joint:, or write "
    "a group with parts: and none: REASON if its people are in no other part."
)
ACCESS = {"public": "Public", "semi_public": "Semi-public", "non_public": "Restricted"}


@dataclass(frozen=True)
class Assessment(Result):
    """Whether a release is acceptable in its context."""

    _main_table = "parts"
    release: ReleaseFile
    judgement: Judgement
    remedies: tuple[Remedy, ...] = ()
    sensitivity: tuple[SensitivityRow, ...] = ()
    previous: Mapping[str, Any] | None = field(default=None, repr=False)
    """An earlier assessment to compare with."""

    @property
    def acceptable(self) -> bool:
        """Whether every part is at or below its limit, and it is known what the parts tell together."""
        return self.judgement.acceptable and not self.joint_is_missing

    @cached_property
    def joint_item(self) -> InventoryItem | None:
        """What the parts tell together, as an item of the inventory; None if there is one part only."""
        return joint_item(self.release)

    @property
    def joint_is_missing(self) -> bool:
        """Whether nobody said which parts hold the same people."""
        return self.joint_item is not None and self.joint_item.status == "unmeasured"

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of parts that could not be judged."""
        return tuple(one.part.name for one in self.judgement.failed)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        return dict(self._content)

    @cached_property
    def _content(self) -> dict[str, Any]:
        context, about = self.judgement.score.to_dict(), self.release.about
        found: dict[str, Any] = {
            "kind": "assessment",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.release.content),
            "seed": self.release.seed,
            "versions": versions(),
            "release": {
                **{name: about.get(name) for name in ABOUT},
                **{name: stated(about.get(name), SECTIONS[name]) for name in SECTIONS},
                "review": review_date(about),
            },
            "context": context,
            "verdict": {"acceptable": self.acceptable, "sentence": self._sentence()},
            "reasons": self._reasons(),
            "remedies": [remedy.to_dict(rank) for rank, remedy in enumerate(self.remedies, start=1)],
            "parts": [one.to_dict() for one in self.judgement.parts],
            **self._inventory(),
            "agreement": context["agreement"],
            "sensitivity": [row.to_dict() for row in self.sensitivity],
        }
        found["verdict"]["weakest_grade"] = weakest_grade(evidence_of(found))
        changes = None if self.previous is None else compare_assessments(found, self.previous)
        return {**found, "monitoring": changes}

    def _sentence(self) -> str:
        number = len(self.judgement.parts)
        if self.acceptable:
            parts = "the part is" if number == 1 else f"all {plural(number, 'part')} are"
            return f"Acceptable: {parts} within the limits."
        failed, refused = self.judgement.failed, self.judgement.refused
        clauses = [NOT_JOINED] if self.joint_is_missing else []
        if failed:
            clauses.append(f"could not be judged: {', '.join(one.part.name for one in failed)}")
        unmeasured = [one.part.name for one in refused if not one.inventory.is_complete]
        undecided = [one for one in refused if one.is_undecided]
        few = [one.part.name for one in undecided]
        risky = [one.part.name for one in refused if one.part.name not in unmeasured or one.is_risky]
        too_high = [name for name in risky if name not in few]
        if undecided:
            headline = undecided_words(undecided[0].needed if len(undecided) == 1 else None)
            clauses.append(f"{headline[0].lower()}{headline[1:]} in: {', '.join(few)}")
        if too_high:
            clauses.append(f"risk too high in: {', '.join(too_high)}")
        if unmeasured:
            clauses.append(f"not everything that would leave was measured in: {', '.join(unmeasured)}")
        return f"Not acceptable; {'; '.join(clauses)}."

    def _inventory(self) -> dict[str, Any]:
        """Everything that leaves with the release, part by part."""
        found = [(one.part.name, one.inventory.to_dict()) for one in self.judgement.parts]
        if self.joint_item is not None:
            found.append((WHOLE, Inventory((self.joint_item,)).to_dict()))
        return {
            key: [{"part": name, **row} for name, listed in found for row in listed[key]]
            for key in ("inventory", "unmeasured")
        }

    def _reasons(self) -> list[dict[str, Any]]:
        score = self.judgement.score
        threshold = score.threshold
        context = (
            f"{ACCESS.get(score.access, 'Restricted')} release; the probability of an attempt to re-identify "
            f"a person is {score.context_risk:g}; the threshold is {probability(threshold.probability)}, "
            f"1/{threshold.cell_size} ({threshold.reason}). {score.rule_for('table').words}"
        )
        return [
            {"part": None, "text": context, "holds": None},
            *(
                {"part": one.part.name, "text": one.sentence, "holds": one.acceptable}
                for one in self.judgement.parts
            ),
            *self._joint_reason(),
        ]

    def _joint_reason(self) -> list[dict[str, Any]]:
        item = self.joint_item
        missing = item is not None and item.status == "unmeasured"
        return [{"part": None, "text": item.reason, "holds": False}] if item is not None and missing else []


def joint_item(release: ReleaseFile) -> InventoryItem | None:
    """Whether the release file says what its parts tell together."""
    parts = [one for one in release.parts if one.kind in JOINABLE and one.task != "attack"]
    if len(parts) < 2:
        return None
    given = release.content.get("joint")
    if given is None:
        return InventoryItem(TOGETHER, "people in several parts", "as released", "unmeasured", NO_JOINT)
    if isinstance(given, Mapping):
        return InventoryItem(TOGETHER, "people in several parts", "as released", "accepted", given["none"])
    from reidrisk.assess.kinds.joint import parts_apart

    forgotten, reasons = parts_apart(given, [one.name for one in parts])
    if forgotten:
        names = ", ".join(forgotten)
        return InventoryItem(
            TOGETHER, "people in several parts", "as released", "unmeasured", NOT_NAMED.format(names)
        )
    reason = "; ".join(["the people of the parts were linked and counted", *reasons])
    return InventoryItem(TOGETHER, "people in several parts", "as released", "measured", reason)


def stated(given: Mapping[str, Any] | None, names: tuple[str, ...]) -> dict[str, Any]:
    """The settings of a section; null for what is not stated.

    >>> stated({"product": "Examplinib", "studies": []}, ("product", "studies", "version"))
    {'product': 'Examplinib', 'studies': None, 'version': None}
    """
    return {name: (given or {}).get(name) or None for name in names}


def review_date(about: Mapping[str, Any]) -> dict[str, Any]:
    """Months until the next review, and its date; null if they are not stated.

    >>> review_date({"date": "2026-08-31", "review_months": 6})
    {'months': 6, 'due': '2027-02-28'}
    """
    stated, months = about.get("date"), about.get("review_months")
    if stated is None or months is None:
        return {"months": months, "due": None}
    day = date.fromisoformat(str(stated))
    years, month = divmod(day.month - 1 + months, 12)
    last = monthrange(day.year + years, month + 1)[1]
    return {
        "months": months,
        "due": date(day.year + years, month + 1, min(day.day, last)).isoformat(),
    }


def read_previous(folder: str | Path) -> dict[str, Any]:
    """The assessment in another folder."""
    path = Path(folder) / ASSESSMENT
    try:
        found = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("kind") != "assessment" or not set(found) >= NEEDED:
        raise UnreadableFile(
            f"{path_text(folder)} contains no assessment.",
            hint="Name a folder that `reidrisk assess --out` wrote.",
        )
    return found


def _no_number(text: str) -> None:
    raise ValueError(text)


def compare_assessments(now: Mapping[str, Any], previous: Mapping[str, Any]) -> dict[str, Any]:
    """What changed since an earlier assessment, and whether the verdict is still the same."""
    was_due, day = previous["release"]["review"]["due"], now["release"]["date"]
    return {
        "previous": {
            "date": previous["release"]["date"],
            "acceptable": previous["acceptable"],
            "version": previous["version"],
            "review_due": was_due,
        },
        "is_late": None if was_due is None or day is None else str(day) > was_due,
        "changes": list(_changes(now, previous)),
        "still_holds": now["acceptable"] == previous["acceptable"],
        "review_due": now["release"]["review"]["due"],
    }


def _changes(now: Mapping[str, Any], previous: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield from _difference(None, "acceptable", now, previous)
    yield from _difference(None, "version", now, previous)
    new, old = now["context"], previous["context"]
    for what in ("access", "rule", "context_risk"):
        yield from _difference(None, what, new, old)
    yield from _difference(None, "cell_size", new["threshold"], old["threshold"])
    yield from _difference(None, "level", new["controls"], old["controls"], "controls")
    here, there = ({part["name"]: part for part in one["parts"]} for one in (now, previous))
    for name in dict.fromkeys([*there, *here]):
        yield from _part_changes(name, here.get(name), there.get(name))


def _part_changes(
    name: str, now: Mapping[str, Any] | None, previous: Mapping[str, Any] | None
) -> Iterator[dict[str, Any]]:
    if now is None or previous is None:
        yield {"part": name, "what": "part", "before": _presence(previous), "after": _presence(now)}
        return
    yield from _difference(name, "status", now, previous)
    old, new = ({one["path"]: one["sha256"] for one in side["inputs"]} for side in (previous, now))
    for path in dict.fromkeys([*old, *new]):
        if path not in old:
            yield {"part": name, "what": f"input {path}", "before": "absent", "after": "new"}
        elif path not in new:
            yield {"part": name, "what": f"input {path}", "before": "present", "after": "absent"}
        elif old[path] != new[path]:
            yield {"part": name, "what": f"input {path}", "before": "present", "after": "changed"}
    for what in ("acceptable", "risk", "overall", "threshold"):
        yield from _difference(name, what, now["judged"], previous["judged"])


def _presence(part: Mapping[str, Any] | None) -> str:
    return "absent" if part is None else "present"


def _difference(
    part: str | None, key: str, now: Mapping[str, Any], previous: Mapping[str, Any], what: str = ""
) -> Iterator[dict[str, Any]]:
    before, after = previous.get(key), now.get(key)
    if before != after:
        yield {"part": part, "what": what or key, "before": before, "after": after}
