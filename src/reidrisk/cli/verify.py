"""`reidrisk verify`: check that an assessment comes out again as it is, and who signed it."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.help import INPUT, METHOD, OUTPUT, Command, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, QUIET


@click.command(name="verify", cls=Command)
@click.argument("folder", type=InputPath("folder"))
@section(
    INPUT,
    option(
        "--trusted",
        type=InputPath(),
        metavar="KEYS",
        help="Public keys that you trust: a file, or a folder of .pub files.",
    ),
    option("--root", metavar="HASH", help="Root hash that you wrote down when the assessment was made."),
)
@section(
    METHOD,
    ALLOW_OUTSIDE,
    option("--quick", is_flag=True, help="Compare hashes only; do not run the assessment again."),
    option(
        "--folder-only",
        is_flag=True,
        help="Compare only the files of FOLDER, such as a copy that was sent without the inputs.",
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
@section(OUTPUT, JSON, QUIET)
def command(folder: str, **given: Any) -> None:
    """Verify an assessment: run it again, and show who signed it.

    The hashes of files and inputs in FOLDER are compared first. Then the assessment is run again and its
    reports are drawn again; what is missing, added or different is named. Without --trusted or --root, a
    folder is at best consistent with itself. Exit code 3 if anything differs, 1 if FOLDER is no assessment.
    """
    output.check_targets((), json=given["json"], html=None)
    from reidrisk.report.assessment_folder import verify

    names = ("trusted", "root", "quick", "folder_only", "threads", "allow_outside")
    result = verify(folder, **{name: given[name] for name in names})
    show = output.Output(given["json"], quiet=given["quiet"])
    show.result(result.to_dict(), text=str(result), acceptable=result.holds)
    raise SystemExit(output.ACCEPTABLE if result.holds else output.ABOVE_THRESHOLD)
