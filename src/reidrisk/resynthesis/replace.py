"""One text in, the same text with its identifiers replaced out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from reidrisk.detect.finding import IN_ORDER, Finding
from reidrisk.errors import MisalignedOffsets
from reidrisk.resynthesis.offsets import Change, OffsetMap
from reidrisk.resynthesis.settings import Mode
from reidrisk.resynthesis.surrogates import Surrogates, Value

REDACTED = "[REDACTED]"
BLOCK = "█"


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new text, what was replaced, and where everything went."""

    text: str = field(repr=False)
    findings: tuple[Finding, ...]
    """In order and without overlaps, in places of the old text."""
    offsets: OffsetMap


def apart(findings: Iterable[Finding], length: int) -> list[Finding]:
    """Findings in order and without overlaps; where some overlap, all that they cover is one."""
    merged: list[Finding] = []
    for one in sorted(findings, key=IN_ORDER):
        if one.end > length:
            raise MisalignedOffsets(
                f"A finding of {one.source} ends at {one.end}, but the text has {length} characters.",
                hint="Offsets count characters of this very text; was another text read?",
            )
        if merged and one.start < merged[-1].end:
            last = merged[-1]
            best = max(last, one, key=lambda each: (each.confidence, each.end - each.start))
            merged[-1] = Finding(last.start, max(last.end, one.end), best.type, best.confidence, best.source)
        else:
            merged.append(one)
    return merged


def replace_findings(text: str, findings: Iterable[Finding], new: Callable[[Value], str]) -> Replaced:
    """Put what `new` says in the place of every finding; everything else stays letter by letter."""
    found = apart(findings, len(text))
    pieces: list[str] = []
    changes: list[Change] = []
    at = length = 0
    for one in found:
        value = new(Value(one.type, text[one.start : one.end]))
        pieces += [text[at : one.start], value]
        length += one.start - at
        changes.append(Change(one.start, one.end, length, length + len(value)))
        length += len(value)
        at = one.end
    return Replaced("".join([*pieces, text[at:]]), tuple(found), OffsetMap(tuple(changes)))


def values_of(text: str, findings: Sequence[Finding]) -> list[Value]:
    """The findings' texts with their types."""
    return [Value(one.type, text[one.start : one.end]) for one in findings]


def marking(mode: Mode) -> Callable[[Value], str]:
    """What stands in the place of a value where no surrogate does.

    >>> marking("label")(Value("NAME", "Ann Lee")), marking("mask")(Value("NAME", "Ann Lee"))
    ('[NAME]', '███ ███')
    """
    if mode == "label":
        return lambda value: f"[{value.type.upper().replace(' ', '_')}]"
    if mode == "mask":
        return lambda value: "".join(sign if sign.isspace() else BLOCK for sign in value.text)
    return lambda _: REDACTED


def surrogate_text(text: str, findings: Iterable[Finding], surrogates: Surrogates) -> Replaced:
    """The text with a surrogate for every finding."""
    return replace_findings(text, findings, surrogates.of)
