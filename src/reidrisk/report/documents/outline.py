"""From an outline, the list of chapters of a template, to a document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reidrisk.core.audience import audience_text
from reidrisk.report.document import Block, Chapter, Prose, ReportDocument
from reidrisk.report.kind import NOT_SHOWN, when_shown
from reidrisk.report.parts import Column, Fact, Table

RELEASE_NAMES = {
    "name": "Release",
    "purpose": "Purpose",
    "custodian": "Custodian",
    "recipient": "Recipient",
    "prepared_by": "Prepared by",
    "date": "Date",
}
"""What a release file states, and the names that a report uses."""
TITLE_FACTS = ("custodian", "recipient", "prepared_by", "date")
MANY = 3
"""This many names are too long for a title."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A chapter of a template: its title and the function that writes it."""

    name: str
    title: str
    build: Callable[[dict[str, Any]], tuple[Block, ...]]
    source: str = ""
    """Who asks for a chapter under this title; empty where the title is ours."""


def make_document(
    template: str,
    title: str,
    case: dict[str, Any],
    chapters: Sequence[OutlineEntry],
    appendices: Sequence[OutlineEntry] = (),
) -> ReportDocument:
    """The document of a template."""
    has_sources = any(entry.source for entry in chapters)
    return ReportDocument(
        title,
        _subtitle(case),
        _title_facts(case),
        (
            *(_chapter(entry, case, has_sources=has_sources, is_appendix=False) for entry in chapters),
            *(_chapter(entry, case, has_sources=has_sources, is_appendix=True) for entry in appendices),
            *(_chapter(entry, case, has_sources=False, is_appendix=True) for entry in _signed(case)),
        ),
        template=template,
        version=str(case["version"]),
        date=str(case["release"]["date"]) if case["release"].get("date") else None,
        audience=audience_text(case),
        seals=_seals(case),
    )


def _seals(case: dict[str, Any]) -> tuple[str, ...]:
    """The root hash and the signers, for the first page; a shared report has neither."""
    if not case.get("root"):
        return ()
    signers = ", ".join(f"{one['name']} ({one['role']})" for one in case["signatures"])
    signed = (f"Signed electronically by: {signers}. See the last appendix.",) if signers else ()
    return (f"Root hash: {case['root']}", *signed)


def _signed(case: dict[str, Any]) -> tuple[OutlineEntry, ...]:
    return (
        (OutlineEntry("signatures", "Electronic signatures", signatures),) if case.get("signatures") else ()
    )


def signatures(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who signed, as what, when and with which key."""
    columns = ("no.", "name", "role", "meaning", "time", "key", "signs")
    rows = tuple(
        (
            str(one["number"]),
            one["name"],
            one["role"],
            one["meaning"],
            f"{one['time']} ({one['clock']})",
            one["key"],
            "this assessment" if one["root"] == case["root"] else "ANOTHER STATE of the assessment",
        )
        for one in case["signatures"]
    )
    table = Table(
        "Electronic signatures",
        "What the files in the folder signatures of this assessment state.",
        tuple(Column(name, is_prose=name == "meaning") for name in columns),
        rows,
        f"Each signature binds the root hash {case['root']} and the signatures before it. To check that they "
        "are genuine: reidrisk verify FOLDER --trusted KEYS",
    )
    return (table,)


def _chapter(entry: OutlineEntry, case: dict[str, Any], *, has_sources: bool, is_appendix: bool) -> Chapter:
    return Chapter(
        entry.name,
        entry.title,
        when_shown(lambda: entry.build(case), case, (Prose((NOT_SHOWN,)),)),
        source=entry.source,
        is_ours=not entry.source,
        origin=_origin(entry, has_sources=has_sources),
        is_appendix=is_appendix,
    )


def _origin(entry: OutlineEntry, *, has_sources: bool) -> str:
    """Where a title comes from; our own titles are marked only beside those of others."""
    if entry.source:
        return f"Heading: {entry.source}"
    return "Heading: ours" if has_sources else ""


def _subtitle(case: dict[str, Any]) -> str:
    """The name of the release, or the names of its parts."""
    names = [part["name"] for part in case["parts"]]
    several = ", ".join(names) if len(names) < MANY else f"{len(names)} results"
    return str(case["release"].get("name") or several or "The context")


def _title_facts(case: dict[str, Any]) -> tuple[Fact, ...]:
    """Who releases the data, to whom, and when."""
    release = case["release"]
    return tuple(Fact(RELEASE_NAMES[name], str(release[name])) for name in TITLE_FACTS if release.get(name))
