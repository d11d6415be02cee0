"""Checks as Markdown, to be read in a pull request."""

from __future__ import annotations

import re
from typing import Any

from reidrisk.core.about import own_version
from reidrisk.report.gates.checks import Check, CheckList
from reidrisk.report.numbers import MISSING, probability

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
MOST_REMEDIES = 3


def markdown_text(checks: CheckList, result: dict[str, Any]) -> str:
    """The verdict, a table of checks, why those that did not pass failed, and what would help."""
    word = "did not pass" if checks.failing else "passed"
    lines = [f"### reidrisk: {_plain(checks.title)} {word}", ""]
    lines += ["| check | result | risk | limit |", "| --- | --- | ---: | ---: |"]
    lines += [_row(one) for one in checks.checks]
    if checks.failing:
        lines += [
            "",
            "**Why**",
            "",
            *(f"- **{_plain(one.name)}**: {_plain(one.sentence)}" for one in checks.failing),
        ]
    remedies = (result.get("remedies") or [])[:MOST_REMEDIES] if checks.failing else []
    if remedies:
        lines += ["", "**What would help**", "", *(f"- {_plain(str(one['text']))}" for one in remedies)]
    lines += ["", *(f"> {_plain(text)}  " for text in _about(result)), f"> {_source(checks)}"]
    return "\n".join(lines) + "\n"


def _row(check: Check) -> str:
    cells = (
        _plain(check.title),
        check.word if check.state == "passed" else f"**{check.word}**",
        MISSING if check.risk is None else probability(check.risk),
        MISSING if check.limit is None else probability(check.limit),
    )
    return f"| {' | '.join(cells)} |"


def _about(result: dict[str, Any]) -> list[str]:
    """The context that the limits come from, and what was assumed because nobody stated it."""
    reasons = [str(one["text"]) for one in result["reasons"] if one["part"] is None and one["holds"] is None]
    return [*reasons, *(str(note) for note in result["context"]["notes"])]


def _source(checks: CheckList) -> str:
    """Which program judged which file."""
    return _plain(f"Judged by reidrisk {own_version()}: {checks.about or 'a release'}")


def _plain(text: str) -> str:
    """Text that Markdown does not interpret, and that mentions nobody."""
    words = " ".join(text.split()).replace("&", "&amp;").replace("@", "&#64;")
    return _SPECIAL.sub(r"\\\1", words).replace("&\\#64;", "&#64;")
