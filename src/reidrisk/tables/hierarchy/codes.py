"""Codes of two classifications that generalize by rule: ICD-10 (diseases) and ATC (drugs)."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from reidrisk.core.reference_lists import CHAPTERS
from reidrisk.tables.hierarchy.chain import Chain, Step, Values, objects, refuse
from reidrisk.tables.hierarchy.matching import written

_ICD10 = re.compile(r"[A-Z]\d[0-9AB](\.?[0-9A-Z]{1,4})?[†*+!]?")
_ATC = re.compile(r"[A-Z](\d\d([A-Z]([A-Z](\d\d)?)?)?)?")
_STARTS = [f"{chapter[:2]}0" for chapter in CHAPTERS]
"""Round, so that the few categories which national editions add lie in a chapter, too."""

ATC_LEVELS = {"chemical": 5, "pharmacological": 4, "therapeutic": 3, "anatomical": 1}
"""Groups of the ATC classification by the characters they have."""


@dataclass(frozen=True, slots=True)
class Icd10:
    """A code, its category of three characters, its chapter."""

    lists_missing = False

    def chain(self, values: Values) -> Chain:
        """Category and chapter of each code."""
        codes = _codes(
            values, _ICD10, "not in the form of an ICD-10 code", hint="Write codes such as E11.9 or E119."
        )
        categories = [code[:3] for code in codes]
        chapters = {category: chapter_of(category) for category in set(categories)}
        above = [chapters[category] for category in categories]
        return Chain((Step("category", objects(categories)), Step("chapter", objects(above))))


@dataclass(frozen=True, slots=True)
class Atc:
    """A substance and its chemical, pharmacological, therapeutic and anatomical group."""

    lists_missing = False

    def chain(self, values: Values) -> Chain:
        """The groups of each code; a code of a group stays itself below that group."""
        codes = _codes(values, _ATC, "not in the form of an ATC code", hint="Write codes such as A10BA02.")
        steps = [
            Step(name, objects([code[:length] for code in codes])) for name, length in ATC_LEVELS.items()
        ]
        return Chain(tuple(steps))


def chapter_of(category: str) -> str:
    """The chapter of a category.

    >>> chapter_of("E11"), chapter_of("H60"), chapter_of("O9A")
    ('E00-E90', 'H60-H95', 'O00-O99')
    """
    return CHAPTERS[bisect_right(_STARTS, category) - 1]


def _codes(values: Values, form: re.Pattern[str], what: str, *, hint: str) -> list[str]:
    codes = [written(value).strip().upper() for value in values.present.tolist()]
    odd = np.array([form.fullmatch(code) is None for code in codes], dtype=np.bool_)
    refuse(values, odd, what, hint=hint)
    return codes
