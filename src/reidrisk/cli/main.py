"""The command `reidrisk`. Nothing heavy is imported until a command runs."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from contextlib import suppress
from typing import Any

import click

from reidrisk.cli.exits import FAILURE, WRONG_USAGE
from reidrisk.cli.lazy import LazyGroup
from reidrisk.errors import ReidRiskError

COMMANDS = {
    "text": ("text", "Job 1: the risk that a text de-identification tool leaves."),
    "table": ("table", "Job 2: the risk of a data set."),
    "population": (
        "population",
        "Job 3: what a sharing policy exposes, to whom, at what price.",
    ),
    "document": (
        "document",
        "Job 4: clinical documents: find, review, redact or replace, prove, and measure what remains.",
    ),
    "context": ("context", "Who gets the data, under what controls, and the risk that allows."),
    "init": ("init", "Write a commented release file for FILES."),
    "assess": ("assess", "Assess RELEASE: measure every part, judge, say what would help."),
    "report": ("report", "Write the report of an assessment, or of results: a page and a PDF."),
    "verify": ("verify", "Verify the assessment in FOLDER: hashes, and the same run again."),
    "demo": ("demo", "Make clinical notes, prescription records, a state and a trial."),
    "check": ("check", "Tell what is installed and what is missing."),
}


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted and not ctx.resilient_parsing:
        from reidrisk.core.about import own_version

        click.echo(f"reidrisk {own_version()}")
        ctx.exit()


@click.command(cls=LazyGroup, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version.",
)
def reidrisk() -> None:
    """May this health data be released? Measure the risk of re-identification, and decide.

    Exit codes: 0 acceptable, 1 failure, 2 wrong usage, 3 risk above the threshold.
    """


def run(arguments: list[str] | None = None) -> None:
    """Run the command line; every error becomes one message and an exit code."""
    atexit.register(gc.freeze)  # at the end Python would look through all objects for garbage
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="backslashreplace"
            )  # a terminal may know fewer characters than a file name
    try:
        code: Any = reidrisk.main(args=arguments, prog_name="reidrisk", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = WRONG_USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        code = FAILURE
    except ReidRiskError as error:
        click.echo(f"Error: {error}", err=True)
        code = error.exit_code
    except BrokenPipeError:
        _close_output()  # the reader of our output has seen enough
        code = FAILURE
    except OSError as error:
        _close_output()
        where = f"{error.filename}: " if error.filename else ""
        click.echo(
            f"Error: {where}{error.strerror}.\n\nHint: Check the path, the rights and the disk.", err=True
        )
        code = FAILURE
    except Exception as error:  # noqa: BLE001
        code = _unexpected(error)
    sys.exit(code if isinstance(code, int) else 0)


def _close_output() -> None:
    """What is still buffered cannot be written: do not try again when Python ends."""
    with suppress(OSError):  # not every standard output is a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception) -> int:
    """A defect of ours. Its message may quote the data, so only its kind and place are shown."""
    if os.environ.get("REIDRISK_DEBUG"):
        raise error
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else "?"  # noqa: PTH119
    click.echo(
        f"Error: reidrisk has a defect: {type(error).__name__} at {place}.\n\n"
        "Hint: please report it. REIDRISK_DEBUG=1 shows the full trace, which may quote your data.",
        err=True,
    )
    return FAILURE
