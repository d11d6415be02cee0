"""Figures of recall as the evidence of a text evaluation: documents that have these figures.

Only means are known. Every participant has one of the two whole numbers of values around the mean, every
value one of the two numbers of instances around theirs, so that recall, values and instances are as given up
to rounding. Who leaked together is not known: leaks of different types are taken to meet in the same
participants, and of quasi-identifiers nothing is said participant by participant.
"""

from __future__ import annotations

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.documents.study.recall import QuasiRecall, RecallFigures
from reidrisk.stats.arrays import Ints
from reidrisk.text.evidence import Evidence, TypeEvidence

POOLED = "quasi-identifiers"


def figures_evidence(figures: RecallFigures) -> Evidence:
    """Documents that have these figures."""
    n = figures.documents
    names = tuple(figures.direct)
    holds, leaks = np.zeros((n, len(names)), dtype=bool), np.zeros((n, len(names)), dtype=bool)
    for at, one in enumerate(figures.direct.values()):
        holds[: one.documents, at] = True
        leaks[: one.leaking, at] = True
    values, repeats = _spread(figures.quasi, n)
    instances = np.array([part.sum() for part in np.split(repeats, np.cumsum(values)[:-1])], dtype=np.int64)
    recall = 1.0 if figures.quasi is None else figures.quasi.recall
    types = [
        TypeEvidence(
            name, "direct", one.documents, one.leaking, one.documents, one.documents - one.leaking, 0, 0
        )
        for name, one in figures.direct.items()
    ]
    caught = shared(round(recall * int(instances.sum())), instances)
    if figures.quasi is not None:
        totals = int(instances.sum()), int(caught.sum())
        types.append(
            TypeEvidence(POOLED, "quasi", figures.quasi.documents, 0, *totals, 0, 0, values=int(values.sum()))
        )
    return Evidence(
        types=tuple(types),
        mapping=(),
        labels=(),
        direct_types=names,
        holds=holds,
        leaks=leaks,
        direct_leaks=leaks.sum(axis=1).astype(np.int64),
        values=values,
        leaked_values=np.zeros(n, dtype=np.int64),
        instances=instances,
        caught=caught,
        repeats=repeats,
        masked_words=0,
        masked_identifier_words=0,
        records=n,
        notes=(f"Recall was given as figures for {plural(n, 'participant')}; it was not measured here.",),
    )


def _spread(quasi: QuasiRecall | None, documents: int) -> tuple[Ints, Ints]:
    """Values of each participant, and instances of each value."""
    none = np.zeros(0, dtype=np.int64)
    if quasi is None:
        return np.zeros(documents, dtype=np.int64), none
    total = round(quasi.values * documents)
    own = even(total, quasi.documents)
    values = np.concatenate([own, np.zeros(documents - quasi.documents, dtype=np.int64)])
    return values, even(round(quasi.instances * total), total)


def even(total: int, parts: int) -> Ints:
    """Whole numbers as alike as can be.

    >>> even(7, 3).tolist()
    [3, 2, 2]
    """
    each, left = divmod(total, parts)
    return np.array([each + (at < left) for at in range(parts)], dtype=np.int64)


def shared(total: int, sizes: Ints) -> Ints:
    """So many of all instances, from each document about the same share.

    >>> shared(5, np.array([4, 4])).tolist()
    [2, 3]
    """
    whole = int(sizes.sum())
    if not whole:
        return np.zeros_like(sizes)
    upto = np.cumsum(sizes) * total // whole
    return np.asarray(np.diff(upto, prepend=0), dtype=np.int64)
