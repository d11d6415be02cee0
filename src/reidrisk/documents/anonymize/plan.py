"""From findings to changes: what is boxed, what is replaced, and what stays for which reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.document import Block, Change
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.section_rules import section_rule
from reidrisk.documents.unbroken import unbroken
from reidrisk.errors import MisalignedOffsets

Fate = Literal["redacted", "replaced", "unchanged", "kept", "left_out"]
FATES: tuple[Fate, ...] = ("redacted", "replaced", "unchanged", "kept", "left_out")
"""A box; a new value; the value that the released data have too; a section that stays; one that goes."""


class Values(Protocol):
    """What the released data have instead of a value."""

    def value(self, subject: int, variable: str, written: str) -> str | None:
        """The new text for a value of a participant; None if there is none."""

    def day(self, subject: int, written: str) -> str | None:
        """The new text for a date of a participant that the data do not have; None if there is none."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A finding, what becomes of it, and the change that does so, if any."""

    finding: DocumentFinding
    fate: Fate
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides on a finding."""

    settings: AnonymizeSettings
    sections: Mapping[str, str] = field(default_factory=dict)
    """Section of the report -> leave_out, redact, replace or keep."""
    released: Values | None = field(default=None, repr=False)

    def of(self, section: str | None) -> str:
        """The rule of a section: its own, that of the nearest section above, or the mode."""
        return section_rule(self.sections, section, otherwise=self.settings.mode)


def plan(findings: Iterable[DocumentFinding], blocks: Sequence[Block], rules: Rules) -> list[Planned]:
    """What becomes of each finding."""
    texts = {block.name: block.text for block in blocks}
    return [_planned(one, texts, rules) for one in findings]


def _planned(one: DocumentFinding, texts: Mapping[str, str], rules: Rules) -> Planned:
    if one.end > len(texts.get(one.block, "")):
        raise MisalignedOffsets(
            f"A finding in {one.block} lies beyond its text.",
            hint="Findings belong to the very file that they were made from: detect again.",
        )
    rule = rules.of(one.section)
    if rule == "keep":
        return Planned(one, "kept")
    if rule == "leave_out":
        return Planned(one, "left_out", _boxed(one, rules.settings))
    written = texts[one.block][one.start : one.end]
    new = _new_value(one, written, rules.released) if rule == "replace" else None
    if new is None:
        return Planned(one, "redacted", _boxed(one, rules.settings))
    if new == unbroken(written):
        return Planned(one, "unchanged")
    return Planned(one, "replaced", Change(one.block, one.start, one.end, new, category=one.category))


def _new_value(one: DocumentFinding, written: str, released: Values | None) -> str | None:
    """The value that all participants who can be meant have in the released data."""
    if released is None or one.category == "CCI" or (one.variable is None and one.type != "DATE"):
        return None
    plain = unbroken(written)
    found = {
        released.day(subject, plain) if one.variable is None else released.value(subject, one.variable, plain)
        for subject in one.subjects
    }
    return found.pop() if len(found) == 1 else None


def _boxed(one: DocumentFinding, settings: AnonymizeSettings) -> Change:
    label = one.type if settings.label == "type" else settings.label or one.category
    return Change(one.block, one.start, one.end, None, label, one.category)
