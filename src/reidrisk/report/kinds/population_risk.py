"""What a sharing policy exposes in a population."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from reidrisk.report.blocks.population import (
    POPULATION_GUIDE,
    UNKNOWN,
    curves,
    labelled,
    order,
    places,
    sizes_of,
    spread,
)
from reidrisk.report.blocks.settings import plain, versions
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, prose, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import brief_percent, count, expected, money, percent
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict

MOST_AREAS = 25
"""Rows in the terminal; the page shows all."""
NO_RECORDS = (
    "No records of the population are released. The starting point is what could be known about "
    "everybody in it."
)
NO_DATA_SET = "A policy was measured, not a data set. Its cost is the detail that it withholds."
MODELLED = (
    "The counts are modelled: only some of them were counted, the rest was computed. "
    "Figures are estimates of estimates."
)


def name_of(result: ResultDict) -> str:
    """Policy and attacker."""
    return f"{result['policy']['name']} against {result['attacker']['name']}"


def place_of(result: ResultDict) -> str:
    """The population, by the last part of its path."""
    chosen = result["population"].get("chosen")
    return short_path(str(result["population"]["source"])) + (f", {chosen}" if chosen else "")


def verdict(result: ResultDict) -> Verdict:
    """What was found; yes or no only where a limit was given."""
    decided = result["acceptable"]
    said = ""
    if result["unknown"]:
        said = "Risk unknown" if decided is None else "Not acceptable: the risk is unknown"
    elif decided is None:
        said = f"{brief_percent(result['total_risk']['share'])} are expected to be re-identified"
    return Verdict(decided, reasons_of(result), said)


def warnings(result: ResultDict) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    modelled = result["population"]["modelled"]
    sentences = (f"{note[:1].upper()}{note[1:].removesuffix('.')}." for note in result["notes"])
    return (*((f"{MODELLED} ({modelled})",) if modelled else ()), *sentences)


def about(result: ResultDict) -> str:
    """What was measured on whom, in a sentence."""
    areas = ", ".join(_plural(name, number) for name, number in result["population"]["areas"].items())
    record = "record" if result["people"] == 1 else "records"
    who = f"{record} of a data set drawn from" if result["settings"].get("dataset") else "people of"
    return f"{count(result['people'])} {who} {place_of(result)}{f' ({areas})' if areas else ''}."


def _plural(name: str, number: int) -> str:
    if number != 1:
        name = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{number:,} {name}"


def alike(size: int) -> str:
    """What being g-distinct means, in words.

    >>> alike(1), alike(5)
    ('alone with these values', 'shared with at most 4 others')
    """
    if size == 1:
        return "alone with these values"
    return f"shared with at most {size - 1:,} other{'' if size == 2 else 's'}"


def distinct(result: ResultDict) -> Table:
    """How many people are alike with few others."""
    shares, people = result["g_distinct"] or {}, result["g_distinct_people"] or {}
    rows = tuple(
        (
            f"{int(size):,}-distinct",
            alike(int(size)),
            brief_percent(shares[size]) if shares else UNKNOWN,
            expected(people[size]) if people else UNKNOWN,
        )
        for size in sizes_of(result)
    )
    return Table(
        "How distinct people are",
        ("Of how many people the released values are shared by only a few. Whoever is 1-distinct is unique."),
        (
            Column("group"),
            Column("the values are"),
            Column("share of people", is_number=True),
            Column("expected people", is_number=True),
        ),
        rows,
        result["unknown"] or "",
    )


def total(result: ResultDict) -> Facts:
    """What an attacker gets out of it."""
    risk, unique = result["total_risk"], result["unique"]
    known = not result["unknown"]
    cost = result["cost_per_reidentification"]
    facts = [
        Fact(
            "total risk",
            f"{brief_percent(risk['share'])}, {expected(risk['expected'])} people" if known else UNKNOWN,
            "right guesses of an attacker who matches everybody",
        ),
        Fact(
            "cost of one",
            money(cost) if cost is not None else UNKNOWN,
            "price of the list over the right guesses" if cost is not None else result["cost_reason"],
        ),
        Fact(
            "unique as it is",
            _known(unique["within_area"]),
            "alone with what the attack uses",
        ),
        Fact(
            "unique without areas",
            _known(unique["across_areas"]),
            "alone if nobody were told where people live",
        ),
    ]
    return Facts(
        "What an attacker gets",
        "Expected numbers: nobody is counted one by one.",
        tuple(facts),
    )


def _total_share(result: ResultDict) -> str:
    return UNKNOWN if result["unknown"] else brief_percent(result["total_risk"]["share"])


def _known(share: float | None) -> str:
    return UNKNOWN if share is None else brief_percent(share)


def attack(result: ResultDict) -> Facts:
    """Who attacks what with which fields."""
    policy, attacker = result["policy"], result["attacker"]
    used = ", ".join(result["fields"]) or ("unknown" if result["unknown"] else "nothing")
    within = result["within"]
    groups = f"{count(result['groups'])} groups" if result["groups"] is not None else UNKNOWN
    facts = [
        Fact(
            "policy releases",
            f"{policy['name']}: {fields_text(policy['fields'])}",
            policy["source"],
        ),
        Fact(
            "attacker has",
            f"{attacker['name']}: {list_text(attacker)}",
            attacker["source"],
        ),
        Fact(
            "attack uses",
            used,
            f"what both have; the {within} is known anyway" if within else "what both have",
        ),
        Fact(
            "people fall into",
            groups,
            "alike but for the day of birth, over whose days they spread evenly",
        ),
    ]
    return Facts(
        "The attack",
        "An attacker can use only what the policy releases and the list has.",
        tuple(facts),
    )


def fields_text(told: dict[str, str]) -> str:
    """Fields with their granularity."""
    special = {
        "as counted": "",
        "unknown": (" " + "(unknown whether)"),
    }
    parts = [f"{name}{special.get(how, f' ({how})')}" for name, how in told.items()]
    return ", ".join(parts) or "nothing"


def list_text(attacker: ResultDict) -> str:
    """What an attacker's list tells."""
    if attacker["fields"] is None:
        return "all that is released" if attacker["name"] == "GENERAL" else "another list in each state"
    shown = fields_text(attacker["fields"])
    return (
        shown
        if attacker["coverage"] is None
        else f"{shown}, of {percent(attacker['coverage'])} of the people"
    )


