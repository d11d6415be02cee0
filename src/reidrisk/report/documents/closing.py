"""What a report ends with: how it was computed, what it does not say, and what repeats it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reidrisk.report.blocks.settings import plain, versions
from reidrisk.report.document import Block, Bullets, Heading, Notice, Prose, References
from reidrisk.report.documents import opening
from reidrisk.report.documents.course import failure, inputs, measured
from reidrisk.report.documents.figures import described, failed
from reidrisk.report.documents.formulas import formula
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table
from reidrisk.report.views import kind_of
from reidrisk.report.words.book import say


def methods(case: dict[str, Any]) -> tuple[Block, ...]:
    """The equations of the kinds that occur, once each, and the words they use."""
    names = ["overall", "context"] if case["context"] else []
    for part in measured(case):
        names += kind_of(part["result"]).chapters.formulas
    terms = {term.name: term for guide in reversed(guides(case)) for term in reversed(guide.terms)}
    found: list[Block] = [
        Prose(
            (
                (
                    "The equations behind the figures. Intervals come from the uncertainty of what was "
                    "observed: few documents or records give wide intervals, and the upper limit is "
                    "what is held against the threshold."
                ),
            )
        ),
        *(formula(name) for name in dict.fromkeys(names)),
    ]
    if terms:
        found.append(Facts("Words", "As they are used in this report.", tuple(reversed(terms.values()))))
    return tuple(found)


def limits(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the figures do not say."""
    found = _unique(limit for guide in guides(case) for limit in guide.limits[:-1])
    infers = any((part["result"] or {}).get("inference") for part in case["parts"])
    linking = (
        ()
        if infers
        else (
            (
                "The risk is that of linking a record or a document to a person. That something "
                "new is inferred about a person who was already known is not measured."
            ),
        )
    )
    general = (
        (
            "Thresholds, controls and chances of an attempt are judgements. They stand in this "
            "report with their reasons, so that others can judge differently."
        ),
        *linking,
        (
            "This report is a measurement, not legal advice. Whether to release is decided by "
            "people who answer for it."
        ),
    )
    return (Prose(("What the figures do not say.",)), Bullets("", (*found, *general)))


def references(case: dict[str, Any], *, more: Iterable[Source] = ()) -> tuple[Block, ...]:
    """What the methods, the threshold and the headings rest on."""
    stated = [Source(_cited(source)) for source in (case["context"] or {}).get("sources") or []]
    found = _unique([*(source for guide in guides(case) for source in guide.sources), *stated, *more])
    return (References(found),) if found else (Prose(("There is nothing to say here.",)),)


def remedies(case: dict[str, Any]) -> tuple[Block, ...]:
    """All changes that were tried."""
    none = "remedies.unneeded" if case["acceptable"] else "remedies.untried"
    return tuple(opening.remedies(case)) or (Prose((say(none),)),)


def monitoring(case: dict[str, Any]) -> tuple[Block, ...]:
    """What changed since the last time."""
    given = case["monitoring"]
    if not given:
        return (
            Prose(("This is the first assessment of the release, or none was named to compare it with.",)),
        )
    rows = tuple(
        (row["part"] or "all", str(row["what"]), plain(row["before"]), plain(row["after"]))
        for row in given["changes"]
    )
    columns = tuple(Column(say(f"monitoring.{name}")) for name in ("part", "what", "before", "after"))
    then = given["previous"]
    said = [say("monitoring.holds" if given["still_holds"] else "monitoring.fails")]
    said.append(say("monitoring.accepted" if case["acceptable"] else "monitoring.refused"))
    if given.get("is_late"):
        said.append(f"The review was due on {then['review_due']}: it is late.")
    if given["review_due"]:
        said.append(f"The next review is due on {given['review_due']}.")
    found: list[Block] = [Prose((" ".join(said),))]
    if rows:
        found.append(
            Table("What changed", "The figures of the last assessment and of this one.", columns, rows)
        )
    return tuple(found)


def appendix(case: dict[str, Any]) -> tuple[Block, ...]:
    """Settings, versions and hashes: with these the same data give the same figures."""
    found: list[Block] = (
        []
        if case["release"].get("date")
        else [
            Notice(
                "The release states no date. The PDF of this report therefore has none either and "
                "does not claim to be an archive file (PDF/A). State a date in the release file to "
                "get one."
            )
        ]
    )
    found.append(_run(case))
    files = inputs(case)
    if files:
        found.append(files)
    for part in case["parts"]:
        found.append(Heading(f"{part['name']}: {described(part)}"))
        found += [failure(part)] if failed(part) else _settings(part["result"], case)
    return tuple(found)


def _settings(result: dict[str, Any], case: dict[str, Any]) -> list[Block]:
    """What a part was measured with; versions only where they are not those of the assessment."""
    found: list[Block] = list(kind_of(result).chapter("settings", result))
    if result["versions"] != case["versions"]:
        found.append(versions(result))
    return found or [Prose(("The settings of this part stand with its result.",))]


def guides(case: dict[str, Any]) -> list[Guide]:
    """The words, limits and sources of the kinds that occur."""
    kinds = {part["result"]["kind"]: part["result"] for part in measured(case)}
    return [kind_of(result).guide for result in kinds.values()]


def _run(case: dict[str, Any]) -> Facts:
    facts = [Fact("reidrisk", str(case["version"]), "this program")]
    if case["seed"] is not None:
        facts.append(Fact("seed", str(case["seed"]), "start of the random numbers"))
    facts += [Fact(name, str(version)) for name, version in case["versions"].items() if name != "reidrisk"]
    return Facts("Versions", "Other versions can change the last digits.", tuple(facts))


def _cited(source: Any) -> str:
    return (
        str(source.get("citation") or source.get("source") or source)
        if isinstance(source, dict)
        else str(source)
    )


def _unique(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(things))
