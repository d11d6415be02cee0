"""What a sharing policy exposes in a population."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from reidrisk.core.wording import ALMOST_ONE, people_expected
from reidrisk.report.blocks.population import (
    POPULATION_GUIDE,
    UNKNOWN,
    areas_chart,
    curve_charts,
    labeled_areas,
    ranks_chart,
    sizes_of,
    spread_chart,
    state_name,
)
from reidrisk.report.blocks.settings import plain, versions
from reidrisk.report.blocks.upper_bound import upper_bound_show
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, prose, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import (
    brief_percent,
    count,
    expected_people,
    money,
    more,
    people_text,
    percent,
    share_of_people,
)
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict
from reidrisk.report.traced import whole

MOST_IN_WORDS = 9
"""Above it, a headline gives the share of people."""
MOST_AREAS = 25
"""Rows in the terminal; the page shows all."""
NO_RECORDS = (
    "No records of the population are released. The starting point is what could be known about "
    "everybody in it."
)
NO_DATA_SET = "A policy was measured, not a data set. Its cost is the detail that it withholds."
MODELED = (
    "The counts are modeled: only some were counted, the rest was computed. The figures are estimates based "
    "on estimates."
)


def name_of(result: ResultDict) -> str:
    """Policy and attacker."""
    return f"{result['policy']['name']} against {result['attacker']['name']}"


def population_name(result: ResultDict) -> str:
    """The population, by the last part of its path."""
    chosen = result["population"].get("chosen")
    return short_path(str(result["population"]["source"])) + (f", {chosen_text(chosen)}" if chosen else "")


def chosen_text(chosen: str) -> str:
    """The chosen areas; states by their names.

    >>> chosen_text("state 39, PA"), chosen_text("state 39; county 49"), chosen_text("region 39")
    ('Ohio, Pennsylvania', 'Ohio; county 49', 'region 39')
    """
    parts = chosen.split("; ")
    return "; ".join(_states(part) if part.startswith("state ") else part for part in parts)


def _states(part: str) -> str:
    return ", ".join(map(state_name, part.removeprefix("state ").split(", ")))


def verdict(result: ResultDict) -> Verdict:
    """The total risk; acceptable or not only where a limit was given."""
    decided = result["acceptable"]
    word = ""
    if result["unknown"]:
        word = "Risk unknown" if decided is None else "Not acceptable: the risk is unknown"
    elif decided is None:
        word = expected_text(result)
    return Verdict(decided, reasons_of(result), word)


def expected_text(result: ResultDict) -> str:
    """How many people are expected to be re-identified, as a headline."""
    share, people = result["total_risk"]["share"], result["people"]
    noun = "record" if result["settings"].get("dataset") else "person"
    few = share * people < MOST_IN_WORDS
    text = people_expected(share, people, noun) if few else f"{brief_percent(share)} are"
    return f"{text[:1].upper()}{text[1:]} expected to be re-identified"


def warnings(result: ResultDict) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    modelled = result["population"]["modelled"]
    sentences = (f"{note[:1].upper()}{note[1:].removesuffix('.')}." for note in result["notes"])
    return (*((f"{MODELED} ({modelled})",) if modelled else ()), *sentences)


def about(result: ResultDict) -> str:
    """What was measured on whom, in a sentence."""
    areas = ", ".join(_plural(name, number) for name, number in result["population"]["areas"].items())
    record = "record" if result["people"] == 1 else "records"
    who = f"{record} of a data set drawn from" if result["settings"].get("dataset") else "people of"
    return f"{count(result['people'])} {who} {population_name(result)}{f' ({areas})' if areas else ''}."


def _plural(name: str, number: int) -> str:
    if number != 1:
        name = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{number:,} {name}"


def sharing_text(size: int) -> str:
    """What being g-distinct means, in words.

    >>> sharing_text(1), sharing_text(5)
    ('unique', 'shared with at most 4 others')
    """
    if size == 1:
        return "unique"
    return f"shared with at most {size - 1:,} other{'' if size == 2 else 's'}"


def distinct(result: ResultDict) -> Table:
    """How many people are in small groups."""
    shares, people = result["g_distinct"] or {}, result["g_distinct_people"] or {}
    rows = tuple(
        (
            f"{whole(size):,}-distinct",
            sharing_text(whole(size)),
            share_of_people(shares[size], result["people"]) if shares else UNKNOWN,
            expected_people(people[size]) if people else UNKNOWN,
        )
        for size in sizes_of(result)
    )
    return Table(
        "How distinct people are",
        "How many people share their released values with only a few others. A 1-distinct person is unique.",
        (
            Column("group"),
            Column("their values are"),
            Column("share of people", is_number=True),
            Column("expected people", is_number=True),
        ),
        rows,
        result["unknown"] or "",
    )


def total(result: ResultDict) -> Facts:
    """What an attacker can achieve, and at what cost."""
    risk, unique = result["total_risk"], result["unique"]
    known = not result["unknown"]
    cost = result["cost_per_reidentification"]
    facts = [
        Fact(
            "total risk",
            _total(risk) if known else UNKNOWN,
            "correct matches of an attacker who tries to match everybody",
        ),
        Fact(
            "smallest group",
            count(result["smallest_group"]) if result.get("smallest_group") else UNKNOWN,
            "people who match the most exposed person, that person included",
        ),
        Fact(
            "cost per re-identification",
            money(cost) if cost is not None else UNKNOWN,
            "price of the list divided by the correct matches" if cost is not None else result["cost_reason"],
        ),
        Fact(
            "unique in their area",
            _share_or_unknown(unique["within_area"], result["people"]),
            "on the fields that the attack uses",
        ),
        Fact(
            "unique without areas",
            _share_or_unknown(unique["across_areas"], result["people"]),
            "if the attacker did not know where people live",
        ),
    ]
    return Facts(
        "What an attacker can achieve",
        "These are expected numbers, not counts of individual people.",
        tuple(facts),
    )


def _total(risk: ResultDict) -> str:
    people = people_text(risk["expected"])
    return people if 0 < risk["expected"] < ALMOST_ONE else f"{brief_percent(risk['share'])}, {people}"


def _total_share(result: ResultDict) -> str:
    return UNKNOWN if result["unknown"] else share_of_people(result["total_risk"]["share"], result["people"])


def _share_or_unknown(share: float | None, people: int) -> str:
    return UNKNOWN if share is None else share_of_people(share, people)


def attack(result: ResultDict) -> Facts:
    """The policy, the attacker and the fields that the attack uses."""
    policy, attacker = result["policy"], result["attacker"]
    used = ", ".join(result["fields"]) or ("unknown" if result["unknown"] else "nothing")
    within = result["within"]
    groups = count(result["groups"]) if result["groups"] is not None else UNKNOWN
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
            f"the fields that both have; the {within} is known in any case"
            if within
            else "the fields that both have",
        ),
        Fact(
            "groups of people",
            groups,
            "same values except the day of birth; birthdays are assumed to be evenly spread",
        ),
    ]
    return Facts(
        "The attack",
        "An attacker can use only fields that the policy releases and the attacker's list has.",
        tuple(facts),
    )


def fields_text(fields: dict[str, str]) -> str:
    """Fields with their granularity."""
    special = {
        "as counted": "",
        "unknown": " (unknown)",
    }
    parts = [f"{name}{special.get(how, f' ({how})')}" for name, how in fields.items()]
    return ", ".join(parts) or "nothing"


def list_text(attacker: ResultDict) -> str:
    """The fields of an attacker's list."""
    if attacker["fields"] is None:
        return "all released fields" if attacker["name"] == "GENERAL" else "a different list in each state"
    shown = fields_text(attacker["fields"])
    return (
        shown
        if attacker["coverage"] is None
        else f"{shown}, of {percent(attacker['coverage'])} of the people"
    )


