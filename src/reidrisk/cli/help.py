"""Commands whose `--help` lists options under headings, and groups that list whole sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reidrisk.cli import overwriting
from reidrisk.cli.color import bold
from reidrisk.core import input_limits

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

_SPACE, _HYPHEN = "\u00a0", "\u2011"
"""A space and a hyphen at which no line is broken; they are replaced in the finished help."""
_SHORT_NOTE = re.compile(r"\[[^\]]{1,34}\]$")
WIDEST = 110
"""Help uses the width of the terminal, up to this many columns."""
NARROW, NAME_COLUMNS = 90, (24, 30)
"""The widest column of option names in help narrower than NARROW, and in wider help."""

INPUT = "Input"
INTRUDERS = "What intruders know"
RELEASE = "Release"
LIMITS = "Limits"
METHOD = "Method"
SENSITIVE = "Sensitive columns"
EVENTS = "Events"
UTILITY = "Utility"
READ = "How the table is read"
RESOURCES = "Resources"
DECISIONS = "Decisions"
SAMPLE = "Sample"
OUTPUT = "Output"
OTHER = "Other"
WRITING = frozenset(("out", "json", "html"))
"""Parameters that name a file to write."""
HEADINGS = (
    INPUT,
    INTRUDERS,
    RELEASE,
    LIMITS,
    METHOD,
    SENSITIVE,
    EVENTS,
    UTILITY,
    READ,
    RESOURCES,
    DECISIONS,
    SAMPLE,
    OUTPUT,
    OTHER,
)
"""The headings of all commands, in the order in which each command lists them."""

OTHER_NAMES = {
    **dict.fromkeys(("k", "k-anonymity", "kanonymity", "min-cell-size", "min-class"), "cell-size"),
    **dict.fromkeys(("qi", "qid", "qis", "quasi-identifier", "quasi-identifiers", "keyvars"), "quasi"),
    **dict.fromkeys(("o", "output", "outfile", "output-file", "out-dir"), "out"),
    **dict.fromkeys(("suppression", "suppression-limit", "max-suppressed"), "max-suppression"),
    **dict.fromkeys(("id", "person", "subject", "subject-id", "patient-id"), "unit"),
    **dict.fromkeys(("hierarchy", "generalization", "generalizations"), "hierarchies"),
    **dict.fromkeys(("config-file", "settings", "c"), "config"),
    **dict.fromkeys(("q", "silent"), "quiet"),
    **dict.fromkeys(("risk", "max-risk", "p"), "threshold"),
    **dict.fromkeys(("force", "f"), "overwrite"),
}
"""What people type who know other programs, and our option."""

Function = TypeVar("Function", bound=Callable[..., Any])
OptionFactory = Callable[..., Callable[[Any], Any]]
"""An option that has no heading yet."""


def option(*names: str, **settings: Any) -> OptionFactory:
    """Declare an option as `click.option` does; `section` puts it under a heading."""
    return partial(click.option, *names, cls=Option, **settings)


def section(heading: str, *options: OptionFactory) -> Callable[[Function], Function]:
    """Add options to a command, under one heading of its help."""

    def add(function: Function) -> Function:
        for one in reversed(options):
            function = one(heading=heading)(function)
        return function

    return add


class Option(click.Option):
    """An option with a heading, whose default and range are shown in words."""

    def __init__(self, *given: Any, heading: str = OTHER, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.heading = heading

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        """Show a default that is given as text without parentheses, and a range as "0 to 1"."""
        extra = super().get_help_extra(ctx)
        if isinstance(self.show_default, str):
            extra["default"] = self.show_default
        if "range" in extra:
            text = _range_text(self.type)
            if text:
                extra["range"] = text
            else:
                del extra["range"]
        return extra


def _range_text(kind: Any) -> str:
    """The values that a range of numbers includes; empty if only negative numbers are excluded.

    >>> _range_text(click.IntRange(min=1)), _range_text(click.FloatRange(0, 1, min_open=True))
    ('at least 1', 'above 0, up to 1')
    """
    if kind.max is None:
        return f"at least {kind.min}" if kind.min else ""
    return f"above {kind.min}, up to {kind.max}" if kind.min_open else f"{kind.min} to {kind.max}"


class Formatter(click.HelpFormatter):
    """Help with bold headings where the terminal has color."""

    def write_heading(self, heading: str) -> None:
        """Write the heading of a list."""
        self.write(f"{'':>{self.current_indent}}{bold(f'{heading}:')}\n")

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that shows how to call a command."""
        super().write_usage(prog, args, bold("Usage:") + " " if prefix is None else prefix)


def _set_limits(ctx: click.Context, _: click.Parameter, texts: tuple[str, ...]) -> None:
    ctx.with_resource(input_limits.changed_limits(input_limits.limit_values(texts)))


OVERWRITE = option(
    overwriting.OPTION,
    is_flag=True,
    expose_value=False,
    callback=overwriting.allow,
    help="Replace files that reidrisk did not write, or that were changed since.",
)


