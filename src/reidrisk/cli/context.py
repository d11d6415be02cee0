"""`reidrisk context`: who gets the data, under which controls, and the risk this allows."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.color import bold
from reidrisk.cli.help import INPUT, OUTPUT, WIDEST, CommandGroup, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import HTML, JSON, SILENT, settings_option
from reidrisk.core.shell import shell_word
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.context.form import FormQuestion

Choice = tuple[Any, str]
"""The value of an answer, and its meaning."""
LATER = ("", "leave it open")
ONE_LINE = 80
"""Answers that are not longer than this together are printed on one line."""


@click.group(name="context", cls=CommandGroup)
def command() -> None:
    """Score who gets the data, and the risk that this allows."""


@command.command()
@click.argument("context", required=False, type=InputPath("file"))
@section(
    INPUT,
    option(
        "--preset",
        type=InputPath("name"),
        metavar="NAME",
        help="Policy: one of the presets above, or your own YAML file.",
    ),
    settings_option("Change a setting, such as controls=high; may be repeated.", metavar="KEY=VALUE"),
    option("--ask", is_flag=True, help="Ask the questions that CONTEXT leaves open, or all without CONTEXT."),
)
@section(
    OUTPUT,
    option("--out", metavar="FILE", help="Write the answers as YAML, even if you stop early."),
    HTML,
    JSON,
    SILENT,
)
def score(context: str | None, **given: Any) -> None:
    """Score a context: the chance of an attempt, and the threshold.

    The result also shows what a higher threshold would need. CONTEXT is a YAML file. Without it, you are
    asked the questions one by one in the terminal. Presets: hospital, ema, health_canada, hipaa, ipc, and
    cell_size_3 to cell_size_30.
    """
    others = {"--out": given["out"]} if given["out"] else None
    output.check_targets((context,), json=given["json"], html=given["html"], others=others)
    content = _content(context, given)
    folder = Path(context).parent if context else Path()
    if given["ask"] or content is None:
        content = _answers(content or {}, folder=folder, out=given["out"])
    from reidrisk.context.context import Context
    from reidrisk.context.score import score_context

    place = f"{context}: context" if context else "context"
    result = score_context(Context.of(content, place=place, folder=folder))
    if given["out"]:
        from reidrisk.core.yaml_file import write_yaml

        write_yaml(given["out"], content)
    output.finish(result, given, refuses=False)


def _content(path: str | None, given: dict[str, Any]) -> dict[str, Any] | None:
    """The settings of the file and the command line; None if there are none."""
    changes = options.pairs(given["changes"])
    if given["preset"]:
        changes = {"preset": given["preset"], **changes}
    if path is None and not changes:
        if not given["ask"] and not sys.stdin.isatty():
            raise click.UsageError("Name a context file. Questions can be asked only in a terminal.")
        return None
    from reidrisk.context.changes import change_settings
    from reidrisk.context.settings import settings_of
    from reidrisk.core.yaml_file import read_yaml

    read = {} if path is None else read_yaml(Path(path)) or {}
    hint = "Write one setting per line, such as access: non_public."
    return change_settings(settings_of(read, place=str(path), hint=hint).content, changes)


def _answers(content: dict[str, Any], *, folder: Path, out: str | None) -> dict[str, Any]:
    """The settings with a person's answers; the answers are saved if the person stops early."""
    from reidrisk.core.file_set import at_once
    from reidrisk.core.yaml_file import write_yaml

    interview = Interview(content, folder)
    try:
        interview.run()
    except (click.Abort, KeyboardInterrupt):
        if out and interview.content:
            with at_once():
                write_yaml(out, interview.content)
            click.echo(
                f"\nYour answers are in {out}. To continue: reidrisk context score {shell_word(out)} --ask "
                "--out FILE",
                err=True,
            )
        raise
    return interview.content


class Interview:
    """Asks the questions that the settings of a context leave open, and records the answers."""

    def __init__(self, content: dict[str, Any], folder: Path) -> None:
        self.content = content
        self._folder = folder

    def run(self) -> None:
        """Ask every question that applies; an answer may make others apply."""
        from reidrisk.context.form import GENERAL, context_form

        click.echo("Answer each question with a number. Type ? to see its source. Press Ctrl-C to stop.\n")
        asked: set[str] = set()
        group = GENERAL
        while waiting := [
            one for one in context_form(self.content, folder=self._folder).open if one.key not in asked
        ]:
            question = waiting[0]
            asked.add(question.key)
            if question.group not in (group, GENERAL):
                group = question.group
                click.echo(bold(f"\n{group}"))
            self._ask(question)

    def _ask(self, question: FormQuestion) -> None:
        from reidrisk.context.form import with_answer

        if "." in question.key:  # a question that is left open counts as the worst answer
            self.content.setdefault(question.key.split(".")[0], {})
        if question.kind == "number":
            value: Any = number(f"\n{question.text}", question.source)
        else:
            choices = [(one.value, one.text) for one in question.choices]
            value = choose(
                question.text, [*choices, *([LATER] if question.optional else [])], question.source
            )
        if value in (None, ""):
            return
        after, more = question.follow_up(value), ""
        if after is not None and after.required:
            more = click.prompt(after.text, type=str)
        elif after is not None:
            more = str(click.prompt(after.text, default="", show_default=False)).strip()
        self.content = with_answer(self.content, question, value, more)


def choose(text: str, choices: Sequence[Choice], source: str) -> Any:
    """Ask for one of several answers by its number; Enter picks the last if it leaves the question open."""
    click.echo(f"\n{text}")
    lines = [
        f"{'Enter' if value == '' else place}  {meaning}" for place, (value, meaning) in enumerate(choices, 1)
    ]
    between = "     " if sum(map(len, lines)) < ONE_LINE else "\n  "
    click.echo(f"  {between.join(lines)}")
    while True:
        answer = click.prompt("Answer", default="" if choices[-1][0] == "" else None, show_default=False)
        answer = str(answer).strip()
        if answer == "?":
            _show_source(source)
        elif answer == "" and choices[-1][0] == "":
            return ""
        elif answer.isdecimal() and 1 <= int(answer) <= len(choices):
            return choices[int(answer) - 1][0]
        else:
            click.echo(f"Type a number from 1 to {len(choices)}, or ?.")


def number(text: str, source: str) -> float | None:
    """Ask for a number from 0 to 1; None if the answer is empty."""
    from reidrisk.context.settings import probability_of

    while True:
        answer = str(click.prompt(text, default="", show_default=False)).strip()
        if answer == "?":
            _show_source(source)
            continue
        if not answer:
            return None
        try:
            return probability_of(float(answer), place="The answer", hint="Write for example 0.27.")
        except (ValueError, InvalidSetting):
            click.echo("Type a number from 0 to 1, or ?, or press Enter.")


def _show_source(source: str) -> None:
    """Print the source of a question within the width of a terminal."""
    width = min(shutil.get_terminal_size().columns, WIDEST) - 2
    for line in source.splitlines():
        click.echo(click.wrap_text(line, width=width, initial_indent="  ", subsequent_indent="    "))
