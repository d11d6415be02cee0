"""`reidrisk table deidentify`, `transform` and `key`: make a table that may be released."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
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
    UTILITY,
    Command,
    option,
    section,
)
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import CONTEXT, HTML, JSON, MASTER, QUIET, SEED, SILENT
from reidrisk.cli.settings import setting_option, setting_options, setting_values
from reidrisk.cli.table_options import (
    ESCAPES,
    MACHINE,
    READING,
    column_actions,
    formulas,
    hierarchies,
    limits,
    reading,
    reading_values,
    utility_settings,
)
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables import settings as declared
from reidrisk.tables.deidentify.settings import (
    ALL_SETTINGS,
    EVENT_LIMITS,
    LOSS_LIMITS,
    METHOD_SETTINGS,
    ORDER,
    RISK_LIMITS,
    TREATED_RARE,
)
from reidrisk.tables.settings import (
    DIRECT,
    EVENT_SETTINGS,
    FORMATS,
    FREE_TEXT,
    HIERARCHIES,
    KEY,
    OTHER,
    OUT,
    QUASI,
    READING_SETTINGS,
    REDUCE,
    UNIT,
)
from reidrisk.tables.utility.settings import QUERY_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reidrisk.context.score import ContextScore
    from reidrisk.core.limits import Limits
    from reidrisk.core.threshold import Threshold
    from reidrisk.tables.deidentify.result import Deidentified


@click.command(cls=Command)
@click.argument("table", type=InputPath("table"))
@section(
    INPUT,
    setting_option(UNIT),
    setting_option(REDUCE),
    setting_option(replace(DIRECT, help=f"{DIRECT.help} Separate several by commas.")),
    setting_option(FREE_TEXT),
    setting_option(OTHER),
    setting_option(HIERARCHIES),
    option(
        "--config",
        type=InputPath("file"),
        metavar="FILE",
        help="YAML file with all of these settings, and with derived variables, layouts and steps. Options "
        "on the command line override it.",
    ),
)
@section(INTRUDERS, setting_option(QUASI), *setting_options(TREATED_RARE))
@section(LIMITS, *setting_options(RISK_LIMITS), CONTEXT, *setting_options(LOSS_LIMITS))
@section(METHOD, *setting_options((*METHOD_SETTINGS, KEY)), SEED)
@section(
    SENSITIVE,
    setting_option(replace(declared.SENSITIVE, help="Sensitive columns that these limits apply to.")),
    *setting_options(SENSITIVE_SETTINGS),
)
@section(EVENTS, *setting_options((*EVENT_SETTINGS, *EVENT_LIMITS)))
@section(UTILITY, *setting_options(QUERY_SETTINGS))
@section(READ, *READING)
@section(RESOURCES, *MACHINE, MASTER)
@section(
    OUTPUT,
    setting_option(OUT, required=True),
    option(
        "--codebook",
        metavar="FILE",
        show_default="OUT with the suffix .codebook.md",
        help="Write what was done to each column (Markdown).",
    ),
    option(
        "--profile",
        metavar="FILE",
        help="Write what every combination of levels would suppress and lose (JSON), for "
        "reidrisk table explore.",
    ),
    ESCAPES,
    HTML,
    JSON,
    QUIET,
)
def deidentify(table: str, **given: Any) -> None:
    """Generalize and suppress TABLE until its risk is acceptable.

    The result loses as little information as possible within your limits. Exit code 1 if there is no
    solution. With --master, Spark reads TABLE and writes OUT: a folder of Parquet files, the URL of a table
    in PostgreSQL, or hive:NAME. Press Ctrl-C to end the search with the best solution found so far.
    """
    codebook = given["codebook"] or _codebook_beside(given["out"])
    parts = Path(table).rglob("*") if Path(table).is_dir() else ()
    inputs = (
        table,
        given["hierarchies"],
        given["config"],
        given["key"],
        given["context"],
        given["rare"],
        *map(str, parts),
    )
    from reidrisk.core.places import is_file
    from reidrisk.engine.opening import ready_to_write

    others = ({"--out": given["out"]} if is_file(given["out"]) else {}) | {"--codebook": codebook}
    others |= {"--profile": given["profile"]} if given["profile"] else {}
    output.check_targets(inputs, json=given["json"], html=given["html"], others=others)
    allowed = limits(given)
    if given["master"] is None:
        ready_to_write(Path(given["out"]))
    with formulas(given):
        result = _search(table, given, allowed)
    if result.acceptable:
        from reidrisk.core.files import write_text
        from reidrisk.report.codebook import codebook_text

        result = result.with_codebook(codebook)
        write_text(codebook, codebook_text(result.to_dict()))
    if given["profile"]:
        result.lattice_profile().write(given["profile"])
    files = {
        "Table": result.files["out"],
        "Codebook": result.files["codebook"],
        "Profile": given["profile"],
    }
    output.show_result(result, given, decides=True, files=files)
    if any(rung.without_hierarchy for rung in result.rungs) and not result.acceptable:
        draft = f"reidrisk table suggest {shlex.quote(table)} --hierarchies hierarchies.yaml"
        output.Output(given["json"], quiet=given["quiet"]).say(f"To draft hierarchies, run: {draft}")
    stopped = output.FAILURE if result.found is None else output.ABOVE_THRESHOLD
    raise SystemExit(output.ACCEPTABLE if result.acceptable else stopped)


def _search(table: str, given: dict[str, Any], allowed: Limits | None) -> Deidentified:
    from reidrisk.core.key import read_key
    from reidrisk.tables.deidentify.config import TableConfig, read_config
    from reidrisk.tables.deidentify.run import deidentify as search
    from reidrisk.tables.deidentify.search import Watch
    from reidrisk.tables.utility.plan import UtilityPlan

    score = options.score_of(given, instead_of=("cell_size", "ladder", "average"))
    own = TableConfig(
        {**_settings(given), **(_target(score) if score else {})},
        hierarchies(given["hierarchies"] or None) or {},
    )
    config = read_config(given["config"]).under(own) if given["config"] else own
    ladder = _ladder(config.values, own.values, given)
    key = read_key(given["key"]) if given["key"] else None
    clean = None
    if config.cleans_text:
        from reidrisk.resynthesis.cells import cell_cleaner  # slow to load: the rules for texts

        clean = cell_cleaner()
    chosen = config.options(ladder, key=key, clean=clean)
    utility = utility_settings(given)
    if utility:
        chosen = replace(chosen, utility=replace(chosen.utility or UtilityPlan(propensity=False), **utility))
    if score:
        chosen = replace(chosen, gate=options.gate(score, given["context"]))
    show = output.Output(given["json"], quiet=given["quiet"])
    with output.interruptible(quiet=given["quiet"]) as stop, show.steps() as progress:
        return search(
            table,
            config.schema,
            config.hierarchies,
            threshold=ladder[0],
            max_suppression=config.max_suppression,
            options=chosen,
            out=given["out"],
            watch=Watch(stop, progress, given["seed"]),
            reading=config.reading,
            limits=allowed,
            engine=given["master"],
        )


def _codebook_beside(out: str) -> str:
    """The name of the codebook, unless it is given."""
    from reidrisk.core.places import is_file

    if not is_file(out):
        raise click.UsageError("--out is not a file: name one for the codebook with --codebook.")
    return str(Path(out).with_suffix(".codebook.md"))


def _target(score: ContextScore) -> dict[str, Any]:
    """The limits that the context sets; they override the configuration."""
    from reidrisk.assess.kinds.deidentify import SearchTarget

    target = SearchTarget.of(score)
    sizes = list(target.cell_sizes)
    return {"cell_size": sizes[0], "ladder": sizes, "average": target.average}


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """The options of the command line, in the form of a configuration file."""
    own = (DIRECT, FREE_TEXT, *READING_SETTINGS)
    plain = setting_values(given, (one for one in ALL_SETTINGS if one not in own))
    settings = {**plain, **reading_values(given)}
    for name in (DIRECT.name, FREE_TEXT.name):
        if given[name]:
            settings[name] = column_actions(given[name], option=f"--{name}", default="drop")
    return settings


def _source(setting: str, own: Mapping[str, Any], given: dict[str, Any]) -> str:
    """Where a setting comes from, for the reason of a threshold."""
    if given["context"]:
        return f"context {given['context']}"
    return "command line" if setting in own else f"configuration {Path(given['config']).name}"


def _ladder(settings: Mapping[str, Any], own: Mapping[str, Any], given: dict[str, Any]) -> list[Threshold]:
    """The thresholds to try, each with the reason for it; the default if no setting names one."""
    from reidrisk.core.threshold import Threshold
    from reidrisk.tables.deidentify.run import DEFAULT

    rungs: dict[int, str] = {}
    for setting in (name for name in ("cell_size", "ladder") if name in settings):
        sizes = settings[setting] if setting == "ladder" else [settings[setting]]
        for size in sizes:
            rungs.setdefault(size, _source(setting, own, given))
    found = [Threshold.from_cell_size(size, f"cell size {size}, {source}") for size, source in rungs.items()]
    return found or [DEFAULT]


@click.command(cls=Command)
@click.argument("table", type=InputPath("table"))
@section(
    INPUT,
    option(
        "--config",
        type=InputPath("file"),
        required=True,
        metavar="FILE",
        help="YAML file with the steps, such as {steps: [{kind: sample, share: 0.5}]}. Kinds: sample, tails, "
        "noise, rank_swap, pram, shift_dates, pseudonyms.",
    ),
)
@section(METHOD, setting_option(ORDER), setting_option(KEY), SEED)
@section(READ, *READING)
@section(RESOURCES, *MACHINE)
@section(
    OUTPUT,
    setting_option(
        replace(OUT, help=f"Table to write. Its suffix sets the format: {FORMATS}."), required=True
    ),
    ESCAPES,
    HTML,
    JSON,
    SILENT,
)
def transform(table: str, **given: Any) -> None:
    """Apply single steps to TABLE: sample, swap, add noise, shift.

    A YAML file lists the steps. The risk of the table is not measured. The result shows what each step
    changed and how much protection it gives, computed from the data.
    """
    inputs = (table, given["config"], given["key"])
    output.check_targets(inputs, json=given["json"], html=given["html"], others={"--out": given["out"]})
    allowed = limits(given)
    from reidrisk.core.key import read_key
    from reidrisk.tables.transform.run import transform_table

    key = read_key(given["key"]) if given["key"] else None
    order = setting_values(given, (ORDER,)).get(ORDER.name, ORDER.default)
    with formulas(given):
        result = transform_table(
            table,
            given["config"],
            given["out"],
            key=key,
            seed=given["seed"],
            order=order,
            reading=reading(given),
            limits=allowed,
        )
    output.finish(result, given, refuses=False, files={"Table": given["out"]})


@click.command(cls=Command)
@click.argument("file")
def key(file: str) -> None:
    """Write a new random key for pseudonyms to FILE.

    Only you can read the file. This is the same as: reidrisk key new FILE --for pseudonyms
    """
    from reidrisk.cli.key import write_pseudonym_key

    write_pseudonym_key(file)
