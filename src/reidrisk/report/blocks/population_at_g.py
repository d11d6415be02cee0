"""Policies and areas at one g, for results about a population that have every g up to 50."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from reidrisk.population.results import ALIKE
from reidrisk.report.blocks.population import UNKNOWN, labeled_areas
from reidrisk.report.charts import lines
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.numbers import brief_percent, count, expected_people, ratio
from reidrisk.report.parts import Column, Table
from reidrisk.report.plain_text import printable

ResultDict = dict[str, Any]
NOT_STORED = "This result has no figures for every g. Run the assessment again to get them."


@dataclass(frozen=True, slots=True)
class PolicyAtG:
    """The people who are g-distinct under a policy."""

    policy: str
    share: float | None
    """None if unknown."""
    percent: str
    people: str


def risks_of(result: ResultDict) -> list[ResultDict]:
    """The risk under each policy; a single risk is the only one."""
    found: list[ResultDict] = result.get("risks", [result])
    return found


def largest_g(result: ResultDict) -> int:
    """Up to which g the result has figures; 0 if it was stored without them, or nothing is known."""
    return max((int((risk.get("g_range") or {"last": 0})["last"]) for risk in risks_of(result)), default=0)


def share_at(risk: ResultDict, g: int) -> float | None:
    """The share of g-distinct people; None if unknown."""
    found = risk.get("g_range")
    return None if not found else float(found["shares"][g - 1])


def policies_at(result: ResultDict, g: int) -> list[PolicyAtG]:
    """Every policy at one g, in the order of the result."""
    found = []
    for risk in risks_of(result):
        share = share_at(risk, g)
        people = None if share is None else share * risk["people"]
        found.append(
            PolicyAtG(
                risk["policy"]["name"],
                share,
                UNKNOWN if share is None else brief_percent(share),
                UNKNOWN if share is None else expected_people(people),
            )
        )
    return found


def meaning_of(g: int) -> str:
    """What being g-distinct means, in a sentence.

    >>> meaning_of(1)
    'People whose released values nobody else shares: they are unique.'
    """
    if g == 1:
        return "People whose released values nobody else shares: they are unique."
    others = f"{g - 1} other" + ("" if g == 2 else "s")
    return f"People who share their released values with at most {others}."


def policy_table(result: ResultDict, g: int) -> Table:
    """Policies side by side at one g."""
    found = policies_at(result, g)
    last = found[-1].share
    return Table(
        f"Policies at g = {g}",
        meaning_of(g),
        (
            Column("policy"),
            Column("share of people", is_number=True),
            Column("expected people", is_number=True),
            *((Column(f"times {found[-1].policy}", is_number=True),) if len(found) > 1 else ()),
        ),
        tuple(
            (one.policy, one.percent, one.people, *((_times(one.share, last),) if len(found) > 1 else ()))
            for one in found
        ),
    )


def _times(share: float | None, last: float | None) -> str:
    return ratio(share / last if share is not None and last else None)


def area_table(result: ResultDict, g: int) -> Table | None:
    """Areas ranked by the share under the first policy at one g; None if the result has no areas."""
    risks = risks_of(result)
    if not risks[0]["by_area"]:
        return None
    under = [{row["area"]: row for row in labeled_areas(risk)} for risk in risks]
    shares = [{area: share_at(row, g) for area, row in rows.items()} for rows in under]
    first = {area: None if share is None else round(share, ALIKE) for area, share in shares[0].items()}
    order = sorted(under[0], key=lambda area: (first[area] is None, -(first[area] or 0.0), str(area)))
    ranks = _ranks([first[area] for area in order])
    names = [risk["policy"]["name"] for risk in risks]
    return Table(
        f"Areas at g = {g}",
        f"The most exposed area under {names[0]} comes first. {meaning_of(g)}",
        (
            Column(str(result["settings"].get("by") or "area")),
            Column("rank", is_number=True),
            Column("people", is_number=True),
            *(Column(name, is_number=True) for name in names),
        ),
        tuple(
            (
                str(area),
                UNKNOWN if rank is None else count(rank),
                count(under[0][area]["people"]),
                *(_share(one.get(area)) for one in shares),
            )
            for area, rank in zip(order, ranks, strict=True)
        ),
    )


def _share(share: float | None) -> str:
    return UNKNOWN if share is None else brief_percent(share)


def _ranks(shares: Sequence[float | None]) -> list[int | None]:
    """Ranks of sorted shares; equal shares have the same rank.

    >>> _ranks([0.5, 0.5, 0.1, None])
    [1, 1, 3, None]
    """
    known = [share for share in shares if share is not None]
    return [None if share is None else known.index(share) + 1 for share in shares]


def range_chart(result: ResultDict) -> Chart | None:
    """The share of g-distinct people for every g, one line per policy; None without figures."""
    found = [
        Line(
            risk["policy"]["name"],
            tuple((g, share) for g, share in enumerate(risk["g_range"]["shares"], start=1)),
        )
        for risk in risks_of(result)
        if risk.get("g_range")
    ]
    if not found:
        return None
    last = largest_g(result)
    ends = " ".join(
        f"{line.name}: {brief_percent(line.points[0][1])} at g = 1, {brief_percent(line.points[-1][1])} at "
        f"g = {last}."
        for line in found
    )
    return Chart(
        "range",
        f"People in small groups, g from 1 to {last}",
        "The share of people who share their released values with fewer than g others. A line that rises "
        "early means that many people are almost unique.",
        printable(ends),
        lines.height(found),
        partial(
            draw_lines, lines=found, scale="plain", label="g: at most this many people with the same values"
        ),
    )


WHAT_TO_DO = {
    "range": "Choose the g that your rule demands, and look for the policy whose line is still low there.",
    "small": "Choose the g that your rule demands, and look for the policy whose line is still low there.",
    "all": "Use it to see from which group size on nearly everybody is distinct under each policy.",
    "differential": "The ratio is how much more you trust those who get the more detailed data. If it is "
    "large, share the more detailed data only under a contract.",
    "places": "If small areas are exposed most, release larger areas, or leave the smallest ones out.",
    "frontier": "Choose a policy on the line: no other one releases as much at a lower risk.",
}
"""What a reader can do about each chart, by the chart's name."""
