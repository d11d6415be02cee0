"""What a table risk tells if asked: listed rare codes and subgroups."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say

MOST_SETS = 15


def alarms(result: dict[str, Any]) -> tuple[str, ...]:
    """What no class protects."""
    rare = result.get("rare_codes")
    if not rare or not rare["records"]:
        return ()
    return (
        say(
            "content.table_extras.records_hold_a",
            records=count(rare["records"]),
            share=percent(rare["share"]),
            warning=rare["warning"],
        ),
    )


def blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """The tables of what was asked."""
    rare = (_rare(result["rare_codes"]),) if result.get("rare_codes") else ()
    names = dict.fromkeys(group["column"] for group in result.get("subgroups", ()))
    return (*_special(result), *_differencing(result), *rare, *(_subgroups(result, name) for name in names))


def _differencing(result: dict[str, Any]) -> tuple[Table, ...]:
    """Classes of this release and of another one."""
    found = result.get("differencing")
    if not found:
        return ()
    heads = ("classes", "changed", "small", "records")
    return (
        Table(
            say("content.table_extras.two_releases"),
            say("content.table_extras.who_has_both", cell_size=found["cell_size"]),
            (
                Column(say("content.table_extras.other_release")),
                *(Column(say(f"content.table_extras.releases_{name}"), is_number=True) for name in heads),
            ),
            ((short_path(found["source"]), *(count(found[name]) for name in heads)),),
        ),
    )


def _special(result: dict[str, Any]) -> tuple[Table, ...]:
    """Records that few columns single out: by column, by the size of the sets, and the sets."""
    found = result.get("special_uniques")
    if not found:
        return ()
    sizes = "; ".join(
        say("content.table_extras.by_columns", records=count(one["records"]), columns=one["columns"])
        for one in found["by_size"]
    )
    columns = sorted(found["by_column"], key=lambda one: -one["score_share"])
    shares = Table(
        say("content.table_extras.special_uniques"),
        say("content.table_extras.records_that_few", largest=found["largest"]),
        (
            Column(say("content.table_extras.column")),
            Column(say("content.table_extras.share_of_scores"), is_number=True),
        ),
        tuple((one["column"], percent(one["score_share"])) for one in columns),
        sizes or say("content.table_extras.none_is_so"),
    )
    sets = Table(
        say("content.table_extras.sets_that_single"),
        say("content.table_extras.no_part_of"),
        (
            Column(say("content.table_extras.columns")),
            Column(say("content.table_extras.records"), is_number=True),
        ),
        tuple((" + ".join(one["columns"]), count(one["records"])) for one in found["by_set"][:MOST_SETS]),
    )
    return (shares, *([sets] if found["by_set"] else []), *_intrusion(found.get("intrusion")))


def _intrusion(found: dict[str, Any] | None) -> tuple[Table, ...]:
    """How many records are matched rightly with more than some chance."""
    if not found:
        return ()
    return (
        Table(
            say("content.table_extras.right_matches"),
            say("content.table_extras.somebody_who_fits", fraction=percent(found["fraction"])),
            (
                Column(say("content.table_extras.chance_above"), is_number=True),
                Column(say("content.table_extras.records"), is_number=True),
            ),
            tuple((probability(one["chance"]), count(one["records"])) for one in found["above"]),
            say(
                "content.table_extras.over_all_uniques",
                right=probability(found["right"]),
                highest=probability(found["highest"]),
            ),
        ),
    )


def _rare(rare: dict[str, Any]) -> Table:
    rows = tuple(
        (one["column"], count(one["records"]), percent(one["share"]), count(one["codes_present"]))
        for one in rare["by_column"]
    )
    return Table(
        say("content.table_extras.rare_codes"),
        say("content.table_extras.records_with_a"),
        (
            Column(say("content.table_extras.column")),
            Column(say("content.table_extras.records"), is_number=True),
            Column(say("content.table_extras.share"), is_number=True),
            Column(
                say("content.table_extras.listed_codes_that"),
                is_number=True,
                short=say("content.table_extras.codes_that_occur"),
            ),
        ),
        rows,
        say(
            "content.table_extras.in_all_records",
            records=count(rare["records"]),
            share=percent(rare["share"]),
            codes_present=count(rare["codes_present"]),
            codes_listed=count(rare["codes_listed"]),
        ),
    )


def _subgroups(result: dict[str, Any], column: str) -> Table:
    found = [group for group in result["subgroups"] if group["column"] == column]
    rows = tuple(
        (
            _label(group),
            count(group["records"]),
            count(group["smallest_class"]),
            probability(group["highest"]),
            probability(group["average"]),
            percent(group["share_above_threshold"]),
            count(group["unique_records"]),
        )
        for group in found
    )
    heads = (
        "records",
        say("content.table_extras.smallest_class"),
        "highest",
        "average",
        say("content.table_extras.above_threshold"),
        say("content.table_extras.unique_records"),
    )
    return Table(
        say("content.table_extras.by", column=column),
        say("content.table_extras.the_records_of"),
        (Column(say("content.table_extras.group")), *(Column(name, is_number=True) for name in heads)),
        rows,
    )


def _label(group: dict[str, Any]) -> str:
    if group["label"] is not None:
        return str(group["label"])
    return say("content.table_extras.smaller_groups", groups=count(group["groups"]))
