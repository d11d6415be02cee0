"""A review of the synthetic report: a reader of every page who knows the answer key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from reidrisk.demo.study.answers import Answer, answers_in, read_key
from reidrisk.documents.document import Block
from reidrisk.documents.findings.file import read_findings
from reidrisk.documents.findings.finding import Decision, DocumentFindings, Review
from reidrisk.documents.formats import read_document
from reidrisk.documents.review.journal import keep

READER, TIME = "invented reader", "2026-11-01T09:00:00Z"
TYPES = {
    "id": "IDNUM",
    "date": "DATE",
    "quasi": "OTHER",
    "event": "OTHER",
    "site": "HOSPITAL",
    "staff": "NAME",
}
"""Kinds of the answer key that identify somebody, and the type of what was missed."""


def write_review(findings: str | Path, key: str | Path, out: str | Path) -> None:
    """Write the findings with a review that covers every page; the documents are next to the answer key."""
    file = read_findings(findings)
    pieces = read_key(Path(key))
    decisions: list[Decision] = []
    for document in file.documents:
        blocks = list(read_document(Path(key).with_name(document.document)))
        decisions += _decisions(document, answers_in(pieces, blocks), blocks)
    seen = tuple((one.document, block) for one in file.documents for block in one.blocks)
    review = Review(READER, TIME, tuple(decisions), seen)
    keep(out, replace(file, reviews=(*file.reviews, review)))


def _decisions(
    document: DocumentFindings, answers: Sequence[Answer], blocks: Sequence[Block]
) -> Iterator[Decision]:
    """Add what was missed, and reject what identifies nobody."""
    texts = {block.name: block.text for block in blocks}
    at = {(one.block, place): one for one in document.findings for place in range(one.start, one.end)}
    right = set()
    for answer in (one for one in answers if one.kind in TYPES):
        for block, start, end in answer.spans:
            places = [(block, place) for place in range(start, end) if texts[block][place].isalnum()]
            right |= {at[place].place for place in places if place in at}
            if any(place not in at for place in places):
                found = (document.document, block, start, end)
                yield Decision(*found, "add", TYPES[answer.kind], answer.variable, answer.subjects)
    for one in document.findings:
        if one.place not in right:
            yield Decision(document.document, *one.place, "reject")
