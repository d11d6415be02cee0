"""The parts of a release: their figures against the limits, and their chapters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from reidrisk.core.audience import SHARED
from reidrisk.core.wording import undecided_words
from reidrisk.report.document import Block, Bullets, Conditions, Notice, SectionHeading
from reidrisk.report.kind import when_shown
from reidrisk.report.numbers import MISSING, more, one_in, probability, span
from reidrisk.report.parts import Column, Reason, Table, Verdict
from reidrisk.report.traced import size
from reidrisk.report.views import kind_of

HARD_SPACE = "\u00a0"
"""A line can break before an interval, but not within it."""
PART_KINDS = {
    "text": "Texts",
    "table": "Table",
    "table_risk": "Table, unchanged",
    "table_deidentify": "De-identified table",
    "table_transform": "Transformed table",
    "population": "Sharing policy",
    "population_risk": "Sharing policy",
    "population_compare": "Sharing policies compared",
    "document": "Clinical documents",
    "documents": "Clinical documents",
    "relational": "Linked tables",
    "joint": "Parts together",
}
"""By kind and task of a part, or by kind alone."""
NOTHING_DECIDED = "nothing decided"
NOT_JUDGED = "could not be judged"
NOT_SHOWN = "not shown"
"""In a shared report: the risk of a class smaller than the cell size."""
MOST_NAMES = 4
"""Names in a sentence; the others are counted."""


def has_failed(part: dict[str, Any]) -> bool:
    """Whether a part could not be measured."""
    return bool(part["status"] == "failed" or part["result"] is None)


def measured_parts(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts that have a result."""
    return [part for part in case["parts"] if not has_failed(part)]


def part_kind(part: dict[str, Any]) -> str:
    """What a part is, in words."""
    kind = str(part["kind"])
    return PART_KINDS.get(f"{kind}_{part['task']}") or PART_KINDS.get(kind) or kind


def part_heading(part: dict[str, Any]) -> SectionHeading:
    """The name of a part and what it is."""
    return SectionHeading(f"{part['name']}: {part_kind(part)}")


def verdict_word(acceptable: bool | None) -> str:  # noqa: FBT001 - None is an answer too
    """Acceptable, not acceptable, or nothing decided."""
    if acceptable is None:
        return NOTHING_DECIDED
    return "acceptable" if acceptable else "NOT acceptable"


def part_word(part: dict[str, Any]) -> str:
    """The verdict on a part in a word or two."""
    if has_failed(part):
        return NOT_JUDGED
    judged = part["judged"]
    return "undecided" if judged.get("decision") == "undecided" else verdict_word(judged["acceptable"])


def _risk_text(figures: dict[str, Any]) -> str:
    """The risk with its interval, where there is one."""
    text = probability(figures["risk"])
    if figures.get("low") is None or figures.get("high") is None:
        return text
    return f"{text} ({span(figures).replace(' ', HARD_SPACE)})"


def limit_text(judged: dict[str, Any]) -> str:
    """The limit that a part was compared with."""
    if judged["threshold"] is None:
        return MISSING
    return one_in(judged["threshold"], judged["cell_size"])


def judged_risk(judged: dict[str, Any]) -> float | None:
    """The number that is compared with the threshold."""
    risk: float | None = judged["risk"] if judged["overall"] is None else judged["overall"]
    return risk


def is_hidden(part: dict[str, Any]) -> bool:
    """Whether the risk of a part was measured, but is not for the readers of a shared report."""
    if has_failed(part) or not part["judged"]:
        return False
    return part["result"].get("audience") == SHARED and judged_risk(part["judged"]) is None


def in_words(part: dict[str, Any]) -> str:
    """What leaves with a part, for somebody who has seen nothing of it."""
    kind, result = part_kind(part), part["result"]
    told = None if result is None else kind_of(result).leaves
    if told is None:
        return kind
    words = when_shown(lambda: told(result), result, "")
    return f"{kind}: {words}" if words else kind


def listed(names: Sequence[str], *, most: int = MOST_NAMES) -> str:
    """A few names in a sentence, and how many more there are.

    >>> listed(["notes", "records"]), listed(["a", "b", "c"], most=1)
    ('notes and records', 'a and 2 more')
    """
    shown = [*names[:most]]
    left = size(names) - size(shown)
    shown += [f"{left:,} more"] if left else []
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def quoted(names: Sequence[str]) -> str:
    """Names of parts in a sentence, where they could be taken for words of it."""
    return listed([f'"{name}"' for name in names])


