"""When an assessment is to be looked at again, and what has changed since the last one."""

from __future__ import annotations

import json
from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from reidrisk.core.wording import path_text
from reidrisk.errors import UnreadableFile

ASSESSMENT = "assessment.json"
NEEDED = {"acceptable", "version", "release", "context", "parts"}


def review(about: Mapping[str, Any]) -> dict[str, Any]:
    """After how many months, and on which day; null where nothing is stated.

    >>> review({"date": "2026-08-31", "review_months": 6})
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
    """The assessment of another folder."""
    path = Path(folder) / ASSESSMENT
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("kind") != "assessment" or not set(found) >= NEEDED:
        raise UnreadableFile(
            f"{path_text(folder)} holds no assessment.",
            hint="Name a folder that `reidrisk assess --out` made.",
        )
    return found


def compared(now: Mapping[str, Any], previous: Mapping[str, Any]) -> dict[str, Any]:
    """What changed, and whether the verdict still holds."""
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
    yield from _differ(None, "acceptable", now, previous)
    yield from _differ(None, "version", now, previous)
    for what in ("access", "rule", "context_risk"):
        yield from _differ(None, what, now["context"], previous["context"])
    yield from _differ(None, "cell_size", now["context"]["threshold"], previous["context"]["threshold"])
    yield from _differ(None, "level", now["context"]["controls"], previous["context"]["controls"], "controls")
    here, there = ({part["name"]: part for part in one["parts"]} for one in (now, previous))
    for name in dict.fromkeys([*there, *here]):
        yield from _part(name, here.get(name), there.get(name))


def _part(
    name: str, now: Mapping[str, Any] | None, previous: Mapping[str, Any] | None
) -> Iterator[dict[str, Any]]:
    if now is None or previous is None:
        yield {"part": name, "what": "part", "before": _is_there(previous), "after": _is_there(now)}
        return
    yield from _differ(name, "status", now, previous)
    old, new = ({one["path"]: one["sha256"] for one in side["inputs"]} for side in (previous, now))
    for path in dict.fromkeys([*old, *new]):
        if path not in old:
            yield {"part": name, "what": f"input {path}", "before": "absent", "after": "new"}
        elif path not in new:
            yield {"part": name, "what": f"input {path}", "before": "as it was", "after": "absent"}
        elif old[path] != new[path]:
            yield {"part": name, "what": f"input {path}", "before": "as it was", "after": "changed"}
    for what in ("acceptable", "risk", "overall", "threshold"):
        yield from _differ(name, what, now["judged"], previous["judged"])


def _is_there(part: Mapping[str, Any] | None) -> str:
    return "absent" if part is None else "present"


def _differ(
    part: str | None, key: str, now: Mapping[str, Any], previous: Mapping[str, Any], what: str = ""
) -> Iterator[dict[str, Any]]:
    before, after = previous.get(key), now.get(key)
    if before != after:
        yield {"part": part, "what": what or key, "before": before, "after": after}
