"""`reidrisk log`: show and check the log of a release folder."""

from __future__ import annotations

import click

from reidrisk.cli import output
from reidrisk.cli.help import OUTPUT, Command, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import JSON, SILENT


@click.command(name="log", cls=Command)
@click.argument("folder", type=InputPath("folder"))
@section(OUTPUT, JSON, SILENT)
def command(folder: str, json: str | None, *, quiet: bool) -> None:
    """Show and check the log of a release folder.

    Every command that writes into FOLDER adds a line to .reidrisk/log.jsonl: who, when, which command with
    which options, versions, and hashes of the files that were read and written; no values. A release folder
    has a file release.yaml or a folder .reidrisk. Exit code 1 if a line was changed, removed or added.
    """
    output.check_targets((), json=json, html=None)
    from reidrisk.core.trail import read_trail

    trail = read_trail(folder)
    output.Output(json, quiet=quiet).result(trail.to_dict(), text=str(trail), acceptable=trail.holds)
    raise SystemExit(output.ACCEPTABLE if trail.holds else output.FAILURE)
