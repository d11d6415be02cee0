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
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, QUIET, SHOW_IDS, settings_option
from reidrisk.cli.output import ABOVE_THRESHOLD, ACCEPTABLE, CLEAR, FAILURE
from reidrisk.cli.overwriting import guard
from reidrisk.cli.table_options import formulas

if TYPE_CHECKING:
    from reidrisk.assess.result import Assessment

CODEBOOK = ".codebook.md"
FOLDER = "assessment"
"""Default folder of the assessment, next to the release file."""


@click.command(name="assess", cls=Command)
@click.argument("release", default="release.yaml")
@section(INPUT, option("--since", metavar="DIR", help="Earlier assessment to compare with."), ALLOW_OUTSIDE)
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
    from reidrisk.assess.run import assess

    changes = options.pairs(given["changes"])
    if not changes:
        _guard_tables(release, allow_outside=given["allow_outside"])
    show = output.Output(given["json"], quiet=given["quiet"])
    with _progress(quiet=given["quiet"]) as progress, formulas({}):
        done = assess(
            release,
            out=folder,
            changes=changes,
            previous=given["since"],
            progress=progress,
            threads=given["threads"],
            allow_outside=given["allow_outside"],
        )
    _complain(done)
    made = [] if changes else _reports(Path(folder), quiet=given["quiet"])
    show.result(done.to_dict(), acceptable=None if done.failed else done.acceptable)
    show.say(_ending(done, folder, made, is_what_if=bool(changes)))
    raise SystemExit(FAILURE if done.failed else ACCEPTABLE if done.acceptable else ABOVE_THRESHOLD)


def _guard_tables(release: str, *, allow_outside: bool) -> None:
    """The tables that parts write replace no file of somebody else, and nor do their codebooks."""
    from reidrisk.assess.release_file import read_release

    outs = [part.out for part in read_release(release, allow_outside=allow_outside).parts]
    guard(path for out in outs if out is not None for path in (out, out.with_suffix(CODEBOOK)))


def _complain(done: Assessment) -> None:
    """Print parts that could not be judged as errors, even with --quiet."""
    for outcome in done.judgement.failed:
        failure, name = outcome.measurement.failure, outcome.part.name
        if failure is not None:
            where = done.release.lines.get(name, done.release.source)
            problem = f"Error: {where}: {name} could not be judged: {failure.problem}"
            click.echo(color_error(problem), err=True)
            click.echo(f"\nHint: {failure.hint}", err=True)


def _reports(folder: Path, *, quiet: bool) -> list[str]:
    """Write a codebook next to each released table, and the report as a page and a PDF."""
    from reidrisk.core.file_set import now_at
    from reidrisk.errors import MissingPackage
    from reidrisk.report.assessment_folder import write_reports

    try:
        return write_reports(folder, now=now_at(folder))  # it appears together with the assessment
    except MissingPackage as error:
        if not quiet:
            click.echo(f"No report was written: {error.problem} {error.hint}", err=True)
        return []


def _ending(done: Assessment, folder: str, made: list[str], *, is_what_if: bool) -> str:
    if is_what_if:
        return f"What if: nothing was written, and {folder} is unchanged."
    from reidrisk.assess.manifest import manifest_bytes, root_of
    from reidrisk.core.file_set import now_at

    lines = [f"Assessment: {folder}"]
    lines += [f"Report: {Path(folder) / name}" for name in made]
    lines.append(f"Root hash: {root_of(manifest_bytes(now_at(folder)))}")
    lines.append(
        "These are internal: do not pass them on with the data. To write a report for others: "
        f"reidrisk report {folder} --audience shared --html FILE"
    )
    for one in done.judgement.parts:
        out = one.part.out
        if out is not None:
            old = "; the file there is from an earlier run and was not assessed" if out.exists() else ""
            lines.append(f"Table: {out}" if one.acceptable else f"Table: {out} was not written{old}")
    return "\n".join(lines)


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str, str, int, int], None] | None]:
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
