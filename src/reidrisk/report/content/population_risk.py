"""What a policy exposes to an attacker, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.population.census import POSTAL
from reidrisk.report.content.text_risk import short_path
from reidrisk.report.content.text_settings import plain
from reidrisk.report.numbers import brief_percent, count, expected, money, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

UNKNOWN = "unknown"
MOST_STATES = 45
"""So many areas with the numbers of US states can be nothing else."""
MODELLED = (
    "The counts are modelled: only some of them were counted, the rest was computed. "
    "Figures are estimates of estimates."
)


def name_of(result: dict[str, Any]) -> str:
    """Policy and attacker."""
    return f"{result['policy']['name']} against {result['attacker']['name']}"


def place_of(result: dict[str, Any]) -> str:
    """The population, by the last part of its path."""
    chosen = result["population"].get("chosen")
    return short_path(str(result["population"]["source"])) + (f", {chosen}" if chosen else "")


def verdict(result: dict[str, Any]) -> Verdict:
    """What was found; yes or no only where a limit was given."""
    decided = result["acceptable"]
    said = ""
    if result["unknown"]:
        said = "Risk unknown" if decided is None else "Not acceptable: the risk is unknown"
    elif decided is None:
        said = f"{brief_percent(result['total_risk']['share'])} are expected to be re-identified"
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


def total(result: dict[str, Any]) -> Facts:
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


def _known(share: float | None) -> str:
    return UNKNOWN if share is None else brief_percent(share)


def attack(result: dict[str, Any]) -> Facts:
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


def list_text(attacker: dict[str, Any]) -> str:
    """What an attacker's list tells."""
    if attacker["fields"] is None:
        return "all that is released" if attacker["name"] == "GENERAL" else "another list in each state"
    shown = fields_text(attacker["fields"])
    return (
        shown
        if attacker["coverage"] is None
        else f"{shown}, of {percent(attacker['coverage'])} of the people"
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
    who = "Of one area" if unknown == 1 else f"Of {unknown:,} areas"
    return f"{who} nobody knows what the attacker's list tells: unknown is not zero."


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
    facts += [Fact("read as", "; ".join(read))] if read else []
    return Facts("Settings", "With these, the same population gives the same numbers.", tuple(facts))


def _said(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{name} {_said(one)}" for name, one in value.items())
    return plain(value)
