"""Attacks that learn: a tagger trained on the released texts, and a combination of all attacks.

Carrell et al. 2019 (JAMIA 26(12):1536): the adversary marks everything that looks like an identifier, trains
a tagger on the marks and applies it to other documents. The tagger repeats what the de-identification tool
did, so an identifier that it does not find is likely to be a leak.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import expit

from reidrisk.resynthesis.attack.instances import AttackedTexts
from reidrisk.resynthesis.surrogates import kind_of
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.regression import dense_weights, sparse_weights

COMBINED_STRENGTH, COMBINED_STEPS = 1e-3, 12
LEAST = 3
"""Minimum number of leaks of a kind for learning weights."""


def combine_scores(attacked: AttackedTexts, scores: Sequence[Floats], folds: Ints) -> Floats:
    """Log odds of being an original, from all scores; learned per kind on the other folds."""
    leaked = np.array([one.leaked for one in attacked.instances], dtype=bool)
    kinds = np.array([kind_of(one.type) for one in attacked.instances])
    own = folds[np.array([one.document for one in attacked.instances], dtype=np.int64)]
    found = np.zeros(leaked.size)
    for kind in np.unique(kinds):
        same = kinds == kind
        features = _combined_features([one[same] for one in scores])
        found[same] = _chances(features, leaked[same], own[same])
    return found


def _chances(features: Floats, leaked: Bools, own: Ints) -> Floats:
    chances = np.zeros(leaked.size)
    for fold in np.unique(own):
        learn, judge = own != fold, own == fold
        if np.count_nonzero(leaked[learn]) >= LEAST:
            weights = dense_weights(
                features[learn], leaked[learn], strength=COMBINED_STRENGTH, steps=COMBINED_STEPS
            )
            chances[judge] = features[judge] @ weights
        else:
            chances[judge] = -np.inf
    return chances


def _combined_features(scores: Sequence[Floats]) -> Floats:
    """Standardized scores, their squares and products, and a constant."""
    scaled = [(one - one.mean()) / (one.std() or 1.0) for one in scores]
    products = [one * other for at, one in enumerate(scaled) for other in scaled[at:]]
    return np.column_stack([*scaled, *products, np.ones(scores[0].size)])


SIZE = 2**13
"""Number of hashed features."""
STRENGTH = 1e-3
"""Strength of the penalty on weights."""
STEPS = 40
MOST_WORDS = 150_000
"""Maximum number of words for training; further documents are only tagged."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_NEAR = (-2, -1, 1, 2)


def parrot(attacked: AttackedTexts, folds: Ints) -> Floats:
    """One minus the probability that a tagger trained on other documents finds the identifier."""
    documents = [_Document(text) for text in attacked.texts]
    for one in attacked.instances:
        documents[one.document].mark(one.start, one.end)
    score = np.zeros(len(attacked.instances))
    for fold in np.unique(folds):
        weights = _learn_weights([one for one, own in zip(documents, folds, strict=True) if own != fold])
        for at, one in enumerate(attacked.instances):
            if folds[one.document] == fold:
                score[at] = 1.0 - documents[one.document].chance(weights, one.start, one.end)
    return score


class _Document:
    """The words of a text as features, and whether each is an identifier."""

    def __init__(self, text: str) -> None:
        found = list(_TOKEN.finditer(text))
        self.starts = np.array([match.start() for match in found], dtype=np.int64)
        self.labels = np.zeros(len(found), dtype=bool)
        words = ["|", "|", *(match[0] for match in found), "|", "|"]
        rows = [_features(words, at) for at in range(2, len(found) + 2)]
        self.features = np.array(rows, dtype=np.int64).reshape(len(rows), -1)

    def within(self, start: int, end: int) -> slice:
        """The words of a span."""
        return slice(int(np.searchsorted(self.starts, start)), int(np.searchsorted(self.starts, end)))

    def mark(self, start: int, end: int) -> None:
        """Label the words of a span as identifiers."""
        self.labels[self.within(start, end)] = True

    def chance(self, weights: Floats, start: int, end: int) -> float:
        """The mean probability that the words of a span are identifiers."""
        words = self.features[self.within(start, end)]
        return float(np.mean(expit(weights[words].sum(axis=1)))) if len(words) else 0.0


def _features(words: list[str], at: int) -> list[int]:
    """The word's shape, its neighbors and their shapes; not the word itself, which surrogates change."""
    own = words[at]
    found = [_number("s", _shape(own)), _number("p", own[:2]), _number("e", own[-2:].lower()), 0]
    for step in _NEAR:
        found += [
            _number(f"w{step}", words[at + step].lower()),
            _number(f"f{step}", _shape(words[at + step])),
        ]
    return found


@lru_cache(maxsize=2**17)
def _number(kind: str, text: str) -> int:
    return 1 + crc32(f"{kind} {text}".encode("utf-8", "surrogatepass")) % (SIZE - 1)


@lru_cache(maxsize=2**16)
def _shape(word: str) -> str:
    kinds = [
        "9" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.isalpha() else sign for sign in word
    ]
    return "".join(sign for at, sign in enumerate(kinds) if at == 0 or sign != kinds[at - 1])


def _learn_weights(documents: list[_Document]) -> Floats:
    """Weights of a logistic regression on words."""
    enough = np.cumsum([len(one.labels) for one in documents]) <= MOST_WORDS
    chosen = [
        one for one, fits in zip(documents, enough, strict=True) if fits and len(one.labels)
    ] or documents[:1]
    rows = np.concatenate([one.features for one in chosen])
    labels = np.concatenate([one.labels for one in chosen])
    ends = np.arange(0, rows.size + 1, rows.shape[1])
    matrix = csr_matrix((np.ones(rows.size), rows.ravel(), ends), shape=(len(rows), SIZE))
    return sparse_weights(matrix, labels, strength=STRENGTH, steps=STEPS)
