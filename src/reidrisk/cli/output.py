"""Where results, progress and files go, and the exit codes that all commands share."""

from __future__ import annotations

import glob
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from shutil import get_terminal_size
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import click

from reidrisk.cli.color import color_result
from reidrisk.cli.overwriting import guard
from reidrisk.cli.role_options import role_options

if TYPE_CHECKING:
    from reidrisk.core.result import Result

ACCEPTABLE = 0
FAILURE = 1
WRONG_USAGE = 2
ABOVE_THRESHOLD = 3
"""Exit codes. They are documented and must not change."""

MOST_COLUMNS = 110
"""Longer lines are hard to read."""
CLEAR = "\r\033[K"
"""Erases the line of progress on a terminal."""


def check_targets(
    inputs: Iterable[str | None],
    *,
    json: str | None,
    html: str | None,
    others: Mapping[str, str] | None = None,
    extends: Path | None = None,
) -> None:
    """Check before any work that the outputs can be written, differ, and are not among the inputs.

    They replace no file of somebody else, but for one that the command `extends`.
    """
    from reidrisk.core.files import writable

    if html is not None:
        check_report_packages()
    files = {"--json": json if json != "-" else None, "--html": html, **(others or {})}
    named = {option: path for option, path in files.items() if path is not None}
    for option, path in named.items():
        if path in {"", "-"}:
            raise click.UsageError(f"{option} takes the name of a file.")
    targets = [writable(path) for path in named.values()]
    if len(set(targets)) < len(targets):
        raise click.UsageError(f"Two of {', '.join(named)} name the same file.")
    for read in inputs:
        if read and any(_is_source(read, target) for target in targets):
            raise click.UsageError(f"{read} is an input of this command and must not be written.")
    guard(target for target in targets if extends is None or target != extends.resolve())


def check_draft(path: str, *, option: str, suffixes: tuple[str, ...]) -> None:
    """Check before any work that a draft has a fitting name."""
    if not path.lower().endswith(suffixes):
        raise click.UsageError(f"{option} takes the name of a file that ends in {' or '.join(suffixes)}.")


def _is_source(source: str, target: Path) -> bool:
    """Whether a path or a pattern names the file, which may not exist yet."""
    matches = [source, *glob.iglob(source, recursive=True)]  # noqa: PTH207 - the folder is part of the pattern
    return any(Path(name).resolve() == target for name in matches)


def check_report_packages() -> None:
    """Fail before any work, not at the end, if the packages for pages are missing."""
    check_packages(("jinja2", "report"), ("matplotlib", "report"))


def check_packages(*packages: tuple[str, str]) -> None:
    """Fail if one of these packages is missing; each is given with the extra that installs it."""
    from reidrisk.errors import MissingPackage

    for package, extra in packages:
        if find_spec(package) is None:
            raise MissingPackage.of_extra(package, extra)


def finish(
    result: Result,
    given: dict[str, Any],
    *,
    refuses: bool = True,
    files: Mapping[str, str | None] | None = None,
) -> NoReturn:
    """Write the page, show the result, and exit with the code of its verdict.

    With `refuses=False` the command only measures, and the exit code is 0 whatever the result.
    """
    show_result(result, given, decides=refuses, files=files)
    raise SystemExit(ABOVE_THRESHOLD if refuses and not result.acceptable else ACCEPTABLE)


def show_result(
    result: Result, given: dict[str, Any], *, decides: bool, files: Mapping[str, str | None] | None = None
) -> None:
    """Write the page and the JSON, print the result, and list the files that were written."""
    show, dictionary = Output(given["json"], quiet=given["quiet"]), result.to_dict()
    if given["html"]:
        from reidrisk.core.files import write_text
        from reidrisk.report.page import page

        write_text(given["html"], page([dictionary]))
    show.result(dictionary, acceptable=result.acceptable if decides else None)
    if roles := role_options(dictionary):
        show.say(roles)
    written = {**(files or {}), "Page": given["html"]}
    if any(written.values()):
        show.say("\n".join(f"{name}: {path}" for name, path in written.items() if path))


def commit_files() -> None:
    """Give the files of the command their names now, before it says that they are there."""
    from reidrisk.core.file_set import current_set

    files = current_set()
    if files is not None:
        files.commit()


def bar(done: int, total: int, width: int = 20) -> str:
    """A bar that shows how much is done.

    >>> bar(1, 4, 8)
    '[##......]'
    """
    full = width * min(done, total) // max(total, 1)
    return f"[{'#' * full}{'.' * (width - full)}]"


def _view(dictionary: dict[str, Any]) -> str:
    """A result as text, as wide as the terminal, or of the usual width in a pipe."""
    from reidrisk.report.views import draw

    columns = min(get_terminal_size().columns, MOST_COLUMNS) if sys.stdout.isatty() else None
    return str(draw(dictionary, "terminal", width=columns))


class Output:
    """Decides what goes to the terminal, to standard output and to a file."""

    def __init__(self, json_path: str | None, *, quiet: bool) -> None:
        self._json = json_path
        self._quiet = quiet

    def say(self, *things: object) -> None:
        """Print for a person, unless standard output is for a program."""
        commit_files()
        if not self._quiet and self._json != "-":
            click.echo("\n\n".join(str(thing) for thing in things))

    def result(
        self, dictionary: dict[str, Any], *, text: str | None = None, acceptable: bool | None = None
    ) -> None:
        """Print a result for a person, and write it as JSON if requested; `text` is for what has no view.

        All files of the command get their names first: what is printed about them is true.
        """
        speaks = not self._quiet and self._json != "-"
        shown = color_result(text or _view(dictionary), acceptable=acceptable) if speaks else ""
        content = self._json_text(dictionary) if self._json else ""
        if self._json and self._json != "-":
            from reidrisk.core.files import write_text

            write_text(self._json, content)
        commit_files()
        if self._json == "-":
            click.echo(content, nl=False)
            return
        self.say(shown)
        if self._json:
            self.say(f"JSON: {self._json}")

    @staticmethod
    def _json_text(dictionary: dict[str, Any]) -> str:
        from reidrisk.core.audience import with_audience

        return json.dumps(with_audience(dictionary), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @contextmanager
    def progress(self, title: str) -> Iterator[Callable[[int], None] | None]:
        """A running count of documents on a terminal; nothing in a pipe."""
        if self._quiet or not sys.stderr.isatty():
            yield None
            return

        def count(number: int) -> None:
            if number % 100 == 0:
                click.echo(f"\r{title}: {number:,} documents", nl=False, err=True)

        yield count
        click.echo(CLEAR, nl=False, err=True)

    @contextmanager
    def steps(self, unit: str = "nodes") -> Iterator[Callable[[str, int, int], None] | None]:
        """A progress bar for each step of the work on a terminal; nothing in a pipe."""
        if self._quiet or not sys.stderr.isatty():
            yield None
            return

        def show(what: str, done: int, total: int) -> None:
            line = f"{what} {bar(done, total, 30)} {done:,} of {total:,} {unit}"
            click.echo(f"{CLEAR}{line}", nl=False, err=True)

        try:
            yield show
        finally:
            click.echo(CLEAR, nl=False, err=True)


@contextmanager
def interruptible(*, quiet: bool) -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether the user pressed Ctrl-C; a second Ctrl-C ends the program."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: FrameType | None) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)
        if not quiet:
            click.echo(
                "\nStopping with the best solution found so far. Press Ctrl-C again to quit without one.",
                err=True,
            )

    signal.signal(signal.SIGINT, stop)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
