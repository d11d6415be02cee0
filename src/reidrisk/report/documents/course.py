"""The course of the work: the risk at first, what was done, and the risk that is left."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from reidrisk.report.document import Block, Bullets, Conditions, Heading, Notice, Prose
from reidrisk.report.documents.figures import described, failed, judged_word, limit_text, risk_text
from reidrisk.report.numbers import MISSING, probability
from reidrisk.report.parts import Column, Reason, Table, Verdict
from reidrisk.report.views import kind_of


def measured(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts that have a result."""
    return [part for part in case["parts"] if not failed(part)]


def initial(case: dict[str, Any]) -> tuple[Block, ...]:
    """The risk before anything was done."""
    return (_before_after(case), *by_part(case, "initial"))


def measures(case: dict[str, Any]) -> tuple[Block, ...]:
    """What was done to each part."""
    return by_part(case, "measures")


def final(case: dict[str, Any]) -> tuple[Block, ...]:
    """The risk that is left, with the verdict on each part."""
    return by_part(case, "final")


def measures_and_identifiers(case: dict[str, Any]) -> tuple[Block, ...]:
    """What was done to each part, and to each of its variables."""
    return by_part(case, "measures", "identifiers")


def by_part(case: dict[str, Any], *chapters: str) -> tuple[Block, ...]:
    """What each part has to say in a chapter, or in several; a part that failed says so."""
    found: list[Block] = []
    for part in case["parts"]:
        found.append(Heading(f"{part['name']}: {described(part)}"))
        if failed(part):
            found.append(failure(part))
        else:
            found += [block for chapter in chapters for block in _said(part, chapter)]
    return tuple(found)


def _said(part: dict[str, Any], chapter: str) -> list[Block]:
    result = part["result"]
    found: list[Block] = list(kind_of(result).chapter(chapter, result))
    if chapter == "measures" and part["measures"]:
        return [Bullets("Measures taken", tuple(part["measures"])), *found]
    if chapter == "final":
        if part["judged"]["acceptable"] is False:  # conditions of what is not acceptable would mislead
            found = [block for block in found if not isinstance(block, Conditions)]
        return [part_verdict(part), *found]
    return found or [Prose(("There is nothing to say here.",))]


def failure(part: dict[str, Any]) -> Notice:
    """That a part could not be measured, and what to do."""
    error = part["error"] or {}
    return Notice(
        (
            "This part could not be measured: "
            f"{error.get('problem') or 'The reason is not known.'} {error.get('hint') or ''}"
        ).strip()
    )


def part_verdict(part: dict[str, Any]) -> Verdict:
    """The verdict on a part by the context; the result's own reasons where they say the same."""
    judged, result = part["judged"], part["result"]
    sentence = judged["sentence"]
    own = kind_of(result).verdict(result).reasons
    if not sentence or sentence == " ".join(reason.text for reason in own):
        return Verdict(judged["acceptable"], own)
    return Verdict(judged["acceptable"], (Reason(sentence, judged["acceptable"]),))


def _before_after(case: dict[str, Any]) -> Table:
    """Initial and final risk of every part."""
    rows = tuple(_change(part) for part in case["parts"])
    columns = (
        Column("part"),
        Column("statistic", is_prose=True),
        Column("initial risk", is_number=True),
        Column("final risk", is_number=True),
        Column("limit", is_number=True),
        Column("verdict"),
    )
    return Table(
        "Initial and final risk",
        "The risk of each part before anything was done to it, and as it would be released.",
        columns,
        rows,
        ("Where the initial risk was not measured, nothing was changed or there is nothing to compare with."),
    )


def _change(part: dict[str, Any]) -> tuple[str, ...]:
    if failed(part):
        return (part["name"], MISSING, MISSING, MISSING, MISSING, "could not be judged")
    before, after, judged = part["initial"], part["final"] or part["judged"], part["judged"]
    statistic = after.get("statistic") or "nothing decided"
    if before is not None and before["statistic"] != statistic:
        statistic = f"{statistic}; at first: {before['statistic']}"
    first = "not measured" if before is None else probability(before["risk"])
    last = risk_text(judged | {"risk": after["risk"]})
    word = judged_word(judged["acceptable"])
    return (part["name"], statistic, first, last, limit_text(judged), word)


def inputs(case: dict[str, Any]) -> Table | None:
    """The files that were read, by name and hash."""
    rows = tuple(
        (
            PurePath(str(file["path"]).replace("\\", "/")).name,
            part["name"],
            f"{file['bytes']:,}",
            file["sha256"],
        )
        for part in case["parts"]
        for file in part["inputs"]
    )
    if not rows:
        return None
    columns = (
        Column("file"),
        Column("part"),
        Column("bytes", is_number=True),
        Column("SHA-256", is_prose=True),
    )
    return Table(
        "Files that were read",
        (
            "The files themselves are not part of this report. A hash tells whether a file is "
            "the one that was read."
        ),
        columns,
        rows,
    )
