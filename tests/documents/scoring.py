"""Findings held against the answer key of the invented study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reidrisk.demo.study.answers import Answer
from reidrisk.documents.document import Block
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings

RIGHT = ("id", "date", "quasi", "event", "site", "staff")
"""What may be found; dates of the study itself are nobody's."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well a document was searched."""

    answers: Counter[str]
    found: Counter[str]
    """By kind."""
    missed: tuple[Answer, ...]
    given: Mapping[Answer, tuple[DocumentFinding, ...]]
    """What covers each answer that was found."""
    wrong: tuple[DocumentFinding, ...]
    findings: int

    def recall(self, kind: str) -> float:
        return self.found[kind] / self.answers[kind]

    @property
    def precision(self) -> float:
        return 1 - len(self.wrong) / self.findings


def score(found: DocumentFindings, answers: Sequence[Answer], blocks: Sequence[Block]) -> Score:
    """An answer is found if every letter and digit of it is; a finding is right if it holds part of one."""
    texts = {block.name: block.text for block in blocks}
    at = {(one.block, place): one for one in found.findings for place in range(one.start, one.end)}
    given: dict[Answer, tuple[DocumentFinding, ...]] = {}
    missed = []
    right: set[tuple[str, int, int]] = set()
    for answer in answers:
        places = [(block, place) for block, start, end in answer.spans for place in range(start, end)]
        covering = [at.get(each) for each in places if texts[each[0]][each[1]].isalnum()]
        own = tuple(dict.fromkeys(one for one in covering if one is not None))
        if answer.kind in RIGHT:
            right |= {one.place for one in own}
        if None in covering:
            missed.append(answer)
        else:
            given[answer] = own
    return Score(
        answers=Counter(answer.kind for answer in answers),
        found=Counter(answer.kind for answer in given),
        missed=tuple(missed),
        given=given,
        wrong=tuple(one for one in found.findings if one.place not in right),
        findings=len(found.findings),
    )
