"""The complete detector: it runs every part and combines their findings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.detect.finding import IN_ORDER, Detector, Finding, find_in_each
from reidrisk.detect.patterns.find import PatternDetector
from reidrisk.detect.settings import SHIPPED_MODEL, DetectSettings, Scheme, is_identifier
from reidrisk.errors import UnreadableFile

if TYPE_CHECKING:
    from reidrisk.detect.model.model import Model


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A model with the threshold that decides which words belong to its findings."""

    model: Model
    threshold: float

    def find(self, text: str) -> list[Finding]:
        """The findings of the model in one text."""
        return self.model.find(text, threshold=self.threshold)

    def find_many(self, texts: Sequence[str]) -> list[list[Finding]]:
        """The findings of the model in each of several texts."""
        return self.model.find_many(texts, threshold=self.threshold)


@dataclass(frozen=True, slots=True)
class CombinedDetector:
    """Runs every part and combines the findings: in order, without overlaps, above the threshold."""

    parts: tuple[Detector, ...]
    threshold: float
    model: Detector | None = None
    needs_support: bool = False
    """Whether a model finding that no rule supports gets a lower confidence: the rules know the language."""
    terms: TermList | None = None
    consistency: bool = True
    scheme: Scheme = "i2b2"
    is_common: IsCommon | None = None
    """Whether a word is too common to be taken for a name elsewhere in the document."""

    def find(self, text: str) -> list[Finding]:
        """The findings of one text."""
        return self.find_many((text,))[0]

    def find_many(self, texts: Sequence[str]) -> list[list[Finding]]:
        """The findings in each of several texts: the same as one by one, but faster for short texts."""
        by_part = [find_in_each(part, texts) for part in self.parts]
        modelled = [()] * len(texts) if self.model is None else find_in_each(self.model, texts)
        return [
            self._resolve(text, [one for part in by_part for one in part[place]], modelled[place])
            for place, text in enumerate(texts)
        ]

    def _resolve(self, text: str, findings: list[Finding], modelled: Sequence[Finding]) -> list[Finding]:
        """Combine what the rules and the model found in one text."""
        findings += lower_unsupported(modelled, findings) if self.needs_support else modelled
        if self.consistency:
            findings += find_repeats(text, self._combine(text, findings), is_common=self.is_common)
        return [one for one in self._combine(text, findings) if is_identifier(text, one, self.scheme)]

    def _combine(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        found = combine(findings, threshold=self.threshold)
        return found if self.terms is None else self.terms.without(text, found)


def build_detector(settings: DetectSettings | None = None) -> CombinedDetector:
    """Build the detector that the settings describe; each worker process builds its own.

    >>> from reidrisk import DetectSettings
    >>> [one.type for one in build_detector(DetectSettings(model=None)).find("Seen on March 3rd, 2020.")]
    ['DATE']
    """
    settings = settings or DetectSettings()
    parts: list[Detector] = []
    is_common: IsCommon | None = None
    model: Detector | None = None
    if settings.rules_used != "none":
        from reidrisk.detect.dictionaries.institutions import InstitutionDetector

        parts += [PatternDetector(universal=settings.rules_used == "universal"), InstitutionDetector()]
    if settings.rules_used == "english":
        from reidrisk.detect.dictionaries.find import DictionaryDetector
        from reidrisk.detect.dictionaries.lexicon import english

        parts.append(DictionaryDetector())
        is_common = english().is_common
    if settings.model is not None and (settings.model != SHIPPED_MODEL or SHIPPED_MODEL.exists()):
        model = _model(settings.model, settings.threshold)
    if settings.known is not None:
        from reidrisk.detect.known.index import KnownValues

        parts.append(KnownValues.read(settings.known))
    terms = TermList.read(settings.terms) if settings.terms else None
    parts += [terms] if terms is not None else []
    if settings.plugins:
        from reidrisk.detect.plugins import build_plugin

        parts += [build_plugin(name) for name in settings.plugins]
    return CombinedDetector(
        tuple(parts),
        settings.threshold,
        model=model,
        needs_support=settings.rules_used == "english",
        terms=terms,
        consistency=settings.consistency,
        scheme=settings.scheme,
        is_common=is_common,
    )


_TRAIN = "To train a model, run: reidrisk text train CORPUS --out MODEL"


def _model(path: Path, threshold: float) -> Detector:
    if not path.is_file():
        raise UnreadableFile.missing(path, hint=_TRAIN)
    from reidrisk.detect.model.file import load_model

    return ModelPart(load_model(path), threshold)


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


NEVER = "never:"
_HINT = (
    "Write one term per line in UTF-8. `TYPE: term` gives it a type; `never: term` means it is never found."
)
_TYPE = re.compile(r"(?P<type>[A-Z][A-Z_-]{1,30}): *(?P<term>.+)")
_WORD = re.compile(r"\w+")
DEFAULT_TYPE = "OTHER"


@dataclass(frozen=True, slots=True)
class TermList:
    """Terms indexed by their words, so that one pass over a text finds them all."""

    types: dict[tuple[str, ...], str]
    longest: int
    never: frozenset[tuple[str, ...]]

    @classmethod
    def read(cls, paths: Iterable[Path]) -> TermList:
        """Read the terms of several files; # starts a comment."""
        types: dict[tuple[str, ...], str] = {}
        never: set[tuple[str, ...]] = set()
        for line in (line for path in paths for line in _lines(path)):
            term = line.strip()
            if term.lower().startswith(NEVER):
                never.add(_key(term[len(NEVER) :]))
                continue
            typed = _TYPE.fullmatch(term)
            types[_key(typed["term"] if typed else term)] = typed["type"] if typed else DEFAULT_TYPE
        types.pop((), None)
        sizes = [len(key) for key in (*types, *never)]
        return cls(types, max(sizes, default=0), frozenset(never - {()}))

    def find(self, text: str) -> list[Finding]:
        """Find all terms, upper or lower case; where several terms match, the longest counts."""
        return [
            Finding(start, end, self.types[key], 1.0, "terms")
            for start, end, key in self._places(text)
            if key in self.types
        ]

    def without(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings without terms that never identify."""
        if not self.never:
            return list(findings)
        return [finding for finding in findings if _key(text[finding.start : finding.end]) not in self.never]

    def _places(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        if not self.types:
            return []
        words = [(match.start(), match.end(), match[0].casefold()) for match in _WORD.finditer(text)]
        begins = {key[0] for key in self.types}
        found, at = [], 0
        while at < len(words):
            size = self._size(words, at) if words[at][2] in begins else 0
            if size:
                key = tuple(word for _, _, word in words[at : at + size])
                found.append((words[at][0], words[at + size - 1][1], key))
            at += size or 1
        return found

    def _size(self, words: list[tuple[int, int, str]], at: int) -> int:
        for size in range(min(self.longest, len(words) - at), 0, -1):
            if tuple(word for _, _, word in words[at : at + size]) in self.types:
                return size
        return 0


def _key(term: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORD.findall(term))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UnreadableFile.missing(path) from None
    except (OSError, ValueError):
        raise UnreadableFile(
            f"The term list {path.name!r} cannot be read as UTF-8 text.", hint=_HINT
        ) from None
    return [line.partition("#")[0] for line in text.splitlines() if line.partition("#")[0].strip()]
