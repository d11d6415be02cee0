"""Policies compared, as tables and facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reidrisk.report.content import population_risk as single
from reidrisk.report.content.population_risk import UNKNOWN
from reidrisk.report.numbers import brief_percent, count, money, ratio
from reidrisk.report.parts import Column, Facts, Reason, Table, Verdict


def policies(result: dict[str, Any]) -> list[str]:
    """The names of the policies, as they were given."""
    return [risk["policy"]["name"] for risk in result["risks"]]


def name_of(result: dict[str, Any]) -> str:
    """Policies and attacker."""
    return f"{' / '.join(policies(result))} against {result['attacker']['name']}"


def place_of(result: dict[str, Any]) -> str:
    """The population, by the last part of its path."""
    return single.place_of(result)


def verdict(result: dict[str, Any]) -> Verdict:
    """How far the policies are apart; yes or no only where a limit was given."""
    decided, times, names = result["acceptable"], result["trust_differential"]["total"], policies(result)
    if decided is not None:
        said = "All policies are acceptable" if decided else "Not all policies are acceptable"
    elif times is None:
        said = "Risk unknown" if any(risk["unknown"] for risk in result["risks"]) else "Nothing to compare"
    else:
        said = f"{names[0]} exposes {ratio(times)} times as many as {names[-1]}"
    holds = [risk["acceptable"] for risk in result["risks"]]
    holds += [None] * (len(result["reasons"]) - len(holds))
    pairs = zip(result["reasons"], holds, strict=True)
    return Verdict(decided, tuple(Reason(text, one) for text, one in pairs), said)


def warnings(result: dict[str, Any]) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    return single.warnings(result)


def about(result: dict[str, Any]) -> str:
    """What was compared on whom, in a sentence."""
    return single.about(result["risks"][0])


def sizes_of(result: dict[str, Any]) -> list[str]:
    """The g that are shown."""
    return single.few([size for size in result["trust_differential"] if size != "total"])


def side_by_side(result: dict[str, Any]) -> Table:
    """One row a measure, one column a policy, and the ratio of the first to the last."""
    risks, names = result["risks"], policies(result)
    differential = result["trust_differential"]
    rows = [
        _row(f"{int(size):,}-distinct", risks, _distinct(size), differential[size])
        for size in sizes_of(result)
    ]
    rows.append(
        _row(
            "total risk",
            risks,
            lambda risk: brief_percent(risk["total_risk"]["share"]),
            differential["total"],
        )
    )
    rows.append(("cost of one", *(_cost(risk) for risk in risks), ""))
    return Table(
        "Policies side by side",
        (
            "Shares of the people. The last column is the trust differential: how many times "
            f"as large the risk under {names[0]} is as under {names[-1]}."
        ),
        (
            Column("measure"),
            *(Column(name, is_number=True) for name in names),
            Column("differential", is_number=True),
        ),
        tuple(rows),
        result["trust_differential_reason"] or "",
    )


def _distinct(size: str) -> Callable[[dict[str, Any]], str]:
    return lambda risk: brief_percent(risk["g_distinct"][size])


def _row(
    name: str, risks: list[dict[str, Any]], cell: Callable[[dict[str, Any]], str], times: float | None
) -> tuple[str, ...]:
    return (name, *(UNKNOWN if risk["unknown"] else cell(risk) for risk in risks), ratio(times))


def _cost(risk: dict[str, Any]) -> str:
    cost = risk["cost_per_reidentification"]
    return UNKNOWN if cost is None else money(cost)


def pairs(result: dict[str, Any]) -> Table | None:
    """Every two policies, where there are more than two."""
    if len(result["risks"]) < 3:
        return None
    sizes = sizes_of(result)[:5]
    rows = tuple(
        (f"{row['first']} : {row['second']}", *(ratio(row[size]) for size in sizes), ratio(row["total"]))
        for row in result["pairs"]
    )
    return Table(
        "Trust differential of every two policies",
        "The risk under the first policy over that under the second.",
        (
            Column("policies"),
            *(Column(f"{int(size):,}-distinct", is_number=True) for size in sizes),
            Column("total", is_number=True),
        ),
        rows,
    )


def attacks(result: dict[str, Any]) -> Table:
    """What each policy releases, and what the attacker can use of it."""
    rows = tuple(
        (
            risk["policy"]["name"],
            single.fields_text(risk["policy"]["fields"]),
            UNKNOWN if risk["unknown"] else ", ".join(risk["fields"]) or "nothing",
            UNKNOWN if risk["groups"] is None else count(risk["groups"]),
        )
        for risk in result["risks"]
    )
    within = result["risks"][0]["within"]
    known = (" " + f"The {within} is known anyway.") if within else ""
    return Table(
        "The attacks",
        (
            f"The attacker is {result['attacker']['name']}: "
            f"{single.list_text(result['attacker'])}. Only what a policy releases and the list "
            f"has can be used.{known}"
        ),
        (
            Column("policy"),
            Column("releases", is_prose=True),
            Column("attack uses", is_prose=True),
            Column("groups", is_number=True),
        ),
        rows,
        f"Source of the attacker: {result['attacker']['source']}.",
    )


def areas(result: dict[str, Any], *, most: int | None = None) -> Table | None:
    """Total risk of every area under each policy; the largest under the first policy first."""
    if not result["by_area"]:
        return None
    ratios = {row["area"]: row for row in single.labelled(result)}
    under = [{row["area"]: row for row in single.labelled(risk)} for risk in result["risks"]]
    order = [row["area"] for row in single.by_total(list(under[0].values()))]
    shown = order if most is None else order[:most]
    rows = tuple(
        (
            area,
            count(ratios[area]["people"]),
            *(_share(risk[area]) for risk in under),
            UNKNOWN if ratios[area]["unknown"] else ratio(ratios[area]["total"]),
        )
        for area in shown
    )
    left = len(order) - len(shown)
    return Table(
        "Total risk by area",
        ("Under each policy, the most exposed first; then the trust differential of first and last policy."),
        (
            Column(str(result["settings"].get("by") or "area")),
            Column("people", is_number=True),
            *(Column(name, is_number=True) for name in policies(result)),
            Column("differential", is_number=True),
        ),
        rows,
        f"{left:,} more are on the page and in the result file." if left else "",
    )


def _share(row: dict[str, Any]) -> str:
    return UNKNOWN if row["unknown"] else brief_percent(row["total_risk"]["share"])


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed."""
    return single.settings(result)
