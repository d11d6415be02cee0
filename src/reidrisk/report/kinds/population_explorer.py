"""Policies between two others: how much detail each releases, and at what risk."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from reidrisk.report.blocks.population import EXPLORER_GUIDE, UNKNOWN, UNKNOWN_LIST, few_sizes
from reidrisk.report.blocks.settings import versions
from reidrisk.report.blocks.upper_bound import upper_bound_show
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.frontier import HEIGHT, Point, draw_frontier
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.kinds import population_risk as single
from reidrisk.report.numbers import brief_percent, count, percent, share_of_people
from reidrisk.report.parts import Column, Table, Verdict
from reidrisk.report.plain_text import printable
from reidrisk.report.traced import size

Policy = dict[str, Any]


def name_of(result: ResultDict) -> str:
    """The two ends and the attacker."""
    return f"From {coarse(result)['name']} to {fine(result)['name']} against {result['attacker']['name']}"


def coarse(result: ResultDict) -> Policy:
    """The coarser of the two policies."""
    return dict(result["policies"][result["safe"]])


def fine(result: ResultDict) -> Policy:
    """The finer of the two policies."""
    return dict(result["policies"][result["limited"]])


def measure(result: ResultDict) -> str:
    """The measure of risk."""
    return "total risk" if result["measure"] == "total" else f"{result['measure']}-distinct"


def about(result: ResultDict) -> str:
    """How many policies were tried, and on whom."""
    tried, people = size(result["policies"]), result["population"]["people"]
    return f"{count(tried)} policies tried on {count(people)} people of {single.population_name(result)}."


def verdict(result: ResultDict) -> Verdict:
    """The policy with the most detail at an acceptable risk; nothing is decided."""
    return Verdict(None, reasons_of(result), _answer(result))


def _answer(result: ResultDict) -> str:
    if coarse(result)["risk"] is None:
        return "Risk unknown"
    if result["target"] is not None:
        best = most_detail(under_target(result))
        limit = f"under {percent(result['target'])}"
        return f"Most detail {limit}: {best['name']}" if best else f"No policy is {limit}"
    best = most_detail([one for one in result["policies"] if one["more_at_risk_of_safe"]])
    name = coarse(result)["name"]
    return (
        f"No policy releases more detail at the risk of {name}"
        if best is None
        else f"Most detail at the risk of {name}: {best['name']}"
    )


def most_detail(found: list[Policy]) -> Policy | None:
    """The policy with the most detail; among equals, the one with the lowest risk."""
    known = [one for one in found if one["risk"] is not None]
    return max(known, key=lambda one: (one["detail"], -one["risk"]), default=None)


def under_target(result: ResultDict) -> list[Policy]:
    """The policies under the target."""
    return [one for one in result["policies"] if one["under_target"]]


def frontier(result: ResultDict) -> Table:
    """Policies that no other policy beats."""
    found = [one for one in result["policies"] if one["on_frontier"]]
    note = "" if found else "The content of the attacker's list is unknown."
    return _table(
        result,
        found,
        (
            "The frontier",
            "No other policy releases as much detail at a lower risk. More detail means more risk.",
        ),
        note,
    )


def possible(result: ResultDict) -> Table | None:
    """Policies under the target, or with more detail than the coarser policy at no more risk."""
    at_least = coarse(result)["detail"]
    if result["target"] is not None:
        title = f"Under the target of {percent(result['target'])}"
        found = [one for one in under_target(result) if one["detail"] >= at_least]
    else:
        title = f"More detail than {coarse(result)['name']} at no more risk"
        found = [one for one in result["policies"] if one["more_at_risk_of_safe"]]
    if not found:
        return None
    found.sort(key=lambda one: (-one["detail"], one["risk"]))
    explained = f"Policies with at least the detail of {coarse(result)['name']}; most detail first."
    return _table(result, found, (title, explained), "")


def everything(result: ResultDict) -> Table:
    """All policies."""
    explained = "From least to most detail. Detail counts steps of granularity, not their value for a study."
    table = _table(result, list(result["policies"]), ("All policies", explained), "")
    rows = zip(table.rows, result["policies"], strict=True)
    remarked = tuple((*row, ", ".join(_remarks(result, one))) for row, one in rows)
    return replace(table, columns=(*table.columns, Column("remark")), rows=remarked)


def _table(result: ResultDict, found: list[Policy], heads: tuple[str, str], note: str) -> Table:
    sizes = _sizes(result)
    return Table(
        *heads,
        (
            Column("policy"),
            Column("detail", is_number=True),
            *(Column(f"{size}-distinct", is_number=True) for size in sizes),
            Column("total risk", is_number=True),
        ),
        tuple(_row(one, sizes, result["population"]["people"]) for one in found),
        note,
    )


def _sizes(result: ResultDict) -> list[str]:
    known = (list(one["g_distinct"]) for one in result["policies"] if one["g_distinct"])
    sizes = few_sizes(next(known, []))
    return [size for size in sizes if size in ("1", "5")] or sizes[:2]


def _row(one: Policy, sizes: list[str], people: int) -> tuple[str, ...]:
    known = one["risk"] is not None
    return (
        one["name"],
        f"{100 * one['detail']:.0f} %",
        *(share_of_people(one["g_distinct"][size], people) if known else UNKNOWN for size in sizes),
        share_of_people(one["total_risk"]["share"], people) if known else UNKNOWN,
    )


def _remarks(result: ResultDict, one: Policy) -> list[str]:
    found = []
    if one["on_frontier"]:
        found.append("frontier")
    if one["under_target"]:
        found.append("under the target")
    if one["more_at_risk_of_safe"] and result["target"] is None:
        found.append("no more risk")
    return found


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Detail against risk, one dot per policy."""
    title = "Detail against risk"
    points = _points(result)
    if not any(point.risk > 0 for point in points):
        return (Chart("frontier", title, UNKNOWN_LIST, UNKNOWN_LIST, 1.0, None),)
    best = most_detail(under_target(result))
    winner = (
        f" Most detail under the target: {printable(best['name'])}, {brief_percent(best['risk'])}."
        if best
        else ""
    )
    best_ones = sum(point.on_frontier for point in points)
    zone = " Shaded: under the target." if result["target"] is not None else ""
    return (
        Chart(
            "frontier",
            title,
            (
                f"Each dot is a policy; the vertical axis is its {measure(result)} on a logarithmic "
                f"scale. The line joins the policies that no other policy beats.{zone}{winner}"
            ),
            f"{len(points):,} policies, {best_ones:,} on the frontier.{winner}",
            HEIGHT,
            partial(
                draw_frontier,
                points=points,
                target=result["target"],
                finest=printable(fine(result)["name"]),
            ),
        ),
    )


def _points(result: ResultDict) -> list[Point]:
    ends = (result["safe"], result["limited"])
    return [
        Point(
            one["name"],
            one["detail"],
            one["risk"],
            one["on_frontier"],
            f"{one['name']} {brief_percent(one['risk'])}" if at in ends else "",
        )
        for at, one in enumerate(result["policies"])
        if one["risk"] is not None
    ]


KIND = Kind(
    title="What could be shared",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=single.warnings,
    charts=charts,
    figure_title=lambda result: f"{name_of(result)}: {single.population_name(result)}",
    shows=(
        upper_bound_show("explore"),
        Show(frontier),
        Show(possible),
        Show(everything, terminal=False),
        Show(single.settings),
        Show(versions, terminal=False),
    ),
    guide=EXPLORER_GUIDE,
    comparison=Comparison(
        "The policies tried on each population.",
        "policies and attacker",
        (
            (Column("population"), single.population_name),
            (Column("policies", is_number=True), lambda result: count(len(result["policies"]))),
            (Column("result"), lambda result: verdict(result).word),
        ),
    ),
)
