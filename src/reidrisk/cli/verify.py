"""`reidrisk verify`: check that an assessment is unchanged and can be repeated."""

from __future__ import annotations

import click

from reidrisk.cli import output
from reidrisk.cli.help import METHOD, OUTPUT, Command, option, section
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, QUIET


@click.command(name="verify", cls=Command)
@click.argument("folder")
@section(
    METHOD,
    ALLOW_OUTSIDE,
    option("--quick", is_flag=True, help="Compare hashes only; do not run the assessment again."),
    option(
        "--threads",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Number of parts to measure at the same time.",
    ),
)
@section(OUTPUT, JSON, QUIET)
def command(
    folder: str, *, quick: bool, allow_outside: bool, threads: int, json: str | None, quiet: bool
) -> None:
    """Verify an assessment: check its files, and run it again.

    First the hashes of the files in FOLDER and of the inputs are compared, then the assessment is repeated.
    Exit code 3 if anything differs, 1 if FOLDER is not an assessment.
    """
    output.check_targets((), json=json, html=None)
    from reidrisk.assess.verify import verify

    result = verify(folder, quick=quick, threads=threads, allow_outside=allow_outside)
    output.Output(json, quiet=quiet).result(result.to_dict(), text=str(result), acceptable=result.holds)
    raise SystemExit(output.ACCEPTABLE if result.holds else output.ABOVE_THRESHOLD)
