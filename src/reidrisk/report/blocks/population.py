"""What the kinds of results about populations share: charts over areas and over g, and the guide."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from reidrisk.population.census import POSTAL
from reidrisk.report.charts import boxes, dots, lines, ranks
from reidrisk.report.charts.boxes import Box, draw_boxes
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.dots import Dot, Dots, draw_dots
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.charts.ranks import Ranked, draw_ranks
from reidrisk.report.numbers import brief_percent
from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.plain_text import printable

_TERMS = (
    Fact(
        "Policy",
        (
            "Which facts about a person may be released, and how finely: the county or only "
            "the state, the date of birth or only its year. Safe Harbor is here year of birth, "
            "sex and race within a state; the Limited Dataset adds the county and the date of "
            "birth."
        ),
    ),
    Fact(
        "GENERAL",
        (
            "An attacker who has a list of everybody's names with all that the policy "
            "releases. The worst case: nobody may have such a list."
        ),
    ),
    Fact(
        "VOTER",
        (
            "An attacker who buys the voter list of the state. It helps only by what it tells: "
            "the fields used are those that the policy releases and the list has."
        ),
    ),
    Fact(
        "g-distinct",
        (
            "A person is 5-distinct whose released values are shared by at most four others in "
            "the population; 1-distinct is unique. Being distinct is not yet being "
            "re-identified: somebody must have a list."
        ),
    ),
    Fact(
        "Total risk",
        (
            "The right guesses of an attacker who matches every record, each person with the "
            "chance of one in those alike. As a share of the people, and as an expected number."
        ),
    ),
    Fact(
        "Trust differential",
        (
            "How many times as large the risk under one policy is as under another: how much "
            "more those are trusted who get the more detailed data."
        ),
    ),
    Fact("Cost of one", "Price of the attacker's list over the expected right guesses."),
    Fact(
        "Modelled population",
        (
            "Where only totals were counted (by county and race, by county and age), the full "
            "table is computed so that it agrees with them. The totals are facts, the cells "
            "are estimates."
        ),
    ),
    Fact(
        "Unknown",
        (
            "Nobody knows, or nobody wrote down, what a list tells or costs. It may be much or "
            "nothing; it is never taken for zero."
        ),
    ),
)
_LIMITS = (
    (
        "Birthdays are spread evenly over the days of the year unless said otherwise. In "
        "truth some days have more births, which makes people slightly less distinct on "
        "them and more on others."
    ),
    ("Age stands for the year of birth, and everybody is counted who lived there at the census."),
    (
        "Everybody is taken to be in the attacker's list unless its coverage is given, and "
        "the list to be without errors: an upper limit."
    ),
    (
        "Only the fields named are used. Diagnoses, dates of visits and whatever else is "
        "in the data can make people more distinct."
    ),
    ("This page is a measurement, not legal advice. People who answer for it decide on a policy."),
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
                "The mean over the fields of how far up each is: 0 % tells nothing, 100 % is the "
                "finest policy that was tried. It counts steps of granularity, not their worth to "
                "a study: that is yours to judge."
            ),
        ),
        Fact("Frontier", "Policies for which no other one tells at least as much at a lower risk."),
        *_TERMS[1:],
    ),
    _LIMITS,
    _SOURCES,
)


UNKNOWN = "unknown"
MOST_STATES = 45
"""So many areas with the numbers of US states can be nothing else."""
SMALL = 10
"""The plain chart ends at this g."""
NOBODY_KNOWS = "Nobody knows what the attacker's list tells, so that there is nothing to draw."
Named = Sequence[tuple[str, dict[str, Any]]]
"""Results with the names of their lines."""


def curves(risks: Named) -> tuple[Chart, ...]:
    """The share of g-distinct people, for small g and for all."""
    every = [line for line in (_line(name, risk) for name, risk in risks) if line.points]
    small = [Line(line.name, tuple(point for point in line.points if point[0] <= SMALL)) for line in every]
    small = [line for line in small if line.points]
    if not every:
        return (Chart("small", "Distinct people", NOBODY_KNOWS, NOBODY_KNOWS, 1.0, None),)
    said = " ".join(printable(_in_words(line)) for line in every)
    plain = Chart(
        "small",
        "People who are alike with few others",
        f"Share of people whose values are shared by fewer than g others. {said}",
        said,
        lines.height(small),
        partial(draw_lines, lines=small, scale="plain", label="g: people with the same values, at most"),
    )
    wide = Chart(
        "all",
        "The same for large groups",
        f"Both axes are logarithmic. {_reached(every)}",
        (f"The share of g-distinct people for g up to {max(line.points[-1][0] for line in every):,.0f}."),
        lines.height(every),
        partial(draw_lines, lines=every, scale="log", label="g"),
    )
    return ((plain,) if small else ()) + (wide,)


def _line(name: str, risk: dict[str, Any]) -> Line:
    points = {row["g"]: row["share"] for row in risk["curve"]}
    points |= {int(size): share for size, share in (risk["g_distinct"] or {}).items()}
    return Line(name, tuple(sorted(points.items())) if risk["g_distinct"] else ())


def _in_words(line: Line) -> str:
    at = dict(line.points)
    parts = [f"{brief_percent(at[g])} at g = {g}" for g in (1, 5, 10) if g in at]
    return f"{line.name}: {', '.join(parts)}." if parts else ""


def _reached(every: Sequence[Line]) -> str:
    """From which g on nearly everybody is distinct."""
    said = []
    for line in every:
        found = next((g for g, share in line.points if share > 0.999), None)
        if found is not None:
            said.append(f"{line.name}: over 99.9 % from g = {found:,.0f} on.")
    return printable(" ".join(said))


def known(risk: dict[str, Any]) -> list[dict[str, Any]]:
    """The areas with figures."""
    return [row for row in labelled(risk) if row["unknown"] is None]


def _missing(risk: dict[str, Any]) -> str:
    number = len(risk["by_area"]) - len(known(risk))
    return (" " + f"{number:,} areas are unknown and not drawn.") if number else ""


def spread(risk: dict[str, Any], *, name: str, title: str) -> tuple[Chart, ...]:
    """Box plots over areas; nothing for few areas."""
    rows = known(risk)
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
    said = f"{widest.name} from {low} to {high}, half of the areas above {middle}."
    return (
        Chart(
            name,
            title,
            (
                "The box holds the middle half of the areas, the line in it is the middle; dots "
                f"are areas far from the others, and the most exposed is named.{_missing(risk)}"
            ),
            said,
            boxes.height(found),
            partial(draw_boxes, boxes=found),
        ),
    )


def _has_order(rows: Sequence[dict[str, Any]], size: str) -> bool:
    """Whether areas differ; not where nearly everybody in most of them is g-distinct, or nobody."""
    shares = sorted(row["g_distinct"][size] for row in rows)
    return bool(0 < shares[len(shares) // 2] < 0.999999)


def order(risk: dict[str, Any], *, name: str, title: str) -> tuple[Chart, ...]:
    """How the order of areas changes with g."""
    rows = known(risk)
    if len(rows) < 3:
        return ()
    measures = [*(size for size in sizes_of(risk)[:5] if _has_order(rows, size)), "total"]
    if len(measures) < 2:
        return ()
    found = [Ranked(row["area"], tuple(row["rank"][measure] for measure in measures)) for row in rows]
    most = max(found, key=lambda row: row.moves)
    moved = (
        (f"{printable(most.area)} moves most, between the places {min(most.places)} and {max(most.places)}.")
        if most.moves
        else "No area changes its place."
    )
    shown = [f"g = {measure}" if measure != "total" else "total" for measure in measures]
    few = (
        ""
        if len(found) <= ranks.MOST_NAMED
        else (" " + "Named: the first and last two, and those that move most.")
    )
    return (
        Chart(
            name,
            title,
            f"Place 1 is the most exposed.{few} {moved}{_missing(risk)}",
            f"Places of {len(found):,} areas. {moved}",
            ranks.height(found),
            partial(draw_ranks, rows=found, measures=shown),
        ),
    )


def places(risks: Named) -> tuple[Chart, ...]:
    """Areas as dots: few people are more exposed."""
    series = [
        Dots(
            name,
            tuple(Dot(row["area"], row["people"], row["total_risk"]["share"]) for row in known(risk)),
        )
        for name, risk in risks
    ]
    series = [one for one in series if len(one.dots) >= 3]
    if not series or not any(dot.share > 0 for one in series for dot in one.dots):
        return ()
    first = max(series[0].dots, key=lambda dot: dot.share)
    said = f"Most exposed: {printable(first.area)}, {brief_percent(first.share)} of {first.people:,} people."
    return (
        Chart(
            "places",
            "Total risk by the size of the area",
            f"Each dot is an area; both axes are logarithmic. {said}{_missing(risks[0][1])}",
            said,
            dots.height(series),
            partial(draw_dots, series=series),
        ),
    )


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
