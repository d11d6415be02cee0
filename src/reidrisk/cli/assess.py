"""`reidrisk assess`: turn a release file into one verdict and a folder that anyone can check."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.color import color_error
from reidrisk.cli.help import INPUT, METHOD, OUTPUT, Command, option, section
from reidrisk.cli.input_path import RELEASE_FILE, InputPath
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, QUIET, SHOW_IDS, settings_option
from reidrisk.cli.output import ABOVE_THRESHOLD, ACCEPTABLE, CLEAR, FAILURE
from reidrisk.cli.overwriting import guard
from reidrisk.cli.table_options import formulas
from reidrisk.core.shell import shell_word

if TYPE_CHECKING:
    from reidrisk.assess.judgement import PartAssessment
    from reidrisk.assess.result import Assessment
    from reidrisk.report.assessment_folder import ReportedAssessment

FOLDER = "assessment"
"""Default folder of the assessment, next to the release file."""


@click.command(name="assess", cls=Command)
@click.argument("release", default="release.yaml", type=RELEASE_FILE)
@section(
    INPUT,
    option("--since", type=InputPath("folder"), metavar="DIR", help="Earlier assessment to compare with."),
    ALLOW_OUTSIDE,
)
@section(
    METHOD,
    settings_option(
        "What if: change a setting, such as context.controls=high or parts.NAME.KEY=VALUE, without writing "
        "anything; may be repeated.",
        metavar="KEY=VALUE",
    ),
    option(
        "--threads",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Number of parts to measure at the same time.",
    ),
)
@section(
    OUTPUT,
    option(
        "--out", metavar="DIR", show_default=f"{FOLDER}, next to RELEASE", help="Folder for the assessment."
    ),
    JSON,
    SHOW_IDS,
    QUIET,
)
def command(release: str, **given: Any) -> None:
    """Assess RELEASE: measure every part, decide, and suggest remedies.

    RELEASE is a release file (YAML). All parts are judged together in their context. Parts that have not
    changed are not measured again. Exit code 3 if the release is not acceptable, 1 if a part could not be
    judged. To draft a release file, run: reidrisk init FILES > release.yaml
    """
    folder = given["out"] or str(Path(release).parent / FOLDER)
    output.check_targets((release,), json=given["json"], html=None)
    changes = options.pairs(given["changes"])
    show = output.Output(given["json"], quiet=given["quiet"])
    asked = {
        "previous": given["since"],
        "threads": given["threads"],
        "allow_outside": given["allow_outside"],
    }
    with assess_progress(quiet=given["quiet"]) as progress, formulas({}):
        done, made = _assessed(release, folder, changes, progress=progress, **asked)
    if given["quiet"] or given["json"] == "-":
        complain(done)  # otherwise the result says it
    if made is not None and made.missing is not None and not given["quiet"]:
        click.echo(f"No report was written: {made.missing.problem} {made.missing.hint}", err=True)
    show.result(done.to_dict(), acceptable=None if done.failed else done.acceptable)
    show.say(_ending(done, folder, made))
    raise SystemExit(FAILURE if done.failed else ACCEPTABLE if done.acceptable else ABOVE_THRESHOLD)


def _assessed(
    release: str, folder: str, changes: dict[str, Any], **asked: Any
) -> tuple[Assessment, ReportedAssessment | None]:
    """The assessment, and what was written with it; a what-if writes nothing."""
    if changes:
        from reidrisk.assess.run import assess

        return assess(release, out=folder, changes=changes, **asked), None
    from reidrisk.assess.run_lock import take_run
    from reidrisk.report.assessment_folder import assess_and_report, written_tables

    guard(written_tables(release, allow_outside=asked["allow_outside"]))
    held = take_run(Path(release).resolve())
    if held is not None:
        click.get_current_context().call_on_close(held.release)  # after the files have their names
    made = assess_and_report(release, folder, **asked)
    return made.assessment, made


def complain(done: Assessment) -> None:
    """Print parts that could not be judged as errors, even with --quiet."""
    for outcome in done.judgement.failed:
        failure, name = outcome.measurement.failure, outcome.part.name
        if failure is not None:
            where = done.release.lines.get(name, done.release.source)
            problem = f"Error: {where}: {name} could not be judged: {failure.problem}"
            click.echo(color_error(problem), err=True)
            click.echo(f"\nHint: {failure.hint}", err=True)


def _ending(done: Assessment, folder: str, made: ReportedAssessment | None) -> str:
    if made is None:
        return f"What if: nothing was written, and {folder} is unchanged."
    from reidrisk.assess.folder import released_parts
    from reidrisk.assess.manifest import manifest_bytes, root_of
    from reidrisk.core.file_set import now_at

    lines = [f"Assessment: {folder}"]
    lines += [f"Report: {Path(folder) / name}" for name in made.reports]
    lines.append(f"Root hash: {root_of(manifest_bytes(now_at(folder)))}")
    lines.append(
        "These are internal: do not pass them on with the data. To write a report for others: "
        f"reidrisk report {shell_word(folder)} --audience shared --out DIR"
    )
    written = {writer.name for _, writer in released_parts(done)}
    for one in done.judgement.parts:
        out = one.part.out
        if out is not None:
            missing = "" if one.part.name in written else _not_written(done, one, out)
            lines.append(f"Table: {out}{missing}")
    return "\n".join(lines)


def _not_written(done: Assessment, one: PartAssessment, out: Path) -> str:
    """Say why the table of a part was not written, and whether another one is there."""
    groups = [
        group.part.name
        for group in done.judgement.parts
        if group.part.kind == "joint" and not group.acceptable and one.part.name in group.part.given["parts"]
    ]
    judged = one.part.name if not one.acceptable else ", ".join(groups)
    why = f", because {judged} is not acceptable" if judged else ""
    what = "folder" if out.is_dir() else "file"
    old = f"; the {what} there is from an earlier run and was not assessed" if out.exists() else ""
    return f" was not written{why}{old}"


@contextmanager
def assess_progress(*, quiet: bool) -> Iterator[Callable[[str, str, int, int], None] | None]:
    """A bar of the parts and the current step of one of them, on a terminal; nothing in a pipe."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from reidrisk.assess.measurement import BEGUN, FINISHED

    shown = {"parts": ""}

    def show(part: str, what: str, done: int, total: int) -> None:
        if what == FINISHED:
            shown["parts"] = f"{output.bar(done, total)} {done} of {total} parts  "
        doing = "" if what in (BEGUN, FINISHED) else f": {what}"
        amount = (
            f" {output.bar(done, total)} {done:,} of {total:,}" if total else f" {done:,}" if done else ""
        )
        line = shown["parts"] if what == FINISHED else f"{shown['parts']}{part}{doing}{amount}"
        click.echo(f"{CLEAR}{line}", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo(CLEAR, nl=False, err=True)
