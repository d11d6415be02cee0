"""From an outline, the list of chapters of a template, to a document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reidrisk.core.audience import audience_text
from reidrisk.report.chart_table import shows_more
from reidrisk.report.document import (
    Block,
    Bullets,
    Chapter,
    Conditions,
    Pictures,
    Prose,
    References,
    ReportDocument,
    SectionHeading,
)
from reidrisk.report.kind import when_shown
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.traced import size

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
    """Who asks for a chapter under this title; empty if nobody does."""


def make_document(
    template: str,
    title: str,
    case: dict[str, Any],
    chapters: Sequence[OutlineEntry],
    appendices: Sequence[OutlineEntry] = (),
    annex: Sequence[OutlineEntry] = (),
) -> ReportDocument:
    """The document of a template, and its annex if it has one; chapters with nothing to say are left out.

    A document of several chapters ends with the electronic signatures; the page for a board only names them.
    """
    signed = _signed(case) if len(chapters) > 1 else ()
    made = ReportDocument(
        title,
        _subtitle(case),
        _title_facts(case),
        (
            *_chapters(chapters, case, is_appendix=False),
            *_chapters((*appendices, *signed), case, is_appendix=True),
        ),
        template=template,
        version=str(case["version"]),
        date=str(case["release"]["date"]) if case["release"].get("date") else None,
        audience=audience_text(case),
        seals=_seals(case),
    )
    beside = _chapters(annex, case, is_appendix=True)
    if not beside:
        return made
    return replace(made, annex=replace(made, title=f"Annex: {title}", chapters=tuple(beside), is_annex=True))


def _seals(case: dict[str, Any]) -> tuple[str, ...]:
    """The root hash and the signers, for the first page; a shared report has neither."""
    if not case.get("root"):
        return ()
    signers = ", ".join(f"{one['name']} ({one['role']})" for one in case["signatures"])
    signed = (f"Signed electronically by: {signers}.",) if signers else ()
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


def _chapters(entries: Sequence[OutlineEntry], case: dict[str, Any], *, is_appendix: bool) -> list[Chapter]:
    """The chapters that have something to say; a shared report has nothing to say of what it leaves out."""
    made = (_chapter(entry, case, is_appendix=is_appendix) for entry in entries)
    return [chapter for chapter in made if chapter.blocks]


def _chapter(entry: OutlineEntry, case: dict[str, Any], *, is_appendix: bool) -> Chapter:
    nothing: tuple[Block, ...] = ()
    return Chapter(
        entry.name,
        entry.title,
        without_empty(when_shown(lambda: entry.build(case), case, nothing)),
        source=entry.source,
        origin=f"Heading: {entry.source}" if entry.source else "",
        is_appendix=is_appendix,
    )


def without_empty(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks that show something: no chart of one dot, no list of nothing, no heading above nothing."""
    told = [shown for block in blocks if (shown := _told(block)) is not None]
    return tuple(
        block
        for place, block in enumerate(told)
        if not isinstance(block, SectionHeading)
        or not all(isinstance(after, SectionHeading) for after in told[place + 1 : place + 2])
    )


def _told(block: Block) -> Block | None:
    match block:
        case Pictures(charts):
            kept = tuple(chart for chart in charts if shows_more(chart))
            return Pictures(kept) if kept else None
        case Bullets(_, found) | Conditions(found) | Prose(found) | References(found):
            return block if found else None
        case Table():
            return block if block.rows or block.note else None
        case Facts():
            return block if block.facts else None
        case _:
            return block


def _subtitle(case: dict[str, Any]) -> str:
    """The name of the release, or the names of its parts."""
    names = [part["name"] for part in case["parts"]]
    results = size([part["result"] for part in case["parts"]])
    several = ", ".join(names) if len(names) < MANY else f"{results} results"
    return str(case["release"].get("name") or several or "The context")


def _title_facts(case: dict[str, Any]) -> tuple[Fact, ...]:
    """Who releases the data, to whom, and when."""
    release = case["release"]
    return tuple(Fact(RELEASE_NAMES[name], str(release[name])) for name in TITLE_FACTS if release.get(name))
