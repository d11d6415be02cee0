"""Sharing policies compared on one population."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from reidrisk.report.blocks.population import (
    POPULATION_GUIDE,
    UNKNOWN,
    areas_chart,
    curve_charts,
    few_sizes,
    labeled_areas,
    ranks_chart,
    spread_chart,
)
from reidrisk.report.blocks.settings import versions
from reidrisk.report.blocks.upper_bound import upper_bound_show
from reidrisk.report.charts import lines
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.document import Block, Notice, Pictures
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, prose, reasons_of
from reidrisk.report.kinds import population_risk as single
from reidrisk.report.numbers import count, money, more, ratio, share_of_people
from reidrisk.report.parts import Column, Table, Verdict
from reidrisk.report.plain_text import heading, printable, wrap
from reidrisk.report.traced import whole

MOST_POLICIES = 5
CURVES = 2
"""The first charts are of g and of the trust differential, the others of areas."""


def policies(result: ResultDict) -> list[str]:
    """The names of the policies, as they were given."""
    return [risk["policy"]["name"] for risk in result["risks"]]


def name_of(result: ResultDict) -> str:
    """Policies and attacker."""
    return f"{' / '.join(policies(result))} against {result['attacker']['name']}"


def verdict(result: ResultDict) -> Verdict:
    """How much the policies differ; acceptable or not only where a limit was given."""
    decided, times, names = result["acceptable"], result["trust_differential"]["total"], policies(result)
    if decided is not None:
        word = "All policies are acceptable" if decided else "Not all policies are acceptable"
    elif times is None:
        word = "Risk unknown" if any(risk["unknown"] for risk in result["risks"]) else "Nothing to compare"
    else:
        word = f"{names[0]} exposes {ratio(times)} times as many people as {names[-1]}"
    return Verdict(decided, reasons_of(result), word)


def about(result: ResultDict) -> str:
    """The population, in a sentence."""
    return single.about(result["risks"][0])


def sizes_of(result: ResultDict) -> list[str]:
    """The g that are shown."""
    return few_sizes([size for size in result["trust_differential"] if size != "total"])


def side_by_side(result: ResultDict) -> Table:
    """One row per measure, one column per policy, and the ratio of the first to the last."""
    risks, names = result["risks"], policies(result)
    differential = result["trust_differential"]
    rows = [
        _row(f"{whole(size):,}-distinct", risks, _distinct(size), differential[size])
        for size in sizes_of(result)
    ]
    rows.append(
        _row(
            "total risk",
            risks,
            lambda risk: share_of_people(risk["total_risk"]["share"], risk["people"]),
            differential["total"],
        )
    )
    rows.append(("cost per re-identification", *(_cost(risk) for risk in risks), ""))
    return Table(
        "Policies side by side",
        (
            "Shares of people. The last column is the trust differential: the risk under "
            f"{names[0]} divided by the risk under {names[-1]}."
        ),
        (
            Column("measure"),
            *(Column(name, is_number=True) for name in names),
            Column("differential", is_number=True),
        ),
        tuple(rows),
        result["trust_differential_reason"] or "",
    )


def _distinct(size: str) -> Callable[[ResultDict], str]:
    return lambda risk: share_of_people(risk["g_distinct"][size], risk["people"])


def _row(
    name: str, risks: list[ResultDict], cell: Callable[[ResultDict], str], times: float | None
) -> tuple[str, ...]:
    return (name, *(UNKNOWN if risk["unknown"] else cell(risk) for risk in risks), ratio(times))


def _cost(risk: ResultDict) -> str:
    cost = risk["cost_per_reidentification"]
    return UNKNOWN if cost is None else money(cost)


def pairs(result: ResultDict) -> Table | None:
    """Every pair of policies, where there are more than two."""
    if len(result["risks"]) < 3:
        return None
    sizes = sizes_of(result)[:5]
    rows = tuple(
        (f"{row['first']} : {row['second']}", *(ratio(row[size]) for size in sizes), ratio(row["total"]))
        for row in result["pairs"]
    )
    return Table(
        "Trust differential of each pair of policies",
        "The risk under the first policy divided by the risk under the second.",
        (
            Column("policies"),
            *(Column(f"{whole(size):,}-distinct", is_number=True) for size in sizes),
            Column("total", is_number=True),
        ),
        rows,
    )


def attacks(result: ResultDict) -> Table:
    """What each policy releases, and which of it the attacker can use."""
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
    known = f" The {within} is known in any case." if within else ""
    return Table(
        "The attacks",
        (
            f"The attacker is {result['attacker']['name']}: "
            f"{single.list_text(result['attacker'])}. The attacker can use only fields that the "
            f"policy releases and the list has.{known}"
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


def areas(result: ResultDict, *, most: int | None = None) -> Table | None:
    """Total risk of each area under each policy; the largest under the first policy comes first."""
    if not result["by_area"]:
        return None
    ratios = {row["area"]: row for row in labeled_areas(result)}
    under = [{row["area"]: row for row in labeled_areas(risk)} for risk in result["risks"]]
    ranks_chart = [row["area"] for row in single.by_total(list(under[0].values()))]
    shown = ranks_chart if most is None else ranks_chart[:most]
    rows = tuple(
        (
            area,
            count(ratios[area]["people"]),
            *(_share(risk[area]) for risk in under),
            UNKNOWN if ratios[area]["unknown"] else ratio(ratios[area]["total"]),
        )
        for area in shown
    )
    left = len(ranks_chart) - len(shown)
    return Table(
        "Total risk by area",
        "The most exposed area comes first. The last column compares the first policy with the last.",
        (
            Column(str(result["settings"].get("by") or "area")),
            Column("people", is_number=True),
            *(Column(name, is_number=True) for name in policies(result)),
            Column("differential", is_number=True),
        ),
        rows,
        more(left, "on the page and in the result file") if left else "",
    )


def _share(row: ResultDict) -> str:
    return UNKNOWN if row["unknown"] else share_of_people(row["total_risk"]["share"], row["people"])


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Curves over g and their ratio; how areas differ under the first and the last policy, and by size."""
    risks = result["risks"][: MOST_POLICIES - 1] + result["risks"][MOST_POLICIES - 1 :][-1:]
    named = [(risk["policy"]["name"], risk) for risk in risks]
    ends = enumerate((named[0], named[-1]), start=1)
    return (
        *curve_charts(named),
        *_differential(result),
        *(
            chart
            for number, (name, risk) in ends
            for chart in (
                *spread_chart(
                    risk,
                    name=f"spread{number}",
                    title=f"How areas differ: {printable(name)}",
                ),
                *ranks_chart(
                    risk,
                    name=f"order{number}",
                    title=f"Ranks of areas: {printable(name)}",
                ),
            )
        ),
        *areas_chart(named),
    )


