"""What a report is about: an assessment, or results that are shown like one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reidrisk.core.result import Result
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.report.views import KINDS
from reidrisk.report.wrapped import wrapped

ASSESSMENT, CONTEXT = "assessment", "context_score"
FILE = "assessment.json"
"""The name of an assessment in its folder."""

Given = Result | Mapping[str, Any] | str | Path
EMPTY: dict[str, Any] = {
    "release": {},
    "context": None,
    "reasons": [],
    "remedies": [],
    "parts": [],
    "agreement": [],
    "sensitivity": [],
    "monitoring": None,
    "settings": {},
    "versions": {},
    "seed": None,
}
"""What an assessment may leave out."""


def case_of(given: Given | Sequence[Given]) -> dict[str, Any]:
    """The assessment's dictionary; other results are wrapped as one without a context."""
    many = [given] if isinstance(given, Result | Mapping | str | Path) else list(given)
    if not many:
        raise InvalidSetting("A report shows at least one result.", hint="Give a folder or result files.")
    found = [_dictionary(one) for one in many]
    assessments = [one for one in found if one.get("kind") == ASSESSMENT]
    contexts = [one for one in found if one.get("kind") == CONTEXT]
    if not assessments and len(contexts) < 2:
        results = [one for one in found if one.get("kind") != CONTEXT]
        return EMPTY | wrapped(results) | {"context": contexts[0] if contexts else None}
    if len(found) > 1 or not assessments:
        raise InvalidSetting(
            "A report shows one assessment, or several results with at most one context.",
            hint="Write one report for each assessment or context.",
        )
    return EMPTY | assessments[0]


def _dictionary(given: Given) -> dict[str, Any]:
    if isinstance(given, Result):
        return given.to_dict()
    found = dict(given) if isinstance(given, Mapping) else _read(Path(given))
    known = dict.fromkeys((ASSESSMENT, CONTEXT, *KINDS))
    if found.get("kind") not in known:
        raise BadData(
            f"A result of kind {found.get('kind')!r} cannot be reported.",
            hint=f"Give a result of: {', '.join(known)}.",
        )
    return found


def _read(path: Path) -> dict[str, Any]:
    """A result file, or the assessment in a folder."""
    file = path / FILE if path.is_dir() else path
    name = path_text(file)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        hint = "Run reidrisk assess first." if path.is_dir() else "Check its name."
        raise UnreadableFile(f"{name} does not exist.", hint=hint) from None
    except (OSError, ValueError, RecursionError):
        raise UnreadableFile(f"{name} is no result file.", hint="Give what --json wrote.") from None
    if not isinstance(content, dict):
        raise UnreadableFile(f"{name} holds no result.", hint="Give what --json wrote.")
    return content
