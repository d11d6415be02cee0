"""A text evaluation as tables and facts."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from reidrisk.report.numbers import MISSING, count, level, percent, probability, span
from reidrisk.report.parts import Column, Reason, Table, Verdict
from reidrisk.report.words.book import say

ROLES = {"direct": say("content.text_risk.direct_identifiers"), "quasi": "Quasi-identifiers"}
INTERVALS = {
    "parameter": say("content.text_risk.uncertainty_of_the"),
    "per_document": say("content.text_risk.risk_of_a"),
}


def name_of(result: dict[str, Any]) -> str:
    """The tool, by the last part of its path."""
    return short_path(str(result["settings"].get("tool", say("content.text_risk.tool_output"))))


def short_path(path: str) -> str:
    """The last part of a path, whichever system wrote it."""
    return PurePath(path.replace("\\", "/")).name or path


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
                    say("content.text_risk.does_not_decide"),
                    "",
                )
            )
        if role == "direct":
            rows.append(
                (
                    "  benchmark",
                    *_estimate(result["benchmark"]),
                    "",
                    say("content.text_risk.sets_the_limit"),
                    "",
                )
            )
    reasons = [result[role]["reason"] for role in ROLES if result[role].get("reason")]
    return Table(
        say("content.text_risk.risk"),
        say("content.text_risk.the_probability_that"),
        (
            Column(say("content.text_risk.risk_from")),
            Column(say("content.text_risk.mean"), is_number=True),
            Column(say("content.text_risk.interval", level_of=level_of(result)), is_number=True),
            Column(say("content.text_risk.limit"), is_number=True),
            Column(say("content.text_risk.verdict")),
            Column(say("content.text_risk.plug_in"), is_number=True),
        ),
        tuple(rows),
        " ".join([_deciding(result), *reasons]).strip(),
    )


def gates(result: dict[str, Any]) -> Table:
    """Whether recognition may count, by type and under both rules."""
    return Table(
        say("content.text_risk.gates"),
        say("content.text_risk.surrogates_hide_a"),
        (
            Column(say("content.text_risk.type")),
            Column(say("content.text_risk.role")),
            Column(say("content.text_risk.documents"), is_number=True),
            Column(say("content.text_risk.recall"), is_number=True),
            Column(say("content.text_risk.cutoff"), is_number=True),
            Column(say("content.text_risk.as_observed")),
            Column(say("content.text_risk.significantly")),
            Column(say("content.text_risk.applied")),
        ),
        tuple(_gate(row) for row in result["gates"]),
        say("content.text_risk.recognition_is_1") if is_recognition_certain(result) else "",
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
        say("content.text_risk.gate_rules"),
        say("content.text_risk.the_upper_limit"),
        (
            Column(say("content.text_risk.rule")),
            Column(say("content.text_risk.direct_upper_limit"), is_number=True),
            Column(say("content.text_risk.quasi_upper_limit"), is_number=True),
            Column(say("content.text_risk.verdict")),
        ),
        rows,
        "" if rules_differ(result) else say("content.text_risk.the_rules_give"),
    )


def crosscheck(result: dict[str, Any]) -> str:
    """What another engine found for the upper limits, in one sentence."""
    checks = result["crosschecks"]
    if not checks:
        return say("content.text_risk.no_second_engine")
    found = ", ".join(
        f"{check['role']} {round(100 * check['difference'], 2) + 0.0:+.2f} %" for check in checks
    )
    return say("content.text_risk.upper_limits_as", engine=checks[0]["engine"], found=found)


def level_of(result: dict[str, Any]) -> str:
    """The level of the intervals."""
    return level(result["benchmark"]["level"])


def _estimate(part: dict[str, Any]) -> tuple[str, str]:
    return probability(part["value"]), span(part)


def _outcome(part: dict[str, Any]) -> tuple[str, str]:
    return _word(acceptable=part["acceptable"]), probability(part["plug_in"])


def _word(*, acceptable: bool | None) -> str:
    if acceptable is None:
        return say("content.text_risk.not_evaluated")
    return "acceptable" if acceptable else say("content.text_risk.not_acceptable")


def _deciding(result: dict[str, Any]) -> str:
    kind = result["quasi"].get("interval")
    if kind is None:
        return ""
    return say("content.text_risk.deciding_interval_for", intervals=INTERVALS[kind], kind=kind)


def _gate(row: dict[str, Any]) -> tuple[str, ...]:
    applied = (
        say("content.text_risk.by_draw") if row["applied"] is None else open_or_shut(is_open=row["applied"])
    )
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
