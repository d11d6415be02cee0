"""What is a name once in a document is a name everywhere in it, whole or in part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from reidrisk.detect.finding import Finding

PEOPLE = frozenset(("NAME", "PATIENT", "DOCTOR", "PERSON", "PER"))
NUMBERS = frozenset(
    (
        "PHONE",
        "FAX",
        "EMAIL",
        "SSN",
        "MEDICALRECORD",
        "HEALTHPLAN",
        "ACCOUNT",
        "LICENSE",
        "VEHICLE",
        "DEVICE",
        "BIOID",
    )
) | frozenset(("IDNUM", "USERNAME", "ID", "CODE"))
SURE = 0.7
"""Only findings that are as sure as this speak for other places."""
SHORTEST_NAME, SHORTEST_NUMBER = 3, 5
WORD = re.compile(r"(?<!\w)\w*\d[\w/-]*|[^\W\d_]+(?:['’][^\W\d_]{2,})?")
"""Numbers with what is joined to them, and words; a word is looked at once, whatever it holds."""


def consistent(
    text: str, findings: Iterable[Finding], *, is_common: Callable[[str], bool] = lambda _: False
) -> Iterator[Finding]:
    """The other places of every name and number that was found for sure; never those of a common word."""
    known = dict(_known(text, findings, is_common))
    if not known:
        return
    for match in WORD.finditer(text):
        origin = known.get(_form(match[0]))
        if origin is not None and (not match[0].islower() or match[0] == match[0].upper()):
            confidence = min(origin.confidence, 0.9)
            yield Finding(
                *match.span(), origin.type, confidence, f"consistency:{origin.source.partition(':')[0]}"
            )


def _known(
    text: str, findings: Iterable[Finding], is_common: Callable[[str], bool]
) -> Iterator[tuple[str, Finding]]:
    for finding in findings:
        if finding.confidence < SURE:
            continue
        surface = text[finding.start : finding.end]
        if finding.type in PEOPLE:
            for word in WORD.findall(surface):
                if len(word) >= SHORTEST_NAME and not word[0].islower() and not is_common(word):
                    yield _form(word), finding
        elif finding.type in NUMBERS:
            for word in WORD.findall(surface):
                if len(word) >= SHORTEST_NUMBER and sum(character.isdigit() for character in word) >= 4:
                    yield _form(word), finding


def _form(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").casefold()
