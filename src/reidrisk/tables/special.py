"""Special uniques: how many records a few columns single out. Never shows which records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from reidrisk.core.reason import Reason
from reidrisk.core.wording import plural
from reidrisk.engine.plans import DistinctTuples
from reidrisk.stats.intrusion import dis_scores, right_match
from reidrisk.stats.special_uniques import SpecialUniques, special_uniques

CHANCES = (0.05, 0.1, 0.2, 1 / 3, 0.5)
"""Probabilities above which records are counted."""


@dataclass(frozen=True, slots=True)
class Intrusion:
    """How likely a match with a record is correct, by its score; never shows which record."""

    fraction: float
    """The share of the population that is in the table."""
    right: float
    """Probability that a match with any unique record is correct."""
    highest: float
    """Probability for the record with the highest score."""
    above: tuple[tuple[float, int], ...]
    """A probability, and how many records have a higher one."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {**asdict(self), "above": [{"chance": one, "records": number} for one, number in self.above]}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Intrusion:
        """Read what `to_dict` wrote."""
        return cls(**{**given, "above": tuple((one["chance"], one["records"]) for one in given["above"])})


@dataclass(frozen=True, slots=True)
class SpecialUniqueCounts:
    """How many records are singled out by minimal sets of columns, by the size of the sets."""

    largest: int
    """Number of columns in the largest sets examined."""
    records: int
    of: int
    """Number of all records."""
    by_size: tuple[tuple[int, int], ...]
    """Size of a record's smallest set, and the number of records."""
    by_set: tuple[tuple[tuple[str, ...], int], ...]
    """Columns, and the number of records that they single out but no subset of them does."""
    by_column: tuple[tuple[str, float], ...]
    """Column, and its share of the scores."""
    highest_tenth: float
    """Share of all scores that belongs to the 10 % of records with the highest scores."""
    intrusion: Intrusion | None = None
    """None unless the share of the population in the table is known and some record has a score."""

    def reason(self) -> Reason:
        """Explain the counts; they do not change the verdict."""
        if not self.records:
            return Reason(f"No record is singled out by {plural(self.largest, 'column')} or fewer.", None)
        size, number = self.by_size[0]
        return Reason(
            f"{plural(self.records, 'record')} of {self.of:,} are singled out by {self.largest} columns or "
            f"fewer; {number:,} of them by {plural(size, 'column')} alone.",
            None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            **asdict(self),
            "by_size": [{"columns": size, "records": number} for size, number in self.by_size],
            "by_set": [{"columns": list(names), "records": number} for names, number in self.by_set],
            "by_column": [{"column": name, "score_share": share} for name, share in self.by_column],
            "intrusion": None if self.intrusion is None else self.intrusion.to_dict(),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> SpecialUniqueCounts:
        """Read what `to_dict` wrote."""
        intrusion = given.get("intrusion")
        return cls(
            **{
                **given,
                "intrusion": None if intrusion is None else Intrusion.from_dict(intrusion),
                "by_size": tuple((one["columns"], one["records"]) for one in given["by_size"]),
                "by_set": tuple((tuple(one["columns"]), one["records"]) for one in given["by_set"]),
                "by_column": tuple((one["column"], one["score_share"]) for one in given["by_column"]),
            }
        )


def measure_special(
    tuples: DistinctTuples, largest: int, *, population: int | None = None
) -> SpecialUniqueCounts:
    """Count minimal uniques of the distinct tuples; `population` is the number of people sampled from."""
    found = special_uniques(tuples.codes.astype(np.int64), tuples.counts, largest=largest)
    sizes, number = np.unique(found.smallest[found.smallest > 0], return_counts=True)
    ranked = np.sort(found.scores)[::-1]
    total, tenth = float(ranked.sum()), max(1, tuples.records // 10)
    return SpecialUniqueCounts(
        largest=found.largest,
        records=int(number.sum()),
        of=tuples.records,
        by_size=tuple(zip(sizes.tolist(), number.tolist(), strict=True)),
        by_set=tuple((tuple(tuples.columns[at] for at in places), one) for places, one in found.by_set),
        by_column=tuple(zip(tuples.columns, found.by_column.tolist(), strict=True)),
        highest_tenth=float(ranked[:tenth].sum()) / total if total else 0.0,
        intrusion=None if population is None else _intrusion(tuples, found, tuples.records / population),
    )


def _intrusion(tuples: DistinctTuples, found: SpecialUniques, fraction: float) -> Intrusion | None:
    uniques, pairs = (int((tuples.counts == size).sum()) for size in (1, 2))
    right = right_match(uniques, pairs, fraction)
    if right is None or not found.scores.any():
        return None
    chances = dis_scores(found.scores, len(tuples.columns), right)
    above = tuple((limit, int((chances > limit).sum())) for limit in CHANCES)
    return Intrusion(fraction, right, float(chances.max()), above)
