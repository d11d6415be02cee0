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
from reidrisk.report.numbers import MISSING, count, percent, ratio, three_digits, three_places
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import fact_lines, table_lines

MOST_PAIRS = 20
MOST_TERMS = 40
MOST_LINES = 10
"""Rows of each table in the terminal; the page shows more."""
MOST_BARS = 12
"""Bars of a chart; the tables show all."""
TWO = 2
SAYS = {True: "changes", False: "same"}
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


def asked(result: dict[str, Any] | None) -> tuple[Table | Facts, ...]:
    """What users asked for; nothing of a release of which nobody asked anything."""
    if result is None:
        return ()
    found = (queries(result), models(result), terms(result), propensity(result))
    return tuple(block for block in found if block is not None)


def beside_risk(result: dict[str, Any] | None) -> tuple[Table | Facts, ...]:
    """The same for a de-identification, which has other measures of what is lost."""
    return () if result is None else (*limits(result), *asked(result), distributions(result))


def block_lines(blocks: Sequence[Table | Facts]) -> list[str]:
    """The blocks in a terminal, long tables cut."""
    return [line for block in blocks for line in _lines(block)]


def _lines(block: Table | Facts) -> list[str]:
    if isinstance(block, Facts):
        return fact_lines(block)
    left = len(block.rows) - MOST_LINES
    more = [f"  {left:,} more are on the page."] if left > 0 else []
    return [*table_lines(replace(block, rows=block.rows[:MOST_LINES])), *more]


def limits(result: dict[str, Any]) -> tuple[Facts, ...]:
    """Limits and what was measured; they refuse no release."""
    words = {True: "met", False: "not met"}
    facts = tuple(Fact(one["name"], words[one["met"]], limit_sentence(one)) for one in result["limits"])
    title, explained = (
        "Limits of utility",
        ("What users asked for. The risk decides about the release; these limits say how useful it is."),
    )
    return (Facts(title, explained, facts),) if facts else ()


def limit_sentence(one: dict[str, Any]) -> str:
    """A limit and the figure measured."""
    if one["value"] is None:
        return f"Limit {one['name']} {one['limit']:g}: not measured. {one['reason']}"
    return f"Limit {one['name']} {one['limit']:g}: {one['figure']} is {one['value']:.3g} ({one['worst']})."


def queries(result: dict[str, Any]) -> Table | None:
    """Every figure of every query; None without any."""
    if not result["queries"]:
        return None
    rows: list[tuple[str, ...]] = []
    for one in result["queries"]:
        if one["reason"]:
            rows.append((one["name"], MISSING, *([MISSING] * 6)))
            continue
        groups = count(one["groups_before"]), count(one["lost"]), count(one["new"])
        rows += [
            (
                one["name"],
                figure["column"],
                percent(figure["typical_relative"]),
                percent(figure["largest_relative"]),
                three_digits(figure["largest_absolute"]),
                *groups,
            )
            for figure in one["figures"]
        ]
    failed = [f"{one['name']}: {one['reason']} {one['hint']}" for one in result["queries"] if one["reason"]]
    named = [
        "{name}, groups that differ most: {groups}.".format(
            name=one["name"],
            groups="; ".join(f"{row['group']} ({percent(row['relative'])})" for row in one["named"]),
        )
        for one in result["queries"]
        if one["named"]
    ]
    return Table(
        "Your queries, before and after",
        (
            "The same question asked of both tables. A figure that only one table has differs "
            "by 100 %. Answers themselves are not shown."
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
            Column("largest absolute", is_number=True),
            Column("groups", is_number=True),
            Column("lost", is_number=True),
            Column("new", is_number=True),
        ),
        tuple(rows),
        " ".join([*failed, *named]),
    )


