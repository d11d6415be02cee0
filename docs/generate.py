"""Write the reference pages that follow from the code: `python docs/generate.py`; the tests compare."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import make_charts
from accuracy_page import accuracy

from reidrisk.assess.form import form_sections, json_schema
from reidrisk.cli.main import reidrisk
from reidrisk.context.checklist import Practice, practices
from reidrisk.context.questionnaire import RatingQuestion, questionnaire
from reidrisk.core.evidence import MEANING, RULES
from reidrisk.core.input_limits import INPUT_LIMITS
from reidrisk.core.settings import SettingGroup
from reidrisk.core.user_pattern import LONGEST
from reidrisk.engine.duckdb.queries import MEMORY
from reidrisk.text.convert import WRITERS
from reidrisk.text.formats.writer import Capabilities
from reidrisk.text.read import FORMATS
from reidrisk.text.settings import PAPER, PROFILE, TEXT_SETTINGS

HERE = Path(__file__).parent / "reference"
WIDTH: dict[str, Any] = {"terminal_width": 75, "max_content_width": 75}
"""As many columns as the page has room for on a screen of 1280 pixels."""


INPUT_LIMITS_PAGE = """# Limits on inputs

Generated from the code. A larger input is refused before it takes the memory or the disk of the machine. If you
trust it, raise the limit for one command: `--input-limit columns=20000`. In Python, set the environment variable
`REIDRISK_LIMITS`, such as `columns=20000,pages=100000`. A release file cannot raise a limit.

| name | limit | of what |
| --- | ---: | --- |
{rows}

Patterns that you give (`--patient`, `--by`, `--cluster`, `--person`, `--split-patients` and others) have up to
{longest:,} characters and are searched by RE2, in time that grows with the text and no faster. RE2 has no lookahead,
lookbehind and backreferences, and `\\w` and `\\d` mean ASCII letters and digits.

