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
from reidrisk.cli.options import HTML, JSON, SILENT, settings_option
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.context.preset import Preset

Choice = tuple[Any, str]
"""The value of an answer, and its meaning."""
LATER = ("", "leave it open")
ONE_LINE = 80
"""Answers that are not longer than this together are printed on one line."""


@click.group(name="context", cls=CommandGroup)
def command() -> None:
    """Score who gets the data, and the risk that this allows."""


@command.command()
@click.argument("context", required=False)
@section(
    INPUT,
    option("--preset", metavar="NAME", help="Policy: one of the presets above, or your own YAML file."),
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
                f"\nYour answers are in {out}. To continue: reidrisk context score {out} --ask --out FILE",
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
        """Ask every question that applies."""
        click.echo("Answer each question with a number. Type ? to see its source. Press Ctrl-C to stop.\n")
        self._policy()
        if self._access() == "non_public":
            self._controls()
            self._questionnaire("motives")
            self._acquaintance()
            self._breach()
        if self._preset().by_invasion:
            self._questionnaire("invasion")
        if self._preset().proposals:
            self._threshold()

    def _preset(self) -> Preset:
        from reidrisk.context.preset import preset

        return preset(str(self.content["preset"]), place="context.preset", folder=self._folder)[0]

    def _policy(self) -> None:
        from reidrisk.context.preset import NAMED, cell_size_presets, preset

        if "preset" not in self.content:
            named = [(name, preset(name, place="", folder=self._folder)[0]) for name in NAMED]
            listed = [*named, *cell_size_presets().items()]
            choices = [(name, one.title) for name, one in listed]
            sources = [f"{name}: {one.about} {_source(one.source)}" for name, one in named]
            sources.append(f"Cell sizes: {_source('scaiano_2016')}")
            self.content["preset"] = choose("Which policy applies?", choices, "\n".join(sources))
        variants = self._preset().variants
        if variants and "variant" not in self.content:
            choices = [(name, rung.threshold.reason) for name, rung in variants.items()]
            self.content["variant"] = choose("How should 0.09 be interpreted?", choices, self._preset().about)

    def _access(self) -> str:
        fixed = self._preset().access
        if fixed is None and "access" not in self.content:
            choices = [
                ("public", "anyone"),
                ("semi_public", "anyone who accepts the terms of use"),
                ("non_public", "a known recipient who has signed an agreement"),
            ]
            self.content["access"] = choose("Who can get the data?", choices, _source("ipc_2016"))
        return str(fixed or self.content["access"])

    def _controls(self) -> None:
        if "controls" in self.content:
            return
        if "checklist" not in self.content:
            choices = [
                ("ask", "go through the practices; a higher threshold requires this"),
                *((level, f"the level is known: {level}") for level in ("low", "medium", "high")),
            ]
            level = choose("How well does the recipient protect the data?", choices, _source("el_emam_2009"))
            if level != "ask":
                self.content["controls"] = level
                return
        if not isinstance(self.content.get("checklist"), str):
            self._practices(self.content.setdefault("checklist", {}))

    def _practices(self, answers: dict[str, Any]) -> None:
        from reidrisk.context.checklist import OTHERS, data, practices

        group = ""
        for place, one in enumerate(practices(), start=1):
            if one.id in answers or OTHERS in answers:
                continue
            if one.group != group:
                group = one.group
                click.echo(bold(f"\n{data()['groups'][group]}"))
            guidelines = ", ".join(one.marks) or "no guideline"
            source = f"El Emam et al. 2009, Table A1; named by {guidelines}"
            choices = [
                ("yes", "in place"),
                ("no", "not in place"),
                ("not_applicable", "does not apply"),
                LATER,
            ]
            answer = choose(f"{place} of {len(practices())}. {one.text}", choices, source)
            if answer:
                answers[one.id] = _with_support(answer)

    def _questionnaire(self, name: str) -> None:
        from reidrisk.context.questionnaire import questionnaire

        given = self.content.get(name, {})
        if not isinstance(given, dict):
            return
        questions = questionnaire(name)
        click.echo(bold(f"\n{questions.title}"))
        answers: dict[str, str] = self.content.setdefault(name, {})
        for question in questions.questions:
            if question.id in answers:
                continue
            choices = [*((one.id, one.text) for one in question.answers), LATER]
            answer = choose(question.text, choices, f"{question.help} {_source(questions.source)}")
            if answer:
                answers[question.id] = answer

    def _acquaintance(self) -> None:
        if "acquaintance" in self.content:
            return
        text = "What share of the population has what all people in the data have in common, such as a "
        "disease?"
        share = number(f"\n{text} (such as 0.0019; press Enter if unknown)", _source("kniola_2016"))
        if share is not None:
            self.content["acquaintance"] = {"prevalence": share, "known": 150}

    def _breach(self) -> None:
        from reidrisk.context.attempt import PUBLISHED

        if "breach" in self.content:
            return
        text = "How likely is a data breach at the recipient per year?"
        probability = number(
            f"\n{text} (press Enter if unknown)", f"The published probability is {PUBLISHED}."
        )
        if probability is not None:
            source = click.prompt("What is the source of this probability?", type=str)
            self.content["breach"] = {"probability": probability, "source": source}

    def _threshold(self) -> None:
        from reidrisk.context.preset import precedents

        if "threshold" in self.content:
            return
        known = {one.cell_size: one.precedent for one in precedents()}
        choices = [(size, f"1/{size}: {known[size]}") for size in known]
        text = f"The policy {self.content['preset']} does not set a number. Which cell size do you choose?"
        size = choose(text, choices, _source("scaiano_2016"))
        self.content["threshold"] = {"cell_size": size, "reason": click.prompt("Why?", type=str)}


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


def _with_support(answer: str) -> Any:
    """An answer with its evidence or its reason."""
    if answer == "yes":
        prompt = "Evidence (press Enter if there is none yet)"
        evidence = str(click.prompt(prompt, default="", show_default=False)).strip()
        return {"answer": answer, "evidence": evidence} if evidence else answer
    if answer == "not_applicable":
        return {"answer": answer, "reason": click.prompt("Why does it not apply?", type=str)}
    return answer


def _source(name: str) -> str:
    from reidrisk.context.sources import source

    return f"Source: {source(name)}"
