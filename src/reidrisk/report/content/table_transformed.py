"""A transformed table: what was done, and that nothing is decided by it."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.deidentified_settings import plain
from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import count
from reidrisk.report.parts import Fact, Facts, Reason, Verdict
from reidrisk.report.words.book import say


def name_of(result: dict[str, Any]) -> str:
    """The table that was transformed."""
    return short_path(str(result["source"]))


def about(result: dict[str, Any]) -> str:
    """How much was done and how much is left."""
    return say(
        "content.table_transformed.about",
        steps=count(len(result["steps"])),
        after=count(result["rows_after"]),
        before=count(result["rows_before"]),
        out=short_path(str(result["out"])),
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """What was done; no risk was measured."""
    reasons = tuple(Reason(text, None) for text in result["reasons"])
    return Verdict(None, reasons, say("content.table_transformed.measured"))


def settings(result: dict[str, Any]) -> Facts:
    """What repeats it."""
    said = result["settings"]
    facts = (
        Fact(say("content.table_transformed.table"), plain(said["table"])),
        Fact(say("content.table_transformed.out"), plain(said["out"])),
        *(
            Fact(say("content.table_transformed.step", number=at), plain(step))
            for at, step in enumerate(said["steps"], start=1)
        ),
        Fact(say("content.table_transformed.seed"), str(result["seed"])),
    )
    return Facts(
        say("content.table_transformed.settings"), say("content.table_transformed.settings_explained"), facts
    )
