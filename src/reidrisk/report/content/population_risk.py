"""What a policy exposes to an attacker, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.population.census import POSTAL
from reidrisk.report.content.text_risk import short_path
from reidrisk.report.content.text_settings import plain
from reidrisk.report.numbers import brief_percent, count, expected, money, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

UNKNOWN = "unknown"
MOST_STATES = 45
"""So many areas with the numbers of US states can be nothing else."""
MODELLED = say("content.population_risk.the_counts_are")


def name_of(result: dict[str, Any]) -> str:
    """Policy and attacker."""
    return say(
        "content.population_risk.against", name=result["policy"]["name"], name_2=result["attacker"]["name"]
    )


def place_of(result: dict[str, Any]) -> str:
    """The population, by the last part of its path."""
    chosen = result["population"].get("chosen")
    return short_path(str(result["population"]["source"])) + (f", {chosen}" if chosen else "")


def verdict(result: dict[str, Any]) -> Verdict:
    """What was found; yes or no only where a limit was given."""
    decided = result["acceptable"]
    said = ""
    if result["unknown"]:
        said = (
            say("content.population_risk.risk_unknown")
            if decided is None
            else say("content.population_risk.not_acceptable_the")
        )
    elif decided is None:
        said = say(
            "content.population_risk.are_expected_to", share=brief_percent(result["total_risk"]["share"])
        )
    return Verdict(decided, _reasons(result), said)


def _reasons(result: dict[str, Any]) -> tuple[Reason, ...]:
    """Those about a limit speak for or against; the others only tell."""
    limits = result["settings"]["max_share"]
    if result["unknown"] or not limits:
        holds: list[bool | None] = [False if limits else None] * len(result["reasons"])
    else:
        plain_ones = len(result["reasons"]) - len(limits)
        holds = [None] * plain_ones + [_share(result, name) <= limit for name, limit in limits.items()]
    return tuple(Reason(text, one) for text, one in zip(result["reasons"], holds, strict=True))


def _share(result: dict[str, Any], measure: str) -> float:
    found = result["total_risk"]["share"] if measure == "total" else result["g_distinct"][measure]
    return float(found)


def warnings(result: dict[str, Any]) -> tuple[str, ...]:
    """What to keep in mind while reading."""
    modelled = result["population"]["modelled"]
    sentences = (f"{note[:1].upper()}{note[1:].removesuffix('.')}." for note in result["notes"])
    return (*((f"{MODELLED} ({modelled})",) if modelled else ()), *sentences)


def about(result: dict[str, Any]) -> str:
    """What was measured on whom, in a sentence."""
    areas = ", ".join(_plural(name, number) for name, number in result["population"]["areas"].items())
    record = "record" if result["people"] == 1 else "records"
    who = (
        say("content.population_risk.of_a_data", record=record)
        if result["settings"].get("dataset")
        else say("content.population_risk.people_of")
    )
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
        return say("content.population_risk.alone_with_these")
    return say("content.population_risk.shared_with_at", size=f"{size - 1:,}", rest="" if size == 2 else "s")


def sizes_of(result: dict[str, Any]) -> list[str]:
    """The g that were asked for, as the result names them."""
    asked = result["settings"]["g"]
    if isinstance(asked, list):
        return few([str(size) for size in asked])
    every = (result["g_distinct"], *(row["g_distinct"] for row in result["by_area"]))
    return few(list(next((found for found in every if found), {"1": None})))


def few(sizes: list[str]) -> list[str]:
    """Not more than can be read: the small ones, then some.

    >>> few([str(g) for g in range(1, 1001)])
    ['1', '2', '3', '5', '10', '20', '50', '100', '200', '500', '1000']
    """
    if len(sizes) <= 12:
        return sizes
    steps = {str(first * 10**power) for power in range(8) for first in (1, 2, 5)} | {"3"}
    return [size for size in sizes if size in steps or size == sizes[-1]]


def distinct(result: dict[str, Any]) -> Table:
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
        say("content.population_risk.how_distinct_people"),
        say("content.population_risk.of_how_many"),
        (
            Column(say("content.population_risk.group")),
            Column(say("content.population_risk.the_values_are")),
            Column(say("content.population_risk.share_of_people"), is_number=True),
            Column(say("content.population_risk.expected_people"), is_number=True),
        ),
        rows,
        result["unknown"] or "",
    )


def total(result: dict[str, Any]) -> Facts:
    """What an attacker gets out of it."""
    risk, unique = result["total_risk"], result["unique"]
    known = not result["unknown"]
    cost = result["cost_per_reidentification"]
    facts = [
        Fact(
            say("content.population_risk.total_risk"),
            say(
                "content.population_risk.people",
                share=brief_percent(risk["share"]),
                expected=expected(risk["expected"]),
            )
            if known
            else UNKNOWN,
            say("content.population_risk.right_guesses_of"),
        ),
        Fact(
            say("content.population_risk.cost_of_one"),
            money(cost) if cost is not None else UNKNOWN,
            say("content.population_risk.price_of_the") if cost is not None else result["cost_reason"],
        ),
        Fact(
            say("content.population_risk.unique_as_it"),
            _known(unique["within_area"]),
            say("content.population_risk.alone_with_what"),
        ),
        Fact(
            say("content.population_risk.unique_without_areas"),
            _known(unique["across_areas"]),
            say("content.population_risk.alone_if_nobody"),
        ),
    ]
    return Facts(
        say("content.population_risk.what_an_attacker"),
        say("content.population_risk.expected_numbers_nobody"),
        tuple(facts),
    )


def _known(share: float | None) -> str:
    return UNKNOWN if share is None else brief_percent(share)


def attack(result: dict[str, Any]) -> Facts:
    """Who attacks what with which fields."""
    policy, attacker = result["policy"], result["attacker"]
    used = ", ".join(result["fields"]) or ("unknown" if result["unknown"] else "nothing")
    within = result["within"]
    groups = (
        say("content.population_risk.groups", groups=count(result["groups"]))
        if result["groups"] is not None
        else UNKNOWN
    )
    facts = [
        Fact(
            say("content.population_risk.policy_releases"),
            f"{policy['name']}: {fields_text(policy['fields'])}",
            policy["source"],
        ),
        Fact(
            say("content.population_risk.attacker_has"),
            f"{attacker['name']}: {list_text(attacker)}",
            attacker["source"],
        ),
        Fact(
            say("content.population_risk.attack_uses"),
            used,
            say("content.population_risk.what_both_have", within=within)
            if within
            else say("content.population_risk.what_both_have_2"),
        ),
        Fact(
            say("content.population_risk.people_fall_into"),
            groups,
            say("content.population_risk.alike_but_for"),
        ),
    ]
    return Facts(
        say("content.population_risk.the_attack"),
        say("content.population_risk.an_attacker_can"),
        tuple(facts),
    )


def fields_text(told: dict[str, str]) -> str:
    """Fields with their granularity."""
    special = {
        say("content.population_risk.as_counted"): "",
        "unknown": (" " + say("content.population_risk.unknown_whether")),
    }
    parts = [f"{name}{special.get(how, f' ({how})')}" for name, how in told.items()]
    return ", ".join(parts) or "nothing"


def list_text(attacker: dict[str, Any]) -> str:
    """What an attacker's list tells."""
    if attacker["fields"] is None:
        return (
            say("content.population_risk.all_that_is")
            if attacker["name"] == "GENERAL"
            else say("content.population_risk.another_list_in")
        )
    shown = fields_text(attacker["fields"])
    return (
        shown
        if attacker["coverage"] is None
        else say("content.population_risk.of_of_the", shown=shown, coverage=percent(attacker["coverage"]))
    )


