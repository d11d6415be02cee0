"""A released table compared with its original: what it is still good for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.blocks.utility import (
    asked,
    association_table,
    block_lines,
    charts_beside,
    column_chart,
    distributions,
    limit_sentence,
)
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent, ratio, three_places
from reidrisk.report.parts import Column, Fact, Facts, Guide, Reason, Source, Table, Verdict

MEANINGS = {
    "rows": "of each table, at most, in associations, propensity score and models",
    "seconds": "for each query",
    "folds": "parts that a model foretells in turn from the others",
    "level": "of the intervals of coefficients",
    "cell_size": "groups and categories of fewer records are never named",
}
GUIDE = Guide(
    terms=(
        Fact(
            "released level",
            "Values of the original are compared as the release would write them: an age of 23 as 20-29.",
        ),
        Fact(
            "total variation",
            "The share of records that would have to change their value to give the shares of before.",
        ),
        Fact(
            "distance",
            "How far numbers would have to move on the mean, as a share of the range before (Wasserstein).",
        ),
        Fact(
            "propensity score error",
            (
                "The mean squared difference of the scores of a logistic model from the share of released "
                "records. Its ratio to what chance would give is comparable between tables."
            ),
        ),
        Fact(
            "overlap of intervals",
            (
                "The mean of the shares of both confidence intervals that they have in common: 100 % if "
                "they are the same."
            ),
        ),
        Fact(
            "learned on release, tested on original",
            (
                "The score of a model that learned from the release, for original records: what a user of "
                "the release would achieve on real patients."
            ),
        ),
    ),
    limits=(
        (
            "Comparisons at the released level do not count detail that was given up on purpose: that a "
            "year is no longer a day. The measures of lost information of a de-identification do."
        ),
        "Figures on this page follow from the original data. Keep the page with them.",
        "A release can be as useful as asked for these queries and models, and useless for another.",
        (
            "The propensity model has the columns themselves, and interactions only where named: it sees "
            "means and shares, not every difference. A few suppressed cells already raise the ratio of a "
            "large table."
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
    """The release."""
    return short_path(str(result["settings"]["released"]))


def about(result: ResultDict) -> str:
    """What was held against what."""
    return (
        f"{count(result['records']['after'])} released records beside "
        f"{count(result['records']['before'])} of {result['settings']['against']}."
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
        "As useful as asked" if result["acceptable"] else "Less useful than asked",
    )


def blocks(result: ResultDict) -> tuple[Table | Facts, ...]:
    """What users asked for, then what holds for everybody."""
    pairs = (associations(result),) if result["associations"] else ()
    return (*asked(result), distributions(result), *pairs)


def associations(result: ResultDict) -> Table:
    """Pairs of columns, the largest change first."""
    return association_table(
        result["associations"],
        title="Associations, at the released level",
        explanation=(
            "How strongly two columns go together in each table, the largest change first. "
            "Categories are compared as they are released, numbers as they are."
        ),
    )


def settings(result: ResultDict) -> Facts:
    """What repeats it."""
    facts = [
        Fact(name, _written(value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if value not in (None, [], {}, False)
    ]
    facts.append(Fact("seed", str(result["seed"])))
    return Facts("Settings", "What repeats this result.", tuple(facts))


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {entry}" for name, entry in value.items())
    if isinstance(value, list):
        return ("; " if any("," in one for one in value) else ", ").join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Models, queries and columns, as far as there are any."""
    columns = column_chart(result)
    return (*charts_beside(result), *((columns,) if columns is not None else ()))


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
        "What each release is still good for.",
        "release",
        (
            (Column("records", is_number=True), lambda result: count(result["records"]["after"])),
            (
                Column("column that moved most", is_number=True),
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
