"""A simulated de-identification tool: its recall is chosen, its mistakes look like real ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from reidrisk.demo.leaks import (
    Floats,
    Instances,
    Place,
    chances,
    instances_by_type,
    leak_by_chance,
    leak_exactly,
    leak_in_documents,
)
from reidrisk.demo.predict import predicted
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.text.corpus import Corpus

CASE_STUDY_LEAKS: Mapping[str, int] = {
    "ID": 11,
    "PHONE": 3,
    "STREET": 1,
    "NAME": 30,
    "DATE": 72,
    "ORGANIZATION": 24,
    "AGE": 1,
    "ZIP": 3,
    "COUNTRY": 1,
    "STATE": 6,
    "CITY": 12,
}
"""Together 45 of the direct and 119 of the quasi-identifiers, as published; the split is ours."""
CASE_STUDY_DOCUMENTS: Mapping[str, int] = {"ID": 8, "PHONE": 2, "STREET": 1, "NAME": 9}
"""Documents with a leak: all-or-nothing recalls of about 0.92 for the direct identifiers."""
_CLUSTERING = 0.05


def simulate_tool(
    corpus: Corpus,
    *,
    recall: Mapping[str, float] | float = 0.95,
    leaks: Mapping[str, int] | None = None,
    clustering: float = _CLUSTERING,
    precision: float = 0.9,
    seed: int = 7,
) -> Corpus:
    """What a tool of this quality might output: labels of its own, no text, in no order.

    `recall` is the expected share of instances caught, for all types or by type (1 where a type is
    not named). `leaks` gives exact numbers instead for the types that it names. `clustering` is the
    correlation of leaks within a document, 0 for none. `precision` counts predictions.

    >>> from reidrisk.demo.notes import clinical_notes
    >>> output = simulate_tool(clinical_notes(documents=4), recall=0.9)
    >>> len(output), output.documents[0].text is None
    (4, True)
    """
    _check(corpus, clustering=clustering, precision=precision)
    groups = instances_by_type(corpus)
    exact = leaks or {}
    _check_types(exact, [group.type for group in groups])
    rng = np.random.default_rng(seed)
    badness = rng.random(len(corpus))
    missed: set[Place] = set()
    for group in groups:
        if group.type in exact:
            missed |= _exact(group, exact[group.type], badness, clustering=clustering, rng=rng)
        else:
            chance = chances(1.0 - _recall_of(group.type, recall), badness, clustering=clustering)
            missed |= leak_by_chance(group, chance, rng=rng)
    return predicted(corpus, missed, precision=precision, rng=rng)


def case_study_tool(corpus: Corpus, *, seed: int = 7) -> Corpus:
    """The published case study's leaks exactly, for `clinical_notes(documents=120)`."""
    _check(corpus, clustering=_CLUSTERING, precision=0.9)
    groups = {group.type: group for group in instances_by_type(corpus)}
    _check_types(CASE_STUDY_LEAKS, groups)
    rng = np.random.default_rng(seed)
    badness = rng.random(len(corpus))
    missed: set[Place] = set()
    for type_, count in CASE_STUDY_LEAKS.items():
        group = groups[type_]
        if type_ in CASE_STUDY_DOCUMENTS:
            missed |= leak_in_documents(group, count, documents=CASE_STUDY_DOCUMENTS[type_], rng=rng)
        else:
            missed |= _exact(group, count, badness, clustering=_CLUSTERING, rng=rng)
    return predicted(corpus, missed, precision=0.9, rng=rng)


def _exact(
    group: Instances, count: int, badness: Floats, *, clustering: float, rng: np.random.Generator
) -> set[Place]:
    """An exact number has no rate of its own: documents are as bad as the share observed makes them."""
    share = min(max(count / len(group.places), 0.0), 1.0)
    return leak_exactly(group, count, chance=chances(share, badness, clustering=clustering), rng=rng)


def _recall_of(type_: str, recall: Mapping[str, float] | float) -> float:
    chosen = recall if isinstance(recall, int | float) else recall.get(type_, 1.0)
    if not 0 <= chosen <= 1:
        raise InvalidSetting(
            f"The recall of {type_!r} is {chosen}.", hint="A recall is between 0 and 1, such as 0.95."
        )
    return float(chosen)


def _check_types(wanted: Iterable[str], known: Collection[str]) -> None:
    for type_ in wanted:
        if type_ not in known:
            raise InvalidSetting.among("A type of identifier in this corpus", type_, known)


def _check(corpus: Corpus, *, clustering: float, precision: float) -> None:
    if not 0 <= clustering < 1:
        raise InvalidSetting(f"The clustering is {clustering}.", hint="Choose it from 0 to below 1.")
    if not 0 < precision <= 1:
        raise InvalidSetting(f"The precision is {precision}.", hint="Choose it above 0, at most 1.")
    if any(document.text is None for document in corpus):
        raise BadData(
            "A tool cannot be simulated on documents without text.",
            hint="Read the gold standard with its texts.",
        )
