"""`reidrisk table`: suggest roles of columns, measure risk, and the other table commands."""

from __future__ import annotations

from dataclasses import replace
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
    READ,
    RESOURCES,
    SENSITIVE,
    CommandGroup,
    option,
    section,
)
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import CONTEXT, HTML, JSON, MASTER, QUIET, SEED, SILENT, THRESHOLD
from reidrisk.cli.settings import setting_option, setting_options
from reidrisk.cli.table_deidentify import deidentify, key, transform
from reidrisk.cli.table_explore import classes, explore
from reidrisk.cli.table_options import (
    MACHINE,
    QUASI,
    READING,
    column_actions,
    hierarchies,
    known_events,
    limits,
    reading,
    sampling,
    sensitive_limits,
)
from reidrisk.cli.table_release import attack, utility
from reidrisk.core.shared_settings import CELL_SIZE
from reidrisk.errors import InvalidSetting
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables.settings import (
    ADVERSARY,
    BY,
    DIRECT,
    EVENT_SETTINGS,
    FREE_TEXT,
    HIERARCHIES,
    JOURNALIST_RULE,
    ORDINAL,
    OTHER,
    POPULATION,
    PREVIOUS,
    RARE_SETTINGS,
    RECORD_CHANCES,
    REDUCE,
    SAMPLING_SETTINGS,
    SCENARIO,
    SPECIAL,
    UNIT,
)
from reidrisk.tables.settings import SENSITIVE as SENSITIVE_COLUMNS

if TYPE_CHECKING:
    from reidrisk.tables.rare import RareCodes


@click.group(name="table", cls=CommandGroup)
def command() -> None:
    """Measure and lower the risk of a table, and test the release."""


@command.command()
@click.argument("table", type=InputPath("table"))
@section(INTRUDERS, setting_option(SCENARIO))
@section(METHOD, SEED)
@section(READ, *READING)
@section(RESOURCES, *MACHINE)
@section(
    OUTPUT,
    option(
        "--hierarchies",
        metavar="FILE",
        help="Draft a generalization hierarchy for each column that needs one, and write them to this YAML "
        "file. An existing file is not replaced.",
    ),
    HTML,
    JSON,
    SILENT,
)
def suggest(table: str, **given: Any) -> None:
    """Suggest the role of each column of TABLE.

    You decide: each suggestion comes with its reason. A column is a direct identifier, a quasi-identifier,
    sensitive, the unit, or other. The suggestion uses column names, patterns and the number of distinct
    values. It shows no values. The result ends with the command to run next.
    """
    path = given["hierarchies"]
    others = {} if path is None else {"--hierarchies": path}
    output.check_targets((table,), json=given["json"], html=given["html"], others=others)
    if path is not None:
        output.check_draft(path, option="--hierarchies", suffixes=(".yaml", ".yml"))
    allowed = limits(given)
    from reidrisk.tables.suggest import suggest_roles

    result = suggest_roles(table, scenario=given["scenario"], reading=reading(given), limits=allowed)
    if path is not None:
        from reidrisk.core.files import write_text
        from reidrisk.tables.draft import draft_table, hierarchies_text

        draft = draft_table(table, result, limits=allowed)
        write_text(path, hierarchies_text(draft))
        result = replace(result, draft=draft, hierarchies_file=path)
    output.finish(result, given, refuses=False, files={"Hierarchies": path})


