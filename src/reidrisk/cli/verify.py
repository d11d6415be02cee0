"""`reidrisk verify`: is an assessment as it was made, and does the same come out again?"""

from __future__ import annotations

import click

from reidrisk.cli import output
from reidrisk.cli.exits import ABOVE_THRESHOLD, ACCEPTABLE


@click.command(name="verify")
@click.argument("folder")
@click.option("--quick", is_flag=True, help="Compare hashes only; do not run it again.")
@click.option(
    "--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Parts measured at a time."
)
@click.option("--json", metavar="FILE", help="Write what was found as JSON; - for standard output.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors; the exit code tells.")
def command(folder: str, *, quick: bool, threads: int, json: str | None, quiet: bool) -> None:
    """Verify the assessment in FOLDER: hashes of its files and inputs, then the same run again.

    Exit code 3 if anything differs, 1 if FOLDER is no assessment.
    """
    output.check_targets((), json=json, html=None)
    from reidrisk.assess.verify import verify

    found = verify(folder, quick=quick, threads=threads)
    output.Output(json, quiet=quiet).result([found], found.to_dict())
    raise SystemExit(ACCEPTABLE if found.holds else ABOVE_THRESHOLD)