def areas(result: ResultDict, *, most: int | None = None) -> Table | None:
    """Every area, the most exposed first; those that are unknown last."""
    if not result["by_area"]:
        return None
    rows = by_total(labelled(result))
    sizes = sizes_of(result)[:4]
    priced = any(row["cost_per_reidentification"] is not None for row in rows)
    shown = rows if most is None or len(rows) <= most else rows[:most]
    left = len(rows) - len(shown)
    return Table(
        "By area",
        ("The most exposed first. The place is that by total risk; it can differ from the place by a g."),
        (
            Column(str(result["settings"].get("by") or "area")),
            Column("place", is_number=True),
            Column("people", is_number=True),
            *(Column(f"{size}-distinct", is_number=True) for size in sizes),
            Column("total risk", is_number=True),
            *((Column("cost of one", is_number=True),) if priced else ()),
        ),
        tuple(_area(row, sizes)[: None if priced else -1] for row in shown),
        f"{left:,} more are on the page and in the result file." if left else _unknown_note(rows),
    )


def _area(row: ResultDict, sizes: list[str]) -> tuple[str, ...]:
    name = str(row["area"])
    if row["unknown"]:
        return (name, UNKNOWN, count(row["people"]), *(UNKNOWN for _ in sizes), UNKNOWN, UNKNOWN)
    cost = row["cost_per_reidentification"]
    return (
        name,
        count(row["rank"]["total"]),
        count(row["people"]),
        *(brief_percent(row["g_distinct"][size]) for size in sizes),
        brief_percent(row["total_risk"]["share"]),
        money(cost) if cost is not None else UNKNOWN,
    )


def _unknown_note(rows: list[ResultDict]) -> str:
    unknown = sum(bool(row["unknown"]) for row in rows)
    if not unknown:
        return ""
    who = "Of one area" if unknown == 1 else f"Of {unknown:,} areas"
    return f"{who} nobody knows what the attacker's list tells: unknown is not zero."


def by_total(rows: list[ResultDict]) -> list[ResultDict]:
    """The most exposed first, the unknown last."""
    return sorted(
        rows,
        key=lambda row: (row["unknown"] is not None, -(row["total_risk"]["share"] or 0.0), str(row["area"])),
    )


def settings(result: ResultDict) -> Facts:
    """What was assumed."""
    facts = [
        Fact(name.replace("_", " "), str(value) if name == "counted_in" else _said(value))
        for name, value in result["settings"].items()
        if value not in (None, {}, [])
    ]
    read = [note for note in result["notes"] if not note.endswith(".")]
    facts += [Fact("read as", "; ".join(read))] if read else []
    return Facts("Settings", "With these, the same population gives the same numbers.", tuple(facts))


def _said(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{name} {_said(one)}" for name, one in value.items())
    return plain(value)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Curves over g; with areas, how they differ, in which order, and by size."""
    named = [(name_of(result), result)]
    return (
        *curves(named),
        *spread(result, name="spread", title="How much areas differ"),
        *order(result, name="order", title="How the order of areas changes with g"),
        *places(named),
    )


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (
        *(Notice(text) for text in warnings(result)),
        total(result),
        distinct(result),
        Pictures(charts(result)),
        areas(result, most=12),
    )


def policy_as_measure(names: str) -> Prose:
    """The paragraph about what was done: nothing but choosing a policy."""
    return Prose(
        (f"The policy is the measure: it sets which facts leave, and in how much detail. Here: {names}.",)
    )


KIND = Kind(
    title="What a sharing policy exposes",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=warnings,
    charts=charts,
    figure_title=lambda result: f"{name_of(result)}: {place_of(result)}",
    shows=(
        Show(attack),
        Show(distinct),
        Show(total),
        Show(areas, terminal=partial(areas, most=MOST_AREAS)),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=POPULATION_GUIDE,
    comparison=Comparison(
        "What every policy exposes to its attacker.",
        "policy and attacker",
        (
            (Column("population"), place_of),
            (Column("people", is_number=True), lambda result: count(result["people"])),
            (Column("total risk", is_number=True), _total_share),
            (Column("found"), lambda result: verdict(result).word),
        ),
    ),
    chapters=Chapters(
        initial=prose(NO_RECORDS),
        measures=lambda result: (policy_as_measure(name_of(result)),),
        final=_final,
        identifiers=lambda result: (attack(result),),
        utility=prose(NO_DATA_SET),
        settings=lambda result: (settings(result),),
        formulas=("bins", "total"),
    ),
)