@command.command()
@click.argument("table", type=InputPath("table"))
@section(
    INPUT,
    *setting_options((UNIT, REDUCE, POPULATION, *SAMPLING_SETTINGS, ORDINAL)),
)
@section(
    INTRUDERS,
    QUASI,
    *setting_options((DIRECT, FREE_TEXT, OTHER)),
    setting_option(ADVERSARY, filled=True),
    setting_option(JOURNALIST_RULE, filled=True),
)
@section(LIMITS, setting_option(CELL_SIZE, filled=True), THRESHOLD, CONTEXT, setting_option(PREVIOUS))
@section(
    METHOD,
    *setting_options((*RARE_SETTINGS, SPECIAL, BY)),
    option(
        "--no-drivers",
        is_flag=True,
        help="Do not measure what drives the risk: what each column adds, and which columns single people "
        "out. Saves time with very large tables.",
    ),
    SEED,
)
@section(
    SENSITIVE,
    setting_option(SENSITIVE_COLUMNS),
    *setting_options(SENSITIVE_SETTINGS),
    setting_option(
        replace(HIERARCHIES, help="Hierarchies of the sensitive columns, for `distance` hierarchical.")
    ),
)
@section(EVENTS, *setting_options(EVENT_SETTINGS))
@section(READ, *READING)
@section(RESOURCES, *MACHINE, MASTER)
@section(OUTPUT, setting_option(RECORD_CHANCES), HTML, JSON, QUIET)
def risk(table: str, **given: Any) -> None:
    """Measure the re-identification risk of TABLE.

    TABLE is a file (CSV, Parquet, Arrow, Excel, SAS, Stata, SPSS, DuckDB, SQLite), a folder or pattern of
    files, or the URL of a PostgreSQL table. With --master, Spark reads it: Parquet, CSV, PostgreSQL,
    hive:NAME or delta:PATH. Exit code 3 if the risk is too high.
    """
    others = ("population", "rare", "context", "hierarchies", "previous")
    read = (table, *(given[name] for name in others))
    chances = given["record_chances"]
    written = {} if chances is None else {"--record-chances": chances}
    output.check_targets(read, json=given["json"], html=given["html"], others=written)
    allowed = limits(given)
    from reidrisk.core.schema import Schema
    from reidrisk.tables.risk import table_risk

    schema = Schema(
        quasi=options.columns(given["quasi"], option="--quasi"),
        sensitive=options.columns(given["sensitive"], option="--sensitive") if given["sensitive"] else (),
        unit=given["unit"],
        reduce=options.pairs(given["reduce"], option="--reduce"),
        direct=tuple(column_actions(given["direct"], option="--direct", default="drop")),
        text=column_actions(given["text"], option="--text", default="drop"),
        other=options.pairs(given["other"], option="--other"),
    )
    score = options.score_of(given, instead_of=("cell_size", "threshold"))
    result = table_risk(
        table,
        schema,
        threshold=options.largest_risk(score) if score else options.threshold(given),
        population=given["population"],
        rare=_rare_codes(given["rare"], given["rare_columns"]),
        by=given["by"],
        drivers=not given["no_drivers"],
        sampling=sampling(given),
        adversary=given["adversary"],
        journalist_rule=given["journalist_rule"],
        secrets=sensitive_limits(given),
        hierarchies=hierarchies(given["hierarchies"]),
        special=given["special"],
        previous=given["previous"],
        events=known_events(given),
        treatments=column_actions(given["direct"], option="--direct", default="drop"),
        reading=reading(given),
        record_chances=chances,
        limits=allowed,
        engine=given["master"],
    )
    output.finish(result, given, files={"Chances of records": chances})


def _rare_codes(path: str | None, columns: tuple[str, ...]) -> RareCodes | None:
    if path is None:
        if columns:
            raise InvalidSetting("--rare-column needs a list of codes.", hint="Name it with --rare FILE.")
        return None
    from reidrisk.tables.rare import RareCodes

    return RareCodes.read(path, columns)


@command.command()
@click.argument("table", type=InputPath("table"))
@section(METHOD, SEED)
@section(READ, *READING)
@section(RESOURCES, *MACHINE)
@section(OUTPUT, HTML, JSON, QUIET)
def hipaa(table: str, **given: Any) -> None:
    """List the HIPAA identifiers that TABLE still contains.

    Checks Safe Harbor (18 identifiers) and the limited data set (16). Exit code 3 if a Safe Harbor identifier
    remains. Safe Harbor has a second condition that this command cannot check: you must not know that the
    remaining data could identify a person.
    """
    output.check_targets((table,), json=given["json"], html=given["html"])
    allowed = limits(given)
    from reidrisk.tables.hipaa import hipaa_check

    output.finish(hipaa_check(table, reading=reading(given), limits=allowed), given)


@command.command()
@click.argument("table", type=InputPath("table"))
@section(
    INPUT,
    setting_option(HIERARCHIES, required=True),
)
@section(
    LIMITS,
    setting_option(
        replace(CELL_SIZE, help="Values in fewer than `cell_size` rows count as rare and are not shown."),
        filled=True,
    ),
)
@section(METHOD, SEED)
@section(READ, *READING)
@section(RESOURCES, *MACHINE)
@section(OUTPUT, HTML, JSON, SILENT)
def preview(table: str, **given: Any) -> None:
    """Show what each hierarchy level does to the columns of TABLE.

    This command decides nothing. Values in fewer rows than the cell size are never shown.
    """
    output.check_targets((table, given["hierarchies"]), json=given["json"], html=given["html"])
    allowed = limits(given)
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies
    from reidrisk.tables.hierarchy.preview import preview_hierarchies

    result = preview_hierarchies(
        table,
        read_hierarchies(given["hierarchies"]),
        cell_size=given["cell_size"],
        reading=reading(given),
        limits=allowed,
    )
    output.finish(result, given, refuses=False)


for other in (deidentify, explore, classes, transform, key, attack, utility):
    command.add_command(other)
