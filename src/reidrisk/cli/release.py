"""`reidrisk release`: change a release file, list releases, and run assessments in the background."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, OUTPUT, CommandGroup, option, section
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, SILENT


@click.group(name="release", cls=CommandGroup)
def command() -> None:
    """Change, list and run releases."""


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


@command.command()
@click.argument("folder")
@click.argument("rank", type=click.IntRange(min=1))
@section(
    INPUT,
    option(
        "--evidence",
        multiple=True,
        metavar="KEY=TEXT",
        help="What shows that a practice is followed, or why a threshold is chosen; may be repeated.",
    ),
    ALLOW_OUTSIDE,
)
@section(OUTPUT, JSON, SILENT)
def apply(folder: str, rank: int, **given: Any) -> None:
    """Write a suggested change into the release file of FOLDER.

    RANK is the number of the change in the last assessment of the release, which must not be out of date. A
    change that claims practices or another threshold needs evidence: the error lists the keys. What
    must be done to the data or by a tool is printed. Then run the assessment again.
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.remedies import apply_remedy

    evidence = options.pairs(given["evidence"], option="--evidence")
    done = apply_remedy(folder, rank, evidence, allow_outside=given["allow_outside"])
    lines = [f"Changed: {folder}/release.yaml", *(f"Still to be done: {text}" for text in done["outside"])]
    output.Output(given["json"], quiet=given["quiet"]).result(done, text="\n".join(lines))


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


@command.command()
@click.argument("folder", default=".")
@section(INPUT, option("--since", metavar="DIR", help="Earlier assessment to compare with."), ALLOW_OUTSIDE)
@section(OUTPUT, JSON, SILENT)
def start(folder: str, **given: Any) -> None:
    """Assess the release in FOLDER in the background.

    The process goes on when you log out. To follow it: reidrisk release jobs FOLDER. Only one assessment of a
    release runs at a time. It does what `reidrisk assess FOLDER/release.yaml` does.
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.jobs import job_state, start_job

    job = start_job(folder, previous=given["since"], allow_outside=given["allow_outside"])
    state = job_state(folder, job)
    text = f"Started: {job}\nTo follow it: reidrisk release jobs {folder}"
    output.Output(given["json"], quiet=given["quiet"]).result(state.to_dict(), text=text)


@command.command()
@click.argument("folder", default=".")
@section(OUTPUT, JSON, SILENT)
def jobs(folder: str, **given: Any) -> None:
    """List the assessments of FOLDER that ran in the background, the latest first."""
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.jobs import list_jobs

    states = list_jobs(folder)
    result = {"kind": "jobs", "folder": folder, "jobs": [one.to_dict() for one in states]}
    text = "\n".join(map(str, states)) or f"No assessment of {folder} ran in the background."
    output.Output(given["json"], quiet=given["quiet"]).result(result, text=text)


@command.command()
@click.argument("folder", default=".")
@section(
    INPUT,
    option("--take-best", is_flag=True, help="Go on with the best solution found so far, instead of none."),
)
@section(OUTPUT, JSON, SILENT)
def stop(folder: str, **given: Any) -> None:
    """Stop the assessment of FOLDER that runs in the background.

    Nothing is changed by an assessment that is stopped, unless you take the best solution so far. If the
    process does not react, it is told to end after ten seconds and killed after twenty.
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.jobs import list_jobs, stop_job

    alive = [one for one in list_jobs(folder) if one.is_alive]
    if not alive:
        raise click.UsageError(f"No assessment of {folder} runs in the background.")
    state = stop_job(folder, alive[0].id, take_best=given["take_best"])
    output.Output(given["json"], quiet=given["quiet"]).result(state.to_dict(), text=str(state))
