"""What could be shared: policies between two, as tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reidrisk.report.content import population_risk as single
from reidrisk.report.content.population_risk import UNKNOWN
from reidrisk.report.numbers import brief_percent, count, percent
from reidrisk.report.parts import Column, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

Policy = dict[str, Any]


def name_of(result: dict[str, Any]) -> str:
    """The two ends and the attacker."""
    return say(
        "content.population_explorer.from_to_against",
        name=coarse(result)["name"],
        name_2=fine(result)["name"],
        name_3=result["attacker"]["name"],
    )


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
    return (
        say("content.population_explorer.total_risk")
        if result["measure"] == "total"
        else f"{result['measure']}-distinct"
    )


def about(result: dict[str, Any]) -> str:
    """What was tried on whom, in a sentence."""
    tried, people = len(result["policies"]), result["population"]["people"]
    return say(
        "content.population_explorer.policies_tried_on",
        tried=count(tried),
        people=count(people),
        place_of=place_of(result),
    )


def warnings(result: dict[str, Any]) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    return single.warnings(result)


def verdict(result: dict[str, Any]) -> Verdict:
    """How much more could be shared."""
    reasons = tuple(Reason(text, None) for text in result["reasons"])
    return Verdict(None, reasons, _said(result))


def _said(result: dict[str, Any]) -> str:
    if coarse(result)["risk"] is None:
        return say("content.population_explorer.risk_unknown")
    if result["target"] is not None:
        best = most_detail(under_target(result))
        limit = f"under {percent(result['target'])}"
        return (
            say("content.population_explorer.most_detail", limit=limit, name=best["name"])
            if best
            else say("content.population_explorer.nothing_is", limit=limit)
        )
    best = most_detail([one for one in result["policies"] if one["more_at_risk_of_safe"]])
    name = coarse(result)["name"]
    return (
        say("content.population_explorer.nothing_tells_more", name=name)
        if best is None
        else say("content.population_explorer.at_the_risk", name=name, name_2=best["name"])
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
    note = "" if found else say("content.population_explorer.nobody_knows_what")
    return _table(
        result,
        found,
        (say("content.population_explorer.the_frontier"), say("content.population_explorer.no_other_policy")),
        note,
    )


def possible(result: dict[str, Any]) -> Table | None:
    """What keeps the target, or the risk of the coarser policy, with more detail than that."""
    at_least = coarse(result)["detail"]
    if result["target"] is not None:
        title = say("content.population_explorer.under_the_target", target=percent(result["target"]))
        found = [one for one in under_target(result) if one["detail"] >= at_least]
    else:
        title = say("content.population_explorer.more_than_at", name=coarse(result)["name"])
        found = [one for one in result["policies"] if one["more_at_risk_of_safe"]]
    if not found:
        return None
    found.sort(key=lambda one: (-one["detail"], one["risk"]))
    explained = say("content.population_explorer.policies_with_at", name=coarse(result)["name"])
    return _table(result, found, (title, explained), "")


def everything(result: dict[str, Any]) -> Table:
    """All policies."""
    explained = say("content.population_explorer.from_little_detail")
    table = _table(
        result, list(result["policies"]), (say("content.population_explorer.all_policies"), explained), ""
    )
    rows = zip(table.rows, result["policies"], strict=True)
    remarked = tuple((*row, ", ".join(_remarks(result, one))) for row, one in rows)
    return replace(
        table, columns=(*table.columns, Column(say("content.population_explorer.remark"))), rows=remarked
    )


def _table(result: dict[str, Any], found: list[Policy], heads: tuple[str, str], note: str) -> Table:
    sizes = _sizes(result)
    return Table(
        *heads,
        (
            Column(say("content.population_explorer.policy")),
            Column(say("content.population_explorer.detail"), is_number=True),
            *(
                Column(say("content.population_explorer.distinct", size=size), is_number=True)
                for size in sizes
            ),
            Column(say("content.population_explorer.total_risk"), is_number=True),
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
        found.append(say("content.population_explorer.under_the_target_2"))
    if one["more_at_risk_of_safe"] and result["target"] is None:
        found.append(say("content.population_explorer.no_more_risk"))
    return found


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed."""
    return single.settings(result)
