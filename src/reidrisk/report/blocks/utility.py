"""What a released table is still good for: queries, models and distributions before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from reidrisk.report.charts import pairs
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.numbers import MISSING, count, more, percent, ratio, three_digits, three_places
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import fact_lines, table_lines

MOST_PAIRS = 20
MOST_TERMS = 40
MOST_LINES = 10
"""Rows of each table in the terminal; the page shows all."""
MOST_BARS = 12
"""Bars of a chart; the tables show all."""
SEVERAL = 2
CONCLUSIONS = {True: "changes", False: "same"}
NAMES = "before", "after"
DISTANCES = (
    Column("total variation", is_number=True),
    Column("Hellinger distance", is_number=True, short="Hellinger"),
    Column("Kolmogorov-Smirnov", is_number=True, short="KS"),
    Column("distance", is_number=True),
    Column("missing before", is_number=True),
    Column("missing after", is_number=True),
    Column("values before", is_number=True),
    Column("values after", is_number=True),
)


def requested_blocks(result: dict[str, Any] | None) -> tuple[Table | Facts, ...]:
    """Queries, models and the propensity score that users asked for; empty if nobody asked for any."""
    if result is None:
        return ()
    found = (queries(result), models(result), terms(result), propensity(result))
    return tuple(block for block in found if block is not None)


def utility_blocks(result: dict[str, Any] | None) -> tuple[Table | Facts, ...]:
    """The blocks for a de-identified table, which has other measures of information loss."""
    return () if result is None else (*limits(result), *requested_blocks(result), distributions(result))


def block_lines(blocks: Sequence[Table | Facts]) -> list[str]:
    """The blocks for a terminal, with the first rows of long tables."""
    return [line for block in blocks for line in _lines(block)]


def _lines(block: Table | Facts) -> list[str]:
    if isinstance(block, Facts):
        return fact_lines(block)
    left = len(block.rows) - MOST_LINES
    more = [f"  {left:,} more rows are on the page."] if left > 0 else []
    return [*table_lines(replace(block, rows=block.rows[:MOST_LINES])), *more]


def limits(result: dict[str, Any]) -> tuple[Facts, ...]:
    """Each utility limit with the measured value; these limits do not decide about the release."""
    words = {True: "met", False: "not met"}
    facts = tuple(Fact(one["name"], words[one["met"]], limit_sentence(one)) for one in result["limits"])
    title, explained = (
        "Utility limits",
        "What users asked for. The risk decides about the release; these limits show how useful it is.",
    )
    return (Facts(title, explained, facts),) if facts else ()


def limit_sentence(one: dict[str, Any]) -> str:
    """A limit and the measured value."""
    if one["value"] is None:
        return f"Limit {one['name']} {one['limit']:g}: not measured. {one['reason']}"
    return f"Limit {one['name']} {one['limit']:g}: {one['figure']} is {one['value']:.3g} ({one['worst']})."


def queries(result: dict[str, Any]) -> Table | None:
    """The differences in the answers to each query; None if there are no queries."""
    if not result["queries"]:
        return None
    failed = [f"{one['name']}: {one['reason']} {one['hint']}" for one in result["queries"] if one["reason"]]
    named = [_named_groups(one) for one in result["queries"] if one["named"]]
    return Table(
        "Your queries, before and after",
        (
            "The same query run on both tables. A group that only one table has counts as a difference "
            "of 100 %. The answers themselves are not shown."
        ),
        (
            Column("query"),
            Column("figure"),
            Column(
                "typical relative difference",
                is_number=True,
                short="typical",
            ),
            Column(
                "largest relative difference",
                is_number=True,
                short="largest",
            ),
            Column("largest absolute difference", is_number=True, short="largest absolute"),
            Column("groups before", is_number=True, short="groups"),
            Column("groups only before", is_number=True, short="only before"),
            Column("groups only after", is_number=True, short="only after"),
        ),
        tuple(row for one in result["queries"] for row in _query_rows(one)),
        " ".join([*failed, *named]),
    )


def _query_rows(query: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    if query["reason"]:
        yield (query["name"], *([MISSING] * 7))
        return
    for one in query["figures"]:
        yield (
            query["name"],
            one["column"],
            percent(one["typical_relative"]),
            percent(one["largest_relative"]),
            three_digits(one["largest_absolute"]),
            *(count(query[name]) for name in ("groups_before", "lost", "new")),
        )


def _named_groups(query: dict[str, Any]) -> str:
    groups = "; ".join(f"{row['group']} ({percent(row['relative'])})" for row in query["named"])
    return f"{query['name']}, groups that differ most: {groups}."


def models(result: dict[str, Any]) -> Table | None:
    """How well each model predicts; None if there are no models."""
    if not result["models"]:
        return None
    rows = tuple(
        (
            model_label(result, one["model"]),
            one["score"] or MISSING,
            *(three_places(one[name]) for name in ("before", "after", "transfer", "loss")),
            percent(one["overlap"]),
            _conclusion_change(one),
        )
        for one in result["models"]
    )
    return Table(
        "Your models, before and after",
        (
            "The score is R squared for models that predict a number and AUC (0.5 is chance) for models "
            "that predict a category. Before and after: cross-validated on each table. Transfer: trained "
            "on the release and tested on the original. Loss: the score before minus the lower of the two."
        ),
        (
            Column("model"),
            Column("score"),
            Column("before", is_number=True),
            Column("after", is_number=True),
            Column(
                "trained on release, tested on original",
                is_number=True,
                short="transfer",
            ),
            Column("loss", is_number=True),
            Column(
                "overlap of intervals",
                is_number=True,
                short="overlap",
            ),
            Column(
                "conclusions that change",
                is_number=True,
                short="changed",
            ),
        ),
        rows,
        " ".join(f"{one['model']}: {one['reason']}" for one in result["models"] if one["reason"]),
    )


def model_label(result: dict[str, Any], model: str) -> str:
    """A model with its number, which the table of coefficients uses."""
    return f"{[one['model'] for one in result['models']].index(model) + 1}: {model}"


def _outcomes(model: dict[str, Any]) -> list[str]:
    """The categories that a model predicts; empty if it predicts a number."""
    return list(dict.fromkeys(term["outcome"] for term in model["terms"] if term["outcome"] is not None))


def terms(result: dict[str, Any]) -> Table | None:
    """Coefficients, with changed conclusions first; None if there are none."""
    found = [(one["model"], term) for one in result["models"] for term in one["terms"]]
    if not found:
        return None
    found.sort(key=lambda row: (not row[1]["changes"], row[1]["overlap"] is None, row[1]["overlap"] or 0.0))
    shown = found[:MOST_TERMS]
    several = len(result["models"]) > 1
    rows = tuple(
        (_term(result, *row), *([_number(result, row[0])] * several), *_sides(row[1])) for row in shown
    )
    return Table(
        "Conclusions, before and after",
        (
            "Coefficients per unit, or compared with the most frequent category, with confidence "
            "intervals. A conclusion changes if the sign changes, or if only one of the two intervals "
            "includes 0."
        ),
        (
            Column("coefficient"),
            *([Column("model")] * several),
            Column("before", is_number=True),
            Column("after", is_number=True),
            Column(
                "overlap of intervals",
                is_number=True,
                short="overlap",
            ),
            Column("conclusion"),
        ),
        rows,
        " ".join(_of_terms(result, [term for _, term in found])),
        tuple(at for at, (_, term) in enumerate(shown) if term["changes"]),
    )


def _term(result: dict[str, Any], model: str, term: dict[str, Any]) -> str:
    """The name of a coefficient, with its outcome if the model has several."""
    outcomes = next(_outcomes(one) for one in result["models"] if one["model"] == model)
    return term["term"] if len(outcomes) < SEVERAL else f"{term['term']} ({term['outcome']})"


def _sides(term: dict[str, Any]) -> tuple[str, ...]:
    conclusion = CONCLUSIONS.get(term["changes"], MISSING)
    return _estimate(term, "before"), _estimate(term, "after"), percent(term["overlap"]), conclusion


def _of_terms(result: dict[str, Any], found: list[dict[str, Any]]) -> Iterator[str]:
    """What each model predicts, how many coefficients are not shown, and why some have no interval."""
    for one in result["models"]:
        if len(outcomes := _outcomes(one)) == 1:
            number = _number(result, one["model"])
            yield f"Model {number} predicts {outcomes[0]}."
    if (left := len(found) - MOST_TERMS) > 0:
        yield more(left, "in the JSON file", "coefficient")
    yield from dict.fromkeys(term["reason"] for term in found if term["reason"])


def _number(result: dict[str, Any], model: str) -> str:
    return model_label(result, model).partition(":")[0]


def _conclusion_change(one: dict[str, Any]) -> str:
    if not one["compared"]:
        return MISSING
    return f"{count(one['changed'])} of {count(one['compared'])}"


def _estimate(term: dict[str, Any], side: str) -> str:
    value, ends = term[side], term[f"{side}_ends"]
    if value is None or ends is None:
        return MISSING
    return f"{three_digits(value)} ({three_digits(ends[0])} to {three_digits(ends[1])})"


def propensity(result: dict[str, Any]) -> Facts | None:
    """Whether a model can distinguish the tables; None if this was not measured."""
    found = result["propensity"]
    if found is None:
        return None
    title, explained = (
        "Propensity score",
        "A model tries to distinguish released records from original ones, using all columns together.",
    )
    if found["pmse"] is None:
        return Facts(title, explained, (Fact("none", found["reason"] or MISSING),))
    return Facts(
        title,
        explained,
        (
            Fact(
                "ratio",
                ratio(found["ratio"]),
                (
                    "the error divided by the error expected by chance; near 1 or below, the tables cannot "
                    "be distinguished"
                ),
            ),
            Fact(
                "propensity score error",
                f"{found['pmse']:.3g}",
                (
                    f"pMSE: 0 if the tables cannot be distinguished, {found['largest']:.3g} if they can be "
                    "distinguished completely"
                ),
            ),
            Fact(
                "expected by chance",
                f"{found['expected']:.3g}",
                "if the released records were a random sample of the original ones",
            ),
            Fact(
                "standardized",
                MISSING if found["standardised"] is None else f"{found['standardised']:.1f}",
                "standard deviations above what is expected by chance",
            ),
            Fact("parameters of the model", count(found["parameters"])),
        ),
    )


def distributions(result: dict[str, Any]) -> Table:
    """How much the distribution of each column changed."""
    rows = tuple(
        (
            one["column"],
            one["kind"] or MISSING,
            *(percent(one[name]) for name in ("total_variation", "hellinger")),
            *(percent(one[name]) for name in ("kolmogorov_smirnov", "wasserstein")),
            *(percent(one[name]) for name in ("missing_before", "missing_after")),
            *(count(one[name]) for name in ("values_before", "values_after")),
        )
        for one in result["columns"]
    )
    return Table(
        "Distributions by column",
        "How much the distribution of each column changed, at the released level. 0 % means no change.",
        (
            Column("column"),
            Column("kind"),
            *DISTANCES,
        ),
        rows,
        (
            "KS and distance are computed for numbers and dates; the distance is a share of the range "
            "before. Missing after includes empty and suppressed cells."
        ),
    )


def association_table(pairs: Sequence[Mapping[str, Any]], *, title: str, explanation: str) -> Table:
    """The association of pairs of columns; each pair has columns, measure, before, after and change."""
    rows = tuple(
        (
            " and ".join(one["columns"]),
            one["measure"],
            *(three_places(one[name]) for name in ("before", "after", "change")),
        )
        for one in pairs[:MOST_PAIRS]
    )
    left = len(pairs) - MOST_PAIRS
    more = (
        f"{count(left)} more pairs, with smaller or equal changes, are in the result file."
        if left > 0
        else ""
    )
    return Table(
        title,
        explanation,
        (
            Column("variables"),
            Column("measure"),
            Column("before", is_number=True),
            Column("after", is_number=True),
            Column("change", is_number=True),
        ),
        rows,
        more if pairs else "No pairs of variables were compared.",
    )


def utility_charts(result: dict[str, Any] | None) -> tuple[Chart, ...]:
    """Charts of models and queries; empty if nobody asked for any."""
    drawn = (_model_chart(result), _query_chart(result)) if result else ()
    return tuple(chart for chart in drawn if chart is not None)


def _model_chart(result: dict[str, Any]) -> Chart | None:
    known = [one for one in result["models"] if one["before"] is not None and one["after"] is not None]
    groups = []
    for score in dict.fromkeys(one["score"] for one in known):
        own = [one for one in known if one["score"] == score]
        shown = tuple(
            Pair(one["model"], "", max(0.0, one["before"]), max(0.0, one["after"])) for one in own[:MOST_BARS]
        )
        groups.append(Group(score, None, is_cutoff_for_total=False, pairs=shown))
    if not groups:
        return None
    worst = max(known, key=lambda one: one["loss"] or 0.0)
    return Chart(
        "scores",
        "How well models predict",
        (
            "The cross-validated score of each model, trained and tested on the original (ring) and on "
            "the release (diamond, value on the right). Scores below 0 are drawn at 0."
        ),
        f"{worst['model']} loses the most: {worst['before']:.3f} before, {worst['after']:.3f} after.",
        pairs.height(groups),
        partial(draw_pairs, groups=tuple(groups), names=NAMES),
    )


def _query_chart(result: dict[str, Any]) -> Chart | None:
    known = [
        (one["name"], one["typical_relative"])
        for one in result["queries"]
        if one["typical_relative"] is not None
    ]
    return _bars(
        "queries",
        "Queries that differ most",
        (
            "For each query, the median difference over its groups, for the figure that differs most. "
            "Dark: above the limit."
        ),
        Bars(_rows(known, _limit_of(result, "query")), "typical relative difference"),
    )


def column_chart(result: dict[str, Any]) -> Chart | None:
    """How much the distributions of columns changed."""
    known = [
        (one["column"], one["total_variation"])
        for one in result["columns"]
        if one["total_variation"] is not None
    ]
    return _bars(
        "columns",
        "Columns that changed most",
        "How much the distribution of each column changed, at the released level. Dark: above the limit.",
        Bars(_rows(known, _limit_of(result, "distribution")), "total variation distance"),
    )


def _limit_of(result: dict[str, Any], name: str) -> float | None:
    return next((one["limit"] for one in result["limits"] if one["name"] == name), None)


def _rows(known: list[tuple[str, float]], limit: float | None) -> tuple[tuple[str, float, bool], ...]:
    """Bars, the largest first, dark where the limit is not met."""
    ordered = sorted(known, key=lambda row: -row[1])
    return tuple((title, value, limit is not None and value > limit) for title, value in ordered[:MOST_BARS])


def _bars(name: str, title: str, caption: str, bars: Bars) -> Chart | None:
    if not bars.rows:
        return None
    worst, value, _ = bars.rows[0]
    return Chart(
        name,
        title,
        caption,
        f"{worst} differs most: {percent(value)}. The table below lists all numbers.",
        bars.height,
        partial(draw_bars, bars=bars),
    )
