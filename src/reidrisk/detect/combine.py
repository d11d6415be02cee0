"""Combine the findings of several detectors into one list without overlaps."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from reidrisk.detect.finding import IN_ORDER, Finding


def combine(findings: Iterable[Finding], *, threshold: float) -> list[Finding]:
    """All findings above the threshold; overlapping ones are merged, the most confident sets the type."""
    chosen = sorted((one for one in findings if one.confidence >= threshold), key=IN_ORDER)
    merged: list[Finding] = []
    for finding in chosen:
        if merged and finding.start < merged[-1].end:
            merged[-1] = _merge(merged[-1], finding)
        else:
            merged.append(finding)
    return merged


def _merge(first: Finding, second: Finding) -> Finding:
    best = max(first, second, key=_weight)
    return Finding(first.start, max(first.end, second.end), best.type, best.confidence, best.source)


def _weight(finding: Finding) -> tuple[float, int, bool]:
    """The most confident finding first, then the longest, then one that does not rest on another place."""
    return finding.confidence, finding.end - finding.start, not finding.source.startswith("consistency")


PEOPLE = re.compile(r"(?i:name|nombre|person|patient|doctor|^per$)")
"""Types of person names in our scheme and in other schemes."""
NUMBERS = frozenset(
    ("PHONE", "FAX", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID")
) | frozenset(("IDNUM", "ID", "CODE"))
SURE = 0.7
"""Only findings with at least this confidence are searched for elsewhere in the text."""
SHORTEST_NAME, SHORTEST_NUMBER, FEWEST_DIGITS = 3, 5, 4
WORD = re.compile(r"(?<!\w)\w*\d[\w/-]*|[^\W\d_]+(?:['’][^\W\d_]{2,})?")
"""Words, and numbers with the characters attached to them; each word matches only once."""
IsCommon = Callable[[str], bool]


def find_repeats(
    text: str, findings: Iterable[Finding], *, is_common: IsCommon | None = None
) -> Iterator[Finding]:
    """Find the other places of every name and number that was found with high confidence.

    Common words are left out. Without `is_common`, a word counts as common if the text also writes it in
    lower case.
    """
    known = dict(_known_forms(text, findings, is_common))
    if not known:
        return
    places = [
        (match.start(), match.end(), known[form], match[0].islower() and match[0] != match[0].upper())
        for match in WORD.finditer(text)
        if (form := _form(match[0])) in known
    ]
    if is_common is None:
        common = {_form(text[start:end]) for start, end, _, lower in places if lower}
        places = [place for place in places if _form(text[place[0] : place[1]]) not in common]
    for start, end, origin, lower in places:
        if not lower:
            source = f"consistency:{origin.source.partition(':')[0]}"
            yield Finding(start, end, origin.type, min(origin.confidence, 0.9), source)


def _known_forms(
    text: str, findings: Iterable[Finding], is_common: IsCommon | None
) -> Iterator[tuple[str, Finding]]:
    for finding in findings:
        if finding.confidence < SURE:
            continue
        person = PEOPLE.search(finding.type) is not None
        if not person and finding.type not in NUMBERS:
            continue
        for word in WORD.findall(text[finding.start : finding.end]):
            if _is_name(word, is_common) if person else _is_number(word):
                yield _form(word), finding


def _is_name(word: str, is_common: IsCommon | None) -> bool:
    if len(word) < SHORTEST_NAME or word[0].islower() or not word[0].isalpha():
        return False
    return is_common is None or not is_common(word)


def _is_number(word: str) -> bool:
    return len(word) >= SHORTEST_NUMBER and sum(map(str.isdigit, word)) >= FEWEST_DIGITS


def _form(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").casefold()


SILENCE = 0.15
"""Factor on the odds of a model finding that no rule supports. The odds fell to a quarter on invented
sentences of all kinds, and lower on invented clinical notes."""


def lower_unsupported(findings: Iterable[Finding], rules: Sequence[Finding]) -> list[Finding]:
    """The findings of a model, with lower confidence where no finding of a rule overlaps them."""
    ordered = sorted((one.start, one.end) for one in rules)
    starts = [start for start, _ in ordered]
    furthest = list(accumulate((end for _, end in ordered), max))
    return [one if _touches(one, starts, furthest) else _lower(one) for one in findings]


def _touches(finding: Finding, starts: list[int], furthest: list[int]) -> bool:
    before = bisect_right(starts, finding.end - 1)
    return before > 0 and furthest[before - 1] > finding.start


def _lower(finding: Finding) -> Finding:
    sure = finding.confidence
    return replace(finding, confidence=SILENCE * sure / (SILENCE * sure + 1 - sure) if sure < 1 else 1.0)
