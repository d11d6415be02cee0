"""Anonymize one document: plan, write, prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.documents.anonymize.left_out import lines_left_out, without_left_out
from reidrisk.documents.anonymize.plan import Planned, Rules, plan
from reidrisk.documents.anonymize.remaining import Removed, removed_by
from reidrisk.documents.anonymize.same import certain_values, same_values
from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.document import Block
from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.kinds import Outcome, read_document, write_document
from reidrisk.documents.proof.before import Before
from reidrisk.documents.proof.kinds import prove_document
from reidrisk.documents.proof.prove import Proof
from reidrisk.documents.review.opinions import Place
from reidrisk.errors import UnreadableFile


@dataclass(frozen=True, slots=True)
class Anonymized:
    """What was done to one document."""

    planned: tuple[Planned, ...] = field(repr=False)
    outcome: Outcome
    proof: Proof
    kept: int
    """Values of which other places, or new values, say the same."""
    lines: int = 0
    """Lines of sections that were left out."""


def anonymize_one(
    source: Path, out: Path, found: DocumentFindings, rules: Rules, *, leave: Sequence[Place] = ()
) -> Anonymized:
    """Write a document without its findings; it gets its name only if the proof holds.

    `leave` are places that reviewers said are no identifiers.
    """
    blocks = list(read_document(source))
    _check_readable(blocks, rules.settings)
    lines = lines_left_out(blocks, rules, suffix=source.suffix.lower())
    planned = without_left_out(plan(found.findings, blocks, rules), lines)
    if rules.settings.same_values:
        planned += without_left_out(same_values(planned, blocks, leave=leave), lines)
    changes = [*lines, *(one.change for one in planned if one.change is not None)]
    going = [one for one in planned if one.change is not None or one.fate == "left_out"]
    removed = removed_by(
        changes,
        blocks,
        certain=certain_values(going, blocks),
        besides=[one.finding.place for one in going if one.change is None],
    )
    proofs: list[Proof] = []
    outcome = write_document(
        source,
        out,
        changes,
        look=rules.settings.look,
        check=lambda part: proofs.append(_proved(part, source, removed, rules.settings)),
    )
    return Anonymized(tuple(planned), outcome, proofs[-1], len(removed.kept), len(lines))


def _proved(part: Path, source: Path, removed: Removed, settings: AnonymizeSettings) -> Proof:
    before = Before(source, removed.gone, removed.loose, removed.words_gone)
    proof = prove_document(part, removed.values, kept=removed.kept, before=before, office=settings.office)
    proof.require()
    return proof


def _check_readable(blocks: Sequence[Block], settings: AnonymizeSettings) -> None:
    """Refuse pages on which nothing can be found, unless somebody answers for them."""
    for concern, setting, what in (
        ("scanned", settings.scanned, "is a picture without text"),
        ("unreadable", settings.unreadable, "has fonts that do not tell what they say"),
    ):
        wrong = [block.name for block in blocks if getattr(block, "concern", "") == concern]
        if wrong and setting == "refuse":
            more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            raise UnreadableFile(
                f"{wrong[0]} {what}{more}: identifiers there cannot be found.",
                hint=f"Scans need Tesseract. Or look at these pages yourself and say --set {concern}=allow.",
            )
