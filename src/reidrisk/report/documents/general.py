"""The general report: from the verdict to the settings that repeat it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reidrisk.report.document import Block, Chapter, Document
from reidrisk.report.documents import closing, course, opening, setting
from reidrisk.report.words.book import phrases, say

Builder = Callable[[dict[str, Any]], tuple[Block, ...]]


def context(case: dict[str, Any]) -> tuple[Block, ...]:
    """The release and its context."""
    return (*setting.release(case), *setting.context(case), *setting.precedents(case))


CHAPTERS: tuple[tuple[str, Builder], ...] = (
    ("summary", opening.summary),
    ("context", context),
    ("initial", course.initial),
    ("measures", course.measures),
    ("final", course.final),
    ("sensitivity", closing.sensitivity),
    ("methods", closing.methods),
    ("limits", closing.limits),
    ("agreement", closing.agreement),
    ("references", closing.references),
)
APPENDICES: tuple[tuple[str, Builder], ...] = (
    ("remedies", lambda case: tuple(opening.remedies(case)) or closing.nothing()),
    ("monitoring", closing.monitoring),
    ("settings", closing.appendix),
)


def document(case: dict[str, Any]) -> Document:
    """All chapters in their order."""
    titles = phrases("general.chapter")
    chapters = [
        Chapter(name, titles[name], build(case), is_ours=True, is_appendix=is_appendix)
        for group, is_appendix in ((CHAPTERS, False), (APPENDICES, True))
        for name, build in group
    ]
    return Document(
        say("general.title"),
        title_of(case),
        opening.title_facts(case),
        tuple(chapters),
        template="general",
        version=str(case["version"]),
        date=date_of(case),
    )


def title_of(case: dict[str, Any]) -> str:
    """The release by its name, or its parts by theirs."""
    return str(case["release"].get("name") or ", ".join(part["name"] for part in case["parts"]))


def date_of(case: dict[str, Any]) -> str | None:
    """The date that the release states."""
    given = case["release"].get("date")
    return str(given) if given else None
