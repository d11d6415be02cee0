"""`reidrisk table`: suggest roles of columns, measure risk, and the other table commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import (
    EVENTS,
    INPUT,
    INTRUDERS,
    LIMITS,
    METHOD,
    OUTPUT,
    SENSITIVE,
    CommandGroup,
    option,
    section,
)
from reidrisk.cli.options import CONTEXT, HTML, JSON, QUIET, SEED, SILENT, THRESHOLD
from reidrisk.cli.settings import setting_options
from reidrisk.cli.table_deidentify import deidentify, key, transform
from reidrisk.cli.table_options import (
    QUASI,
    SAMPLING,
    hierarchies,
    known_events,
    sampling,
    sensitive_limits,
)
from reidrisk.cli.table_release import attack, utility
from reidrisk.errors import InvalidSetting
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables.settings import EVENT_SETTINGS, REDUCE, UNIT

if TYPE_CHECKING:
    from reidrisk.tables.rare import RareCodes


@click.group(name="table", cls=CommandGroup)
def command() -> None:
    """Measure and lower the risk of a table, and test the release."""


@command.command()
@click.argument("table")
@section(
    INTRUDERS,
    option(
        "--scenario",
        metavar="NAME",
        show_default="anybody",
        help="Who attacks: neighbour, acquaintance, registry or insider.",
    ),
)
@section(METHOD, SEED)
@section(OUTPUT, HTML, JSON, SILENT)
def suggest(table: str, **given: Any) -> None:
    """Suggest the role of each column of TABLE.

    You decide: each suggestion comes with its reason. A column is a direct identifier, a quasi-identifier,
    sensitive, the unit, or other. The suggestion uses column names, patterns and the number of distinct
    values. It shows no values. The result ends with the command to run next.
    """
    output.check_targets((table,), json=given["json"], html=given["html"])
    from reidrisk.tables.suggest import suggest_roles

    output.finish(suggest_roles(table, scenario=given["scenario"]), given, refuses=False)


@command.command()
@click.argument("table")
@section(
    INPUT,
    *setting_options((UNIT, REDUCE)),
    option(
        "--population", metavar="POP", help="Table of everyone who could be in TABLE, with the same columns."
    ),
    *SAMPLING,
)
@section(
    INTRUDERS,
    QUASI,
    option(
        "--adversary",
        type=click.Choice(["prosecutor", "journalist"]),
        default="prosecutor",
        show_default=True,
        help="Adversary whose risk decides.",
    ),
)
@section(
    LIMITS,
    option(
        "--cell-size",
        default=5,
        show_default=True,
        metavar="N",
        help="Smallest equivalence class you accept.",
    ),
    THRESHOLD,
    CONTEXT,
    option(
        "--previous",
        metavar="TABLE",
        help="Another release of the same data, coded in the same way. Classes that differ between the two "
        "by only a few records are refused.",
    ),
)
@section(
    METHOD,
    option(
        "--rare",
        metavar="FILE",
        help="List of codes of rare diseases or drugs, one per line. Counts the records that contain one.",
    ),
    option(
        "--rare-column",
        multiple=True,
        metavar="COLUMN",
        help="Column that contains such codes; may be repeated.",
    ),
    option(
        "--special",
        type=click.IntRange(min=1),
        metavar="N",
        help="Count special uniques: records that are unique on N columns or fewer.",
    ),
    option(
        "--by",
        multiple=True,
        metavar="COLUMN",
        help="Also show the risk of each group of COLUMN; may be repeated.",
    ),
    SEED,
)
@section(
    SENSITIVE,
    option(
        "--sensitive",
        metavar="COLUMNS",
        help="Sensitive columns, separated by commas. Shows what an equivalence class reveals about them.",
    ),
    *setting_options(SENSITIVE_SETTINGS),
    option(
        "--hierarchies",
        metavar="PATH",
        help="Hierarchies of the sensitive columns, for --distance hierarchical.",
    ),
)
@section(EVENTS, *setting_options(EVENT_SETTINGS))
@section(OUTPUT, HTML, JSON, QUIET)
def risk(table: str, **given: Any) -> None:
    """Measure the re-identification risk of TABLE.

    TABLE is a file (CSV, Parquet, Arrow, Excel, SAS, Stata, SPSS, DuckDB, SQLite), a folder or pattern of
    files, or the URL of a PostgreSQL table. Exit code 3 if the risk is too high.
    """
    others = ("population", "rare", "context", "hierarchies", "previous")
    read = (table, *(given[name] for name in others))
    output.check_targets(read, json=given["json"], html=given["html"])
    from reidrisk.core.schema import Schema
    from reidrisk.tables.risk import table_risk

    schema = Schema(
        quasi=options.columns(given["quasi"], option="--quasi"),
        sensitive=options.columns(given["sensitive"], option="--sensitive") if given["sensitive"] else (),
        unit=given["unit"],
        reduce=options.pairs(given["reduce"], option="--reduce"),
    )
    score = options.score_of(given, instead_of=("cell_size", "threshold"))
    result = table_risk(
        table,
        schema,
        threshold=options.largest_risk(score) if score else options.threshold(given),
        population=given["population"],
        rare=_rare_codes(given["rare"], given["rare_column"]),
        by=given["by"],
        sampling=sampling(given),
        adversary=given["adversary"],
        secrets=sensitive_limits(given),
        hierarchies=hierarchies(given["hierarchies"]),
        special=given["special"],
        previous=given["previous"],
        events=known_events(given),
    )
    output.finish(result, given)


def _rare_codes(path: str | None, columns: tuple[str, ...]) -> RareCodes | None:
    if path is None:
        if columns:
            raise InvalidSetting("--rare-column needs a list of codes.", hint="Name it with --rare FILE.")
        return None
    from reidrisk.tables.rare import RareCodes

    return RareCodes.read(path, columns)


@command.command()
@click.argument("table")
@section(METHOD, SEED)
@section(OUTPUT, HTML, JSON, QUIET)
def hipaa(table: str, **given: Any) -> None:
    """List the HIPAA identifiers that TABLE still contains.

    Checks Safe Harbor (18 identifiers) and the limited data set (16). Exit code 3 if a Safe Harbor identifier
    remains. Safe Harbor has a second condition that this command cannot check: you must not know that the
    remaining data could identify a person.
    """
    output.check_targets((table,), json=given["json"], html=given["html"])
    from reidrisk.tables.hipaa import hipaa_check

    output.finish(hipaa_check(table), given)


@command.command()
@click.argument("table")
@section(
    INPUT,
    option(
        "--hierarchies",
        required=True,
        metavar="PATH",
        help="YAML file, or folder of files *hierarchy_COLUMN.csv.",
    ),
)
@section(
    LIMITS,
    option(
        "--cell-size",
        default=5,
        show_default=True,
        metavar="N",
        help="Values in fewer than N rows count as rare and are not shown.",
    ),
)
@section(METHOD, SEED)
@section(OUTPUT, HTML, JSON, SILENT)
def preview(table: str, **given: Any) -> None:
    """Show what each hierarchy level does to the columns of TABLE.

    This command decides nothing. Values in fewer rows than the cell size are never shown.
    """
    output.check_targets((table, given["hierarchies"]), json=given["json"], html=given["html"])
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies
    from reidrisk.tables.hierarchy.preview import preview_hierarchies

    result = preview_hierarchies(table, read_hierarchies(given["hierarchies"]), cell_size=given["cell_size"])
    output.finish(result, given, refuses=False)


for other in (deidentify, transform, key, attack, utility):
    command.add_command(other)