def models(result: dict[str, Any]) -> Table | None:
    """How well each model foretells; None without any."""
    if not result["models"]:
        return None
    rows = tuple(
        (
            numbered(result, one["model"]),
            one["score"] or MISSING,
            *(three_places(one[name]) for name in ("before", "after", "transfer", "loss")),
            percent(one["overlap"]),
            _changed(one),
        )
        for one in result["models"]
    )
    return Table(
        "Your models, before and after",
        (
            "R squared of models of a number, AUC (chance is 0.5) of models of a category, "
            "cross-validated on each table; learned on the release and tested on the original; "
            "and the loss against the lower of them."
        ),
        (
            Column("model"),
            Column("score"),
            Column("before", is_number=True),
            Column("after", is_number=True),
            Column(
                "learned on release, tested on original",
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


def numbered(result: dict[str, Any], model: str) -> str:
    """A model with its number, by which its coefficients name it."""
    return f"{[one['model'] for one in result['models']].index(model) + 1}: {model}"


def _outcomes(model: dict[str, Any]) -> list[str]:
    """The categories that a model foretells; none if it foretells a number."""
    return list(dict.fromkeys(term["outcome"] for term in model["terms"] if term["outcome"] is not None))


def terms(result: dict[str, Any]) -> Table | None:
    """Coefficients, those whose conclusion changes first; None without any."""
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
            "Of one unit, or against the most frequent category, with intervals. A conclusion "
            "changes if the sign does, or whether the interval leaves out 0."
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
    """With what is foretold, if that is not the same for all coefficients of the model."""
    outcomes = next(_outcomes(one) for one in result["models"] if one["model"] == model)
    return term["term"] if len(outcomes) < TWO else f"{term['term']} ({term['outcome']})"


def _sides(term: dict[str, Any]) -> tuple[str, ...]:
    says = SAYS.get(term["changes"], MISSING)
    return _estimate(term, "before"), _estimate(term, "after"), percent(term["overlap"]), says


def _of_terms(result: dict[str, Any], found: list[dict[str, Any]]) -> Iterator[str]:
    """What a model foretells, how many coefficients are left, and why some have no interval."""
    for one in result["models"]:
        if len(outcomes := _outcomes(one)) == 1:
            number = _number(result, one["model"])
            yield f"Model {number} foretells {outcomes[0]}."
    if (left := len(found) - MOST_TERMS) > 0:
        yield f"{count(left)} more coefficients are in the JSON file."
    yield from dict.fromkeys(term["reason"] for term in found if term["reason"])


def _number(result: dict[str, Any], model: str) -> str:
    return numbered(result, model).partition(":")[0]


def _changed(one: dict[str, Any]) -> str:
    if not one["compared"]:
        return MISSING
    return f"{count(one['changed'])} of {count(one['compared'])}"


def _estimate(term: dict[str, Any], side: str) -> str:
    value, ends = term[side], term[f"{side}_ends"]
    if value is None or ends is None:
        return MISSING
    return f"{three_digits(value)} ({three_digits(ends[0])} to {three_digits(ends[1])})"


def propensity(result: dict[str, Any]) -> Facts | None:
    """Whether a model tells the tables apart; None if nobody asked."""
    found = result["propensity"]
    if found is None:
        return None
    title, explained = (
        "Propensity score",
        ("A model tries to tell released records from original ones by all their columns together."),
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
                ("times what chance alone would give: near 1 or below, the tables cannot be told apart"),
            ),
            Fact(
                "propensity score error",
                f"{found['pmse']:.3g}",
                (f"pMSE: 0 if the tables cannot be told apart, {found['largest']:.3g} if they can entirely"),
            ),
            Fact(
                "expected by chance",
                f"{found['expected']:.3g}",
                "if released records were drawn anew from the original ones",
            ),
            Fact(
                "standardised",
                MISSING if found["standardised"] is None else f"{found['standardised']:.1f}",
                "standard deviations above what chance would give",
            ),
            Fact("parameters of the model", count(found["parameters"])),
        ),
    )


def distributions(result: dict[str, Any]) -> Table:
    """Each column: how far it moved."""
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
        "Distributions, column by column",
        ("How far the values of each column moved, at the level that is released. 0 % is as before."),
        (
            Column("column"),
            Column("kind"),
            *DISTANCES,
        ),
        rows,
        (
            "KS and the distance are of numbers and dates; the distance is a share of the "
            "range before. Missing after are empty and suppressed cells."
        ),
    )


def association_table(pairs: Sequence[Mapping[str, Any]], *, title: str, explanation: str) -> Table:
    """How strongly pairs go together, as they come; each has columns, measure, before, after and change."""
    rows = tuple(
        (
            " and ".join(one["columns"]),
            one["measure"],
            *(three_places(one[name]) for name in ("before", "after", "change")),
        )
        for one in pairs[:MOST_PAIRS]
    )
    left = len(pairs) - MOST_PAIRS
    more = f"{count(left)} more pairs, none changed more, are in the result file." if left > 0 else ""
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
        more if pairs else "No pair of variables was compared.",
    )


def charts_beside(result: dict[str, Any] | None) -> tuple[Chart, ...]:
    """Models and queries; nothing of a release of which nobody asked anything."""
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
        "How well models foretell",
        (
            "The cross-validated score of each model, learned and tested on the original "
            "(ring) and on the release (diamond, written at the right). What is below 0 is "
            "drawn at 0."
        ),
        (f"{worst['model']} loses most: {worst['before']:.3f} before, {worst['after']:.3f} after."),
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
            "The median over the groups of a query, of the figure that differs most. Dark: above a "
            "limit that was set."
        ),
        Bars(_rows(known, _limit_of(result, "query")), "typical relative difference"),
    )


def column_chart(result: dict[str, Any]) -> Chart | None:
    """How far the values of columns moved."""
    known = [
        (one["column"], one["total_variation"])
        for one in result["columns"]
        if one["total_variation"] is not None
    ]
    return _bars(
        "columns",
        "Columns that moved most",
        "How far the values of a column moved, at the released level. Dark: above a limit that was set.",
        Bars(_rows(known, _limit_of(result, "distribution")), "total variation of the shares of values"),
    )


def _limit_of(result: dict[str, Any], name: str) -> float | None:
    return next((one["limit"] for one in result["limits"] if one["name"] == name), None)


def _rows(known: list[tuple[str, float]], limit: float | None) -> tuple[tuple[str, float, bool], ...]:
    """The largest first, dark where a limit is not met."""
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
        f"{worst} differs most: {percent(value)}. The table below has every number.",
        bars.height,
        partial(draw_bars, bars=bars),
    )
