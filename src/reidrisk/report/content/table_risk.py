"""The risk of a table as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

ADVERSARIES = {
    "prosecutor": say("content.table_risk.knows_that_the"),
    "journalist": say("content.table_risk.knows_that_the_person"),
    "marketer": say("content.table_risk.matches_as_many"),
}
MOST_SETS = 12


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: dict[str, Any]) -> Verdict:
    """The verdict with its reason; listed rare codes speak against a release and do not change it."""
    rare, estimate = result.get("rare_codes"), result.get("population_estimate")
    secrets = [one["acceptable"] for one in result.get("attribute_disclosure", ())]
    beside = (*((rare["records"] == 0,) if rare else ()), *((None,) if estimate else ()), *secrets)
    apart = result.get("differencing")
    beside = (*beside, *((None,) if result.get("special_uniques") else ()))
    beside = (*beside, *((apart["acceptable"],) if apart else ()))
    known = result.get("longitudinal")
    beside = (*beside, *((known["acceptable"],) if known else ()))
    holds = (result.get("identity_acceptable", result["acceptable"]), *beside)
    pairs = zip(result["reasons"], holds, strict=True)
    return Verdict(result["acceptable"], tuple(Reason(text, one) for text, one in pairs))


def above(result: dict[str, Any]) -> str:
    """The records that are too exposed, by the threshold that they were counted with."""
    return say("content.table_risk.records_above_1", cell_size=result["threshold"]["cell_size"])


def attacks(result: dict[str, Any]) -> Table:
    """What each kind of adversary can do."""
    rows = [
        (
            f"{name}: {knows}",
            *(_cell(result[name], key) for key in ("highest", "average")),
            _above(result[name]),
        )
        for name, knows in ADVERSARIES.items()
    ]
    return Table(
        say("content.table_risk.risk_by_adversary"),
        say("content.table_risk.the_chance_that"),
        (
            Column(say("content.table_risk.adversary")),
            Column(say("content.table_risk.highest"), is_number=True),
            Column(say("content.table_risk.average"), is_number=True),
            Column(above(result), is_number=True),
        ),
        tuple(rows),
        _whence(result),
    )


def classes(result: dict[str, Any]) -> Facts:
    """The equivalence classes in short."""
    facts = (
        Fact(say("content.table_risk.rows"), count(result["rows"]), say("content.table_risk.rows_of_the")),
        Fact(
            say("content.table_risk.records"), count(result["records"]), say("content.table_risk.one_a_unit")
        ),
        Fact(
            say("content.table_risk.classes"),
            count(result["classes"]),
            say("content.table_risk.groups_of_records"),
        ),
        Fact(
            say("content.table_risk.smallest_class"),
            count(result["smallest_class"]),
            say("content.table_risk.records_alike_with"),
        ),
        Fact(
            say("content.table_risk.unique"),
            percent(result["unique_share"]),
            say("content.table_risk.records_alone_in"),
        ),
        Fact(
            say("content.table_risk.expected_matches"),
            f"{result['marketer']['expected_matches']:,.1f}",
            say("content.table_risk.records_matched_rightly"),
        ),
    )
    return Facts(
        say("content.table_risk.equivalence_classes"), say("content.table_risk.how_many_records"), facts
    )


def curve(result: dict[str, Any]) -> Table:
    """Share of records at or below the usual risks."""
    rows = tuple((probability(row["risk"]), percent(row["share_of_records"])) for row in result["risk_curve"])
    columns = (
        Column(say("content.table_risk.risk_at_most")),
        Column(say("content.table_risk.share_of_records"), is_number=True),
    )
    return Table(
        say("content.table_risk.risk_curve"), say("content.table_risk.how_many_records_have"), columns, rows
    )


def drivers(result: dict[str, Any]) -> Table:
    """What is left without each column."""
    rows = tuple(
        (left_out, percent(row["unique_share"]), percent(row["share_above_threshold"]))
        for row in result["without_column"]
        if (left_out := _left_out(result, row["columns"]))
    )
    return Table(
        say("content.table_risk.what_each_column"),
        say("content.table_risk.the_risk_that"),
        (
            Column(say("content.table_risk.without")),
            Column(say("content.table_risk.unique_records"), is_number=True),
            Column(above(result), is_number=True),
        ),
        rows,
        say(
            "content.table_risk.with_all_columns",
            unique_share=percent(result["unique_share"]),
            above=_above(result["prosecutor"]),
        ),
    )


def singling(result: dict[str, Any]) -> Table:
    """The smallest sets of columns that single somebody out."""
    found = result["singling_out"]
    rows = tuple(
        (" + ".join(row["columns"]), percent(row["unique_share"]), percent(row["share_above_threshold"]))
        for row in found[:MOST_SETS]
    )
    left = len(found) - MOST_SETS
    note = say("content.table_risk.nobody_is_unique") if not found else ""
    return Table(
        say("content.table_risk.columns_that_single"),
        say("content.table_risk.the_smallest_sets"),
        (
            Column(say("content.table_risk.columns")),
            Column(say("content.table_risk.unique_records"), is_number=True),
            Column(above(result), is_number=True),
        ),
        rows,
        say("content.table_risk.more_sets_are", left=left) if left > 0 else note,
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed."""
    said = result["settings"]
    threshold = result["threshold"]
    facts = [
        Fact(say("content.table_risk.quasi_identifiers"), ", ".join(said["quasi"])),
        Fact(say("content.table_risk.unit"), said["unit"] or say("content.table_risk.every_row_is")),
        Fact(
            say("content.table_risk.threshold"),
            say(
                "content.table_risk.cell_size",
                probability=probability(threshold["probability"]),
                cell_size=threshold["cell_size"],
            ),
        ),
        Fact(say("content.table_risk.reason"), threshold["reason"]),
        Fact(say("content.table_risk.empty_cells"), said["null"]),
    ]
    named = ("table", "population")
    facts += [Fact(name, str(said[name])) for name in named if said.get(name)]
    facts += [
        Fact(name, str(said[key]))
        for key, name in (("rare", say("content.table_risk.list_of_rare")),)
        if said.get(key)
    ]
    facts += [
        Fact(say("content.table_risk.within_a_unit", column=column), rule)
        for column, rule in said["reduce"].items()
    ]
    facts += _decides(result)
    if said.get("sensitive"):
        facts.append(Fact(say("content.table_risk.sensitive"), ", ".join(said["sensitive"])))
    if result["notes"]:
        facts.append(Fact(say("content.table_risk.read_as"), "; ".join(result["notes"])))
    return Facts(say("content.table_risk.settings"), say("content.table_risk.what_was_assumed"), tuple(facts))


def _decides(result: dict[str, Any]) -> list[Fact]:
    """Whose risk decides, where it is not the usual one."""
    if result.get("adversary", "prosecutor") == "prosecutor":
        return []
    return [Fact(say("content.table_risk.decides"), ADVERSARIES[result["adversary"]])]


def _whence(result: dict[str, Any]) -> str:
    """Why there is no journalist risk, or that it was estimated."""
    if result["journalist"].get("estimated_by"):
        return say("content.table_risk.estimated_from_the")
    return str(result["journalist"].get("reason", ""))


def _cell(part: dict[str, Any], key: str) -> str:
    return probability(part.get(key)) if key in part else ""


def _above(part: dict[str, Any]) -> str:
    return percent(part["share_above_threshold"]) if "share_above_threshold" in part else ""


def _left_out(result: dict[str, Any], columns: list[str]) -> str:
    return ", ".join(name for name in result["settings"]["quasi"] if name not in columns)
