"""`reidrisk relational`: linked tables about the same people as one release."""

from __future__ import annotations

from dataclasses import replace
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output
from reidrisk.cli.help import INPUT, INTRUDERS, LIMITS, METHOD, OUTPUT, CommandGroup, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import HTML, JSON, QUIET, SILENT, THRESHOLD, input_file
from reidrisk.cli.options import threshold as typed_threshold
from reidrisk.cli.relational_risk import KNOWN, attack, risk
from reidrisk.cli.settings import setting_option
from reidrisk.core.shared_settings import CELL_SIZE
from reidrisk.core.shell import shell_word
from reidrisk.tables.deidentify.settings import MAX_EVENT_SUPPRESSION, MAX_SUPPRESSION

if TYPE_CHECKING:
    from reidrisk.core.result import Result

PROFILES = ("omop", "cdisc", "sdtm", "adam", "fhir", "redcap")
PROFILE = option(
    "--profile",
    type=click.Choice(PROFILES),
    show_default="recognized",
    help="Standard that the tables follow.",
)
KEY = input_file(
    "--key",
    "Key file for pseudonyms and dates, from: reidrisk key new FILE --for pseudonyms.",
    required=True,
)
UNLIMITED = (
    "The risk of people was not measured and not limited. To limit it, add --cell-size 5. To measure it, "
    "run: reidrisk relational risk"
)


@click.group(name="relational", cls=CommandGroup)
def command() -> None:
    """De-identify linked tables as one release, and prove it."""


@command.command()
@click.argument("folder", type=InputPath("table"))
@section(METHOD, PROFILE)
@section(
    OUTPUT,
    option("--out", required=True, type=click.Path(), metavar="FILE", help="Settings file to write (YAML)."),
    HTML,
    JSON,
    SILENT,
)
def suggest(folder: str, **given: Any) -> None:
    """Draft the settings for the tables in FOLDER.

    FOLDER has one file per table (CSV, Parquet, SAS, Dataset-JSON). It may also be a DuckDB file or a
    PostgreSQL URL. Without --profile, the standard is recognized by its table of people; if none is, keys
    are found by looking, with the evidence. A person must check the draft.
    """
    from reidrisk.core.files import write_text
    from reidrisk.relational.run import suggest_relational

    output.check_draft(given["out"], option="--out", suffixes=(".yaml", ".yml"))
    output.check_targets((), json=given["json"], html=given["html"], others={"--out": given["out"]})
    result = suggest_relational(folder, profile=given["profile"])
    write_text(given["out"], result.yaml(_from(folder, Path(given["out"]))))
    output.show_result(result, given, decides=False, files={"Settings": given["out"]})
    command = f"reidrisk relational risk {shell_word(folder)} --config {shell_word(given['out'])}"
    output.Output(given["json"], quiet=given["quiet"]).say(
        f"Read every line and correct it. Then run: {command}"
    )


def _from(folder: str, file: Path) -> str:
    """A folder as a settings file names it: from the file's own folder."""
    if "://" in folder:
        return folder
    return relpath(Path(folder).resolve(), file.resolve().parent)


@command.command()
@click.argument("folder", type=InputPath("table"))
@section(
    INPUT,
    input_file("--config", "Settings file (YAML), as `reidrisk relational suggest` drafts it."),
    PROFILE,
    KEY,
)
@section(INTRUDERS, KNOWN)
@section(
    LIMITS,
    setting_option(replace(CELL_SIZE, default_text="the risk is not limited")),
    THRESHOLD,
    setting_option(
        replace(MAX_SUPPRESSION, help="Largest share of people who may be left out."), filled=True
    ),
    setting_option(
        replace(MAX_EVENT_SUPPRESSION, help="Largest share of rows with events that may be left out."),
        filled=True,
    ),
)
@section(
    METHOD,
    option(
        "--orphans",
        type=click.Choice(("refuse", "drop", "detach")),
        show_default="refuse",
        help="Rows whose parent is not there: refuse them, leave them out, or empty their key.",
    ),
)
@section(
    OUTPUT,
    option("--out", required=True, type=click.Path(), metavar="DIR", help="New folder for the tables."),
    HTML,
    JSON,
    QUIET,
)
def deidentify(folder: str, **given: Any) -> None:
    """De-identify the tables in FOLDER together.

    Each person gets one pseudonym, and all dates of a person move by the same number of days. Keys, values
    that stand in several tables, and study days stay consistent. Files have the format that they had. The
    written files are checked by `reidrisk relational verify` before they appear: all of them, or none.

    With --cell-size or --threshold, the risk of people over all tables is limited: values are generalized by
    the hierarchies of the settings, and rows and people are left out, until nobody is in a smaller group.
    The risk is measured again on the written files.
    """
    from reidrisk.relational.run import deidentify_relational, protect_relational

    if given["config"] and given["profile"]:
        raise click.UsageError("Give --config or --profile, not both. The settings file names its profile.")
    output.check_targets((given["config"], given["key"]), json=given["json"], html=given["html"])
    common: dict[str, Any] = {name: given[name] for name in ("key", "config", "profile", "orphans")}
    limit = typed_threshold(given)
    if limit is None:
        result: Result = deidentify_relational(folder, given["out"], **common)
    else:
        result = protect_relational(
            folder,
            given["out"],
            **common,
            threshold=limit,
            known=given["known"],
            max_suppression=given["max_suppression"],
            max_event_suppression=given["max_event_suppression"],
        )
    output.show_result(result, given, decides=True, files={"Tables": given["out"]})
    if limit is None:
        chosen = f"--config {shell_word(given['config'])}" if given["config"] else "--config FILE"
        again = f"{UNLIMITED} {shell_word(folder)} {chosen}"
        output.Output(given["json"], quiet=given["quiet"]).say(again)
    raise SystemExit(output.ACCEPTABLE if result.acceptable else output.ABOVE_THRESHOLD)


@command.command()
@click.argument("released", type=InputPath("folder"))
@section(
    INPUT,
    option(
        "--against", type=InputPath("table"), required=True, metavar="FOLDER", help="The original tables."
    ),
    KEY,
)
@section(OUTPUT, HTML, JSON, QUIET)
def verify(released: str, **given: Any) -> None:
    """Check the tables in RELEASED against the originals.

    Plain SQL on the written files: one pseudonym and one offset per person, every key with its parent,
    partial dates still partial, no original id left, every column accounted for. Exit code 3 if something
    that was promised does not hold.
    """
    from reidrisk.relational.run import verify_relational

    output.check_targets((given["key"],), json=given["json"], html=given["html"])
    result = verify_relational(released, against=given["against"], key=given["key"])
    output.finish(result, given)


command.add_command(risk)
command.add_command(attack)
