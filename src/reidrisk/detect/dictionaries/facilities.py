"""Hospitals, clinics and other organizations: a run of capitals with a word that says what it is."""

from __future__ import annotations

from reidrisk.detect.dictionaries.context import (
    FACILITY,
    FACILITY_HEAD,
    FACILITY_SURE,
    OPENERS,
    ORGANIZATION_HEAD,
    SAINTS,
    TITLES,
)
from reidrisk.detect.dictionaries.lexicon import Kind
from reidrisk.detect.dictionaries.runs import Run, Word
from reidrisk.detect.finding import Finding


def facility(run: Run) -> tuple[Finding, int, int] | None:
    """A facility in a run, with the first and last of its words; None if there is none."""
    heads = [place for place, word in enumerate(run.words) if word.low in FACILITY_HEAD]
    if not heads:
        return _organization(run)
    last = heads[-1]
    last = _with_where(run, last)
    first = _first(run, last)
    words = run.words[first : last + 1]
    if len(words) < 2 or any(word.low in TITLES for word in words):
        return None
    confidence = _confidence(run, first, words)
    if confidence is None:
        return None
    return Finding(words[0].start, words[-1].end, "HOSPITAL", confidence, "dictionary:facility"), first, last


def _first(run: Run, last: int) -> int:
    """Words that only begin a sentence do not belong to the name."""
    first = 0
    while first < last and run.words[first].low in OPENERS and (first or run.opens):
        first += 1
    return first


def _with_where(run: Run, last: int) -> int:
    """`Hospital of Springfield`, `Clinic at Oak Ridge`: the rest of the run belongs to it."""
    if last < len(run.gaps) and run.gaps[last] in (" of ", " of the ", " for ", " at "):
        return len(run.words) - 1
    return last


def _confidence(run: Run, first: int, words: list[Word]) -> float | None:
    strong = any(word.low in FACILITY_SURE for word in words)
    telling = [word for word in words if word.low not in FACILITY and not word.clinical and not word.initial]
    telling = [word for word in telling if not (word.upper and word.kinds & Kind.COMMON)]
    if telling and any(not word.kinds & Kind.COMMON or word.low in SAINTS for word in telling):
        return 0.95 if strong else 0.75
    opens = run.opens and first == 0
    if telling:
        return (0.9 if not opens else 0.7) if strong else 0.5
    if strong and not opens and not words[0].upper:
        return 0.7
    return None


def _organization(run: Run) -> tuple[Finding, int, int] | None:
    heads = [place for place, word in enumerate(run.words) if word.low in ORGANIZATION_HEAD]
    if not heads:
        return None
    last = _with_where(run, heads[-1])
    first = _first(run, last)
    words = run.words[first : last + 1]
    telling = [word for word in words if word.low not in ORGANIZATION_HEAD and not word.clinical]
    telling = [word for word in telling if not (word.upper and word.kinds & Kind.COMMON)]
    if len(words) < 2 or not telling or any(word.low in TITLES for word in words):
        return None
    known = any(not word.kinds & Kind.COMMON for word in telling)
    confidence = 0.85 if known else 0.6
    return (
        Finding(words[0].start, words[-1].end, "ORGANIZATION", confidence, "dictionary:organization"),
        first,
        last,
    )
