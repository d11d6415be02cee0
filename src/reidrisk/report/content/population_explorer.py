"""What could be shared: policies between two, as tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reidrisk.report.content import population_risk as single
from reidrisk.report.content.population_risk import UNKNOWN
from reidrisk.report.numbers import brief_percent, count, percent
from reidrisk.report.parts import Column, Facts, Reason, Table, Verdict

Policy = dict[str, Any]


def name_of(result: dict[str, Any]) -> str:
    """The two ends and the attacker."""
    return f"From {coarse(result)['name']} to {fine(result)['name']} against {result['attacker']['name']}"


def place_of(result: dict[str, Any]) -> str:
    """The population, by the last part of its path."""
    return single.place_of(result)


def coarse(result: dict[str, Any]) -> Policy:
    """The coarser of the two policies."""
    return dict(result["policies"][result["safe"]])


def fine(result: dict[str, Any]) -> Policy:
    """The finer."""
    return dict(result["policies"][result["limited"]])


def measure(result: dict[str, Any]) -> str:
    """What risk means here."""
    return "total risk" if result["measure"] == "total" else f"{result['measure']}-distinct"


def about(result: dict[str, Any]) -> str:
    """What was tried on whom, in a sentence."""
    tried, people = len(result["policies"]), result["population"]["people"]
    return f"{count(tried)} policies tried on {count(people)} people of {place_of(result)}."


def warnings(result: dict[str, Any]) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    return single.warnings(result)


def verdict(result: dict[str, Any]) -> Verdict:
    """How much more could be shared."""
    reasons = tuple(Reason(text, None) for text in result["reasons"])
    return Verdict(None, reasons, _said(result))


def _said(result: dict[str, Any]) -> str:
    if coarse(result)["risk"] is None:
        return "Risk unknown"
    if result["target"] is not None:
        best = most_detail(under_target(result))
        limit = f"under {percent(result['target'])}"
        return f"Most detail {limit}: {best['name']}" if best else f"Nothing is {limit}"
    best = most_detail([one for one in result["policies"] if one["more_at_risk_of_safe"]])
    name = coarse(result)["name"]
    return (
        f"Nothing tells more at the risk of {name}"
        if best is None
        else f"At the risk of {name}: {best['name']}"
    )


def most_detail(found: list[Policy]) -> Policy | None:
    """The policy that tells most; of several the safest."""
    known = [one for one in found if one["risk"] is not None]
    return max(known, key=lambda one: (one["detail"], -one["risk"]), default=None)


def under_target(result: dict[str, Any]) -> list[Policy]:
    """Those that keep the target."""
    return [one for one in result["policies"] if one["under_target"]]


def frontier(result: dict[str, Any]) -> Table:
    """Policies that none betters."""
    found = [one for one in result["policies"] if one["on_frontier"]]
    note = "" if found else "Nobody knows what the attacker's list tells."
    return _table(
        result,
        found,
        ("The frontier", "No other policy tells as much at less risk. The more detail, the more risk."),
        note,
    )


def possible(result: dict[str, Any]) -> Table | None:
    """What keeps the target, or the risk of the coarser policy, with more detail than that."""
    at_least = coarse(result)["detail"]
    if result["target"] is not None:
        title = f"Under the target of {percent(result['target'])}"
        found = [one for one in under_target(result) if one["detail"] >= at_least]
    else:
        title = f"More than {coarse(result)['name']}, at no more risk"
        found = [one for one in result["policies"] if one["more_at_risk_of_safe"]]
    if not found:
        return None
    found.sort(key=lambda one: (-one["detail"], one["risk"]))
    explained = f"Policies with at least the detail of {coarse(result)['name']}, the most detail first."
    return _table(result, found, (title, explained), "")


def everything(result: dict[str, Any]) -> Table:
    """All policies."""
    explained = "From little detail to much. Detail counts steps of granularity, not their worth to a study."
    table = _table(result, list(result["policies"]), ("All policies", explained), "")
    rows = zip(table.rows, result["policies"], strict=True)
    remarked = tuple((*row, ", ".join(_remarks(result, one))) for row, one in rows)
    return replace(table, columns=(*table.columns, Column("remark")), rows=remarked)


def _table(result: dict[str, Any], found: list[Policy], heads: tuple[str, str], note: str) -> Table:
    sizes = _sizes(result)
    return Table(
        *heads,
        (
            Column("policy"),
            Column("detail", is_number=True),
            *(Column(f"{size}-distinct", is_number=True) for size in sizes),
            Column("total risk", is_number=True),
        ),
        tuple(_row(one, sizes) for one in found),
        note,
    )


def _sizes(result: dict[str, Any]) -> list[str]:
    known = (list(one["g_distinct"]) for one in result["policies"] if one["g_distinct"])
    sizes = single.few(next(known, []))
    return [size for size in sizes if size in ("1", "5")] or sizes[:2]


def _row(one: Policy, sizes: list[str]) -> tuple[str, ...]:
    known = one["risk"] is not None
    return (
        one["name"],
        f"{100 * one['detail']:.0f} %",
        *(brief_percent(one["g_distinct"][size]) if known else UNKNOWN for size in sizes),
        brief_percent(one["total_risk"]["share"]) if known else UNKNOWN,
    )


def _remarks(result: dict[str, Any], one: Policy) -> list[str]:
    found = []
    if one["on_frontier"]:
        found.append("frontier")
    if one["under_target"]:
        found.append("under the target")
    if one["more_at_risk_of_safe"] and result["target"] is None:
        found.append("no more risk")
    return found


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed."""
    return single.settings(result)
