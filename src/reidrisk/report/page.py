"""A whole page, or a fragment for a notebook, from results' dictionaries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.files import write_text
from reidrisk.core.result import Result
from reidrisk.errors import InvalidSetting, MissingPackage
from reidrisk.report.html.section import numbered
from reidrisk.report.views import room_of

if TYPE_CHECKING:
    from jinja2 import Environment


def page(results: Sequence[dict[str, Any]]) -> str:
    """A complete page that needs nothing else: no network, no script, no font.

    Several results of one kind, such as those of several tools on one gold standard,
    are compared in an overview first.
    """
    if not results:
        raise InvalidSetting("A page shows at least one result.", hint="Give one or more result files.")
    rooms = [room_of(result, "html") for result in results]
    first = rooms[0]
    if any(room is not first for room in rooms):
        raise InvalidSetting(
            "A page compares results of one kind only.", hint="Write one page for each kind of result."
        )
    names = names_of(first, results)
    sections = []
    for number, (result, name) in enumerate(zip(results, names, strict=True), start=1):
        sections.append(first.section(result, id=f"r{number}", title=name))
        if hasattr(first, "following"):
            sections += first.following(result, id=f"r{number}")
    return (
        environment()
        .get_template("page.html")
        .render(
            title=first.TITLE,
            sections=sections,
            overview=first.overview(results, names) if len(results) > 1 else None,
            guide=first.guide(),
            version=results[0]["version"],
        )
    )


def names_of(room: Any, results: Sequence[dict[str, Any]]) -> list[str]:
    """What was looked at in each result, told apart; a kind may have a way of its own."""
    if hasattr(room, "names"):
        return list(room.names(results))
    return numbered([room.content.name_of(result) for result in results])


def write_page(results: Result | Sequence[Result], path: str | Path) -> None:
    """Write the page of one or several results; the file appears complete or not at all."""
    shown = [results] if isinstance(results, Result) else results
    write_text(path, page([result.to_dict() for result in shown]))


def fragment(result: dict[str, Any]) -> str:
    """Verdict and charts for a notebook; tables unfold."""
    room = room_of(result, "html")
    digest = hashlib.sha256(json.dumps(result, sort_keys=True).encode()).hexdigest()[:10]
    section = room.section(result, id=f"rr{digest}", title=names_of(room, [result])[0])
    return environment().get_template("fragment.html").render(section=section, title=room.TITLE)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of all pages."""
    try:
        import jinja2
    except ImportError as error:
        raise MissingPackage.of_extra("jinja2", "report") from error
    return jinja2.Environment(
        loader=jinja2.PackageLoader("reidrisk.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