Queries of your own (`queries:`) run in a process of their own, with {memory} of memory. It sees one table and no
files, and is killed when its time is over (`--set seconds=60`).
"""  # noqa: E501 - lines of the page


def pages() -> dict[str, str]:
    """Every generated page by its name."""
    return {
        "commands.md": commands(),
        "context-questions.md": context_questions(),
        "release-file.md": release_file(),
        "release.schema.json": json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n",
        "text-settings.md": text_settings(),
        "annotation-formats.md": annotation_formats(),
        "charts.md": make_charts.page(),
        "accuracy.md": accuracy(),
        "evidence.md": evidence(),
        "limits.md": input_limits(),
    }


def evidence() -> str:
    """Every rule with its grade."""
    lines = [
        "# Rules and their grades",
        "",
        "Generated from the code. What the grades mean: [grades of evidence](../concepts/evidence.md).",
        "",
        "| rule | what it is | grade | why | source |",
        "| --- | --- | --- | --- | --- |",
    ]
    for one in RULES.values():
        path, _, anchor = one.source.partition("#")
        link = f"../{path.removeprefix('docs/')}{'#' if anchor else ''}{anchor}"
        source = f"[{path.removeprefix('docs/')}]({link})" if path.startswith("docs/") else one.source
        lines.append(f"| `{one.id}` | {one.what} | {one.grade} | {one.why} | {source} |")
    meaning = "; ".join(f"{grade}: {text}" for grade, text in MEANING.items())
    return "\n".join([*lines, "", f"{meaning[0].upper()}{meaning[1:]}.", ""])


def input_limits() -> str:
    """The limits on inputs."""
    rows = [f"| `{one.name}` | {one.most:,} | {one.about} |" for one in INPUT_LIMITS]
    return INPUT_LIMITS_PAGE.format(rows="\n".join(rows), longest=LONGEST, memory=MEMORY)


def commands() -> str:
    """The help of every command."""
    parts = ["# Commands\n\nGenerated from the code.\n"]
    top = click.Context(reidrisk, info_name="reidrisk", **{**reidrisk.context_settings, **WIDTH})
    for context in every_context(top):
        text = context.command.get_help(context)
        parts.append(f"## `{context.command_path}`\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def every_context(context: click.Context) -> list[click.Context]:
    """The context of a command and of all below it; what they inherit belongs to their help."""
    found = [context]
    command = context.command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                found += every_context(click.Context(inner, info_name=name, parent=context, **WIDTH))
    return found


def release_file() -> str:
    """Every setting of a release file."""
    parts = [
        "# Settings of a release file\n\nGenerated from the code; the same as a "
        "[JSON Schema](release.schema.json) for editors. Paths are relative to the\nrelease file. "
        "See the [guide](../guides/assess-a-release.md).\n"
    ]
    parts += [f"## {group.title}\n\n{group.about}\n\n{settings_table(group)}" for group in form_sections()]
    return "\n".join(parts)


def settings_table(group: SettingGroup) -> str:
    """One row a setting."""
    rows = ["| setting | takes | what it says |", "| --- | --- | --- |"]
    for name, entry in group.entries.items():
        needed = " **Needed.**" if entry.needed else ""
        takes = entry.kind.takes.replace("|", "\\|")
        rows.append(f"| `{name}` | {takes} | {entry.about}{needed} |")
    return "\n".join(rows) + "\n"


def text_settings() -> str:
    """Every setting of `reidrisk text evaluate --set`."""
    rows = [
        "# Settings of a text evaluation",
        "",
        "Generated from the code. On the command line `--set NAME=VALUE`, in Python",
        '`rr.text_settings("recommended", {"NAME": value})`, in a release file under `settings`.',
        "",
        "| name | takes | `recommended` | `paper` | what it means |",
        "| --- | --- | --- | --- | --- |",
    ]
    for one in TEXT_SETTINGS:
        if one != PROFILE:
            paper = replace(one, default=PAPER.get(one.name, one.default))
            defaults = (one.shown_default, paper.shown_default)
            rows.append(f"| {' | '.join((f'`{one.name}`', one.kind.takes, *defaults, one.help))} |")
    return "\n".join(rows) + "\n"


def context_questions() -> str:
    """Every practice and question of `reidrisk context score`, by the name that a file uses."""
    rows = [
        "# Questions and practices of a context",
        "",
        "Generated from the data files. The practices are those of the hospital study, Table A1, in our",
        "words; *core* ones are named by all four guidelines. Points are ours.",
        "",
        *table(("`checklist`", "practice", "core"), [_practice(one) for one in practices()]),
    ]
    for name in ("motives", "invasion"):
        asked = questionnaire(name)
        rows += ["", f"## {asked.title}", "", asked.rule, ""]
        rows += table(
            (f"`{name}`", "question", "answers (points)"), [_question(one) for one in asked.questions]
        )
    return "\n".join(rows) + "\n"


def _practice(one: Practice) -> tuple[str, str, str]:
    return f"`{one.id}`", one.text, "core" if one.is_core else ""


def _question(one: RatingQuestion) -> tuple[str, str, str]:
    answers = "; ".join(f"`{answer.id}`: {answer.text} ({answer.points})" for answer in one.answers)
    return f"`{one.id}`", one.text, answers


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def annotation_formats() -> str:
    """Every annotation format, what it is and what it can hold."""
    rows = [
        "# Annotation formats",
        "",
        "Generated from the code. [The guide](../guides/annotation-formats.md) says how they are read and",
        "converted.",
        "",
        "| name | what it is | written as | holds, besides place and type |",
        "| --- | --- | --- | --- |",
    ]
    titles = FORMATS | {"presidio-research": "presidio-research samples; read as `presidio`"}
    writers = {writer.name: writer for writer in WRITERS}
    for name, title in titles.items():
        writer = writers.get(name)
        target = "-" if writer is None else f"`NAME{writer.suffix}`" if writer.suffix else "a folder"
        holds = "-" if writer is None else ", ".join(held(writer.capabilities)) or "nothing"
        what = title.replace("<", "&lt;").replace("*", "\\*")
        rows.append(f"| `{name}` | {what} | {target} | {holds} |")
    return "\n".join(rows) + "\n"


def held(can_hold: Capabilities) -> list[str]:
    """What a format can hold, in words."""
    words = {
        "roles": can_hold.roles,
        "entity ids": can_hold.entities,
        "scores": can_hold.scores,
        "discontinuous annotations": can_hold.fragments,
        "overlaps": can_hold.overlaps,
        "document names": can_hold.ids,
        "documents without their text": can_hold.without_text,
    }
    return [word for word, yes in words.items() if yes]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else HERE
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
