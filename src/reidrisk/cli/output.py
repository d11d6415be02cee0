"""What all commands share: --json, --seed, --quiet, progress, and where each thing is printed."""

from __future__ import annotations

import glob
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from reidrisk.core.result import Result
    from reidrisk.core.threshold import Threshold

Command = TypeVar("Command", bound=Callable[..., Any])


def options(command: Command) -> Command:
    """Add the options that every measuring command has."""
    for option in (
        click.option("--quiet", is_flag=True, help="Print nothing but errors; the exit code tells."),
        click.option(
            "--seed", type=click.IntRange(min=0), default=7, show_default=True, help="Same seed, same answer."
        ),
        click.option("--json", metavar="FILE", help="Write the result as JSON; - for standard output."),
    ):
        command = option(command)
    return command


def existing_file(name: str, about: str, *, required: bool = False) -> Callable[[Command], Command]:
    """An option that names a file to read."""
    kind = click.Path(exists=True, dir_okay=False)
    return click.option(name, type=kind, metavar="FILE", help=about, required=required)


def pairs(texts: tuple[str, ...], *, option: str = "--set") -> dict[str, Any]:
    """NAME=VALUE texts as a dictionary."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"{option} takes NAME=VALUE, not {text!r}.")
        found[name.strip()] = value.strip()
    return found


def threshold(given: dict[str, Any]) -> Threshold:
    """The threshold that --cell-size or --threshold says."""
    from reidrisk.core.threshold import Threshold

    if given["threshold"] is not None:
        return Threshold(given["threshold"], "probability given on the command line")
    return Threshold.from_cell_size(given["cell_size"], f"cell size {given['cell_size']}, command line")


def columns(text: str, *, option: str) -> tuple[str, ...]:
    """Column names with commas between."""
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise click.UsageError(f"{option} names no column.")
    return names


def whole_numbers(text: str, *, option: str) -> list[int]:
    """Whole numbers with commas between."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise click.UsageError(f"{option} takes whole numbers with commas between, such as 5,3.")
    return [int(part) for part in parts]


def real(text: str, *, option: str) -> float:
    """A number."""
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"{option} takes a number.") from None


def check_targets(
    inputs: Iterable[str | None],
    *,
    json: str | None,
    html: str | None,
    others: Mapping[str, str] | None = None,
) -> None:
    """Before any work: outputs can be written, differ, and name nothing that is read."""
    from reidrisk.core.files import writable

    if html is not None:
        needs_report()
    files = {"--json": json if json != "-" else None, "--html": html, **(others or {})}
    named = {option: path for option, path in files.items() if path is not None}
    for option, path in named.items():
        if path in {"", "-"}:
            raise click.UsageError(f"{option} takes the name of a file.")
    targets = [writable(path) for path in named.values()]
    if len(set(targets)) < len(targets):
        raise click.UsageError(f"Two of {', '.join(named)} name the same file.")
    for read in inputs:
        if read and any(_reads(read, target) for target in targets):
            raise click.UsageError(f"{read} is read here and must not be written.")


def _reads(source: str, target: Path) -> bool:
    """Whether a path or a pattern means the file, which may not be there yet."""
    found = [source, *glob.iglob(source, recursive=True)]  # noqa: PTH207 - the folder is part of the pattern
    return any(Path(name).resolve() == target for name in found)


def needs_report() -> None:
    """Say at once, not at the end, that pages cannot be drawn."""
    from reidrisk.errors import MissingPackage

    for package in ("jinja2", "matplotlib"):
        if find_spec(package) is None:
            raise MissingPackage.of_extra(package, "report")


def finish(
    result: Result,
    given: dict[str, Any],
    *,
    refuses: bool = True,
    files: Mapping[str, str | None] | None = None,
) -> NoReturn:
    """Write the page, show the result, and end with the exit code of its verdict, if that decides."""
    from reidrisk.cli.exits import ABOVE_THRESHOLD, ACCEPTABLE

    show = Output(given["json"], quiet=given["quiet"])
    if given["html"]:
        from reidrisk.report.page import write_page

        write_page(result, given["html"])
    show.result([result], result.to_dict())
    written = {**(files or {}), "Page": given["html"]}
    if any(written.values()):
        show.say("\n".join(f"{name}: {path}" for name, path in written.items() if path))
    raise SystemExit(ABOVE_THRESHOLD if refuses and not result.acceptable else ACCEPTABLE)


def bar(done: int, total: int, width: int = 20) -> str:
    """How much is done.

    >>> bar(1, 4, 8)
    '[##......]'
    """
    full = width * min(done, total) // max(total, 1)
    return f"[{'#' * full}{'.' * (width - full)}]"


class Output:
    """Decides what goes to the terminal, to standard output and to a file."""

    def __init__(self, json_path: str | None, *, quiet: bool) -> None:
        self._json = json_path
        self._quiet = quiet

    def say(self, *things: object) -> None:
        """Print for a person, unless the output is for a program."""
        if not self._quiet and self._json != "-":
            click.echo("\n\n".join(str(thing) for thing in things))

    def result(self, results: Sequence[object], dictionary: dict[str, Any]) -> None:
        """Show results to a person, and write them as JSON where asked."""
        self.say(*results)
        if self._json:
            content = json.dumps(dictionary, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
            if self._json == "-":
                click.echo(content, nl=False)
            else:
                from reidrisk.core.files import write_text

                write_text(self._json, content)
                self.say(f"JSON: {self._json}")

    @contextmanager
    def progress(self, title: str) -> Iterator[Callable[[int], None] | None]:
        """A running count of documents on a terminal, nothing in a pipe."""
        if self._quiet or not sys.stderr.isatty():
            yield None
            return

        def count(number: int) -> None:
            if number % 100 == 0:
                click.echo(f"\r{title}: {number:,} documents", nl=False, err=True)

        yield count
        click.echo("\r\033[K", nl=False, err=True)

    @contextmanager
    def steps(self, unit: str = "nodes") -> Iterator[Callable[[str, int, int], None] | None]:
        """How much of each piece of work is done, on a terminal; nothing in a pipe."""
        if self._quiet or not sys.stderr.isatty():
            yield None
            return

        def tell(what: str, done: int, total: int) -> None:
            click.echo(
                f"\r\033[K{what} {bar(done, total, 30)} {done:,} of {total:,} {unit}", nl=False, err=True
            )

        try:
            yield tell
        finally:
            click.echo("\r\033[K", nl=False, err=True)
