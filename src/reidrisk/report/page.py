"""Whole pages of results or of a report, and a fragment for a notebook."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.audience import INTERNAL, SHARED, Audience, audience_text, check_audience
from reidrisk.core.files import write_text
from reidrisk.core.result import Result
from reidrisk.errors import InvalidSetting, MissingPackage
from reidrisk.report.charts.svg import draw_missing
from reidrisk.report.document import Block, Chapter, Pictures, ReportDocument, block_kind
from reidrisk.report.kind import when_shown
from reidrisk.report.section import draw_charts
from reidrisk.report.views import kind_of

if TYPE_CHECKING:
    from jinja2 import Environment


def page(results: Sequence[dict[str, Any]]) -> str:
    """A complete page that needs nothing else: no network, no script, no font.

    Several results of one kind, such as those of several tools on one gold standard,
    are compared in an overview first.
    """
    if not results:
        raise InvalidSetting("A page shows at least one result.", hint="Give one or more result files.")
    kind = kind_of(results[0])
    if any(result.get("kind") != results[0]["kind"] for result in results):
        raise InvalidSetting(
            "A page compares results of one kind only.", hint="Write one page for each kind of result."
        )
    names = kind.titles(results)
    sections = []
    for number, (result, name) in enumerate(zip(results, names, strict=True), start=1):
        sections.append(kind.section(result, id=f"r{number}", title=name))
        following = kind.following
        if following is not None:
            sections += when_shown(partial(following, result, f"r{number}"), result, [])
    return (
        environment()
        .get_template("page.html")
        .render(
            title=kind.title,
            sections=sections,
            overview=kind.comparison.table(results, names) if len(results) > 1 else None,
            guide=kind.guide,
            version=results[0]["version"],
            audience=audience_text(results[0]),
        )
    )


def write_page(
    results: Result | Sequence[Result], path: str | Path, *, audience: Audience = INTERNAL
) -> None:
    """Write the page of one or several results; the file appears complete or not at all.

    A page for a shared audience shows only what may be passed on with the released data.
    """
    check_audience(audience)
    shown = [results] if isinstance(results, Result) else results
    write_text(path, page([one.shared() if audience == SHARED else one.to_dict() for one in shown]))


def fragment(result: dict[str, Any]) -> str:
    """Verdict and charts for a notebook; tables unfold."""
    kind = kind_of(result)
    digest = hashlib.sha256(json.dumps(result, sort_keys=True).encode()).hexdigest()[:10]
    section = kind.section(result, id=f"rr{digest}", title=kind.titles([result])[0])
    return environment().get_template("fragment.html").render(section=section, title=kind.title)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of all pages."""
    try:
        import jinja2
    except ImportError:
        raise MissingPackage.of_extra("jinja2", "report") from None
    return jinja2.Environment(
        loader=jinja2.PackageLoader("reidrisk.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def document_page(document: ReportDocument) -> str:
    """A complete page: it needs no network, no script and no font."""
    draw_missing(document.charts)
    chapters = [
        {"chapter": chapter, "number": number, "blocks": _chapter_blocks(chapter)}
        for chapter, number in zip(document.chapters, document.numbers, strict=True)
    ]
    return environment().get_template("document.html").render(document=document, chapters=chapters)


def _chapter_blocks(chapter: Chapter) -> list[dict[str, Any]]:
    """Each block with its kind, its id and its drawn charts."""
    found = []
    for number, (block, depth) in enumerate(zip(chapter.blocks, chapter.depths, strict=True), start=1):
        id_ = f"{chapter.name}-{number}"
        found.append(
            {
                "kind": block_kind(block),
                "block": block,
                "id": id_,
                "level": 2 + depth,
                "pictures": _pictures(block, id_),
            }
        )
    return found


def _pictures(block: Block, prefix: str) -> tuple[Any, ...]:
    return draw_charts(block.charts, prefix=prefix) if isinstance(block, Pictures) else ()
