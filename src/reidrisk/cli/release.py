"""`reidrisk release`: change a release file, list releases, and run assessments in the background."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, OUTPUT, CommandGroup, option, section
from reidrisk.cli.input_path import RELEASE_FILE, InputPath
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, SILENT
from reidrisk.core.shell import shell_word


@click.group(name="release", cls=CommandGroup)
def command() -> None:
    """Change, list and run releases."""


@command.command(name="set")
@click.argument("release", type=RELEASE_FILE)
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
@click.argument("folder", type=InputPath("folder"))
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


@command.command(name="try")
@click.argument("folder", type=InputPath("folder"))
@click.argument("rank", type=click.IntRange(min=1))
@section(INPUT, ALLOW_OUTSIDE)
@section(OUTPUT, JSON, SILENT)
def attempt(folder: str, rank: int, **given: Any) -> None:
    """Show the verdict that a suggested change would lead to.

    RANK is the number of the change in the last assessment of the release in FOLDER. Nothing is written.
    Practices and thresholds that need evidence are tried as if it were there. To make the change, run:
    reidrisk release apply FOLDER RANK
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.trial import try_remedy
    from reidrisk.report.kinds.assessment import trial_text

    done = try_remedy(folder, rank, allow_outside=given["allow_outside"]).to_dict()
    output.Output(given["json"], quiet=given["quiet"]).result(done, text=trial_text(done))


@command.command()
@click.argument("folder", type=InputPath("folder"))
@click.argument("part")
@click.argument("roles", nargs=-1, metavar="COLUMN=ROLE...")
@section(
    INPUT,
    option(
        "--reason",
        multiple=True,
        metavar="COLUMN=TEXT",
        help="Why a column of role other may leave without being measured; may be repeated.",
    ),
    option("--confirm", is_flag=True, help="Say that you have read the roles of all columns."),
)
@section(OUTPUT, JSON, SILENT)
def roles(folder: str, part: str, roles: tuple[str, ...], **given: Any) -> None:
    """Show or change the roles of the columns of PART, a table in the release in FOLDER.

    Shows the role of every column in the release file, or the suggested one, and the reason. Roles are quasi,
    direct:drop, direct:number, direct:pseudonym, direct:keep, sensitive, text:drop, text:deidentify,
    text:keep, event, unit and other. With --confirm, columns that are still open get the suggested roles.
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.editing import release_sha256
    from reidrisk.assess.roles import part_roles, set_roles
    from reidrisk.core.trail import RELEASE_FILE

    wanted = options.pairs(roles, option="release roles")
    reasons = options.pairs(given["reason"], option="--reason")
    if wanted or given["confirm"]:
        known = release_sha256(f"{folder}/{RELEASE_FILE}")
        set_roles(folder, part, wanted, reasons=reasons, confirm=given["confirm"], expected_sha256=known)
        output.commit_files()
    found = part_roles(folder, part)
    output.Output(given["json"], quiet=given["quiet"]).result(found.to_dict(), text=str(found))


@command.command()
@click.argument("folder", type=InputPath("folder"))
@click.argument("new")
@section(INPUT, option("--name", metavar="NAME", help="Name of the copy."))
@section(OUTPUT, JSON, SILENT)
def copy(folder: str, new: str, **given: Any) -> None:
    """Copy the release in FOLDER to the folder NEW, to be changed and assessed anew.

    Its files and its release file are copied; its assessment, signatures and log are not.
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.assess.copying import copy_release

    copy_release(folder, new, name=given["name"])
    result = {"kind": "release_copied", "from": folder, "to": new}
    output.Output(given["json"], quiet=given["quiet"]).result(result, text=f"Copied: {new}")


@command.command(name="list")
@click.argument("folder", default=".", type=InputPath("folder"))
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
@click.argument("folder", default=".", type=InputPath("folder"))
@section(
    INPUT,
    option("--since", type=InputPath("folder"), metavar="DIR", help="Earlier assessment to compare with."),
    ALLOW_OUTSIDE,
)
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
    text = f"Started: {job}\nTo follow it: reidrisk release jobs {shell_word(folder)}"
    output.Output(given["json"], quiet=given["quiet"]).result(state.to_dict(), text=text)


@command.command()
@click.argument("folder", default=".", type=InputPath("folder"))
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
@click.argument("folder", default=".", type=InputPath("folder"))
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
