"""Kinds that still have one file per view."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from reidrisk.report.document import Block
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict
from reidrisk.report.parts import Table
from reidrisk.report.section import Section, numbered

OWN = ("text_risk", "table_risk", "table_deidentified", "table_transformed", "document_risk")


class OldComparison(Comparison):
    """The overview of the page's module."""

    def table(self, results: Sequence[ResultDict], names: Sequence[str]) -> Table:
        """The results side by side."""
        found: Table = import_module(f"reidrisk.report.html.{self.first}").overview(results, names)
        return found


class OldKind(Kind):
    """Draws by the modules of each view."""

    def module(self, room: str, result: ResultDict) -> Any:
        """The file of a room."""
        return import_module(f"reidrisk.report.{room}.{result['kind']}")

    def terminal(self, result: ResultDict) -> str:
        """By its module."""
        return str(self.module("terminal", result).terminal(result))

    def section(self, result: ResultDict, *, id: str, title: str) -> Section:  # noqa: A002
        """By its module."""
        found: Section = self.module("html", result).section(result, id=id, title=title)
        return found

    def titles(self, results: Sequence[ResultDict]) -> list[str]:
        """By its module."""
        room = self.module("html", results[0])
        if hasattr(room, "names"):
            return list(room.names(results))
        return numbered([self.module("content", result).name_of(result) for result in results])

    def figure(self, result: ResultDict) -> Any:
        """By its module."""
        return self.module("charts", result).figure(result)

    def chapter(self, name: str, result: ResultDict) -> tuple[Block, ...]:
        """By its module."""
        kind = result["kind"] if result["kind"] in OWN else "other"
        return tuple(getattr(import_module(f"reidrisk.report.documents.kinds.{kind}"), name)(result))


def old_kind(name: str) -> Kind:
    """The kind of this name."""
    html = import_module(f"reidrisk.report.html.{name}")
    content = import_module(f"reidrisk.report.content.{name}")
    follow = getattr(html, "following", None)
    return OldKind(
        title=html.TITLE,
        name_of=content.name_of,
        about=lambda _: "",
        verdict=content.verdict,
        shows=(),
        guide=html.guide(),
        comparison=OldComparison("", name, ()),
        chapters=Chapters(formulas=_formulas(name)),
        following=(lambda result, id_: list(follow(result, id=id_))) if follow else None,
    )


def _formulas(name: str) -> tuple[str, ...]:
    if name not in OWN:
        return ()
    return tuple(import_module(f"reidrisk.report.documents.kinds.{name}").FORMULAS)
