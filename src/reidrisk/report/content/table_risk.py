"""The risk of a table as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

ADVERSARIES = {
    "prosecutor": "knows that the person is in the data",
    "journalist": "knows that the person is in the population",
    "marketer": "matches as many as possible",
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
    return f"records above 1/{result['threshold']['cell_size']}"


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
        "Risk by adversary",
        (
            "The chance that a record is matched with the right person: of the most exposed "
            "record, on average, and how many records are above the threshold."
        ),
        (
            Column("adversary"),
            Column("highest", is_number=True),
            Column("average", is_number=True),
            Column(above(result), is_number=True),
        ),
        tuple(rows),
        _whence(result),
    )


def classes(result: dict[str, Any]) -> Facts:
    """The equivalence classes in short."""
    facts = (
        Fact("rows", count(result["rows"]), "rows of the table"),
        Fact("records", count(result["records"]), "one a unit of analysis"),
        Fact(
            "classes",
            count(result["classes"]),
            "groups of records alike on all quasi-identifiers",
        ),
        Fact(
            "smallest class",
            count(result["smallest_class"]),
            "records alike with the most exposed one",
        ),
        Fact(
            "unique",
            percent(result["unique_share"]),
            "records alone in their class",
        ),
        Fact(
            "expected matches",
            f"{result['marketer']['expected_matches']:,.1f}",
            "records matched rightly by an adversary who matches everybody",
        ),
    )
    return Facts("Equivalence classes", "How many records look alike to an intruder.", facts)


def curve(result: dict[str, Any]) -> Table:
    """Share of records at or below the usual risks."""
    rows = tuple((probability(row["risk"]), percent(row["share_of_records"])) for row in result["risk_curve"])
    columns = (
        Column("risk at most"),
        Column("share of records", is_number=True),
    )
    return Table("Risk curve", "How many records have at most this risk.", columns, rows)


def drivers(result: dict[str, Any]) -> Table:
    """What is left without each column."""
    rows = tuple(
        (left_out, percent(row["unique_share"]), percent(row["share_above_threshold"]))
        for row in result["without_column"]
        if (left_out := _left_out(result, row["columns"]))
    )
    return Table(
        "What each column adds",
        (
            "The risk that would be left if one column were not released. The lower, the more "
            "that column adds."
        ),
        (
            Column("without"),
            Column("unique records", is_number=True),
            Column(above(result), is_number=True),
        ),
        rows,
        (
            f"With all columns: {percent(result['unique_share'])} unique, "
            f"{_above(result['prosecutor'])} above the threshold."
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
    note = "Nobody is unique, even with all columns." if not found else ""
    return Table(
        "Columns that single out",
        "The smallest sets of columns by which at least one record is unique.",
        (
            Column("columns"),
            Column("unique records", is_number=True),
            Column(above(result), is_number=True),
        ),
        rows,
        f"{left} more sets are in the result file." if left > 0 else note,
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed."""
    said = result["settings"]
    threshold = result["threshold"]
    facts = [
        Fact("quasi-identifiers", ", ".join(said["quasi"])),
        Fact("unit", said["unit"] or "every row is a record"),
        Fact(
            "threshold",
            f"{probability(threshold['probability'])} (cell size {threshold['cell_size']})",
        ),
        Fact("reason", threshold["reason"]),
        Fact("empty cells", said["null"]),
    ]
    named = ("table", "population")
    facts += [Fact(name, str(said[name])) for name in named if said.get(name)]
    facts += [Fact(name, str(said[key])) for key, name in (("rare", "list of rare codes"),) if said.get(key)]
    facts += [Fact(f"{column} within a unit", rule) for column, rule in said["reduce"].items()]
    facts += _decides(result)
    if said.get("sensitive"):
        facts.append(Fact("sensitive columns", ", ".join(said["sensitive"])))
    if result["notes"]:
        facts.append(Fact("read as", "; ".join(result["notes"])))
    return Facts("Settings", "What was assumed. Other choices can give another verdict.", tuple(facts))


def _decides(result: dict[str, Any]) -> list[Fact]:
    """Whose risk decides, where it is not the usual one."""
    if result.get("adversary", "prosecutor") == "prosecutor":
        return []
    return [Fact("decides", ADVERSARIES[result["adversary"]])]


def _whence(result: dict[str, Any]) -> str:
    """Why there is no journalist risk, or that it was estimated."""
    if result["journalist"].get("estimated_by"):
        return "Journalist and marketer risk are estimated from the table as a sample: see The population."
    return str(result["journalist"].get("reason", ""))


def _cell(part: dict[str, Any], key: str) -> str:
    return probability(part.get(key)) if key in part else ""


def _above(part: dict[str, Any]) -> str:
    return percent(part["share_above_threshold"]) if "share_above_threshold" in part else ""


def _left_out(result: dict[str, Any], columns: list[str]) -> str:
    return ", ".join(name for name in result["settings"]["quasi"] if name not in columns)
