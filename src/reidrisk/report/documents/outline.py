"""From a list of chapters to a document: titles and their sources stand with the words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reidrisk.report.document import Block, Chapter, Document
from reidrisk.report.documents.opening import title_facts
from reidrisk.report.words.book import phrases, say

Builder = Callable[[dict[str, Any]], tuple[Block, ...]]
Outline = Sequence[tuple[str, Builder]]
AFTER_OTHERS = ("ema", "hipaa")
"""Templates whose headings are asked for by others, so that our own must be told from theirs."""
MANY = 3
"""So many names are too long for a title."""


def made(template: str, case: dict[str, Any], chapters: Outline, appendices: Outline = ()) -> Document:
    """The document of a template."""
    built = [
        chapter(template, name, build(case), is_appendix=is_appendix)
        for group, is_appendix in ((chapters, False), (appendices, True))
        for name, build in group
    ]
    return Document(
        say(f"{template}.title"),
        title_of(case),
        title_facts(case),
        tuple(built),
        template=template,
        version=str(case["version"]),
        date=date_of(case),
    )


def chapter(template: str, name: str, blocks: tuple[Block, ...], *, is_appendix: bool) -> Chapter:
    """A chapter under the title that its template gives it."""
    words = phrases(f"{template}.chapter.{name}")
    source = words.get("source", "")
    return Chapter(
        name,
        words["title"],
        blocks,
        source=source,
        is_ours=not source,
        origin=_origin(template, source),
        is_appendix=is_appendix,
    )


def _origin(template: str, source: str) -> str:
    """Where a heading comes from; nothing in templates that follow nobody."""
    if source:
        return f"Heading: {source}"
    return "Heading: ours" if template in AFTER_OTHERS else ""


def title_of(case: dict[str, Any]) -> str:
    """The release by its name, or its parts by theirs."""
    names = [part["name"] for part in case["parts"]]
    several = ", ".join(names) if len(names) < MANY else f"{len(names)} results"
    return str(case["release"].get("name") or several or "The context")


def date_of(case: dict[str, Any]) -> str | None:
    """The date that the release states."""
    given = case["release"].get("date")
    return str(given) if given else None
