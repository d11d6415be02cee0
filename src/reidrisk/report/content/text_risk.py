"""A text evaluation as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, level, percent, probability, span
from reidrisk.report.parts import Column, Reason, Table, Verdict

ROLES = {"direct": "Direct identifiers", "quasi": "Quasi-identifiers"}
INTERVALS = {
    "parameter": "uncertainty of the mean risk",
    "per_document": "risk of a random document",
}


def name_of(result: dict[str, Any]) -> str:
    """The tool, by the last part of its path."""
    return short_path(str(result["settings"].get("tool", "tool output")))


def verdict(result: dict[str, Any]) -> Verdict:
    """The verdict with a sentence a risk; a risk that was not evaluated speaks as the settings say."""
    missing = result["settings"].get("unevaluated") == "accept"
    held = [result[role]["acceptable"] for role in ROLES]
    holds = [missing if one is None else one for one in held]
    pairs = zip(result["reasons"], holds, strict=True)
    return Verdict(result["acceptable"], tuple(Reason(text, one) for text, one in pairs))


def is_recognition_certain(result: dict[str, Any]) -> bool:
    """Whether every leak is recognised, so that gates play no part."""
    return bool(result["settings"]["release"]["recognition"] == 1)


def sorted_types(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Direct before quasi, the worst all-or-nothing recall first, the undefined last."""

    def key(row: dict[str, Any]) -> tuple[bool, bool, float, str]:
        recall = row["all_or_nothing_recall"]
        return row["role"] != "direct", recall is None, recall or 0.0, row["type"]

    return sorted(result["by_type"], key=key)


def risks(result: dict[str, Any]) -> Table:
    """Both risks, the other interval, and the benchmark."""
    rows = []
    for role, title in ROLES.items():
        part = result[role]
        rows.append((title, *_estimate(part), probability(part["threshold"]), *_outcome(part)))
        if "other_interval" in part:
            other = part["other_interval"]
            rows.append(
                (
                    f"  {INTERVALS[other['interval']]}",
                    *_estimate(other),
                    "",
                    "does not decide",
                    "",
                )
            )
        if role == "direct":
            rows.append(
                (
                    "  benchmark",
                    *_estimate(result["benchmark"]),
                    "",
                    "sets the limit",
                    "",
                )
            )
    reasons = [result[role]["reason"] for role in ROLES if result[role].get("reason")]
    return Table(
        "Risk",
        ("The probability that a document is re-identified. The upper limit of the interval decides."),
        (
            Column("risk from"),
            Column("mean", is_number=True),
            Column(f"{level_of(result)} interval", is_number=True),
            Column("limit", is_number=True),
            Column("verdict"),
            Column("plug-in", is_number=True),
        ),
        tuple(rows),
        " ".join([_deciding(result), *reasons]).strip(),
    )


def gates(result: dict[str, Any]) -> Table:
    """Whether recognition may count, by type and under both rules."""
    return Table(
        "Gates",
        (
            "Surrogates hide a leak only where the tool misses few. Recognition below 1 counts "
            "for a type whose recall reaches the cutoff: as observed, or significantly."
        ),
        (
            Column("type"),
            Column("role"),
            Column("documents", is_number=True),
            Column("recall", is_number=True),
            Column("cutoff", is_number=True),
            Column("as observed"),
            Column("significantly"),
            Column("applied"),
        ),
        tuple(_gate(row) for row in result["gates"]),
        "Recognition is 1 here: every leak counts in full, and the gates change nothing."
        if is_recognition_certain(result)
        else "",
    )


def rules_differ(result: dict[str, Any]) -> bool:
    """Whether the gate rules that are compared give different risks."""
    first, *others = result["gate_comparison"].values()
    return any(other != first for other in others)


def rules(result: dict[str, Any]) -> Table:
    """The risks under the gate rules, side by side."""
    rows = tuple(
        (
            rule + (" (applied)" if rule == result["settings"]["gate"] else ""),
            *(_high(given[role]) for role in ROLES),
            _word(acceptable=given["acceptable"]),
        )
        for rule, given in result["gate_comparison"].items()
    )
    return Table(
        "Gate rules",
        (
            "The upper limit of each risk if recognition counts wherever recall reaches the "
            "cutoff (observed), or only where it does so significantly; where a recall is near "
            "the cutoff, also with every gate open (always) and shut (never)."
        ),
        (
            Column("rule"),
            Column("direct, upper limit", is_number=True),
            Column("quasi, upper limit", is_number=True),
            Column("verdict"),
        ),
        rows,
        "" if rules_differ(result) else "The rules give the same risks here.",
    )


def crosscheck(result: dict[str, Any]) -> str:
    """What another engine found for the upper limits, in one sentence."""
    checks = result["crosschecks"]
    if not checks:
        return "No second engine was run."
    found = ", ".join(
        f"{check['role']} {round(100 * check['difference'], 2) + 0.0:+.2f} %" for check in checks
    )
    return f"Upper limits as the {checks[0]['engine']} engine finds them, relative to those shown: {found}."


def level_of(result: dict[str, Any]) -> str:
    """The level of the intervals."""
    return level(result["benchmark"]["level"])


def _estimate(part: dict[str, Any]) -> tuple[str, str]:
    return probability(part["value"]), span(part)


def _outcome(part: dict[str, Any]) -> tuple[str, str]:
    return _word(acceptable=part["acceptable"]), probability(part["plug_in"])


def _word(*, acceptable: bool | None) -> str:
    if acceptable is None:
        return "not evaluated"
    return "acceptable" if acceptable else "NOT acceptable"


def _deciding(result: dict[str, Any]) -> str:
    kind = result["quasi"].get("interval")
    if kind is None:
        return ""
    return f"Deciding interval for quasi-identifiers: {INTERVALS[kind]} ({kind})."


def _gate(row: dict[str, Any]) -> tuple[str, ...]:
    applied = "by draw" if row["applied"] is None else open_or_shut(is_open=row["applied"])
    states = open_or_shut(is_open=row["observed"]), open_or_shut(is_open=row["significant"]), applied
    return (
        row["type"],
        row["role"],
        count(row["documents"]),
        percent(row["recall"]),
        percent(row["cutoff"]),
        *states,
    )


def open_or_shut(*, is_open: bool) -> str:
    """The state of a gate."""
    return "open" if is_open else "shut"


def _high(estimate: dict[str, Any] | None) -> str:
    return MISSING if estimate is None else probability(estimate["high"])
