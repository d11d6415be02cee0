"""The risk of an evaluated text tool if its recall or the recognition were different."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from reidrisk.core.wording import UNDECIDED, plural
from reidrisk.report.blocks.settings import plain, versions
from reidrisk.report.blocks.text_counts import ROLES
from reidrisk.report.blocks.text_guide import GUIDE
from reidrisk.report.charts import intervals
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import MISSING, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict

TIMES = {"before": "As measured", "after": "What if"}
LIMITS = {"direct": "benchmark limit", "quasi": "threshold"}
WORDS = {"accepted": "within the limit", "refused": "above the limit", "undecided": "undecided"}


def name_of(result: ResultDict) -> str:
    """What was changed, in a few words."""
    changed = [f"{row['type']} {percent(row['asked'])}" for row in result["recall"]]
    recognition = result["recognition"]
    if recognition["before"] != recognition["after"]:
        changed.append(f"recognition {_recognition(recognition['after'])}")
    return f"What if: {', '.join(changed)}" if changed else "What if: nothing changed"


def _recognition(given: Any) -> str:
    """Recognition in words.

    >>> _recognition(0.27), _recognition({"default": 0.3, "by_type": {"DATE": 0.5}})
    ('0.27', '0.3, DATE 0.5')
    """
    if isinstance(given, Mapping) and "default" in given:
        types = [f"{name} {_recognition(value)}" for name, value in given["by_type"].items()]
        return ", ".join([_recognition(given["default"]), *types])
    if isinstance(given, Mapping):
        return "beta({:g}, {:g})".format(*given["beta"])
    return " to ".join(f"{one:g}" for one in given) if isinstance(given, list) else f"{given:g}"


def about(result: ResultDict) -> str:
    """What it was computed from, in a sentence."""
    return f"Computed from the stored counts of {plural(result['documents'], 'document')}."


def verdict(result: ResultDict) -> Verdict:
    """What would change; never a verdict."""
    after, before = result["after"]["decision"], result["before"]["decision"]
    words = {
        "accepted": "both risks would be within their limits",
        "refused": "a risk would be above its limit",
        "undecided": UNDECIDED.lower(),
    }
    same = " (as measured)" if after == before else ""
    return Verdict(None, reasons_of(result), f"What if, not a verdict: {words[after]}{same}")


def risks(result: ResultDict) -> Table:
    """Both risks before and after."""
    rows = []
    for role, title in ROLES.items():
        for when, name in TIMES.items():
            part = result[when][role]
            if part is None:
                rows.append((title, name, MISSING, MISSING, MISSING, "not evaluated"))
                continue
            figures = (probability(part["value"]), span(part), probability(part["threshold"]))
            rows.append((title, name, *figures, WORDS[part["decision"]]))
    return Table(
        "Risk as measured, and what if",
        "The probability that a document is re-identified. The upper limit of the interval is compared "
        "with the limit.",
        (
            Column("risk from"),
            Column("case"),
            Column("mean", is_number=True),
            Column(f"{_level(result)} interval", is_number=True),
            Column("limit", is_number=True),
            Column("compared with the limit"),
        ),
        tuple(rows),
    )


def _level(result: ResultDict) -> str:
    return level(next((result["before"][role]["level"] for role in ROLES if result["before"][role]), 0.95))


def recalls(result: ResultDict) -> Table | None:
    """The recalls that were changed; None if there are none."""
    if not result["recall"]:
        return None
    return Table(
        "Changed recall",
        "For direct identifiers, the share of documents in which nothing of the type leaks; for "
        "quasi-identifiers, the share of instances that are caught.",
        (
            Column("type"),
            Column("role"),
            Column("as measured", is_number=True),
            Column("asked for", is_number=True),
            Column("used", is_number=True),
        ),
        tuple(
            (row["type"], row["role"], percent(row["before"]), percent(row["asked"]), percent(row["after"]))
            for row in result["recall"]
        ),
        "Documents and values are whole: the recall used is the highest possible one that is not above the "
        "one asked for.",
    )


def assumptions(result: ResultDict) -> Facts:
    """Recognition before and after, and the release."""
    recognition, release = result["recognition"], result["settings"]["release"]
    return Facts(
        "Assumptions",
        "Everything else is as in the evaluation.",
        (
            Fact("recognition as measured", _recognition(recognition["before"])),
            Fact("recognition, what if", _recognition(recognition["after"])),
            Fact("access", plain(release["access"])),
            Fact("attempt", plain(release["attempt"])),
            Fact("threshold", f"{result['threshold']['probability']:.4g}: {result['threshold']['reason']}"),
        ),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Each risk as measured and as it would be, with its limit."""
    return tuple(_chart(result, role) for role in ROLES if result["before"][role] is not None)


def _chart(result: ResultDict, role: str) -> Chart:
    rows = []
    for when, name in TIMES.items():
        part = result[when][role]
        rows.append(Interval(name, part["value"], part["low"], part["high"], when == "after"))
    part = result["after"][role]
    spoken = " ".join(f"{row.name}: mean {row.label}." for row in rows)
    return Chart(
        role,
        f"{ROLES[role]}: what if",
        f"Dots are means, lines are {level(part['level'])} intervals. The bold line is the what-if. It "
        f"should end before the dashed line, the {LIMITS[role]}.",
        f"{spoken} The limit is {probability(part['threshold'])}.",
        intervals.height(len(rows)),
        partial(draw_intervals, rows=tuple(rows), limit=part["threshold"], limit_name=LIMITS[role]),
    )


KIND = Kind(
    title="What if the tool were different",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    shows=(Show(risks), Show(recalls), Show(assumptions), Show(versions, terminal=False)),
    guide=GUIDE,
    comparison=Comparison(
        "The upper limits of both risks as they would be.",
        "what if",
        (
            (
                Column("direct, upper limit", is_number=True),
                lambda result: probability((result["after"]["direct"] or {}).get("high")),
            ),
            (
                Column("quasi, upper limit", is_number=True),
                lambda result: probability((result["after"]["quasi"] or {}).get("high")),
            ),
            (Column("compared with the limits"), lambda result: WORDS[result["after"]["decision"]]),
        ),
    ),
)