def areas(result: ResultDict, *, most: int | None = None, columns: int = 4) -> Table | None:
    """Every area, the most exposed first and unknown ones last, with so many values of g."""
    if not result["by_area"]:
        return None
    rows = by_total(labeled_areas(result))
    sizes = sizes_of(result)[:columns]
    priced = any(row["cost_per_reidentification"] is not None for row in rows)
    shown = rows if most is None or len(rows) <= most else rows[:most]
    left = len(rows) - len(shown)
    return Table(
        "By area",
        "The most exposed area comes first. The rank is by total risk; for a given g it can differ.",
        (
            Column(str(result["settings"].get("by") or "area")),
            Column("rank", is_number=True),
            Column("people", is_number=True),
            *(Column(f"{size}-distinct", is_number=True) for size in sizes),
            Column("total risk", is_number=True),
            *((Column("cost per re-identification", is_number=True),) if priced else ()),
        ),
        tuple(_area(row, sizes)[: None if priced else -1] for row in shown),
        more(left, "on the page and in the result file") if left else _unknown_note(rows),
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
        *(share_of_people(row["g_distinct"][size], row["people"]) for size in sizes),
        share_of_people(row["total_risk"]["share"], row["people"]),
        money(cost) if cost is not None else UNKNOWN,
    )