def leaving_table(parts: Sequence[dict[str, Any]], *, most: int, rest: str) -> Table:
    """What leaves, part by part, with its risk against its limit."""
    shown = parts[:most]
    left = size(parts) - size(shown)
    rows = tuple((part["name"], in_words(part), *_against(part), part_word(part)) for part in shown)
    return Table(
        "What leaves",
        "Each part of the release, the risk that somebody in it is re-identified, and the largest risk that "
        "is accepted.",
        (
            Column("part"),
            Column("what it is", is_prose=True),
            Column("risk", is_number=True),
            Column("limit", is_number=True),
            Column("verdict"),
        ),
        rows,
        more(left, rest, "part") if left else "",
    )


def _against(part: dict[str, Any]) -> tuple[str, str]:
    """The risk that was compared with the limit, and the limit."""
    judged = part["judged"]
    if has_failed(part) or not judged:
        return MISSING, MISSING
    if is_hidden(part):
        return NOT_SHOWN, limit_text(judged)
    risk = judged_risk(judged)
    shown = _risk_text(judged) if risk == judged["risk"] else probability(risk)
    return shown, limit_text(judged)


def parts_table(parts: Sequence[dict[str, Any]]) -> Table:
    """Every part with its statistic, its risk, its limit and the evidence of its verdict."""
    has_attempt = any(_counts_attempt(part["judged"]) for part in parts)
    attempt = (Column("attempt", is_number=True), Column("with attempt", is_number=True))
    columns = (
        Column("part"),
        Column("statistic", is_prose=True),
        Column("risk", is_number=True),
        *(attempt if has_attempt else ()),
        Column("limit", is_number=True),
        Column("verdict"),
        Column("evidence"),
    )
    counted = (
        "If the context counts the chance of an attempt, the risk with attempt is compared with the limit. "
        "The risk of texts already includes it."
    )
    return Table(
        "The parts of the release",
        "The risk of each part, the limit that it is compared with, and the verdict. Intervals are in "
        "brackets.",
        columns,
        tuple(_part_row(part, has_attempt=has_attempt) for part in parts),
        counted if has_attempt else "",
    )


def _counts_attempt(judged: dict[str, Any] | None) -> bool:
    return judged is not None and judged["attempt"] not in (None, 1, 1.0)


def _part_row(part: dict[str, Any], *, has_attempt: bool) -> tuple[str, ...]:
    judged = part["judged"]
    if has_failed(part) or not judged:
        empty = (MISSING,) * (2 if has_attempt else 0)
        return (part["name"], part_kind(part), MISSING, *empty, MISSING, part_word(part), MISSING)
    attempt = (probability(judged["attempt"]), probability(judged["overall"])) if has_attempt else ()
    statistic = f"{part_kind(part)}: {judged['statistic'] or NOTHING_DECIDED}"
    word, grade = part_word(part), judged.get("weakest_grade") or MISSING
    return (part["name"], statistic, _risk_text(judged), *attempt, limit_text(judged), word, grade)


def initial(case: dict[str, Any]) -> tuple[Block, ...]:
    """The risk before anything was done, with the risk that is left beside it."""
    return (*before_and_after(case), *initial_by_part(case))


def initial_by_part(case: dict[str, Any]) -> tuple[Block, ...]:
    """The figures of each part before anything was done."""
    return chapter_by_part(case, "initial")


def measures(case: dict[str, Any]) -> tuple[Block, ...]:
    """What was done to each part."""
    return chapter_by_part(case, "measures")


def measures_and_identifiers(case: dict[str, Any]) -> tuple[Block, ...]:
    """What was done to each part, and to each of its variables."""
    return chapter_by_part(case, "measures", "identifiers")


def final(case: dict[str, Any]) -> tuple[Block, ...]:
    """The remaining risk, with the verdict on each part."""
    return chapter_by_part(case, "final")


def key_figures(case: dict[str, Any]) -> tuple[Block, ...]:
    """The verdict on each part, and the few figures that it rests on."""
    return chapter_by_part(case, "key")


