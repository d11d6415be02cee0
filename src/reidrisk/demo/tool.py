"""Simulate a de-identification tool with chosen recall and precision."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from reidrisk.demo.entity import pick
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.text.corpus import Annotation, Corpus, Document

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
        """The document number of each instance."""
        return np.array([document for document, _ in self.places], dtype=np.int64)


def instances_by_type(corpus: Corpus) -> tuple[Instances, ...]:
    """Instances of direct and quasi-identifiers by type, in order of first appearance."""
    found: dict[str, list[Place]] = {}
    for number, document in enumerate(corpus):
        for at, annotation in enumerate(document.annotations):
            if annotation.role != "ignored":
                found.setdefault(annotation.type, []).append((number, at))
    return tuple(Instances(type_, tuple(places)) for type_, places in found.items())


def chances(miss: float, badness: Floats, *, clustering: float) -> Floats:
    """The probability that each document leaks an instance; the mean is `miss`.

    `badness` is uniform on (0, 1), one number per document, the same for every type: a document that
    is difficult for names is difficult for dates too. The probabilities follow a beta distribution, so
    that `clustering` is the correlation between two instances in the same document.

    >>> chances(0.1, np.array([0.5, 0.9]), clustering=0.0).tolist()
    [0.1, 0.1]
    """
    if clustering == 0 or miss in (0.0, 1.0):
        return np.full(len(badness), miss)
    weight = (1 - clustering) / clustering
    return np.asarray(beta.ppf(badness, miss * weight, (1 - miss) * weight), dtype=np.float64)


def leak_by_chance(of: Instances, chance: Floats, *, rng: np.random.Generator) -> set[Place]:
    """Leak each instance independently, given its document."""
    missed = rng.random(len(of.places)) < chance[of.documents]
    return {of.places[at] for at in np.flatnonzero(missed)}


def leak_exactly(of: Instances, count: int, *, chance: Floats, rng: np.random.Generator) -> set[Place]:
    """Leak exactly `count` instances, with a higher chance in difficult documents."""
    if not 0 <= count <= len(of.places):
        raise InvalidSetting(
            f"{count} leaks of type {of.type!r} are requested, but there are {len(of.places)} instances.",
            hint="Request between 0 and all of them.",
        )
    if count == 0:
        return set()
    weights = np.maximum(chance[of.documents], 1e-9)
    chosen = rng.choice(len(of.places), size=count, replace=False, p=weights / weights.sum())
    return {of.places[at] for at in chosen}


def leak_in_documents(of: Instances, count: int, *, documents: int, rng: np.random.Generator) -> set[Place]:
    """Leak exactly `count` instances in exactly `documents` documents."""
    held: dict[int, list[Place]] = {}
    for place in of.places:
        held.setdefault(place[0], []).append(place)
    if not (0 < documents <= min(count, len(held)) and count <= _most(held, documents)):
        raise InvalidSetting(
            f"{count} leaks of type {of.type!r} cannot be in exactly {documents} of {len(held)} documents.",
            hint="Use the corpus of 120 notes: clinical_notes(documents=120).",
        )
    chosen = _roomy(held, count, documents=documents, rng=rng)
    leaks = {held[number][int(rng.integers(len(held[number])))] for number in chosen}
    rest = [place for number in chosen for place in held[number] if place not in leaks]
    more = rng.choice(len(rest), size=count - documents, replace=False) if rest else ()
    return leaks | {rest[at] for at in more}


def _most(held: Mapping[int, list[Place]], documents: int) -> int:
    """Largest number of instances in a number of documents."""
    return sum(sorted((len(places) for places in held.values()), reverse=True)[:documents])


def _roomy(
    held: Mapping[int, list[Place]], count: int, *, documents: int, rng: np.random.Generator
) -> list[int]:
    """Choose documents at random; while they have too few instances, replace the smallest by a larger one."""
    order = [list(held)[at] for at in rng.permutation(len(held))]
    chosen, waiting = order[:documents], order[documents:]
    while sum(len(held[number]) for number in chosen) < count:
        smallest = min(chosen, key=lambda number: len(held[number]))
        larger = next(number for number in waiting if len(held[number]) > len(held[smallest]))
        waiting.remove(larger)
        chosen[chosen.index(smallest)] = larger
    return chosen


Span = tuple[int, int]

LABELS = {
    "NAME": "PERSON",
    "DATE": "DATE_TIME",
    "ID": "ID_NUMBER",
    "PHONE": "PHONE",
    "STREET": "LOCATION",
    "CITY": "LOCATION",
    "STATE": "LOCATION",
    "ZIP": "LOCATION",
    "COUNTRY": "LOCATION",
    "ORGANIZATION": "ORGANIZATION",
    "AGE": "AGE",
}
"""The tool's own labels; a type not listed keeps its name."""


def label_map() -> dict[str, str | list[str]]:
    """What each label of the tool means: a type, or several types. The `labels` of a types file.

    >>> label_map()["PERSON"], label_map()["LOCATION"][:2]
    ('NAME', ['STREET', 'CITY'])
    """
    found: dict[str, list[str]] = {}
    for kind, label in LABELS.items():
        found.setdefault(label, []).append(kind)
    return {label: kinds[0] if len(kinds) == 1 else kinds for label, kinds in found.items()}


PARTIAL = 0.2
"""Share of multi-word leaks in which some of the words are masked."""
_MISLABELLED = 0.03
_DOUBLED = 0.08
_FALSE_LABELS = ("PERSON", "PERSON", "ORGANIZATION", "LOCATION", "DATE_TIME", "ID_NUMBER")
_WORD = re.compile(r"\w+")
_ORDINARY = re.compile(r"[^\W\d_]{4,}(?: [^\W\d_]{4,}){0,1}|\d{2,3}(?:[/.]\d+)?")


