"""Checks as SARIF 2.1.0, which code hosts show beside the files of a change."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reidrisk.core.about import own_version
from reidrisk.report.gates.checks import Check, CheckList

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RULES = {
    "risk-above-limit": "The risk of re-identification is above its limit.",
    "too-few-documents": "Too few documents were examined to decide.",
    "not-judged": "A part of the release could not be judged.",
}
RULE_OF = {"failed": "risk-above-limit", "undecided": "too-few-documents", "error": "not-judged"}


def sarif_text(lists: Sequence[CheckList]) -> str:
    """One result per check that did not pass, at the file that was judged."""
    run = {
        "tool": {
            "driver": {
                "name": "reidrisk",
                "version": own_version(),
                "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()],
            }
        },
        "results": [_result(one, own.about) for own in lists for one in own.failing],
    }
    content = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _result(check: Check, about: str) -> dict[str, Any]:
    rule = RULE_OF[check.state]
    place = {"physicalLocation": {"artifactLocation": {"uri": _uri(about)}, "region": {"startLine": 1}}}
    return {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(rule),
        "level": "error",
        "message": {"text": f"{check.title}: {check.word}. {check.sentence}"},
        "locations": [place],
        "partialFingerprints": {"check/v1": check.name},
        "properties": {"risk": check.risk, "limit": check.limit},
    }


def _uri(path: str) -> str:
    """The path below the working folder, as a URI reference; of a path elsewhere only the name."""
    given = Path(path)
    if given.is_absolute() or ".." in given.parts:
        here = Path.cwd()
        whole = Path(os.path.normpath(here / given))
        given = whole.relative_to(here) if whole.is_relative_to(here) else Path(whole.name)
    return quote(given.as_posix())
