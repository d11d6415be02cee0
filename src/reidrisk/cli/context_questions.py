"""The questions about a context, one by one on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from reidrisk.errors import InvalidSetting

Option = tuple[Any, str]
"""What is kept, and what it means."""
LATER = ("", "leave it open")
ONE_LINE = 80
"""Answers that are no longer than this together stand beside each other."""


class Interview:
    """Asks what the settings of a context leave open, and keeps the answers."""

    def __init__(self, content: dict[str, Any], folder: Path) -> None:
        self.content = content
        self._folder = folder

    def run(self) -> None:
        """Every question that means something here."""
        click.echo("Answer with a number. ? tells where a question comes from, Ctrl-C stops.\n")
        self._policy()
        if self._access() == "non_public":
            self._controls()
            self._rated("motives")
            self._acquaintance()
            self._breach()
        if self._preset().by_invasion:
            self._rated("invasion")
        if self._preset().proposals:
            self._threshold()

    def _preset(self) -> Any:
        from reidrisk.context.preset import preset

        return preset(str(self.content["preset"]), place="context.preset", folder=self._folder)[0]

    def _policy(self) -> None:
        from reidrisk.context.preset import NAMED, cell_size_presets, preset

        if "preset" not in self.content:
            named = [(name, preset(name, place="", folder=self._folder)[0]) for name in NAMED]
            listed = [*named, *cell_size_presets().items()]
            options = [(name, one.title) for name, one in listed]
            said = "\n".join(f"{name}: {one.about} {_of(one.source)}" for name, one in named)
            said = f"{said}\nCell sizes: {_of('scaiano_2016')}"
            self.content["preset"] = choose("Which policy applies?", options, said)
        variants = self._preset().variants
        if variants and "variant" not in self.content:
            options = [(name, rung.threshold.reason) for name, rung in variants.items()]
            self.content["variant"] = choose("How is 0.09 read?", options, self._preset().about)

    def _access(self) -> str:
        fixed = self._preset().access
        if fixed is None and "access" not in self.content:
            options = [
                ("public", "anybody can have the data"),
                ("semi_public", "anybody who accepts terms of use"),
                ("non_public", "a known recipient, bound by an agreement"),
            ]
            self.content["access"] = choose("Who can have the data?", options, _of("ipc_2016"))
        return str(fixed or self.content["access"])

    def _controls(self) -> None:
        if "controls" in self.content:
            return
        if "checklist" not in self.content:
            options = [
                ("ask", "go through the practices; only this can allow a higher threshold"),
                *((level, f"the level is known: {level}") for level in ("low", "medium", "high")),
            ]
            said = choose("How well does the recipient protect the data?", options, _of("el_emam_2009"))
            if said != "ask":
                self.content["controls"] = said
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
                click.secho(f"\n{data()['groups'][group]}", bold=True)
            named = ", ".join(one.marks) or "no guideline"
            source = f"El Emam et al. 2009, Table A1; named by {named}"
            options = [
                ("yes", "in place"),
                ("no", "not in place"),
                ("not_applicable", "does not apply"),
                LATER,
            ]
            said = choose(f"{place} of {len(practices())}. {one.text}", options, source)
            if said:
                answers[one.id] = _supported(said)

    def _rated(self, name: str) -> None:
        from reidrisk.context.questionnaire import questionnaire

        given = self.content.get(name, {})
        if not isinstance(given, dict):
            return
        asked = questionnaire(name)
        click.secho(f"\n{asked.title}", bold=True)
        answers: dict[str, str] = self.content.setdefault(name, {})
        for question in asked.questions:
            if question.id in answers:
                continue
            options = [*((one.id, one.text) for one in question.answers), LATER]
            said = choose(question.text, options, f"{question.help} {_of(asked.source)}")
            if said:
                answers[question.id] = said

    def _acquaintance(self) -> None:
        if "acquaintance" in self.content:
            return
        text = "Which share of the population has what all people in the data have, such as a disease?"
        found = number(f"\n{text} (such as 0.0019; Enter: unknown)", _of("kniola_2016"))
        if found is not None:
            self.content["acquaintance"] = {"prevalence": found, "known": 150}

    def _breach(self) -> None:
        from reidrisk.context.attempt import PUBLISHED

        if "breach" in self.content:
            return
        text = "How likely is a breach at the recipient, a year?"
        found = number(f"\n{text} (Enter: unknown)", f"Published is {PUBLISHED}.")
        if found is not None:
            said = click.prompt("Who says so?", type=str)
            self.content["breach"] = {"probability": found, "source": said}

    def _threshold(self) -> None:
        from reidrisk.context.preset import precedents

        if "threshold" in self.content:
            return
        known = {one.cell_size: one.precedent for one in precedents()}
        options = [(size, f"1/{size}: {known[size]}") for size in known]
        text = f"The policy {self.content['preset']} names no number. Which cell size do you choose?"
        size = choose(text, options, _of("scaiano_2016"))
        self.content["threshold"] = {"cell_size": size, "reason": click.prompt("Why?", type=str)}


def choose(text: str, options: Sequence[Option], source: str) -> Any:
    """One of several answers, by its number; Enter takes the last if it leaves the question open."""
    click.echo(f"\n{text}")
    lines = [
        f"{'Enter' if value == '' else place}  {meaning}" for place, (value, meaning) in enumerate(options, 1)
    ]
    between = "     " if sum(map(len, lines)) < ONE_LINE else "\n  "
    click.echo(f"  {between.join(lines)}")
    while True:
        said = click.prompt("Answer", default="" if options[-1][0] == "" else None, show_default=False)
        said = str(said).strip()
        if said == "?":
            _tell(source)
        elif said == "" and options[-1][0] == "":
            return ""
        elif said.isdecimal() and 1 <= int(said) <= len(options):
            return options[int(said) - 1][0]
        else:
            click.echo(f"Type a number from 1 to {len(options)}, or ?.")


def number(text: str, source: str) -> float | None:
    """A number from 0 to 1, or nothing."""
    from reidrisk.context.settings import probability_of

    while True:
        said = str(click.prompt(text, default="", show_default=False)).strip()
        if said == "?":
            _tell(source)
            continue
        if not said:
            return None
        try:
            return probability_of(float(said), place="That", hint="Write for example 0.27.")
        except (ValueError, InvalidSetting):
            click.echo("Type a number from 0 to 1, ?, or Enter.")


def _tell(source: str) -> None:
    """Where a question comes from, within the width of a terminal."""
    for line in source.splitlines():
        click.echo(click.wrap_text(line, width=96, initial_indent="  ", subsequent_indent="    "))


def _supported(said: str) -> Any:
    """An answer with its evidence or its reason."""
    if said == "yes":
        evidence = str(click.prompt("Evidence (Enter: none yet)", default="", show_default=False)).strip()
        return {"answer": said, "evidence": evidence} if evidence else said
    if said == "not_applicable":
        return {"answer": said, "reason": click.prompt("Why does it not apply?", type=str)}
    return said


def _of(name: str) -> str:
    from reidrisk.context.sources import source

    return f"Source: {source(name)}"