def predict(corpus: Corpus, missed: set[Place], *, precision: float, rng: np.random.Generator) -> Corpus:
    """Predictions for every document in random order: caught, partly masked and false ones."""
    leaking: dict[int, set[int]] = {}
    for number, at in missed:
        leaking.setdefault(number, set()).add(at)
    outputs = []
    for number, document in enumerate(corpus):
        found = _on_gold(document, leaking.get(number, set()), rng=rng)
        wanted = int(rng.poisson(len(found) * (1 - precision) / precision))
        found += _false(document, wanted, rng=rng)
        order = rng.permutation(len(found))
        outputs.append(Document(document.id, tuple(found[at] for at in order)))
    return Corpus(tuple(outputs))


def _on_gold(document: Document, leaking: set[int], *, rng: np.random.Generator) -> list[Annotation]:
    text = document.text or ""
    found = []
    for at, annotation in enumerate(document.annotations):
        for start, end in annotation.pieces:
            words = [(start + word.start(), start + word.end()) for word in _WORD.finditer(text[start:end])]
            label = LABELS.get(annotation.type, annotation.type)
            if rng.random() < _MISLABELLED:
                label = pick(_FALSE_LABELS, rng=rng)
            spans = _masked_part(words, rng=rng) if at in leaking else _caught(words, (start, end), rng=rng)
            found += [_prediction(span, label, rng=rng) for span in spans]
    return found


def _masked_part(words: Sequence[Span], *, rng: np.random.Generator) -> list[Span]:
    """None or some of the words, but never all, so that the value remains a leak."""
    if len(words) < 2 or rng.random() >= PARTIAL:
        return []
    keep = int(rng.integers(1, len(words)))
    part = words[:keep] if rng.random() < 0.5 else words[-keep:]
    return [(part[0][0], part[-1][1])]


def _caught(words: Sequence[Span], whole: Span, *, rng: np.random.Generator) -> list[Span]:
    """The whole value; sometimes with a second partial span, or as two overlapping spans."""
    if len(words) < 2 or rng.random() >= _DOUBLED:
        return [whole]
    if len(words) > 2 and rng.random() < 0.5:
        return [(whole[0], words[1][1]), (words[1][0], whole[1])]
    return [whole, pick(words, rng=rng)]


def _false(document: Document, wanted: int, *, rng: np.random.Generator) -> list[Annotation]:
    """Ordinary words predicted as identifiers, never inside a gold annotation."""
    text = document.text or ""
    gold = sorted(piece for annotation in document.annotations for piece in annotation.pieces)
    gaps = zip([0, *(end for _, end in gold)], [*(start for start, _ in gold), len(text)], strict=True)
    free = [found.span() for low, high in gaps for found in _ORDINARY.finditer(text, low, high)]
    chosen = rng.choice(len(free), size=min(wanted, len(free)), replace=False) if free else ()
    return [_prediction(free[at], pick(_FALSE_LABELS, rng=rng), rng=rng) for at in chosen]


def _prediction(span: Span, label: str, *, rng: np.random.Generator) -> Annotation:
    return Annotation(*span, label, score=round(float(rng.uniform(0.5, 1.0)), 2))


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
"""Together 45 direct and 119 quasi-identifiers, as published; the split by type is our own."""
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
    """Simulate the output of a tool of this quality: its own labels, no text, in random order.

    `recall` is the expected share of instances caught, for all types or by type (1 for types not named).
    `leaks` gives exact numbers of leaks instead, for the types that it names. `clustering` is the
    correlation of leaks within a document, 0 for none. `precision` is the share of correct predictions.

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
    return predict(corpus, missed, precision=precision, rng=rng)


def case_study_tool(corpus: Corpus, *, seed: int = 7) -> Corpus:
    """A tool with exactly the leaks of the published case study, for `clinical_notes(documents=120)`."""
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
    return predict(corpus, missed, precision=0.9, rng=rng)


def _exact(
    group: Instances, count: int, badness: Floats, *, clustering: float, rng: np.random.Generator
) -> set[Place]:
    """Leak an exact number; the share that it makes up is used as the miss rate of the documents."""
    share = min(max(count / len(group.places), 0.0), 1.0)
    return leak_exactly(group, count, chance=chances(share, badness, clustering=clustering), rng=rng)


def _recall_of(type_: str, recall: Mapping[str, float] | float) -> float:
    chosen = recall if isinstance(recall, int | float) else recall.get(type_, 1.0)
    if not 0 <= chosen <= 1:
        raise InvalidSetting(
            f"The recall of {type_!r} is {chosen}.", hint="Choose a recall between 0 and 1, such as 0.95."
        )
    return float(chosen)


def _check_types(wanted: Iterable[str], known: Collection[str]) -> None:
    for type_ in wanted:
        if type_ not in known:
            raise InvalidSetting.among("A type of identifier in this corpus", type_, known)


def _check(corpus: Corpus, *, clustering: float, precision: float) -> None:
    if not 0 <= clustering < 1:
        raise InvalidSetting(f"The clustering is {clustering}.", hint="It must be 0 or more and below 1.")
    if not 0 < precision <= 1:
        raise InvalidSetting(f"The precision is {precision}.", hint="It must be above 0 and at most 1.")
    if any(document.text is None for document in corpus):
        raise BadData(
            "A tool cannot be simulated on documents without text.",
            hint="Read the gold standard with its texts.",
        )
