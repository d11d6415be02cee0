"""Synthetic clinical notes with a gold standard, generated from a seed."""

from __future__ import annotations

import numpy as np

from reidrisk.demo.cast import cast_for
from reidrisk.demo.compose import compose
from reidrisk.demo.entity import pick
from reidrisk.demo.medicine import illnesses
from reidrisk.demo.plan import GROUPS, NotePlan, plan_notes
from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Corpus, Document


def clinical_notes(*, seed: int = 7, documents: int = 120) -> Corpus:
    """Generate notes in four groups: random selection, social work, history and physical, progress.

    With 120 documents, the number of identifiers of each type, and of documents with them, is the same as
    in the published case study (doi:10.1016/j.jbi.2016.07.015); other sizes are in proportion. All notes
    are different; the same seed gives the same bytes.

    >>> notes = clinical_notes(documents=8)
    >>> [note.id for note in notes][:3]
    ['random-001', 'random-002', 'social-work-001']
    """
    if documents < len(GROUPS):
        raise InvalidSetting(
            f"The notes are in four groups, which is too many for {documents} documents.",
            hint="Request at least 4 documents.",
        )
    rng = np.random.default_rng(seed)
    return Corpus(tuple(_note(plan, rng=rng) for plan in plan_notes(documents, rng=rng)))


def _note(plan: NotePlan, *, rng: np.random.Generator) -> Document:
    illness = pick(illnesses(), rng=rng)
    cast = cast_for(plan, illness, rng=rng)
    return compose(plan, illness, cast, rng=rng)
