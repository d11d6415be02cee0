"""A draft of the settings of a relational release."""

from __future__ import annotations

from reidrisk.core.wording import plural
from reidrisk.report.blocks.relational import GUIDE
from reidrisk.report.blocks.settings import versions
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Table, Verdict
from reidrisk.report.traced import size


def name_of(result: ResultDict) -> str:
    """The folder."""
    return str(result["database"])


def about(result: ResultDict) -> str:
    """How many tables there are, and who the people are."""
    profile = result["settings"]["profile"]
    by = f"profile {profile}" if profile else "no profile, found by looking"
    return f"{plural(size(result['tables']), 'table')}; people are in {result['person']} ({by})."


def verdict(_: ResultDict) -> Verdict:
    """A draft decides nothing."""
    return Verdict(None, (), "A draft: check it")


def keys(result: ResultDict) -> Table:
    """The keys, with the evidence of those that were found by looking."""
    rows = tuple(
        (
            one["child"],
            one["parent"],
            "profile"
            if one["values"] is None
            else f"{count(one['inside'])} of {count(one['values'])} values",
        )
        for one in result["keys"]
    )
    return Table(
        "Keys",
        "Columns that refer to a column of another table.",
        (Column("column"), Column("key"), Column("evidence")),
        rows,
    )


def columns(result: ResultDict) -> Table:
    """Role, treatment and reason of each column."""
    names = ("table", "column", "role", "treatment", "reason")
    shown = tuple(Column(name, is_prose=name == "reason") for name in names)
    rows = tuple(tuple(one[name] for name in names) for one in result["columns"])
    return Table("Columns", "The proposed treatment of each column.", shown, rows)


KIND = Kind(
    title="Draft of a relational release",
    name_of=name_of,
    about=about,
    verdict=verdict,
    shows=(Show(keys), Show(columns), Show(versions, terminal=False)),
    guide=GUIDE,
    comparison=Comparison(
        "The drafts side by side.",
        "database",
        ((Column("tables", is_number=True), lambda result: count(len(result["tables"]))),),
    ),
)
