"""How far reviewers agree on the places that they all judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan

from reidrisk.documents.review.opinions import Judged
from reidrisk.stats.agreement import cohen_kappa, fleiss_kappa

NONE = "none"
"""The label of a place that somebody holds for no identifier."""


@dataclass(frozen=True, slots=True)
class ReviewAgreement:
    """Two or more reviewers on the same places."""

    reviewers: tuple[str, ...]
    places: int
    """Judged by all of them."""
    same: int
    kappa: float | None
    """Cohen's for two, Fleiss' for more; None where chance alone would always agree."""


def agreement(names: Sequence[str], places: Sequence[Judged]) -> ReviewAgreement | None:
    """How far all these reviewers agree; None for fewer than two."""
    if len(names) < 2:
        return None
    rows = [
        tuple(place.opinions[name] or NONE for name in names)
        for place in places
        if all(name in place.opinions for name in names)
    ]
    same = sum(len(set(row)) == 1 for row in rows)
    kappa = _kappa(rows) if rows else float("nan")
    return ReviewAgreement(tuple(names), len(rows), same, None if isnan(kappa) else kappa)


def _kappa(rows: Sequence[tuple[str, ...]]) -> float:
    if len(rows[0]) == 2:
        return cohen_kappa(Counter((one, two) for one, two in rows))
    labels = sorted({label for row in rows for label in row})
    return fleiss_kappa([[row.count(label) for label in labels] for row in rows])


def pairs(names: Sequence[str], places: Sequence[Judged]) -> tuple[ReviewAgreement, ...]:
    """Every two of them."""
    found = (agreement(pair, places) for pair in combinations(names, 2))
    return tuple(one for one in found if one is not None)
