"""A release held against its original, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.associations import association_table
from reidrisk.report.content.table_utility_models import models, terms
from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, percent, ratio, three_digits
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MEANINGS = {
    "rows": "of each table, at most, in associations, propensity score and models",
    "seconds": "for each query",
    "folds": "parts that a model foretells in turn from the others",
    "level": "of the intervals of coefficients",
    "cell_size": "groups and categories of fewer records are never named",
}


def name_of(result: dict[str, Any]) -> str:
    """The release."""
    return short_path(str(result["settings"]["released"]))


def about(result: dict[str, Any]) -> str:
    """What was held against what."""
    return (
        f"{count(result['records']['after'])} released records beside "
        f"{count(result['records']['before'])} of {result['settings']['against']}."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether limits are met, if there are any."""
    reasons = [Reason(text, None) for text in result["reasons"]]
    reasons += [Reason(_limit_words(one), one["met"]) for one in result["limits"]]
    if not result["decided"]:
        return Verdict(None, tuple(reasons), "Measured")
    said = "content.table_utility.useful" if result["acceptable"] else "content.table_utility.less_useful"
    return Verdict(result["acceptable"], tuple(reasons), say(said))


def _limit_words(one: dict[str, Any]) -> str:
    if one["value"] is None:
        return f"Limit {one['name']} {one['limit']:g}: not measured. {one['reason']}"
    return f"Limit {one['name']} {one['limit']:g}: {one['figure']} is {one['value']:.3g} ({one['worst']})."


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
            *(
                Column(
                    say(f"content.table_utility.{name}"),
                    is_number=True,
                    short=say(f"content.table_utility.{name}_short"),
                )
                for name in (
                    "total_variation",
                    "hellinger",
                    "kolmogorov_smirnov",
                    "wasserstein",
                    "missing_before",
                    "missing_after",
                    "values_before",
                    "values_after",
                )
            ),
        ),
        rows,
        (
            "KS and the distance are of numbers and dates; the distance is a share of the "
            "range before. Missing after are empty and suppressed cells."
        ),
    )


def associations(result: dict[str, Any]) -> Table:
    """Pairs of columns, the largest change first."""
    return association_table(
        result["associations"],
        title="Associations, at the released level",
        explanation=(
            "How strongly two columns go together in each table, the largest change first. "
            "Categories are compared as they are released, numbers as they are."
        ),
    )


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


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """What users asked for, then what holds for everybody."""
    pairs = (associations(result),) if result["associations"] else ()
    return (*asked(result), distributions(result), *pairs)


def asked(result: dict[str, Any] | None) -> tuple[Table | Facts, ...]:
    """What users asked for; nothing of a release of which nobody asked anything."""
    if result is None:
        return ()
    found = (queries(result), models(result), terms(result), propensity(result))
    return tuple(block for block in found if block is not None)


def beside_risk(result: dict[str, Any] | None) -> tuple[Table | Facts, ...]:
    """The same for a de-identification, which has other measures of what is lost."""
    return () if result is None else (*limits(result), *asked(result), distributions(result))


def limits(result: dict[str, Any]) -> tuple[Facts, ...]:
    """Limits and what was measured; they refuse no release."""
    words = {True: "met", False: "not met"}
    facts = tuple(Fact(one["name"], words[one["met"]], _limit_words(one)) for one in result["limits"])
    title, explained = (
        "Limits of utility",
        ("What users asked for. The risk decides about the release; these limits say how useful it is."),
    )
    return (Facts(title, explained, facts),) if facts else ()


def settings(result: dict[str, Any]) -> Facts:
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
