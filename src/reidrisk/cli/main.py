"""The command `reidrisk`. Heavy packages are imported only when a command runs."""

from __future__ import annotations

import atexit
import gc
import io
import os
import re
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import Any

import click

from reidrisk.cli.color import color_error
from reidrisk.cli.cut_off import may_be_cut_off
from reidrisk.cli.help import WIDEST, LazyGroup
from reidrisk.cli.output import FAILURE, WRONG_USAGE
from reidrisk.core.shown_ids import NUMBERED, OPTION
from reidrisk.errors import ReidRiskError

COMMANDS = {
    "text": "Measure what a text de-identification tool misses, or de-identify.",
    "table": "Measure and lower the risk of a table, and test the release.",
    "population": "Measure whom a data sharing policy exposes, and at what cost.",
    "document": "Find, review, redact and verify identifiers in study reports.",
    "relational": "De-identify linked tables as one release, and prove it.",
    "context": "Score who gets the data, and the risk that this allows.",
    "init": "Write a commented release file for FILES.",
    "release": "Change, list and run releases.",
    "serve": "Open the app on the releases in FOLDER.",
    "assess": "Assess RELEASE: measure every part, decide, and suggest remedies.",
    "gate": "Assess each RELEASE in a pipeline: one line and an exit code.",
    "report": "Write the report of an assessment or of results.",
    "sign": "Sign an assessment with your name, role and key.",
    "verify": "Verify an assessment: run it again, and show who signed it.",
    "log": "Show and check the log of a release folder.",
    "key": "Create keys for signing and for pseudonyms.",
    "account": "Manage the accounts of `reidrisk serve --auth`.",
    "validate": "Validate the program on this machine, and write a certificate.",
    "demo": "Run every job on generated data.",
    "schema": "Print the JSON Schema of the results of KIND.",
    "check": "List the packages that are installed or missing.",
}
"""Each command is `command` in the module of its name; the sentence is shown before it is imported."""


_WHOLE = re.compile(r"is not a valid integer(?: range)?")
"""How click says that a number is not one."""
STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")
"""Ctrl-C, and signals that end a command as it does."""
DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)
_STOPPED = threading.Event()
"""Set by such a signal, which packages may turn into errors of their own, such as a RuntimeError."""
OBJECTS = 100_000
"""New objects after which Python searches for garbage; loading modules makes many, and all of them stay."""


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted and not ctx.resilient_parsing:
        from reidrisk.core.about import own_version

        click.echo(f"reidrisk {own_version()}")
        ctx.exit()


@click.command(
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def reidrisk() -> None:
    """Measure the re-identification risk of health data, and decide whether to release it.

    Exit codes: 0 acceptable, 1 failure, 2 wrong usage, 3 risk above the threshold.
    """


def run(arguments: list[str] | None = None) -> None:
    """Run the command line; every error becomes one message and an exit code."""
    gc.set_threshold(OBJECTS)
    atexit.register(gc.freeze)  # otherwise Python searches all objects for garbage when it exits
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            # a terminal may support fewer characters than a file name contains
            stream.reconfigure(errors="backslashreplace")
            setattr(sys, name, may_be_cut_off(stream))
    _listen()
    try:
        code: Any = _main(arguments)
    except click.ClickException as error:
        text = io.StringIO()
        error.show(text)
        _complain(_WHOLE.sub("is not a whole number", text.getvalue().rstrip("\n")))
        code = WRONG_USAGE
    except (click.Abort, KeyboardInterrupt):
        # a terminal shows ^C or a line of progress, which is ended first
        click.echo("\nStopped." if sys.stderr.isatty() else "Stopped.", err=True)
        code = FAILURE
    except ReidRiskError as error:
        hidden = f" Add {OPTION} to see its name or id." if NUMBERED.search(error.problem) else ""
        _complain(f"Error: {error}{hidden}")
        code = error.exit_code
    except BrokenPipeError:
        _close_output()  # output that is not a pipe of its own, see `may_be_cut_off`
        code = FAILURE
    except MemoryError:
        _complain(
            "Error: There is not enough memory.\n\nHint: Close other programs, use a machine with more "
            "memory, or set a limit with --memory where the command has it."
        )
        code = FAILURE
    except OSError as error:
        _close_output()
        where = f"{error.filename}: " if error.filename else ""
        _complain(
            f"Error: {where}{error.strerror}.\n\nHint: Check the path, its permissions and the free disk "
            f"space."
        )
        code = FAILURE
    except Exception as error:  # noqa: BLE001
        code = _report_defect(error)
    finally:
        _remove_work()
    sys.exit(code if isinstance(code, int) else 0)


def _main(arguments: list[str] | None) -> Any:
    """Run the command; whatever goes wrong after a signal to stop is its effect."""
    _STOPPED.clear()
    try:
        return reidrisk.main(args=arguments, prog_name="reidrisk", standalone_mode=False)
    except Exception:
        if _STOPPED.is_set():
            raise KeyboardInterrupt from None
        raise


def _listen() -> None:
    """End like Ctrl-C when the system or another program asks to: everything temporary is removed."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in STOPPING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in DEFAULTS:  # nohup ignores one of them
            signal.signal(number, _stop)


def _stop(_number: int, _frame: FrameType | None) -> None:
    _STOPPED.set()
    raise KeyboardInterrupt


def _remove_work() -> None:
    """Remove work folders that a sudden end of the command has left."""
    work = sys.modules.get("reidrisk.core.work_folder")  # imported by commands that write
    if work is not None:
        work.remove_own()


def _complain(message: str) -> None:
    click.echo(color_error(message), err=True)


def _close_output() -> None:
    """Drop what is still buffered, so that Python does not try to write it again when it exits."""
    with suppress(OSError):  # not every standard output is a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_defect(error: Exception) -> int:
    """Show the type and place of an unexpected error. Its message may quote data and is not shown."""
    if os.environ.get("REIDRISK_DEBUG"):
        raise error
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else "?"  # noqa: PTH119
    _complain(
        f"Error: This is a defect in reidrisk: {type(error).__name__} at {place}.\n\n"
        "Hint: Please report it. Set REIDRISK_DEBUG=1 to see the full trace, which may quote your data."
    )
    return FAILURE
