"""`reidrisk table`: measure the risk of a data set, and lower it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import context_option, output
from reidrisk.cli.table_attack import attack
from reidrisk.cli.table_deidentify import deidentify, key
from reidrisk.cli.table_events import event_options, known_events
from reidrisk.cli.table_preview import preview
from reidrisk.cli.table_sampling import sampling, sampling_options
from reidrisk.cli.table_secrets import secret_limits, secret_options
from reidrisk.cli.table_suggest import hipaa, suggest
from reidrisk.cli.table_transform import transform
from reidrisk.cli.table_utility import utility
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reidrisk.stats.disclosure.limits import SensitiveLimits
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.rare import RareCodes


@click.group(name="table")
def command() -> None:
    """Job 2: the risk of a data set, and the least loss that makes it acceptable."""


command.add_command(suggest)


@command.command()
@click.argument("table")
@click.option(
    "--quasi", required=True, metavar="COLUMNS", help="Columns an intruder may know, with commas between."
)
@click.option(
    "--unit", metavar="COLUMN", help="Which rows are one person or visit; otherwise every row is a record."
)
@click.option(
    "--reduce",
    "rules",
    multiple=True,
    metavar="COLUMN=RULE",
    help="For what varies in a unit: first, min, max, set.",
)
@click.option("--cell-size", default=5, show_default=True, help="Smallest class you accept.")
@click.option("--threshold", type=float, metavar="P", help="A literal threshold instead, such as 0.09.")
@context_option.option
@click.option("--population", metavar="POP", help="A table of everybody who could be in TABLE, same columns.")
@sampling_options
@click.option(
    "--sensitive",
    metavar="COLUMNS",
    help="Secret columns: what does a class tell of them? With commas between.",
)
@secret_options
@click.option(
    "--hierarchies", metavar="PATH", help="Hierarchies of secret columns, for --distance hierarchical."
)
@click.option(
    "--adversary",
    type=click.Choice(["prosecutor", "journalist"]),
    default="prosecutor",
    show_default=True,
    help="Whose risk decides.",
)
@click.option(
    "--rare",
    metavar="FILE",
    help="A list of rare diseases or drugs, one code a line; records with one are counted.",
)
@click.option(
    "--rare-column", multiple=True, metavar="COLUMN", help="Where to look for the codes; may be repeated."
)
@click.option(
    "--previous",
    metavar="TABLE",
    help="Another release of the same data, coded alike: classes that differ by few records are refused.",
)
@click.option(
    "--special",
    type=click.IntRange(min=1),
    metavar="N",
    help="Count special uniques: records that N columns or fewer already single out.",
)
@event_options
@click.option(
    "--by", multiple=True, metavar="COLUMN", help="Tell the risk of each group of COLUMN; may be repeated."
)
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@output.options
def risk(table: str, **given: Any) -> None:
    """Measure the re-identification risk of TABLE; exit code 3 if it is too high.

    TABLE is a file (CSV, Parquet, Arrow, Excel, SAS, Stata, SPSS, DuckDB, SQLite), a folder or pattern of
    files, or a PostgreSQL table by its URL.
    """
    others = ("population", "rare", "context", "hierarchies", "previous")
    read = (table, *(given[name] for name in others))
    output.check_targets(read, json=given["json"], html=given["html"])
    from reidrisk.core.schema import Schema
    from reidrisk.tables.risk import table_risk

    schema = Schema(
        quasi=output.columns(given["quasi"], option="--quasi"),
        sensitive=output.columns(given["sensitive"], option="--sensitive") if given["sensitive"] else (),
        unit=given["unit"],
        reduce=output.pairs(given["rules"], option="--reduce"),
    )
    score = context_option.scored(given, instead_of=("cell_size", "threshold"))
    result = table_risk(
        table,
        schema,
        threshold=context_option.largest_risk(score) if score else output.threshold(given),
        population=given["population"],
        rare=_rare(given["rare"], given["rare_column"]),
        by=given["by"],
        sampling=sampling(given),
        adversary=given["adversary"],
        secrets=_secrets(given),
        hierarchies=_hierarchies(given["hierarchies"]),
        special=given["special"],
        previous=given["previous"],
        events=known_events(given),
    )
    output.finish(result, given)


for other in (hipaa, preview, deidentify, transform, key, attack, utility):
    command.add_command(other)


def _rare(path: str | None, columns: tuple[str, ...]) -> RareCodes | None:
    if path is None:
        if columns:
            raise InvalidSetting("--rare-column needs a list.", hint="Name it with --rare FILE.")
        return None
    from reidrisk.tables.rare import RareCodes

    return RareCodes.read(path, columns)


def _secrets(given: dict[str, Any]) -> SensitiveLimits | None:
    """Whoever names secret columns wants to hear of them, with limits or without."""
    from reidrisk.stats.disclosure.limits import SensitiveLimits

    return secret_limits(given) or (SensitiveLimits() if given["sensitive"] else None)


def _hierarchies(path: str | None) -> Mapping[str, Hierarchy] | None:
    if path is None:
        return None
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies

    return read_hierarchies(path)
