"""Which identifiers a simulated tool misses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Corpus

Floats = NDArray[np.float64]
Place = tuple[int, int]
"""An annotation: the number of its document and its own number there."""


@dataclass(frozen=True, slots=True)
class Instances:
    """All gold annotations of one type."""

    type: str
    places: tuple[Place, ...]

    @property
    def documents(self) -> NDArray[np.int64]:
        """The document of each."""
        return np.array([document for document, _ in self.places], dtype=np.int64)


def instances_by_type(corpus: Corpus) -> tuple[Instances, ...]:
    """Direct and quasi-identifiers; types in the order of their first appearance."""
    found: dict[str, list[Place]] = {}
    for number, document in enumerate(corpus):
        for at, annotation in enumerate(document.annotations):
            if annotation.role != "ignored":
                found.setdefault(annotation.type, []).append((number, at))
    return tuple(Instances(type_, tuple(places)) for type_, places in found.items())


def chances(miss: float, badness: Floats, *, clustering: float) -> Floats:
    """How likely each document is to leak one instance; `miss` on average.

    `badness` is uniform on (0, 1), one number a document, the same for every type: a document that
    is bad for names is bad for dates too. The chances follow a beta distribution, so that
    `clustering` is the correlation between two instances of one document.

    >>> chances(0.1, np.array([0.5, 0.9]), clustering=0.0).tolist()
    [0.1, 0.1]
    """
    if clustering == 0 or miss in (0.0, 1.0):
        return np.full(len(badness), miss)
    weight = (1 - clustering) / clustering
    return np.asarray(beta.ppf(badness, miss * weight, (1 - miss) * weight), dtype=np.float64)


def leak_by_chance(of: Instances, chance: Floats, *, rng: np.random.Generator) -> set[Place]:
    """Each instance for itself, given its document."""
    missed = rng.random(len(of.places)) < chance[of.documents]
    return {of.places[at] for at in np.flatnonzero(missed)}


def leak_exactly(of: Instances, count: int, *, chance: Floats, rng: np.random.Generator) -> set[Place]:
    """So many instances and no other number, likelier in bad documents."""
    if not 0 <= count <= len(of.places):
        raise InvalidSetting(
            f"{count} leaks of type {of.type!r} were asked for; there are {len(of.places)} instances.",
            hint="Ask for between 0 and all of them.",
        )
    if count == 0:
        return set()
    weights = np.maximum(chance[of.documents], 1e-9)
    chosen = rng.choice(len(of.places), size=count, replace=False, p=weights / weights.sum())
    return {of.places[at] for at in chosen}


def leak_in_documents(of: Instances, count: int, *, documents: int, rng: np.random.Generator) -> set[Place]:
    """So many instances in exactly so many documents."""
    held: dict[int, list[Place]] = {}
    for place in of.places:
        held.setdefault(place[0], []).append(place)
    if not (0 < documents <= min(count, len(held)) and count <= _most(held, documents)):
        raise InvalidSetting(
            f"{count} leaks of type {of.type!r} cannot lie in exactly {documents} of {len(held)} documents.",
            hint="Use the corpus of 120 notes: clinical_notes(documents=120).",
        )
    chosen = _roomy(held, count, documents=documents, rng=rng)
    leaks = {held[number][int(rng.integers(len(held[number])))] for number in chosen}
    rest = [place for number in chosen for place in held[number] if place not in leaks]
    more = rng.choice(len(rest), size=count - documents, replace=False) if rest else ()
    return leaks | {rest[at] for at in more}


def _most(held: Mapping[int, list[Place]], documents: int) -> int:
    """The most instances that so many documents can hold."""
    return sum(sorted((len(places) for places in held.values()), reverse=True)[:documents])


def _roomy(
    held: Mapping[int, list[Place]], count: int, *, documents: int, rng: np.random.Generator
) -> list[int]:
    """Documents at random; while they are too small, the smallest makes way for a larger one."""
    order = [list(held)[at] for at in rng.permutation(len(held))]
    chosen, waiting = order[:documents], order[documents:]
    while sum(len(held[number]) for number in chosen) < count:
        smallest = min(chosen, key=lambda number: len(held[number]))
        larger = next(number for number in waiting if len(held[number]) > len(held[smallest]))
        waiting.remove(larger)
        chosen[chosen.index(smallest)] = larger
    return chosen
