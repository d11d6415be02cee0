"""What the kinds of results about populations share: charts of areas and of g, and the guide."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from reidrisk.population.census import POSTAL
from reidrisk.population.voters import state_names
from reidrisk.report.charts import boxes, dots, lines, ranks
from reidrisk.report.charts.boxes import Box, draw_boxes
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.dots import Dot, Dots, draw_dots
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.charts.ranks import AreaRanks, draw_ranks
from reidrisk.report.numbers import brief_percent
from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.plain_text import printable
from reidrisk.report.traced import as_key, size, whole

_TERMS = (
    Fact(
        "Policy",
        (
            "Which facts about a person may be released, and in how much detail: the county or only "
            "the state, the date of birth or only its year. Here, Safe Harbor means year of birth, "
            "sex and race within a state. The Limited Dataset adds the county and the date of "
            "birth."
        ),
    ),
    Fact(
        "GENERAL",
        (
            "An attacker with a list of everybody's names and all facts that the policy "
            "releases. This is the worst case; such a list may not exist."
        ),
    ),
    Fact(
        "VOTER",
        (
            "An attacker who buys the voter list of the state. The attack uses only fields that the "
            "policy releases and the list has."
        ),
    ),
    Fact(
        "g-distinct",
        (
            "A person is 5-distinct if at most four others in the population have the same released "
            "values. A 1-distinct person is unique. A distinct person is not yet "
            "re-identified: for that, someone must have a list with names."
        ),
    ),
    Fact(
        "Total risk",
        (
            "The correct matches of an attacker who tries to match every record. Each person is matched "
            "with a chance of one divided by the number of people with the same values. Given as a share of "
            "people and as an expected number."
        ),
    ),
    Fact(
        "Trust differential",
        (
            "The risk under one policy divided by the risk under another. It shows how much more you "
            "trust those who get the more detailed data."
        ),
    ),
    Fact(
        "Cost per re-identification", "Price of the attacker's list divided by the expected correct matches."
    ),
    Fact(
        "Modeled population",
        (
            "If only totals are known (by county and race, by county and age), the full table is "
            "computed to agree with them. The totals are facts; the cells are estimates."
        ),
    ),
    Fact(
        "Unknown",
        (
            "The fields or the price of a list are not known or not recorded. Unknown is never "
            "counted as zero."
        ),
    ),
)
_LIMITS = (
    (
        "Birthdays are assumed to be spread evenly over the year unless stated otherwise. In "
        "reality some days have more births, so people born on them are slightly less distinct, "
        "and others slightly more."
    ),
    "Age is used for the year of birth. Everybody who lived there at the census is counted.",
    (
        "The attacker's list is assumed to contain everybody, unless its coverage is given, and to "
        "have no errors. The risk is therefore an upper limit."
    ),
    (
        "Only the named fields are used. Diagnoses, dates of visits and other facts in the data "
        "can make people more distinct."
    ),
    "This page is a measurement, not legal advice. The people responsible decide on a policy.",
)
_SOURCES = (
    Source(
        "Benitez K., Malin B. Evaluating re-identification risks with respect to the HIPAA privacy rule. "
        "Journal of the American Medical Informatics Association 17(2) (2010) 169–177.",
        "10.1136/jamia.2009.000026",
    ),
    Source(
        "Golle P. Revisiting the uniqueness of simple demographics in the US population. Workshop on "
        "Privacy in the Electronic Society (2006) 77–80."
    ),
)

POPULATION_GUIDE = Guide(_TERMS, _LIMITS, _SOURCES)

EXPLORER_GUIDE = Guide(
    (
        *_TERMS[:1],
        Fact(
            "Detail",
            (
                "The average level of detail of the fields: 0 % releases nothing, 100 % is the finest policy "
                "tried. It counts steps of granularity. How valuable they are for a study is for you "
                "to judge."
            ),
        ),
        Fact(
            "Frontier", "Policies for which no other policy releases at least as much detail at a lower risk."
        ),
        *_TERMS[1:],
    ),
    _LIMITS,
    _SOURCES,
)


UNKNOWN = "unknown"
MOST_STATES = 45
"""With at least this many areas whose codes are those of US states, they are US states."""
SMALL = 10
"""The first chart ends at this g."""
UNKNOWN_LIST = "The content of the attacker's list is unknown, so there is nothing to draw."
Named = Sequence[tuple[str, dict[str, Any]]]
"""Results, each with the name of its line."""


def curve_charts(risks: Named) -> tuple[Chart, ...]:
    """The share of g-distinct people, for small g and for all g."""
    every = [line for line in (_line(name, risk) for name, risk in risks) if line.points]
    small = [Line(line.name, tuple(point for point in line.points if point[0] <= SMALL)) for line in every]
    small = [line for line in small if line.points]
    if not every:
        return (Chart("small", "Distinct people", UNKNOWN_LIST, UNKNOWN_LIST, 1.0, None),)
    spoken = " ".join(printable(_in_words(line)) for line in every)
    plain = Chart(
        "small",
        "People in small groups",
        f"Share of people who share their values with fewer than g others. {spoken}",
        spoken,
        lines.height(small),
        partial(
            draw_lines, lines=small, scale="plain", label="g: at most this many people with the same values"
        ),
    )
    wide = Chart(
        "all",
        "The same for large groups",
        f"Both axes are logarithmic. {_g_of_full_distinctness(every)}",
        (f"The share of g-distinct people for g up to {max(line.points[-1][0] for line in every):,.0f}."),
        lines.height(every),
        partial(draw_lines, lines=every, scale="log", label="g"),
    )
    return ((plain,) if small else ()) + (wide,)


def _line(name: str, risk: dict[str, Any]) -> Line:
    points = {row["g"]: row["share"] for row in risk["curve"]}
    points |= {whole(size): share for size, share in (risk["g_distinct"] or {}).items()}
    return Line(name, tuple(sorted(points.items())) if risk["g_distinct"] else ())


def _in_words(line: Line) -> str:
    parts = [f"{brief_percent(share)} at g = {g}" for g, share in line.points if g in (1, 5, 10)]
    return f"{line.name}: {', '.join(parts)}." if parts else ""


def _g_of_full_distinctness(every: Sequence[Line]) -> str:
    """The g from which nearly everybody is distinct."""
    found_all = []
    for line in every:
        found = next((g for g, share in line.points if share > 0.999), None)
        if found is not None:
            found_all.append(f"{line.name}: over 99.9 % from g = {found:,.0f}.")
    return printable(" ".join(found_all))


def known_areas(risk: dict[str, Any]) -> list[dict[str, Any]]:
    """The areas with figures."""
    return [row for row in labeled_areas(risk) if row["unknown"] is None]


def _missing(risk: dict[str, Any]) -> str:
    number = size(risk["by_area"]) - size(known_areas(risk))
    return f" {number:,} areas are unknown and not drawn." if number else ""


def spread_chart(risk: dict[str, Any], *, name: str, title: str) -> tuple[Chart, ...]:
    """Box plots of areas; none for fewer than four areas."""
    rows = known_areas(risk)
    if len(rows) < 4:
        return ()
    found = [
        Box(
            f"{size}-distinct",
            tuple((row["area"], row["g_distinct"][size]) for row in rows),
        )
        for size in sizes_of(risk)[:6]
    ]
    widest = max(found, key=lambda box: box.quarter(4) - box.quarter(0))
    low, middle, high = (brief_percent(widest.quarter(number)) for number in (0, 2, 4))
    spoken = f"{widest.name}: from {low} to {high}; half of the areas are above {middle}."
    return (
        Chart(
            name,
            title,
            (
                "The box contains the middle half of the areas, and the line in it is the median. Dots "
                f"are outlying areas; the most exposed is named.{_missing(risk)}"
            ),
            spoken,
            boxes.height(found),
            partial(draw_boxes, boxes=found),
        ),
    )


def _has_order(rows: Sequence[dict[str, Any]], size: str) -> bool:
    """Whether areas differ: not if in most of them nearly everybody is g-distinct, or nobody."""
    shares = sorted(row["g_distinct"][size] for row in rows)
    return bool(0 < shares[len(shares) // 2] < 0.999999)


def ranks_chart(risk: dict[str, Any], *, name: str, title: str) -> tuple[Chart, ...]:
    """How the ranks of areas change with g."""
    rows = known_areas(risk)
    if len(rows) < 3:
        return ()
    measures = [*(size for size in sizes_of(risk)[:5] if _has_order(rows, size)), "total"]
    if len(measures) < 2:
        return ()
    found = [AreaRanks(row["area"], tuple(row["rank"][measure] for measure in measures)) for row in rows]
    most = max(found, key=lambda row: row.moves)
    moved = (
        f"{printable(most.area)} moves most, between ranks {min(most.places)} and {max(most.places)}."
        if most.moves
        else "No area changes its rank."
    )
    shown = [f"g = {measure}" if measure != "total" else "total" for measure in measures]
    few_sizes = (
        ""
        if len(found) <= ranks.MOST_NAMED
        else " Named: the first two, the last two, and those that move most."
    )
    return (
        Chart(
            name,
            title,
            f"Rank 1 is the most exposed.{few_sizes} {moved}{_missing(risk)}",
            f"Ranks of {len(found):,} areas. {moved}",
            ranks.height(found),
            partial(draw_ranks, rows=found, measures=shown),
        ),
    )


def areas_chart(risks: Named) -> tuple[Chart, ...]:
    """Areas as dots, by their number of people and their risk."""
    series = [
        Dots(
            name,
            tuple(Dot(row["area"], row["people"], row["total_risk"]["share"]) for row in known_areas(risk)),
        )
        for name, risk in risks
    ]
    series = [one for one in series if len(one.dots) >= 3]
    if not series or not any(dot.share > 0 for one in series for dot in one.dots):
        return ()
    first = max(series[0].dots, key=lambda dot: dot.share)
    spoken = (
        f"Most exposed: {printable(first.area)}, {brief_percent(first.share)} of {first.people:,} people."
    )
    return (
        Chart(
            "places",
            "Total risk by size of the area",
            f"Each dot is an area. Both axes are logarithmic. {spoken}{_missing(risks[0][1])}",
            spoken,
            dots.height(series),
            partial(draw_dots, series=series),
        ),
    )


def sizes_of(result: dict[str, Any]) -> list[str]:
    """The values of g in the settings, as keys of the result."""
    asked = result["settings"]["g"]
    if isinstance(asked, list):
        return few_sizes([as_key(size) for size in asked])
    every = (result["g_distinct"], *(row["g_distinct"] for row in result["by_area"]))
    return few_sizes(list(next((found for found in every if found), {"1": None})))


def few_sizes(sizes: list[str]) -> list[str]:
    """At most about a dozen sizes: the small ones, then 10, 20, 50 and so on.

    >>> few_sizes([str(g) for g in range(1, 1001)])
    ['1', '2', '3', '5', '10', '20', '50', '100', '200', '500', '1000']
    """
    if len(sizes) <= 12:
        return sizes
    steps = {str(first * 10**power) for power in range(8) for first in (1, 2, 5)} | {"3"}
    return [size for size in sizes if size in steps or size == sizes[-1]]


def labeled_areas(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The areas; US states, recognized by their column or by their codes, by their names.

    >>> rows = [{"area": code} for code in POSTAL]
    >>> [labeled_areas({"by_area": some})[0]["area"] for some in (rows, rows[:3])]
    ['Alabama', '01']
    >>> labeled_areas({"by_area": [{"area": "OH"}], "settings": {"by": "state"}})[0]["area"]
    'Ohio'
    """
    rows = result["by_area"]
    are_states = (result.get("settings") or {}).get("by") == "state"
    every = len(rows) >= MOST_STATES and all(row["area"] in POSTAL for row in rows)
    if not are_states and not every:
        return list(rows)
    return [row | {"area": state_name(row["area"])} for row in rows]


def state_name(code: str) -> str:
    """The name of a US state, given by its number or postal code; other names stay as they are.

    >>> state_name("39"), state_name("PR"), state_name("Bavaria")
    ('Ohio', 'Puerto Rico', 'Bavaria')
    """
    found = state_names(str(code))
    return found[2] if len(found) > 2 else code
