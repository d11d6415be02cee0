"""What is a name once in a document is a name everywhere in it, whole or in part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from reidrisk.detect.finding import Finding

PEOPLE = re.compile(r"(?i:name|nombre|person|patient|doctor|^per$)")
"""Types of people in our scheme and in those of others."""
NUMBERS = frozenset(
    ("PHONE", "FAX", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID")
) | frozenset(("IDNUM", "ID", "CODE"))
SURE = 0.7
"""Only findings that are as sure as this speak for other places."""
SHORTEST_NAME, SHORTEST_NUMBER, FEWEST_DIGITS = 3, 5, 4
WORD = re.compile(r"(?<!\w)\w*\d[\w/-]*|[^\W\d_]+(?:['’][^\W\d_]{2,})?")
"""Numbers with what is joined to them, and words; a word is looked at once, whatever it holds."""
IsCommon = Callable[[str], bool]


def consistent(
    text: str, findings: Iterable[Finding], *, is_common: IsCommon | None = None
) -> Iterator[Finding]:
    """The other places of every name and number that was found for sure; never those of a common word.

    Where nobody can say which words are common, those are that the text also writes in lower case.
    """
    known = dict(_known(text, findings, is_common))
    if not known:
        return
    places = [
        (match.start(), match.end(), known[form], match[0].islower() and match[0] != match[0].upper())
        for match in WORD.finditer(text)
        if (form := _form(match[0])) in known
    ]
    if is_common is None:
        usual = {_form(text[start:end]) for start, end, _, lower in places if lower}
        places = [place for place in places if _form(text[place[0] : place[1]]) not in usual]
    for start, end, origin, lower in places:
        if not lower:
            source = f"consistency:{origin.source.partition(':')[0]}"
            yield Finding(start, end, origin.type, min(origin.confidence, 0.9), source)


def _known(
    text: str, findings: Iterable[Finding], is_common: IsCommon | None
) -> Iterator[tuple[str, Finding]]:
    for finding in findings:
        if finding.confidence < SURE:
            continue
        person = PEOPLE.search(finding.type) is not None
        if not person and finding.type not in NUMBERS:
            continue
        for word in WORD.findall(text[finding.start : finding.end]):
            if _names(word, is_common) if person else _numbers(word):
                yield _form(word), finding


def _names(word: str, is_common: IsCommon | None) -> bool:
    if len(word) < SHORTEST_NAME or word[0].islower() or not word[0].isalpha():
        return False
    return is_common is None or not is_common(word)


def _numbers(word: str) -> bool:
    return len(word) >= SHORTEST_NUMBER and sum(map(str.isdigit, word)) >= FEWEST_DIGITS


def _form(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").casefold()
