"""Results without an assessment, in its shape: what they decide themselves, and no context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.parts import Reason, Verdict
from reidrisk.report.views import kind_of
from reidrisk.report.words.book import say

KINDS = ("text", "table", "population", "document")
"""A kind of result begins with the kind of its part."""
TASKS = {
    "table_deidentified": "deidentify",
    "table_attack": "attack",
    "table_transformed": "transform",
    "table_utility": "utility",
}
"""What was done to it, if its risk was not just measured."""


def wrapped(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One part a result; acceptable only if every result that decides is."""
    parts = [_part(result, number) for number, result in enumerate(results, start=1)]
    decided = [part["judged"]["acceptable"] for part in parts if part["judged"]["acceptable"] is not None]
    acceptable = all(decided) if decided else None
    first = results[0] if results else {}
    return {
        "kind": "assessment",
        "version": first.get("version", "unknown"),
        "acceptable": acceptable,
        "versions": first.get("versions", {}),
        "seed": first.get("seed"),
        "verdict": {"acceptable": acceptable, "sentence": _sentence(acceptable=acceptable)},
        "reasons": [
            {"part": part["name"], "text": reason.text, "holds": reason.holds}
            for part in parts
            for reason in _reasons(part["result"])
        ],
        "parts": parts,
    }


def _sentence(*, acceptable: bool | None) -> str:
    if acceptable is None:
        return "Nothing is decided here. No threshold was given, and no context judged the results."
    return (
        "Every result below that decides is acceptable. They were not judged by a context."
        if acceptable
        else "At least one result below is not acceptable. They were not judged by a context."
    )


def _part(result: dict[str, Any], number: int) -> dict[str, Any]:
    kind = result["kind"]
    before, after = _figures(result)
    return {
        "name": f"{number}. {kind_of(result).name_of(result)}",
        "kind": next((name for name in KINDS if kind.startswith(name)), kind),
        "task": TASKS.get(kind, "risk"),
        "status": "measured",
        "error": None,
        "inputs": [],
        "judged": after
        | {
            "acceptable": result["acceptable"] if result.get("decided", True) else None,
            "sentence": " ".join(reason.text for reason in _reasons(result)),
        },
        "initial": before,
        "final": {"statistic": after["statistic"], "risk": after["risk"]} if after["statistic"] else None,
        "measures": _measures(result),
        "result": result,
    }


def _measures(result: dict[str, Any]) -> list[str]:
    """What was done to documents, in sentences."""
    done = result["measures"] if result["kind"] == "document_risk" else []
    return [f"{one['measure']} ({', '.join(one['variables']) or '–'}): {one['detail']}." for one in done]


def _reasons(result: dict[str, Any]) -> tuple[Reason, ...]:
    verdict: Verdict = kind_of(result).verdict(result)
    return verdict.reasons


def _figures(result: dict[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The figure before anything was done, if there is one, and the one that is judged."""
    kind = result["kind"]
    if kind == "text_risk":
        return None, _text(result)
    if kind == "table_risk":
        return None, _highest(result, result["threshold"])
    if kind == "table_deidentified":
        before = {"statistic": "highest risk of a record", "risk": result["before"]["prosecutor"]["highest"]}
        solved = result["after"] is not None
        return before, _highest(result["after"] if solved else result["before"], result["threshold"])
    if kind == "population_risk" and not result["unknown"]:
        return None, _judged("share of people expected to be re-identified", result["total_risk"]["share"])
    if kind == "document_risk":
        return _document(result)
    return None, _judged(None, None)


def _document(result: dict[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    before, threshold = result["initial"]["highest"], result["threshold"]
    if result["highest"] is None:
        return None, _judged(None, None)
    statistic = "highest risk of a participant"
    after = _judged(statistic, result["highest"], threshold["probability"])
    return {"statistic": statistic, "risk": before}, after | {"cell_size": threshold["cell_size"]}


def _text(result: dict[str, Any]) -> dict[str, Any]:
    """The risk that is nearer to its limit, or farther above it."""
    found = [
        _judged(say(f"statistic.{role}"), part["high"], part["threshold"])
        | {"low": part["low"], "high": part["high"]}
        for role, part in ((role, result[role]) for role in ("direct", "quasi"))
        if part["value"] is not None
    ]
    return max(found, key=lambda one: one["risk"] / one["threshold"], default=_judged(None, None))


def _highest(risk: dict[str, Any], threshold: dict[str, Any]) -> dict[str, Any]:
    highest = risk["prosecutor"]["highest"]
    if risk.get("longitudinal"):
        highest = max(highest, risk["longitudinal"]["by_known"][-1]["highest"])
    judged = _judged("highest risk of a record", highest, threshold["probability"])
    return judged | {"cell_size": threshold["cell_size"]}


def _judged(statistic: str | None, risk: float | None, threshold: float | None = None) -> dict[str, Any]:
    return {
        "statistic": statistic,
        "risk": risk,
        "low": None,
        "high": None,
        "attempt": None,
        "overall": risk,
        "threshold": threshold,
        "cell_size": None,
    }
