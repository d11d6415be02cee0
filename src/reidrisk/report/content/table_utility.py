"""A release held against its original, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.associations import association_table
from reidrisk.report.content.table_utility_models import models, terms
from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import MISSING, count, percent, ratio, three_digits
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MEANINGS = {
    "rows": say("content.table_utility.rows_meaning"),
    "seconds": say("content.table_utility.seconds_meaning"),
    "folds": say("content.table_utility.folds_meaning"),
    "level": say("content.table_utility.level_meaning"),
    "cell_size": say("content.table_utility.cell_size_meaning"),
}


def name_of(result: dict[str, Any]) -> str:
    """The release."""
    return short_path(str(result["settings"]["released"]))


def about(result: dict[str, Any]) -> str:
    """What was held against what."""
    return say(
        "content.table_utility.about",
        after=count(result["records"]["after"]),
        before=count(result["records"]["before"]),
        against=result["settings"]["against"],
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether limits are met, if there are any."""
    reasons = [Reason(text, None) for text in result["reasons"]]
    reasons += [Reason(_limit_words(one), one["met"]) for one in result["limits"]]
    if not result["decided"]:
        return Verdict(None, tuple(reasons), say("content.table_utility.measured"))
    said = "content.table_utility.useful" if result["acceptable"] else "content.table_utility.less_useful"
    return Verdict(result["acceptable"], tuple(reasons), say(said))


def _limit_words(one: dict[str, Any]) -> str:
    if one["value"] is None:
        return say(
            "content.table_utility.limit_unknown",
            name=one["name"],
            limit=f"{one['limit']:g}",
            reason=one["reason"],
        )
    return say(
        "content.table_utility.limit_known",
        name=one["name"],
        limit=f"{one['limit']:g}",
        figure=one["figure"],
        value=f"{one['value']:.3g}",
        worst=one["worst"],
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
        say("content.table_utility.distributions_title"),
        say("content.table_utility.distributions_explained"),
        (
            Column(say("content.table_utility.column")),
            Column(say("content.table_utility.kind")),
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
        say("content.table_utility.distributions_note"),
    )


def associations(result: dict[str, Any]) -> Table:
    """Pairs of columns, the largest change first."""
    return association_table(
        result["associations"],
        title=say("content.table_utility.associations_title"),
        explanation=say("content.table_utility.associations_explained"),
    )


def propensity(result: dict[str, Any]) -> Facts | None:
    """Whether a model tells the tables apart; None if nobody asked."""
    found = result["propensity"]
    if found is None:
        return None
    title, explained = (
        say("content.table_utility.propensity_title"),
        say("content.table_utility.propensity_explained"),
    )
    if found["pmse"] is None:
        return Facts(title, explained, (Fact(say("content.table_utility.none"), found["reason"] or MISSING),))
    return Facts(
        title,
        explained,
        (
            Fact(
                say("content.table_utility.ratio"),
                ratio(found["ratio"]),
                say("content.table_utility.ratio_meaning"),
            ),
            Fact(
                say("content.table_utility.pmse"),
                f"{found['pmse']:.3g}",
                say("content.table_utility.pmse_meaning", largest=f"{found['largest']:.3g}"),
            ),
            Fact(
                say("content.table_utility.expected"),
                f"{found['expected']:.3g}",
                say("content.table_utility.expected_meaning"),
            ),
            Fact(
                say("content.table_utility.standardised"),
                MISSING if found["standardised"] is None else f"{found['standardised']:.1f}",
                say("content.table_utility.standardised_meaning"),
            ),
            Fact(say("content.table_utility.parameters"), count(found["parameters"])),
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
        say(
            "content.table_utility.named",
            name=one["name"],
            groups="; ".join(f"{row['group']} ({percent(row['relative'])})" for row in one["named"]),
        )
        for one in result["queries"]
        if one["named"]
    ]
    return Table(
        say("content.table_utility.queries_title"),
        say("content.table_utility.queries_explained"),
        (
            Column(say("content.table_utility.query")),
            Column(say("content.table_utility.figure")),
            Column(
                say("content.table_utility.typical"),
                is_number=True,
                short=say("content.table_utility.typical_short"),
            ),
            Column(
                say("content.table_utility.largest"),
                is_number=True,
                short=say("content.table_utility.largest_short"),
            ),
            Column(say("content.table_utility.largest_absolute"), is_number=True),
            Column(say("content.table_utility.groups"), is_number=True),
            Column(say("content.table_utility.lost"), is_number=True),
            Column(say("content.table_utility.new"), is_number=True),
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
    words = {True: say("content.table_utility.met"), False: say("content.table_utility.not_met")}
    facts = tuple(Fact(one["name"], words[one["met"]], _limit_words(one)) for one in result["limits"])
    title, explained = (
        say("content.table_utility.limits_title"),
        say("content.table_utility.limits_explained"),
    )
    return (Facts(title, explained, facts),) if facts else ()


def settings(result: dict[str, Any]) -> Facts:
    """What repeats it."""
    facts = [
        Fact(name, _written(value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if value not in (None, [], {}, False)
    ]
    facts.append(Fact(say("content.table_utility.seed"), str(result["seed"])))
    return Facts(
        say("content.table_utility.settings"), say("content.table_utility.settings_explained"), tuple(facts)
    )


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {entry}" for name, entry in value.items())
    if isinstance(value, list):
        return ("; " if any("," in one for one in value) else ", ").join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