LIMIT = option(
    input_limits.OPTION,
    multiple=True,
    metavar="NAME=NUMBER",
    expose_value=False,
    callback=_set_limits,
    help="Raise or lower a limit on inputs, such as columns=20000; see the reference.",
)


class HelpContext(click.Context):
    """Makes help with `Formatter`, within the width of the terminal."""

    formatter_class = Formatter


class Command(click.Command):
    """A command whose options are listed under headings."""

    context_class = HelpContext

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        if any(isinstance(parameter, Option) for parameter in self.params):
            self._add(LIMIT, RESOURCES)
        if WRITING & {parameter.name for parameter in self.params}:
            self._add(OVERWRITE, OUTPUT)

    def _add(self, declared: OptionFactory, heading: str) -> None:
        """Add an option that many commands share at the end of its list."""
        declared(heading=heading)(self)
        self.params.insert(self._end_of(heading), self.params.pop())

    def _end_of(self, heading: str) -> int:
        last = HEADINGS.index(heading)
        for at, parameter in enumerate(self.params[:-1]):
            if isinstance(parameter, Option) and HEADINGS.index(parameter.heading) > last:
                return at
        return len(self.params) - 1

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; where other programs have another name for one, suggest ours."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            typed = error.option_name.lstrip("-").replace("_", "-").lower()
            meant = f"--{OTHER_NAMES.get(typed, '')}"
            if any(meant in parameter.opts for parameter in self.params):
                said = f"No such option {error.option_name!r}. Did you mean {meant!r}?"
                raise click.NoSuchOption(error.option_name, said, ctx=ctx) from None
            raise
        except click.MissingParameter as error:
            missing = error.param
            if not isinstance(missing, Option) or missing.type.get_missing_message(missing, ctx):
                raise
            # its help says what it is, and often how to make it
            raise click.MissingParameter(missing.help, ctx=ctx, param=missing) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command: its files appear together when it ends, or not at all; then they are logged."""
        from reidrisk.cli.recording import recording
        from reidrisk.core.file_set import together

        with recording(ctx), together(tell=partial(click.echo, err=True)) as files:
            try:
                return super().invoke(ctx)
            except (SystemExit, click.exceptions.Exit):  # how commands end with an exit code
                files.commit()
                raise

    def get_help(self, ctx: click.Context) -> str:
        """The help of the command."""
        return _unglue(super().get_help(ctx))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options; all lists have their descriptions in the same column."""
        _write_options(self, ctx, formatter)


class StepwiseCommand(Command):
    """A command that runs others: the files of each appear when that one ends."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and log what it writes itself."""
        from reidrisk.cli.recording import recording

        with recording(ctx):
            return click.Command.invoke(self, ctx)


class CommandGroup(click.Group):
    """A group that lists its commands in the order of use, each with a whole sentence."""

    command_class = Command
    context_class = HelpContext

    def get_help(self, ctx: click.Context) -> str:
        """The help of the group."""
        return _unglue(super().get_help(ctx))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of the commands, in the order of use."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands first: they are what people look for here."""
        self.format_commands(ctx, formatter)
        _write_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands, each with the first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _glue(line)) for name, line in self.sentences()])

    def sentences(self) -> list[tuple[str, str]]:
        """Each command and the first sentence of its help."""
        return [(name, first_sentence(command)) for name, command in self.commands.items()]


class LazyGroup(CommandGroup):
    """Knows its commands by module and sentence, and imports a command only to run it."""

    def __init__(self, *, lazy: Mapping[str, str], **settings: Any) -> None:
        super().__init__(**settings)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of the commands, in the order of use."""
        return list(self.lazy)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click would print an empty line if it is stopped, also where no line is open."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown one, name the one that was probably meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], self.lazy, n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx=ctx) from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command from the module of its name."""
        if cmd_name not in self.lazy:
            return None
        command: click.Command = import_module(f"reidrisk.cli.{cmd_name}").command
        return command

    def sentences(self) -> list[tuple[str, str]]:
        """Each command and its sentence, without importing it."""
        return list(self.lazy.items())


def first_sentence(command: click.Command) -> str:
    """The first paragraph of a command's help, on one line."""
    return " ".join((command.help or "").split("\n\n")[0].split())


def _glue(text: str) -> str:
    """Keep names such as gate-xml, and a short default in brackets, on one line."""
    kept = _SHORT_NOTE.sub(lambda note: note[0].replace(" ", _SPACE), text)
    return re.sub(r"(?<=\w)-(?=\w)", _HYPHEN, kept)


def _unglue(text: str) -> str:
    return text.replace(_SPACE, " ").replace(_HYPHEN, "-")


def _write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    lists: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is not None and not isinstance(parameter, click.Argument):
            lists.setdefault(getattr(parameter, "heading", OTHER), []).append(record)
    widest = NAME_COLUMNS[formatter.width >= NARROW]
    width = min(widest, max(len(name) for records in lists.values() for name, _ in records))
    for heading, records in lists.items():
        with formatter.section("Options" if len(lists) == 1 else heading):
            formatter.write_dl([(name.ljust(width), _glue(text)) for name, text in records], col_max=widest)