def areas(result: dict[str, Any], *, most: int | None = None) -> Table | None:
    """Every area, the most exposed first; those that are unknown last."""
    if not result["by_area"]:
        return None
    rows = by_total(labelled(result))
    sizes = sizes_of(result)[:4]
    priced = any(row["cost_per_reidentification"] is not None for row in rows)
    shown = rows if most is None or len(rows) <= most else rows[:most]
    left = len(rows) - len(shown)
    return Table(
        say("content.population_risk.by_area"),
        say("content.population_risk.the_most_exposed"),
        (
            Column(str(result["settings"].get("by") or "area")),
            Column(say("content.population_risk.place"), is_number=True),
            Column(say("content.population_risk.people_2"), is_number=True),
            *(Column(say("content.population_risk.distinct", size=size), is_number=True) for size in sizes),
            Column(say("content.population_risk.total_risk"), is_number=True),
            *((Column(say("content.population_risk.cost_of_one"), is_number=True),) if priced else ()),
        ),
        tuple(_area(row, sizes)[: None if priced else -1] for row in shown),
        say("content.population_risk.more_are_on", left=f"{left:,}") if left else _unknown_note(rows),
    )


def _area(row: dict[str, Any], sizes: list[str]) -> tuple[str, ...]:
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


def labelled(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The areas; where they are plainly the states of the US by number, with their letters.

    >>> rows = [{"area": code} for code in POSTAL]
    >>> labelled({"by_area": rows})[34]["area"], labelled({"by_area": rows[:3]})[0]["area"]
    ('ND (38)', '01')
    """
    rows = result["by_area"]
    if len(rows) < MOST_STATES or any(row["area"] not in POSTAL for row in rows):
        return list(rows)
    return [row | {"area": f"{POSTAL[row['area']]} ({row['area']})"} for row in rows]


def _unknown_note(rows: list[dict[str, Any]]) -> str:
    unknown = sum(bool(row["unknown"]) for row in rows)
    if not unknown:
        return ""
    who = (
        say("content.population_risk.of_one_area")
        if unknown == 1
        else say("content.population_risk.of_areas", unknown=f"{unknown:,}")
    )
    return say("content.population_risk.nobody_knows_what", who=who)


def by_total(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The most exposed first, the unknown last."""
    return sorted(
        rows,
        key=lambda row: (row["unknown"] is not None, -(row["total_risk"]["share"] or 0.0), str(row["area"])),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed."""
    facts = [
        Fact(name.replace("_", " "), str(value) if name == "counted_in" else _said(value))
        for name, value in result["settings"].items()
        if value not in (None, {}, [])
    ]
    read = [note for note in result["notes"] if not note.endswith(".")]
    facts += [Fact(say("content.population_risk.read_as"), "; ".join(read))] if read else []
    return Facts(
        say("content.population_risk.settings"), say("content.population_risk.with_these_the"), tuple(facts)
    )


def _said(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{name} {_said(one)}" for name, one in value.items())
    return plain(value)
