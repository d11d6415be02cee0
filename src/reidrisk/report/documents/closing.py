"""The last chapters of a report: sensitivity, methods, limitations, references and appendices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from reidrisk.report.blocks import inventory
from reidrisk.report.blocks.evidence import evidence_table
from reidrisk.report.blocks.settings import plain, versions
from reidrisk.report.document import Block, Bullets, Notice, Prose, References
from reidrisk.report.documents import opening
from reidrisk.report.documents.by_part import (
    failure,
    has_failed,
    inputs,
    measured_parts,
    part_heading,
    verdict_word,
)
from reidrisk.report.documents.formulas import FORMULAS
from reidrisk.report.documents.outline import OutlineEntry
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table
from reidrisk.report.traced import size
from reidrisk.report.views import kind_of

NO_DATE = (
    "The release states no date. The PDF of this report therefore has no date either and does not claim to "
    "be an archive file (PDF/A). To get one, state a date in the release file."
)

OWN_PROPOSAL = "Our own proposal"
"""What stands for a source where there is none."""
SAME_WORDS = 0.85
"""The share of the words of the shorter of two citations that makes them the same publication."""


def sensitivity(case: dict[str, Any]) -> tuple[Block, ...]:
    """How the verdict changes with other choices."""
    intro = (
        "A verdict should not depend on a single choice. Here the important choices are changed one at a "
        "time, on the same data."
    )
    found: list[Block] = []
    if case["sensitivity"]:
        found.append(_choices(case, range(len(case["sensitivity"]))))
    for part in measured_parts(case):
        own = kind_of(part["result"]).chapter("sensitivity", part["result"])
        if own:
            found += [part_heading(part), *own]
    return (Prose((intro,)), *found) if found else ()


def turning_choices(case: dict[str, Any]) -> list[Block]:
    """The choices that alone would change the verdict on a part, or that there are none."""
    tried, turned = size(case["sensitivity"]), _changed_rows(case)
    if not tried:
        return []
    if not turned:
        return [Prose((f"None of the {tried:,} other choices that were tried would change a verdict.",))]
    return [_choices(case, turned)]


def _choices(case: dict[str, Any], places: Sequence[int]) -> Table:
    rows = tuple(
        (
            row["what"],
            row["part"] or "all",
            probability(row["risk"]),
            probability(row["overall"]),
            verdict_word(row["acceptable"]),
        )
        for row in (case["sensitivity"][place] for place in places)
    )
    changed = _changed_rows(case)
    turned = () if tuple(places) == changed else changed
    return Table(
        "Other choices",
        "Each of these choices alone would change the verdict on its part. Everything else stays the same."
        if tuple(places) == changed
        else "The figures if one choice were different and everything else stayed the same.",
        (
            Column("choice", is_prose=True),
            Column("part"),
            Column("risk", is_number=True),
            Column("with attempt", is_number=True),
            Column("verdict"),
        ),
        rows,
        "Shaded: this choice would change the verdict on its part." if turned else "",
        turned,
    )


def turned(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The choices that alone would change the verdict on their part."""
    return [case["sensitivity"][place] for place in _changed_rows(case)]


def _changed_rows(case: dict[str, Any]) -> tuple[int, ...]:
    """The rows whose verdict differs from the verdict on the part."""
    judged = {part["name"]: part["judged"]["acceptable"] for part in measured_parts(case)}
    return tuple(
        place
        for place, row in enumerate(case["sensitivity"])
        if row["part"] in judged and row["acceptable"] is not judged[row["part"]]
    )


def methods(case: dict[str, Any]) -> tuple[Block, ...]:
    """The equations and terms of the kinds of results in this report, once each."""
    names = ["overall", "context"] if case["context"] else []
    for part in measured_parts(case):
        names += kind_of(part["result"]).chapters.formulas
    terms = {term.name: term for guide in reversed(_guides(case)) for term in reversed(guide.terms)}
    intro = (
        "The equations behind the figures. Intervals reflect the uncertainty of the observations: few "
        "documents or records give wide intervals. The upper limit of the interval is compared with the "
        "threshold."
    )
    found: list[Block] = [Prose((intro,)), *(FORMULAS[name] for name in dict.fromkeys(names))]
    evidence = evidence_table(case)
    found += [] if evidence is None else [evidence]
    if terms:
        found.append(Facts("Terms", "As used in this report.", tuple(reversed(terms.values()))))
    return tuple(found)


