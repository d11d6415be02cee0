"""What the reports for agencies and experts share: the submission, variables, quality checks and headings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.blocks.by_variable import utility_by_variable
from reidrisk.report.document import Block, Bullets, Prose
from reidrisk.report.documents import by_part, context
from reidrisk.report.documents.by_part import failure, has_failed, measured_parts, part_heading
from reidrisk.report.kind import when_shown
from reidrisk.report.numbers import count, one_in, percent
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.traced import size
from reidrisk.report.views import kind_of

NOT_CHECKED = "not checked against the original"
NOT_STATED = "not stated in the release file"
ATTACKS = ("table_attack", "relational_attack", "text_attack")


def stated_facts(
    given: Mapping[str, Any] | None, names: Mapping[str, str], *, title: str, explanation: str
) -> list[Block]:
    """What the release file states; what it does not state in one sentence."""
    known = {name: (given or {}).get(name) for name in names}
    facts = tuple(Fact(names[name], _plain(value)) for name, value in known.items() if value)
    missing = [names[name] for name, value in known.items() if not value]
    found: list[Block] = [Facts(title, explanation, facts)] if facts else []
    if missing:
        listed = f"{', '.join(missing[:-1])} and {missing[-1]}" if len(missing) > 1 else missing[0]
        verb = "is" if len(missing) == 1 else "are"
        found.append(Prose((f"{listed[0].upper()}{listed[1:].lower()} {verb} {NOT_STATED}.",)))
    return found


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def who_gets_it(case: dict[str, Any]) -> list[Block]:
    """The context; the threshold has a chapter of its own, and practices for a higher one do not count."""
    if not case["context"]:
        return [Prose((context.NO_CONTEXT,))]
    limit = context.threshold(case).title
    return [
        block
        for block in context.context(case)
        if isinstance(block, Table) or (isinstance(block, Facts) and block.title != limit)
    ]


def risks(case: dict[str, Any]) -> list[Block]:
    """The risk of every part before and after, and the verdict on each part; the figures are in the annex."""
    found: list[Block] = [block for block in by_part.initial(case)[:1] if isinstance(block, Table)]
    for part in case["parts"]:
        found.append(part_heading(part))
        if has_failed(part):
            found.append(failure(part))
            continue
        found.append(by_part.part_sentence(part))
    return found


def still_useful(case: dict[str, Any]) -> list[Block]:
    """What a researcher can still do, part by part."""
    found: list[Block] = []
    for part in measured_parts(case):
        result = part["result"]
        blocks = utility_by_variable(result) or kind_of(result).chapter("utility", result)
        found += [part_heading(part), *blocks] if blocks else []
    return found


def quality_checks(case: dict[str, Any]) -> list[Block]:
    """Reviewers, proofs of written files, and attacks; what was not checked is said in one sentence."""
    rows: list[tuple[str, str, str]] = []
    for part in measured_parts(case):
        rows += when_shown(lambda own=part: _checks(own), part["result"], [])  # type: ignore[misc]
    if case.get("root"):
        signers = size(case.get("signatures") or ())
        signed = plural(signers, "signature") if signers else "nobody has signed yet"
        found = f"Every file of the assessment is bound by a root hash; {signed}."
        rows.append(("whole release", "root hash and signatures", found))
    missing = _missing(rows)
    blocks: list[Block] = []
    if rows:
        columns = (Column("part"), Column("check", is_prose=True), Column("result", is_prose=True))
        blocks.append(Table("Checks that were made", "By people, on the written files, and by attacks.",
                            columns, tuple(rows)))  # fmt: skip
    return [*blocks, *([Prose((missing,))] if missing else [])]


REVIEW, PROOF, ATTACK = "review by people", "proof of the written files", "attack"


def _missing(rows: Sequence[tuple[str, str, str]]) -> str:
    """Which checks nobody made."""
    made = {name for _, name, _ in rows}
    missing = [one for one in (REVIEW, PROOF, ATTACK) if one not in made]
    if not missing:
        return ""
    return f"Checks that were not made: {', '.join(missing)}."


def _checks(part: dict[str, Any]) -> Iterable[tuple[str, str, str]]:
    result, name = part["result"], part["name"]
    review = result.get("review")
    if isinstance(review, Mapping) and review.get("pages") is not None:
        read = f"{count(review['reviewed'])} of {count(review['pages'])} pages were read as a whole."
        yield name, REVIEW, read
    release = result if result["kind"] == "relational_release" else result.get("release")
    proof = release.get("proof") if isinstance(release, Mapping) else None
    if proof:
        checks = proof.get("checks") or []
        held = size([one for one in checks if one["holds"]], among=checks)
        yield name, PROOF, f"{held} of {size(checks)} checks of the written files hold."
    if result["kind"] in ATTACKS:
        yield name, ATTACK, " ".join(map(str, result["reasons"]))
    recognition = result.get("recognition")
    if isinstance(recognition, Mapping) and recognition.get("value") is not None:
        told = f"An attack recognized {percent(recognition['value'])} of the leaked values."
        yield name, ATTACK, told


def headings_appendix(
    about: str, rows: Sequence[tuple[str, str]], sources: Sequence[str]
) -> tuple[Block, ...]:
    """Where the headings of a template come from, and what could not be checked."""
    columns = (Column("heading"), Column("where it comes from", is_prose=True))
    table = Table("Headings", f"Where it says so, a heading was {NOT_CHECKED}.", columns, tuple(rows))
    return (Prose((about,)), table, Bullets("Sources that were read", tuple(sources)))


def threshold_text(case: dict[str, Any]) -> str:
    """The limit in a sentence; empty without a context."""
    limit = (case["context"] or {}).get("threshold") or {}
    if limit.get("probability") is None:
        return ""
    number = one_in(limit["probability"], limit.get("cell_size"))
    return f"{number} ({limit.get('reason') or 'no reason stated'})"


def own_limits(case: dict[str, Any]) -> str:
    """The parts with a limit of their own, in a sentence; empty if all have that of the context."""
    usual = ((case["context"] or {}).get("threshold") or {}).get("probability")
    judged = {part["name"]: part["judged"] for part in measured_parts(case)}
    others = [
        f"{name} ({by_part.limit_text(one)})"
        for name, one in judged.items()
        if usual is not None and one["threshold"] is not None and one["threshold"] != usual
    ]
    return f"Other limits apply to: {', '.join(others)}. The results give their reasons." if others else ""


def part_tables(case: dict[str, Any], build: Any) -> list[Block]:
    """A block of every part that has one, under the name of the part."""
    found: list[Block] = []
    for part in case["parts"]:
        if has_failed(part):
            found += [part_heading(part), failure(part)]
            continue
        block = when_shown(lambda own=part: build(own), part["result"], None)  # type: ignore[misc]
        found += [] if block is None else [part_heading(part), block]
    return found
