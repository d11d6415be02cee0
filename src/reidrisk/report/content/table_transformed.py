"""A transformed table: what was done, and that nothing is decided by it."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.deidentified_settings import plain
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count
from reidrisk.report.parts import Fact, Facts, Reason, Verdict


def name_of(result: dict[str, Any]) -> str:
    """The table that was transformed."""
    return short_path(str(result["source"]))


def about(result: dict[str, Any]) -> str:
    """How much was done and how much is left."""
    return (
        f"{count(len(result['steps']))} steps; {count(result['rows_after'])} of "
        f"{count(result['rows_before'])} rows were written to "
        f"{short_path(str(result['out']))}."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """What was done; no risk was measured."""
    reasons = tuple(Reason(text, None) for text in result["reasons"])
    return Verdict(None, reasons, "Transformed")


def settings(result: dict[str, Any]) -> Facts:
    """What repeats it."""
    said = result["settings"]
    facts = (
        Fact("table", plain(said["table"])),
        Fact("written to", plain(said["out"])),
        *(Fact(f"step {at}", plain(step)) for at, step in enumerate(said["steps"], start=1)),
        Fact("seed", str(result["seed"])),
    )
    return Facts("Settings", "With these and the same key, the same table gives the same file.", facts)
