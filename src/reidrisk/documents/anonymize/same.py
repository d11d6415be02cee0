"""A direct identifier that was found once goes everywhere: its other places are found here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from reidrisk.documents.alternatives import alternatives
from reidrisk.documents.anonymize.plan import Planned
from reidrisk.documents.anonymize.taken import Taken
from reidrisk.documents.document import Block
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.review.decided import REVIEWER
from reidrisk.documents.review.opinions import Place
from reidrisk.text.roles import default_roles

SAME = "same value"
"""The source of a finding that was found because its value is one elsewhere."""
KNOWN = ("known", REVIEWER)
"""Sources that know what a value is: the data of the study, values that were given, and reviewers."""
_SHORTEST, _DIGITS = 4, 5
_TELLING = re.compile(r"\d|^[^\W\d_]*[A-Z]")


def same_values(
    planned: Sequence[Planned], blocks: Sequence[Block], *, leave: Iterable[Place] = ()
) -> list[Planned]:
    """Further places of direct identifiers that go, outside those that are known or to be left."""
    texts = {block.name: block.text for block in blocks}
    models: dict[str, Planned] = {}
    for one in planned:
        value = texts[one.finding.block][one.finding.start : one.finding.end]
        if one.change is not None and _tells(one.finding, value):
            known = models.setdefault(_key(value), one)
            if known.change is not None and known.change.new != one.change.new:
                boxed = replace(known.change, new=None, label=known.finding.category)
                models[_key(value)] = replace(known, fate="redacted", change=boxed)
    if not models:
        return []
    pattern = re.compile(
        rf"(?<!\w)(?:{alternatives(models).replace(chr(92) + ' ', chr(92) + 's+')})(?!\w)", re.IGNORECASE
    )
    taken = Taken([*(one.finding.place for one in planned), *leave])
    found: list[Planned] = []
    for block in blocks:
        for place in pattern.finditer(block.text):
            model = models.get(_key(place[0]))
            if model is not None and not taken.meets((block.name, *place.span())):
                found.append(_moved(model, block.name, place.start(), place.end()))
    return found


def certain_values(planned: Sequence[Planned], blocks: Sequence[Block]) -> set[str]:
    """Values of which nobody doubts what they are: direct identifiers, and whatever has enough digits."""
    texts = {block.name: block.text for block in blocks}
    found: set[str] = set()
    for one in planned:
        value = texts[one.finding.block][one.finding.start : one.finding.end]
        known = one.finding.source.split(":")[0] in KNOWN
        if known and (_tells(one.finding, value) or sum(map(str.isdigit, value)) >= _DIGITS):
            found.add(value)
    return found


def _tells(finding: DocumentFinding, value: str) -> bool:
    """Whether a value is known to be a direct identifier, not only taken for one where it stands."""
    role = default_roles().get(finding.type.upper(), (None, ""))[0]
    plain = " ".join(value.split())
    known = finding.source.split(":")[0] in KNOWN
    return known and role == "direct" and len(plain) >= _SHORTEST and bool(_TELLING.search(plain))


def _key(value: str) -> str:
    return " ".join(value.casefold().split())


def _moved(model: Planned, block: str, start: int, end: int) -> Planned:
    finding = replace(model.finding, block=block, start=start, end=end, source=SAME, section=None)
    assert model.change is not None  # noqa: S101 - models are those with a change
    return Planned(finding, model.fate, replace(model.change, block=block, start=start, end=end))