def _unknown_note(rows: list[ResultDict]) -> str:
    unknown = sum(bool(row["unknown"]) for row in rows)
    if not unknown:
        return ""
    who = "one area" if unknown == 1 else f"{unknown:,} areas"
    return f"The content of the attacker's list is unknown for {who}. Unknown does not mean zero."


def by_total(rows: list[ResultDict]) -> list[ResultDict]:
    """The most exposed first, the unknown last."""
    return sorted(
        rows,
        key=lambda row: (row["unknown"] is not None, -(row["total_risk"]["share"] or 0.0), str(row["area"])),
    )


def settings(result: ResultDict) -> Facts:
    """Everything needed to repeat the result."""
    facts = [
        Fact(name.replace("_", " "), _named_setting(name, value))
        for name, value in result["settings"].items()
        if value not in (None, {}, [])
    ]
    read = [note for note in result["notes"] if not note.endswith(".")]
    facts += [Fact("read as", "; ".join(read))] if read else []
    return Facts("Settings", "The same settings and population give the same numbers.", tuple(facts))


def _named_setting(name: str, value: Any) -> str:
    if name == "counted_in":
        return str(value)
    return chosen_text(str(value)) if name == "chosen" else _setting_text(value)


def _setting_text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{name} {_setting_text(one)}" for name, one in value.items())
    return plain(value)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Curves over g; with areas, also how they differ, their ranks, and their risk by size."""
    named = [(name_of(result), result)]
    return (
        *curve_charts(named),
        *spread_chart(result, name="spread", title="How areas differ"),
        *ranks_chart(result, name="order", title="How the ranks of areas change with g"),
        *areas_chart(named),
    )


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (
        *(Notice(text) for text in warnings(result)),
        total(result),
        distinct(result),
        Pictures(charts(result)),
        areas(result, most=12),
    )


def _key(result: ResultDict) -> Iterable[Block | None]:
    return (
        *(Notice(text) for text in warnings(result)),
        total(result),
        distinct(result),
        Pictures(charts(result)[:1]),
    )


def facts_about(policies: str, result: ResultDict) -> str:
    """What a policy lets out, in a few words."""
    return f"what {policies} tells about {count(result['people'])} people"


def policy_as_measure(names: str) -> Prose:
    """The paragraph about measures: only a policy was chosen."""
    text = "The policy is the measure: it sets which facts are released, and in how much detail."
    return Prose((f"{text} Here: {names}.",))


KIND = Kind(
    title="What a sharing policy exposes",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=warnings,
    charts=charts,
    figure_title=lambda result: f"{name_of(result)}: {population_name(result)}",
    shows=(
        upper_bound_show("risk"),
        Show(attack),
        Show(distinct),
        Show(total),
        Show(areas, terminal=partial(areas, most=MOST_AREAS, columns=2)),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=POPULATION_GUIDE,
    comparison=Comparison(
        "The risk under each policy.",
        "policy and attacker",
        (
            (Column("population"), population_name),
            (Column("people", is_number=True), lambda result: count(result["people"])),
            (Column("total risk", is_number=True), _total_share),
            (Column("result"), lambda result: verdict(result).word),
        ),
    ),
    leaves=lambda result: facts_about(result["policy"]["name"], result),
    chapters=Chapters(
        key=_key,
        initial=prose(NO_RECORDS),
        measures=lambda result: (policy_as_measure(name_of(result)),),
        final=_final,
        identifiers=lambda result: (attack(result),),
        utility=prose(NO_DATA_SET),
        settings=lambda result: (settings(result),),
        formulas=("bins", "total"),
    ),
)
