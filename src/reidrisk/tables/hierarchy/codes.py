"""Codes that generalize by rule: ICD-10, ATC, prefixes and US ZIP codes."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.reference_lists import CHAPTERS, POPULATION_LIMIT, RESTRICTED, read_populations
from reidrisk.core.spec import Spec, whole
from reidrisk.core.wording import plural
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.levels import Chain, ColumnValues, LevelLabels, objects, refuse_values
from reidrisk.tables.hierarchy.matching import written

_ICD10 = re.compile(r"[A-Z]\d[0-9AB](\.?[0-9A-Z]{1,4})?[†*+!]?")
_ATC = re.compile(r"[A-Z](\d\d([A-Z]([A-Z](\d\d)?)?)?)?")
_STARTS = [f"{chapter[:2]}0" for chapter in CHAPTERS]
"""Rounded down, so that the few categories that national editions add also fall into a chapter."""

ATC_LEVELS = {"chemical": 5, "pharmacological": 4, "therapeutic": 3, "anatomical": 1}
"""Number of characters of each group of the ATC classification."""


@dataclass(frozen=True, slots=True)
class Icd10:
    """ICD-10: a code, its three-character category, its chapter."""

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build category and chapter of each code."""
        codes = _class_codes(
            values,
            _ICD10,
            "not in the form of an ICD-10 code",
            hint="Write codes such as E11.9 or E119.",
        )
        categories = [code[:3] for code in codes]
        chapters = {category: chapter_of(category) for category in set(categories)}
        above = [chapters[category] for category in categories]
        return Chain((LevelLabels("category", objects(categories)), LevelLabels("chapter", objects(above))))


@dataclass(frozen=True, slots=True)
class Atc:
    """ATC: a substance and its chemical, pharmacological, therapeutic and anatomical group."""

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the groups of each code; the code of a group stays unchanged below that group."""
        codes = _class_codes(
            values, _ATC, "not in the form of an ATC code", hint="Write codes such as A10BA02."
        )
        steps = [
            LevelLabels(name, objects([code[:length] for code in codes]))
            for name, length in ATC_LEVELS.items()
        ]
        return Chain(tuple(steps))


def chapter_of(category: str) -> str:
    """Return the chapter of a category.

    >>> chapter_of("E11"), chapter_of("H60"), chapter_of("O9A")
    ('E00-E90', 'H60-H95', 'O00-O99')
    """
    return CHAPTERS[bisect_right(_STARTS, category) - 1]


def _class_codes(values: ColumnValues, form: re.Pattern[str], what: str, *, hint: str) -> list[str]:
    codes = [written(value).strip().upper() for value in values.present.tolist()]
    odd = np.array([form.fullmatch(code) is None for code in codes], dtype=np.bool_)
    refuse_values(values, odd, what, hint=hint)
    return codes


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Levels that keep fewer and fewer characters; a shorter code stays unchanged."""

    lengths: tuple[int, ...]
    normalise: bool = False
    """Whether to remove spaces and use capitals, so that k1h 8l1 becomes K1H8L1."""

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the first characters of each value."""
        texts = [written(value) for value in values.present.tolist()]
        if self.normalise:
            texts = ["".join(text.split()).upper() for text in texts]
        steps = [
            LevelLabels(plural(length, "character"), objects([text[:length] for text in texts]))
            for length in self.lengths
        ]
        return Chain(tuple(steps))


def prefix_rule(spec: Spec) -> Prefixes:
    """Read the lengths, longest first."""
    hint = "Write for example lengths: [3, 2, 1]."
    lengths = [whole(entry, place) for place, entry in spec.items("lengths", hint=hint)]
    if lengths != sorted(set(lengths), reverse=True):
        raise InvalidSetting(f"{spec.at('lengths')} is not in descending order.", hint=hint)
    return Prefixes(tuple(lengths), spec.flag("normalise", default=False))


HIDDEN = "000"
_ZIP = re.compile(r"\d{3}|\d{5}(-?\d{4})?")
_PREFIX = re.compile(r"\d{3}")


@dataclass(frozen=True, slots=True)
class Zips:
    """US ZIP codes: five digits, three digits or 000, and optionally one digit or 000."""

    restricted: frozenset[str]
    """Prefixes of areas with too small a population."""
    populated: frozenset[str] | None = None
    """Prefixes with a large enough population; None if all that are not restricted have one."""
    digit: bool = False

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the areas of each code."""
        codes = _zip_codes(values)
        areas = [self._area(code[:3]) for code in codes]
        steps = [LevelLabels("ZIP3", objects(areas))]
        if any(len(code) > 3 for code in codes):
            fives = [code[:5] for code in codes]
            steps.insert(0, LevelLabels("ZIP5", objects(fives)))
        if self.digit:
            steps.append(
                LevelLabels("1 digit", objects([area if area == HIDDEN else area[:1] for area in areas]))
            )
        return Chain(tuple(steps))

    def _area(self, prefix: str) -> str:
        known = self.populated is None or prefix in self.populated
        return prefix if known and prefix not in self.restricted else HIDDEN


def zip_rule(spec: Spec, folder: Path) -> Zips:
    """Read the list of small areas: a published one, your own, or from a file of populations."""
    digit = spec.flag("digit", default=False)
    given = spec.content.get("restricted")
    if "populations" in spec.content:
        if given is not None:
            raise InvalidSetting(
                f"{spec.place} has both restricted and populations.", hint="Keep one of the two."
            )
        people = read_populations(folder / spec.text("populations", ""))
        large = frozenset(prefix for prefix, number in people.items() if number > POPULATION_LIMIT)
        return Zips(frozenset(), large, digit)
    return Zips(_listed("hhs-2000" if given is None else given, spec.at("restricted")), None, digit)


def _listed(given: Any, place: str) -> frozenset[str]:
    if isinstance(given, str):
        if given not in RESTRICTED:
            raise InvalidSetting.among(place, given, RESTRICTED)
        return RESTRICTED[given]
    if not isinstance(given, list):
        raise InvalidSetting(f"{place} is not a list.", hint='Write hhs-2000, or prefixes: ["036", "059"].')
    prefixes = [str(prefix) for prefix in given]
    for at, prefix in enumerate(prefixes):
        if not _PREFIX.fullmatch(prefix):
            raise InvalidSetting(
                f"{place}[{at}] does not have three digits.", hint='Put it in quotes: "036".'
            )
    return frozenset(prefixes)


def _zip_codes(values: ColumnValues) -> list[str]:
    """Return texts of digits; numbers get back their leading zeros."""
    present = values.present.tolist()
    texts = [written(value).strip() for value in present]
    if any(not isinstance(value, str) for value in present):
        texts = [text.zfill(_digits(texts)) for text in texts]
    odd = np.array([_ZIP.fullmatch(text) is None for text in texts], dtype=np.bool_)
    refuse_values(values, odd, "not in the form of a ZIP code", hint="ZIP codes have 3, 5 or 9 digits.")
    return texts


def _digits(texts: list[str]) -> int:
    longest = max(len(text) for text in texts)
    return 3 if longest <= 3 else 5 if longest <= 5 else 9
