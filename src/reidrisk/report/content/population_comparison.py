"""Policies compared, as tables and facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reidrisk.report.content import population_risk as single
from reidrisk.report.content.population_risk import UNKNOWN
from reidrisk.report.numbers import brief_percent, count, money, ratio
from reidrisk.report.parts import Column, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say


def policies(result: dict[str, Any]) -> list[str]:
    """The names of the policies, as they were given."""
    return [risk["policy"]["name"] for risk in result["risks"]]


def name_of(result: dict[str, Any]) -> str:
    """Policies and attacker."""
    return say(
        "content.population_comparison.against",
        policies=" / ".join(policies(result)),
        name=result["attacker"]["name"],
    )


def place_of(result: dict[str, Any]) -> str:
    """The population, by the last part of its path."""
    return single.place_of(result)


def verdict(result: dict[str, Any]) -> Verdict:
    """How far the policies are apart; yes or no only where a limit was given."""
    decided, times, names = result["acceptable"], result["trust_differential"]["total"], policies(result)
    if decided is not None:
        said = (
            say("content.population_comparison.all_policies_are")
            if decided
            else say("content.population_comparison.not_all_policies")
        )
    elif times is None:
        said = (
            say("content.population_comparison.risk_unknown")
            if any(risk["unknown"] for risk in result["risks"])
            else say("content.population_comparison.nothing_to_compare")
        )
    else:
        said = say(
            "content.population_comparison.exposes_times_as",
            names=names[0],
            ratio=ratio(times),
            names_2=names[-1],
        )
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
            say("content.population_comparison.total_risk"),
            risks,
            lambda risk: brief_percent(risk["total_risk"]["share"]),
            differential["total"],
        )
    )
    rows.append((say("content.population_comparison.cost_of_one"), *(_cost(risk) for risk in risks), ""))
    return Table(
        say("content.population_comparison.policies_side_by"),
        say("content.population_comparison.shares_of_the", names=names[0], names_2=names[-1]),
        (
            Column(say("content.population_comparison.measure")),
            *(Column(name, is_number=True) for name in names),
            Column(say("content.population_comparison.differential"), is_number=True),
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
        say("content.population_comparison.trust_differential_of"),
        say("content.population_comparison.the_risk_under"),
        (
            Column(say("content.population_comparison.policies")),
            *(
                Column(say("content.population_comparison.distinct", int=f"{int(size):,}"), is_number=True)
                for size in sizes
            ),
            Column(say("content.population_comparison.total"), is_number=True),
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
    known = (" " + say("content.population_comparison.the_is_known", within=within)) if within else ""
    return Table(
        say("content.population_comparison.the_attacks"),
        say(
            "content.population_comparison.the_attacker_is",
            name=result["attacker"]["name"],
            list_text=single.list_text(result["attacker"]),
            known=known,
        ),
        (
            Column(say("content.population_comparison.policy")),
            Column(say("content.population_comparison.releases"), is_prose=True),
            Column(say("content.population_comparison.attack_uses"), is_prose=True),
            Column(say("content.population_comparison.groups"), is_number=True),
        ),
        rows,
        say("content.population_comparison.source_of_the", source=result["attacker"]["source"]),
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
        say("content.population_comparison.total_risk_by"),
        say("content.population_comparison.under_each_policy"),
        (
            Column(str(result["settings"].get("by") or "area")),
            Column(say("content.population_comparison.people"), is_number=True),
            *(Column(name, is_number=True) for name in policies(result)),
            Column(say("content.population_comparison.differential"), is_number=True),
        ),
        rows,
        say("content.population_comparison.more_are_on", left=f"{left:,}") if left else "",
    )


def _share(row: dict[str, Any]) -> str:
    return UNKNOWN if row["unknown"] else brief_percent(row["total_risk"]["share"])


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed."""
    return single.settings(result)
