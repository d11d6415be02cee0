"""`reidrisk assess`: a release file in, one verdict and a folder that can be checked out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output
from reidrisk.cli.exits import ABOVE_THRESHOLD, ACCEPTABLE, FAILURE

if TYPE_CHECKING:
    from reidrisk.assess.result import Assessment

FOLDER = "assessment"
"""Where the assessment lies if nothing is said: beside the release file."""


@click.command(name="assess")
@click.argument("release", default="release.yaml")
@click.option("--out", metavar="DIR", help=f"Folder of the assessment.  [default: {FOLDER}, beside RELEASE]")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="What if: context.controls=high, parts.NAME.KEY=VALUE; nothing is written.",
)
@click.option("--since", metavar="DIR", help="An earlier assessment to compare with.")
@click.option(
    "--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Parts measured at a time."
)
@click.option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors; the exit code tells.")
def command(release: str, **given: Any) -> None:
    """Assess RELEASE: measure every part, judge all in their context, say what would change the verdict.

    Parts that have not changed are not measured again. Exit code 3 if it is not acceptable, 1 if a part could
    not be judged. The release file comes from: reidrisk init FILES > release.yaml
    """
    folder = given["out"] or str(Path(release).parent / FOLDER)
    output.check_targets((release,), json=given["json"], html=None)
    from reidrisk.assess.run import assess

    changes = output.pairs(given["changes"])
    show = output.Output(given["json"], quiet=given["quiet"])
    with _progress(quiet=given["quiet"]) as progress:
        done = assess(
            release,
            out=folder,
            changes=changes,
            previous=given["since"],
            progress=progress,
            threads=given["threads"],
        )
    _complain(done)
    made = [] if changes else _reports(done, Path(folder), quiet=given["quiet"])
    show.result([done], done.to_dict())
    show.say(_ending(done, folder, made, is_what_if=bool(changes)))
    raise SystemExit(FAILURE if done.failed else ACCEPTABLE if done.acceptable else ABOVE_THRESHOLD)


def _complain(done: Assessment) -> None:
    """Parts that could not be judged are errors, told whatever else is not."""
    for outcome in done.judgement.failed:
        failure, name = outcome.measurement.failure, outcome.part.name
        if failure is not None:
            where = done.release.lines.get(name, done.release.source)
            click.echo(f"Error: {where}: {name} could not be judged: {failure.problem}", err=True)
            click.echo(f"\nHint: {failure.hint}", err=True)


def _reports(done: Assessment, folder: Path, *, quiet: bool) -> list[str]:
    """Codebooks beside the tables that went out, and the report as page and PDF."""
    from reidrisk.assess.folder import add_files
    from reidrisk.errors import MissingPackage

    _codebooks(done)
    try:
        from reidrisk.report.writing import write_charts, write_report

        add_files(folder, write_charts(folder))
        made = [path.name for path in write_report(folder, folder)]
    except MissingPackage as error:
        if not quiet:
            click.echo(f"No report was written: {error.problem} {error.hint}", err=True)
        return []
    add_files(folder, made)
    return made


def _codebooks(done: Assessment) -> None:
    from reidrisk.core.files import write_text
    from reidrisk.report.codebook import codebook_text

    for one in done.judgement.parts:
        out, verdict = one.part.out, one.verdict
        if out is not None and verdict is not None and verdict.acceptable and verdict.result is not None:
            write_text(out.with_suffix(".codebook.md"), codebook_text(verdict.result))


def _ending(done: Assessment, folder: str, made: list[str], *, is_what_if: bool) -> str:
    if is_what_if:
        return f"What if: nothing was written, {folder} is as it was."
    lines = [f"Assessment: {folder}"]
    lines += [f"Report: {Path(folder) / name}" for name in made]
    for one in done.judgement.parts:
        out = one.part.out
        if out is not None:
            old = "; the file there is from an earlier run and not covered" if out.exists() else ""
            lines.append(f"Table: {out}" if one.acceptable else f"Table: {out} was not written{old}")
    return "\n".join(lines)


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str, str, int, int], None] | None]:
    """A bar of the parts, and what is being done to one of them, on a terminal; nothing in a pipe."""
    import sys

    if quiet or not sys.stderr.isatty():
        yield None
        return
    from reidrisk.assess.measurement import BEGUN, FINISHED

    so_far = {"parts": ""}

    def tell(part: str, what: str, done: int, total: int) -> None:
        if what == FINISHED:
            so_far["parts"] = f"{output.bar(done, total)} {done} of {total} parts  "
        doing = "" if what in (BEGUN, FINISHED) else f": {what}"
        amount = (
            f" {output.bar(done, total)} {done:,} of {total:,}" if total else f" {done:,}" if done else ""
        )
        line = so_far["parts"] if what == FINISHED else f"{so_far['parts']}{part}{doing}{amount}"
        click.echo(f"\r\033[K{line}", nl=False, err=True)

    try:
        yield tell
    finally:
        click.echo("\r\033[K", nl=False, err=True)
