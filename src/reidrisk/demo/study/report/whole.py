"""All chapters in their order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.demo.study.cohort import Participant
from reidrisk.demo.study.report.elements import Element
from reidrisk.demo.study.report.front import front
from reidrisk.demo.study.report.listings import listings
from reidrisk.demo.study.report.narratives import narratives
from reidrisk.demo.study.report.safety import after_narratives, results, safety


def study_report(
    people: Sequence[Participant], *, visits: int, rng: np.random.Generator
) -> tuple[Element, ...]:
    """The report; `visits` of every participant have their laboratory values listed."""
    return (
        *front(people),
        *results(people, rng=rng),
        *safety(people, rng=rng),
        *narratives(people, rng=rng),
        *after_narratives(people, rng=rng),
        *listings(people, visits=visits, rng=rng),
    )