def limitations(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the figures do not show."""
    found = _unique(limit for guide in _guides(case) for limit in guide.limits[:-1])
    has_inference = any((part["result"] or {}).get("inference") for part in case["parts"])
    linking = (
        "The risk is the risk of linking a record or a document to a person. The risk of learning "
        "something new about a person who is already known is not measured."
    )
    general = (
        "Thresholds, controls and chances of an attempt are judgments. This report states them with their "
        "reasons, so that others can judge differently.",
        *(() if has_inference else (linking,)),
        "This report is a measurement, not legal advice. The people responsible decide on the release.",
    )
    return (Prose(("What the figures do not show.",)), Bullets("", (*found, *general)))


def references(case: dict[str, Any], *, more: Iterable[Source] = ()) -> tuple[Block, ...]:
    """The sources of the methods, the threshold and the headings."""
    given = (_citation(source) for source in (case["context"] or {}).get("sources") or [])
    stated = [Source(citation) for citation in given if not citation.startswith(OWN_PROPOSAL)]
    found = _once([*(source for guide in _guides(case) for source in guide.sources), *stated, *more])
    return (References(found),) if found else ()


def _once(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Each publication once, also where its citations differ a little; the first that has a DOI stays."""
    found: list[Source] = []
    for source in sources:
        same = next((place for place, other in enumerate(found) if _is_same(source, other)), None)
        if same is None:
            found.append(source)
        elif _has_doi(source) and not _has_doi(found[same]):
            found[same] = source
    return tuple(found)


def _is_same(one: Source, other: Source) -> bool:
    """Whether two citations share nearly all words of the shorter one, and no number contradicts another.

    >>> notes = Source("Doe J. Risk of notes. Journal (2009) 3")
    >>> _is_same(notes, Source("Doe J. Risk of notes (2009)", "10.1/x"))
    True
    >>> _is_same(notes, Source("Doe J. Risk of notes. Journal (2011) 5"))
    False
    """
    words, others = (set(re.findall(r"\w+", source.citation.casefold())) for source in (one, other))
    numbers, other_numbers = ({word for word in own if word.isdigit()} for own in (words, others))
    agree = numbers <= other_numbers or other_numbers <= numbers
    return agree and len(words & others) >= SAME_WORDS * min(len(words), len(others))


def _has_doi(source: Source) -> bool:
    return bool(source.doi) or "doi" in source.citation


def remedies(case: dict[str, Any]) -> tuple[Block, ...]:
    """All changes that were tried."""
    return tuple(opening.remedies(case)) if case["remedies"] else ()


def monitoring(case: dict[str, Any]) -> tuple[Block, ...]:
    """What has changed since the last assessment; nothing if there was none."""
    given = case["monitoring"]
    if not given:
        return ()
    rows = tuple(
        (row["part"] or "all", str(row["what"]), plain(row["before"]), plain(row["after"]))
        for row in given["changes"]
    )
    columns = tuple(Column(name) for name in ("part", "figure", "before", "now"))
    changes = Table("What changed", "The figures of the last assessment and of this one.", columns, rows)
    return (Prose((_monitoring_text(case),)), *((changes,) if rows else ()))


def _monitoring_text(case: dict[str, Any]) -> str:
    given = case["monitoring"]
    state = "the verdict still holds" if given["still_holds"] else "the verdict NO longer holds"
    sentences = [f"Compared with the last assessment, {state}."]
    sentences.append("It is acceptable now." if case["acceptable"] else "It is NOT acceptable now.")
    if given.get("is_late"):
        sentences.append(f"The review was due on {given['previous']['review_due']} and is late.")
    if given["review_due"]:
        sentences.append(f"The next review is due on {given['review_due']}.")
    return " ".join(sentences)


def everything_that_leaves(case: dict[str, Any]) -> tuple[Block, ...]:
    """Each item with its role, its treatment and how the verdict covers it."""
    table = inventory.inventory(case)
    return () if table is None else (table,)


def settings(case: dict[str, Any]) -> tuple[Block, ...]:
    """Settings, versions and files, with which the same data give the same figures."""
    found: list[Block] = [] if case["release"].get("date") else [Notice(NO_DATE)]
    found.append(_versions(case))
    files = inputs(case)
    if files:
        found.append(files)
    for part in case["parts"]:
        own = [failure(part)] if has_failed(part) else _part_settings(part["result"], case)
        found += [part_heading(part), *own]
    return tuple(found)


def _part_settings(result: dict[str, Any], case: dict[str, Any]) -> list[Block]:
    """The settings of a part; its versions only where they differ from those of the assessment."""
    found: list[Block] = list(kind_of(result).chapter("settings", result))
    if result["versions"] != case["versions"]:
        found.append(versions(result))
    return found


def _versions(case: dict[str, Any]) -> Facts:
    facts = [Fact("reidrisk", str(case["version"]), "this program")]
    if case.get("seed") is not None:
        facts.append(Fact("seed", str(case["seed"]), "start of the random numbers"))
    facts += [Fact(name, str(version)) for name, version in case["versions"].items() if name != "reidrisk"]
    return Facts("Versions", "Other versions may change the last digits.", tuple(facts))


def _guides(case: dict[str, Any]) -> list[Guide]:
    """Terms, limits and sources of the kinds of results in this report."""
    kinds = {part["result"]["kind"]: part["result"] for part in measured_parts(case)}
    return [kind_of(result).guide for result in kinds.values()]


def _citation(source: Any) -> str:
    if isinstance(source, dict):
        return str(source.get("citation") or source.get("source") or source)
    return str(source)


def _unique(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(things))


INVENTORY = OutlineEntry("inventory", "Everything that leaves", everything_that_leaves)
SENSITIVITY = OutlineEntry("sensitivity", "Sensitivity", sensitivity)
METHODS = OutlineEntry("methods", "Methods", methods)
LIMITATIONS = OutlineEntry("limits", "Limitations", limitations)
REMEDIES = OutlineEntry("remedies", "All changes that were tried", remedies)
SETTINGS = OutlineEntry("settings", "Settings, versions and files", settings)
