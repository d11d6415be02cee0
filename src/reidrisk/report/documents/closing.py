"""What a report ends with: how it was computed, what it does not say, and what repeats it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reidrisk.report.content.text_settings import plain, versions
from reidrisk.report.document import Block, Bullets, Heading, Notice, Prose, References
from reidrisk.report.documents import opening
from reidrisk.report.documents.course import failure, inputs, measured, view_of
from reidrisk.report.documents.figures import described, failed
from reidrisk.report.documents.formulas import formula
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table
from reidrisk.report.views import room_of
from reidrisk.report.words.book import say


def methods(case: dict[str, Any]) -> tuple[Block, ...]:
    """The equations of the kinds that occur, once each, and the words they use."""
    names = ["overall", "context"] if case["context"] else []
    for part in measured(case):
        names += view_of(part["result"]).FORMULAS
    terms = {term.name: term for guide in reversed(guides(case)) for term in reversed(guide.terms)}
    found: list[Block] = [Prose((say("methods.intro"),)), *(formula(name) for name in dict.fromkeys(names))]
    if terms:
        found.append(
            Facts(say("methods.terms"), say("methods.terms_explained"), tuple(reversed(terms.values())))
        )
    return tuple(found)


def limits(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the figures do not say."""
    found = _unique(limit for guide in guides(case) for limit in guide.limits[:-1])
    infers = any((part["result"] or {}).get("inference") for part in case["parts"])
    linking = () if infers else (say("limits.attack"),)
    general = (say("limits.choice"), *linking, say("limits.law"))
    return (Prose((say("limits.intro"),)), Bullets("", (*found, *general)))


def references(case: dict[str, Any], *, more: Iterable[Source] = ()) -> tuple[Block, ...]:
    """What the methods, the threshold and the headings rest on."""
    stated = [Source(_cited(source)) for source in (case["context"] or {}).get("sources") or []]
    found = _unique([*(source for guide in guides(case) for source in guide.sources), *stated, *more])
    return (References(found),) if found else (Prose((say("document.nothing"),)),)


def remedies(case: dict[str, Any]) -> tuple[Block, ...]:
    """All changes that were tried."""
    none = "remedies.unneeded" if case["acceptable"] else "remedies.untried"
    return tuple(opening.remedies(case)) or (Prose((say(none),)),)


def monitoring(case: dict[str, Any]) -> tuple[Block, ...]:
    """What changed since the last time."""
    given = case["monitoring"]
    if not given:
        return (Prose((say("monitoring.none"),)),)
    rows = tuple(
        (row["part"] or say("remedies.all"), str(row["what"]), plain(row["before"]), plain(row["after"]))
        for row in given["changes"]
    )
    columns = tuple(Column(say(f"monitoring.{name}")) for name in ("part", "what", "before", "after"))
    then = given["previous"]
    said = [say("monitoring.holds" if given["still_holds"] else "monitoring.fails")]
    said.append(say("monitoring.accepted" if case["acceptable"] else "monitoring.refused"))
    if given.get("is_late"):
        said.append(say("monitoring.late", due=then["review_due"]))
    if given["review_due"]:
        said.append(say("monitoring.next", due=given["review_due"]))
    found: list[Block] = [Prose((" ".join(said),))]
    if rows:
        found.append(Table(say("monitoring.title"), say("monitoring.explanation"), columns, rows))
    return tuple(found)


def appendix(case: dict[str, Any]) -> tuple[Block, ...]:
    """Settings, versions and hashes: with these the same data give the same figures."""
    found: list[Block] = [] if case["release"].get("date") else [Notice(say("document.dateless"))]
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
    found: list[Block] = list(view_of(result).settings(result))
    if result["versions"] != case["versions"]:
        found.append(versions(result))
    return found or [Prose((say("appendix.elsewhere"),))]


def guides(case: dict[str, Any]) -> list[Guide]:
    """The words, limits and sources of the kinds that occur."""
    kinds = {part["result"]["kind"]: part["result"] for part in measured(case)}
    return [room_of(result, "html").guide() for result in kinds.values()]


def _run(case: dict[str, Any]) -> Facts:
    facts = [Fact("reidrisk", str(case["version"]), say("appendix.version"))]
    if case["seed"] is not None:
        facts.append(Fact("seed", str(case["seed"]), say("appendix.seed")))
    facts += [Fact(name, str(version)) for name, version in case["versions"].items() if name != "reidrisk"]
    return Facts(say("appendix.run"), say("appendix.run_explained"), tuple(facts))


def _cited(source: Any) -> str:
    return (
        str(source.get("citation") or source.get("source") or source)
        if isinstance(source, dict)
        else str(source)
    )


def _unique(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(things))
