"""The utility of a released table, compared with its original."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.report.blocks.settings import cells_read, meanings, setting_text, versions
from reidrisk.report.blocks.utility import (
    association_table,
    block_lines,
    column_chart,
    distributions,
    limit_sentence,
    requested_blocks,
    utility_charts,
)
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent, ratio, three_places
from reidrisk.report.parts import Column, Fact, Facts, Guide, Reason, Source, Table, Verdict
from reidrisk.tables.utility.settings import NUMBER_SETTINGS, SMALLEST_GROUP

MEANINGS = meanings((*NUMBER_SETTINGS, SMALLEST_GROUP))
GUIDE = Guide(
    terms=(
        Fact(
            "released level",
            "Original values are compared as the release would show them: age 23 as 20-29.",
        ),
        Fact(
            "total variation",
            "Share of records whose value would have to change to restore the original distribution.",
        ),
        Fact(
            "distance",
            "How far numbers would have to move on average, as a share of the original range (Wasserstein).",
        ),
        Fact(
            "propensity score error",
            (
                "Mean squared difference between the scores of a logistic model and the share of released "
                "records. Its ratio to the value expected by chance can be compared between tables."
            ),
        ),
        Fact(
            "overlap of intervals",
            (
                "How much of each confidence interval lies inside the other, averaged over the two: 100 % "
                "if they are the same."
            ),
        ),
        Fact(
            "trained on release, tested on original",
            (
                "The score on original records of a model trained on the release: what a user of the "
                "release would achieve on real patients."
            ),
        ),
    ),
    limits=(
        (
            "Comparisons at the released level do not count detail that was removed on purpose, such as a "
            "date that became a year. The information loss of a de-identification does."
        ),
        "Figures on this page are computed from the original data. Protect the page like the original data.",
        "A release can be useful enough for these queries and models and useless for others.",
        (
            "The propensity model uses the columns, and only those interactions that were named. It sees "
            "means and shares, not every difference. In a large table, even a few suppressed cells raise "
            "the ratio."
        ),
    ),
    sources=(
        Source(
            "Woo MJ, Reiter JP, Oganian A, Karr AF. Global measures of data utility for microdata masked for "
            "disclosure limitation. Journal of Privacy and Confidentiality 2009;1(1):111-124.",
            "10.29012/jpc.v1i1.568",
        ),
        Source(
            "Snoke J, Raab GM, Nowok B, Dibben C, Slavkovic A. General and specific utility measures for "
            "synthetic data. Journal of the Royal Statistical Society A 2018;181(3):663-688.",
            "10.1111/rssa.12358",
        ),
        Source(
            "Karr AF, Kohnen CN, Oganian A, Reiter JP, Sanil AP. A framework for evaluating the utility of "
            "data altered to protect confidentiality. The American Statistician 2006;60(3):224-232.",
            "10.1198/000313006X124640",
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The released table, by the last part of its path."""
    return short_path(str(result["settings"]["released"]))


def about(result: ResultDict) -> str:
    """Which tables were compared."""
    return (
        f"{count(result['records']['after'])} released records compared with "
        f"{count(result['records']['before'])} original records in {result['settings']['against']}."
    )


def verdict(result: ResultDict) -> Verdict:
    """Whether limits are met, if there are any."""
    limits = (Reason(limit_sentence(one), one["met"]) for one in result["limits"])
    reasons = (*reasons_of(result), *limits)
    if not result["decided"]:
        return Verdict(None, reasons, "Measured")
    return Verdict(
        result["acceptable"],
        reasons,
        "Useful enough" if result["acceptable"] else "Not useful enough",
    )


def blocks(result: ResultDict) -> tuple[Table | Facts, ...]:
    """What users asked for, then the general measures."""
    pairs = (associations(result),) if result["associations"] else ()
    return (*requested_blocks(result), distributions(result), *pairs)


def associations(result: ResultDict) -> Table:
    """Pairs of columns, the largest change first."""
    return association_table(
        result["associations"],
        title="Associations at the released level",
        explanation=(
            "How strongly two columns are associated in each table, with the largest change first. "
            "Categories are compared at the released level, numbers unchanged."
        ),
    )


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the result."""
    facts = [
        Fact(name, setting_text(value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if value not in (None, [], {}, False) and name != "read_as"
    ]
    if cells_read(result["notes"]):
        facts.append(Fact("how the files were read", cells_read(result["notes"])))
    facts.append(Fact("seed", str(result["seed"])))
    return Facts("Settings", "With these settings, the same tables give the same result.", tuple(facts))


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Models, queries and columns, if there are any."""
    columns = column_chart(result)
    return (*utility_charts(result), *((columns,) if columns is not None else ()))


def _largest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


KIND = Kind(
    title="Utility of a released table",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Utility of {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(blocks, lines=lambda result: block_lines(blocks(result))),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The utility of each release.",
        "release",
        (
            (Column("records", is_number=True), lambda result: count(result["records"]["after"])),
            (
                Column("largest change of a column", is_number=True),
                lambda result: percent(_largest(one["total_variation"] for one in result["columns"])),
            ),
            (
                Column("propensity ratio", is_number=True),
                lambda result: ratio((result["propensity"] or {}).get("ratio")),
            ),
            (
                Column("worst query", is_number=True),
                lambda result: percent(_largest(one["typical_relative"] for one in result["queries"])),
            ),
            (
                Column("worst model", is_number=True),
                lambda result: three_places(_largest(one["loss"] for one in result["models"])),
            ),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
)
