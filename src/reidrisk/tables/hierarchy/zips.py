"""US ZIP codes to three digits, as the HIPAA Safe Harbor rule has it, and to one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.reference_lists import POPULATION_LIMIT, RESTRICTED, read_populations
from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.chain import Chain, Step, Values, objects, refuse
from reidrisk.tables.hierarchy.matching import written

HIDDEN = "000"
_ZIP = re.compile(r"\d{3}|\d{5}(-?\d{4})?")
_PREFIX = re.compile(r"\d{3}")


@dataclass(frozen=True, slots=True)
class Zips:
    """Five digits, three digits or 000, and if wanted one digit or 000."""

    restricted: frozenset[str]
    """Prefixes of areas with too few people."""
    populated: frozenset[str] | None = None
    """Prefixes known to have enough people; None if all are that are not restricted."""
    digit: bool = False

    lists_missing = False

    def chain(self, values: Values) -> Chain:
        """The areas of each code."""
        codes = _codes(values)
        areas = [self._area(code[:3]) for code in codes]
        steps = [Step("ZIP3", objects(areas))]
        if any(len(code) > 3 for code in codes):
            fives = [code[:5] for code in codes]
            steps.insert(0, Step("ZIP5", objects(fives)))
        if self.digit:
            steps.append(Step("1 digit", objects([area if area == HIDDEN else area[:1] for area in areas])))
        return Chain(tuple(steps))

    def _area(self, prefix: str) -> str:
        known = self.populated is None or prefix in self.populated
        return prefix if known and prefix not in self.restricted else HIDDEN


def zip_rule(spec: Spec, folder: Path) -> Zips:
    """The list of small areas: a published one, one's own, or from a file of populations."""
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
        raise InvalidSetting(f"{place} is no list.", hint='Write hhs-2000, or prefixes: ["036", "059"].')
    prefixes = [str(prefix) for prefix in given]
    for at, prefix in enumerate(prefixes):
        if not _PREFIX.fullmatch(prefix):
            raise InvalidSetting(f"{place}[{at}] is not of three digits.", hint='Put it in quotes: "036".')
    return frozenset(prefixes)


def _codes(values: Values) -> list[str]:
    """Texts of digits; numbers have lost the zeros they began with."""
    present = values.present.tolist()
    texts = [written(value).strip() for value in present]
    if any(not isinstance(value, str) for value in present):
        texts = [text.zfill(_digits(texts)) for text in texts]
    odd = np.array([_ZIP.fullmatch(text) is None for text in texts], dtype=np.bool_)
    refuse(values, odd, "not in the form of a ZIP code", hint="ZIP codes have 3, 5 or 9 digits.")
    return texts


def _digits(texts: list[str]) -> int:
    longest = max(len(text) for text in texts)
    return 3 if longest <= 3 else 5 if longest <= 5 else 9
