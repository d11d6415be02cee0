"""`reidrisk release`: change a release file, and list releases with their verdicts."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, OUTPUT, CommandGroup, option, section
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, SILENT


@click.group(name="release", cls=CommandGroup)
def command() -> None:
    """Change a release file, and list releases."""


@command.command(name="set")
@click.argument("release")
@click.argument("settings", nargs=-1, metavar="KEY=VALUE...")
@section(
    INPUT,
    option("--remove", multiple=True, metavar="KEY", help="Remove a setting; may be repeated."),
    option("--expect", metavar="HASH", help="SHA-256 that RELEASE must have, because you read that version."),
    ALLOW_OUTSIDE,
)
@section(OUTPUT, JSON, SILENT)
def change(release: str, settings: tuple[str, ...], **given: Any) -> None:
    """Change settings of a release file; its comments and order stay.

    For example: reidrisk release set release.yaml parts[0].confirmed=true context.controls=high. Parts are
    named by position or name: parts.NAME.out=new.csv. A name with a dot is in brackets and quotes. The file
    is left as it was if the result is not a valid release.
    """
    output.check_targets((release,), json=given["json"], html=None)
    from reidrisk.assess.editing import REMOVED, edit_release, release_sha256
    from reidrisk.assess.release_file import read_value

    changes: dict[Any, Any] = {
        name: read_value(value) for name, value in options.pairs(settings, option="release set").items()
    }
    changes |= dict.fromkeys(given["remove"], REMOVED)
    if not changes:
        raise click.UsageError("Name a setting and its value, such as context.controls=high.")
    before = given["expect"] or release_sha256(release)
    after = edit_release(release, changes, expected_sha256=before, allow_outside=given["allow_outside"])
    result = {"kind": "release_edited", "release": release, "sha256": {"before": before, "after": after}}
    text = f"Changed: {release}\nSHA-256: {after}" if after != before else f"Unchanged: {release}"
    output.Output(given["json"], quiet=given["quiet"]).result(result, text=text)
    raise SystemExit(output.ACCEPTABLE)


@command.command(name="list")
@click.argument("folder", default=".")
@section(OUTPUT, JSON, SILENT)
def show(folder: str, **given: Any) -> None:
    """List releases with their verdicts and next reviews.

    Looks for release.yaml in FOLDER and in the folders directly below it. Says whether each was assessed,
    whether its release file or inputs have changed since, who signed, and whether a run is alive. Nothing is
    measured.
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.state import list_releases

    states = list_releases(folder)
    result = {"kind": "releases", "folder": folder, "releases": [one.to_dict() for one in states]}
    text = "\n\n".join(map(str, states)) or f"There is no release in {folder}."
    output.Output(given["json"], quiet=given["quiet"]).result(result, text=text)
    raise SystemExit(output.ACCEPTABLE)