def _differential(result: ResultDict) -> tuple[Chart, ...]:
    """The ratio of the first and the last policy over g."""
    names = policies(result)
    first, last = (_points(result["risks"][at]) for at in (0, -1))
    end = max(first, default=0)
    found = {g: first[min(g, end)] / below for g, below in last.items() if min(g, end) in first and below > 0}
    found |= {
        whole(g): times
        for g, times in result["trust_differential"].items()
        if g != "total" and times is not None
    }
    line = Line("trust differential", tuple(sorted(found.items())))
    if len(line.points) < 2:
        return ()
    largest, smallest = max(found.values()), min(found.values())
    spoken = f"From {ratio(smallest)} to {ratio(largest)} times for g = {min(found):,} to {max(found):,}."
    return (
        Chart(
            "differential",
            "Trust differential",
            printable(f"Share of g-distinct people, {names[0]} divided by {names[-1]}. {spoken}"),
            spoken,
            lines.height([line]),
            partial(draw_lines, lines=[line], scale="ratio", label="g"),
        ),
    )


def _points(risk: ResultDict) -> dict[int, float]:
    """The curve; beyond its end everyone is distinct."""
    return {row["g"]: row["share"] for row in risk["curve"]}


def _attack_lines(result: ResultDict) -> list[str]:
    """Sentences, because the fields of a policy do not fit a column of the terminal."""
    table = attacks(result)
    found = heading(table.title, table.explanation)
    for policy, released, used, groups in table.rows:
        found += wrap(
            f"{policy} releases {released}; the attack uses {used} ({groups} groups).", rest=" " * 4
        )
    return [*found, *wrap(table.note)]


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (
        *(Notice(text) for text in single.warnings(result)),
        side_by_side(result),
        Pictures(charts(result)[:CURVES]),
        areas(result, most=12),
    )


def _key(result: ResultDict) -> Iterable[Block | None]:
    warnings = (Notice(text) for text in single.warnings(result))
    return (*warnings, side_by_side(result), Pictures(charts(result)[:1]))


def _sensitivity(result: ResultDict) -> Iterable[Block | None]:
    """How much areas differ under one rule, and every pair of policies."""
    of_areas = charts(result)[CURVES:]
    return pairs(result), Pictures(of_areas) if of_areas else None


KIND = Kind(
    title="Sharing policies compared",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=single.warnings,
    charts=charts,
    figure_title=lambda result: f"{name_of(result)}: {single.population_name(result)}",
    shows=(
        upper_bound_show("compare"),
        Show(attacks, page=False, lines=_attack_lines),
        Show(side_by_side),
        Show(attacks, terminal=False),
        Show(pairs),
        Show(areas, terminal=partial(areas, most=single.MOST_AREAS)),
        Show(single.settings),
        Show(versions, terminal=False),
    ),
    guide=POPULATION_GUIDE,
    comparison=Comparison(
        "How much more the first policy exposes than the last.",
        "policies and attacker",
        (
            (Column("population"), single.population_name),
            (Column("people", is_number=True), lambda result: count(result["population"]["people"])),
            (
                Column("trust differential", is_number=True),
                lambda result: ratio(result["trust_differential"]["total"]),
            ),
        ),
    ),
    leaves=lambda result: single.facts_about(" or ".join(policies(result)), result["risks"][0]),
    chapters=Chapters(
        key=_key,
        initial=prose(single.NO_RECORDS),
        measures=lambda result: (single.policy_as_measure(", ".join(policies(result))),),
        final=_final,
        sensitivity=_sensitivity,
        identifiers=lambda result: (attacks(result),),
        utility=prose(single.NO_DATA_SET),
        settings=lambda result: (single.settings(result),),
        formulas=("bins", "total"),
    ),
)
