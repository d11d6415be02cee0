"""Tables printed in the papers, and the classes of their records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from reidrisk.core.classes import ClassSizes
from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import MatchedClasses, discernibility, prosecutor

Case = tuple[str, str, str, dict[str, Any], Any, dict[str, float]]
"""Id, topic, function, inputs, value and tolerance, as in the reference cases of the formulas."""
Compute = Callable[[dict[str, Any]], Any]
Person = tuple[str, int]

KNIOLA: list[Person] = list(zip("MFFMFMMFMF", (26, 28, 31, 29, 28, 30, 29, 32, 29, 31), strict=True))
KUMAR: list[Person] = list(zip("MFMFFFMFFF", (26, 26, 26, 26, 29, 28, 26, 27, 28, 29), strict=True))


def sizes(rows: Sequence[Hashable]) -> tuple[Ints, Ints]:
    """Class sizes, and how many classes have each."""
    tally = Counter(Counter(rows).values())
    return np.array(list(tally)), np.array(list(tally.values()))


def matched(rows: Sequence[Hashable], population: Mapping[Any, int]) -> MatchedClasses:
    """The classes of a data set with their sizes in a population."""
    tally = Counter((number, population.get(row, 0)) for row, number in Counter(rows).items())
    f, big = np.array(list(tally)).T
    return MatchedClasses(f, big, np.array(list(tally.values())))


def numbered(rows: Sequence[Any]) -> tuple[Ints, Ints]:
    """Each record's number of its class, and the class sizes."""
    names = sorted(set(rows))
    codes = np.array([names.index(row) for row in rows])
    return codes, np.bincount(codes)


def prosecutor_figures(given: dict[str, Any]) -> dict[str, float]:
    """All that the reference cases ask about rows without a population."""
    rows = given["rows"]
    risk = prosecutor(*sizes(rows), cell_size=Threshold(given["tau"], "reference").cell_size)
    found = ClassSizes.of(numbered(rows)[1].tolist())
    return {
        "max": risk.highest,
        "avg": risk.average,
        "share_above": risk.share_above,
        "J": found.classes,
        "unique": found.unique_share,
        "dm": discernibility(*sizes(rows)),
    }


def check(case: Case, found: Any) -> None:
    """Compare with the reference value; of several named figures those that it names."""
    expected, tolerance = case[4], case[5]
    if isinstance(expected, dict):
        found = {name: found[name] for name in expected}
    if isinstance(expected, str) or (isinstance(expected, (dict, list)) and not _flat(expected)):
        assert found == expected
    else:
        assert found == pytest.approx(expected, rel=tolerance.get("rel", 0), abs=tolerance.get("abs", 0))


def _flat(expected: dict[str, Any] | list[Any]) -> bool:
    values = expected.values() if isinstance(expected, dict) else expected
    return all(isinstance(value, (int, float)) for value in values)