def chapter_by_part(case: dict[str, Any], *names: str) -> tuple[Block, ...]:
    """One or several chapters of each part that has something to say there.

    Where parts get their verdict, a part that could not be measured says so.
    """
    found: list[Block] = []
    for part in case["parts"]:
        if not has_failed(part):
            has_context = bool(case["context"])
            own: list[Block] = [
                block for name in names for block in _part_chapter(part, name, has_context=has_context)
            ]
        else:
            own = [failure(part)] if {"key", "final"} & {*names} else []
        found += [part_heading(part), *own] if own else []
    return tuple(found)


def _part_chapter(part: dict[str, Any], name: str, *, has_context: bool) -> list[Block]:
    """A chapter of a part, with its verdict where it gets one.

    Conditions of what is not acceptable would mislead, and so would those that the context has checked.
    """
    result = part["result"]
    found: list[Block] = list(kind_of(result).chapter(name, result))
    if name == "measures" and part["measures"]:
        return [Bullets("Measures taken", tuple(part["measures"])), *found]
    if name in ("key", "final"):
        if has_context or part["judged"]["acceptable"] is False:
            found = [block for block in found if not isinstance(block, Conditions)]
        return [_part_verdict(part), *found]
    return found


def failure(part: dict[str, Any]) -> Notice:
    """That a part could not be measured, and what to do."""
    error = part["error"] or {}
    problem = error.get("problem") or "The reason is not known."
    return Notice(f"This part could not be measured: {problem} {error.get('hint') or ''}".strip())


def _part_verdict(part: dict[str, Any]) -> Verdict:
    """The verdict on a part under the context, or the reasons of the result where they are the same."""
    sentence, result = part["judged"]["sentence"], part["result"]
    own = kind_of(result).verdict_of(result).reasons
    if not sentence or sentence == " ".join(reason.text for reason in own):
        return replace(part_sentence(part), reasons=own)
    return part_sentence(part)


def part_sentence(part: dict[str, Any]) -> Verdict:
    """The verdict on a part under the context, in one sentence."""
    judged = part["judged"]
    sentence = judged.get("sentence") or "This part was measured and not judged."
    said = undecided_words(judged.get("documents_needed")) if judged.get("decision") == "undecided" else ""
    return Verdict(judged["acceptable"], (Reason(sentence, judged["acceptable"]),), said)


def before_and_after(case: dict[str, Any]) -> tuple[Table, ...]:
    """Initial and final risk of every part; nothing if no initial risk was measured."""
    if all(part["initial"] is None for part in case["parts"]):
        return ()
    table = Table(
        "Initial and final risk",
        "The risk of each part before anything was done, and as it would be released.",
        (
            Column("part"),
            Column("statistic", is_prose=True),
            Column("initial risk", is_number=True),
            Column("final risk", is_number=True),
            Column("limit", is_number=True),
            Column("verdict"),
        ),
        tuple(_before_and_after_row(part) for part in case["parts"]),
        "The initial risk is not measured if nothing was changed or there is nothing to compare with.",
    )
    return (table,)


def _before_and_after_row(part: dict[str, Any]) -> tuple[str, ...]:
    if has_failed(part):
        return (part["name"], MISSING, MISSING, MISSING, MISSING, NOT_JUDGED)
    before, after, judged = part["initial"], part["final"] or part["judged"], part["judged"]
    statistic = after.get("statistic") or NOTHING_DECIDED
    if before is not None and before["statistic"] != statistic:
        statistic = f"{statistic}; initially: {before['statistic']}"
    first = "not measured" if before is None else probability(before["risk"])
    last = _risk_text(judged | {"risk": after["risk"]})
    if after["risk"] == judged["risk"] != judged_risk(judged):  # the limit is for the risk with attempt
        last = f"{last} (with{HARD_SPACE}attempt{HARD_SPACE}{probability(judged['overall'])})"
    return (
        part["name"],
        statistic,
        first,
        last,
        limit_text(judged),
        part_word(part),
    )


def inputs(case: dict[str, Any]) -> Table | None:
    """The files that were read, with their hashes."""
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
    return Table(
        "Files that were read",
        "The files are not part of this report. Compare the hash to check that a file is the one that was "
        "read.",
        (
            Column("file"),
            Column("part"),
            Column("bytes", is_number=True),
            Column("SHA-256", is_prose=True),
        ),
        rows,
    )
