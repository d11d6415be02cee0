"""A linear-chain conditional random field: trained with CRFsuite, applied with numpy alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.scratch import scratch_folder
from reidrisk.core.wording import path_text
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.spans import OUT, label_tokens
from reidrisk.detect.model.templates import Features
from reidrisk.detect.model.vocabulary import Encoder, Vocabulary
from reidrisk.errors import MissingPackage, UnreadableFile
from reidrisk.stats.arrays import Floats
from reidrisk.text.corpus import Document
from reidrisk.text.roles import TypeMap

SECTION = re.compile(r"^(\w+) = \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"^ *(\d+): (.*)$", re.MULTILINE)
WEIGHT = re.compile(r"^ *\(\d+\) (.+) --> (.+): ([+-]?\d+\.\d+)$", re.MULTILINE)
"""How CRFsuite prints a model."""


@dataclass(frozen=True, slots=True, eq=False)
class Crf:
    """A trained chain: vocabulary, features and weights."""

    vocabulary: Vocabulary
    features: Features
    labels: tuple[str, ...]
    weights: Floats
    """Features x labels; row 0 stands for no feature."""
    transitions: Floats
    """Label x next label."""


def learn_crf(documents: Sequence[Document], types: TypeMap, settings: TrainSettings) -> Crf:
    """Train on annotated documents; the same documents in the same order give the same weights."""
    texts = [document.text or "" for document in documents]
    vocabulary = Vocabulary.learn(texts, min_documents=settings.min_documents)
    encoder = Encoder(vocabulary)
    laid = [encoder.encode(text) for text in texts]
    features = Features.learn([grid for _, grid in laid], min_documents=settings.min_documents)
    trainer = _trainer(settings)
    names = ["", *(str(number) for number in range(1, features.size + 1))]
    for (layout, grid), document in zip(laid, documents, strict=True):
        labels = label_tokens(layout, document.annotations, types)
        rows = features.rows(grid)
        first = np.flatnonzero(np.diff(layout.chain, prepend=-1)).tolist()
        items = [[names[row] for row in token if row] for token in rows.tolist()]
        for begin, end in zip(first, [*first[1:], layout.size], strict=True):
            trainer.append(items[begin:end], labels[begin:end])
    return _crf(vocabulary, features, _state(trainer))


def _trainer(settings: TrainSettings) -> Any:
    try:
        import pycrfsuite
    except ImportError:
        raise MissingPackage.of_extra("python-crfsuite", "text") from None
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": settings.sparsity,
            "c2": settings.smoothing,
            "max_iterations": settings.iterations,
            "feature.possible_transitions": True,
        }
    )
    return trainer


@dataclass(frozen=True, slots=True)
class _Learned:
    """Names, and weights of pairs of them, as CRFsuite prints them."""

    labels: list[str]
    transitions: list[tuple[str, str, str]]
    features: list[tuple[str, str, str]]

    @classmethod
    def read(cls, text: str) -> _Learned:
        """From the print of a whole model; `Tagger.info` reads it line by line, which takes far longer."""
        parts: dict[str, str] = dict(SECTION.findall(text))
        if "STATE_FEATURES" not in parts:
            raise ValueError("cut")
        labels = [name for _, name in LABEL.findall(parts["LABELS"])]
        return cls(labels, WEIGHT.findall(parts["TRANSITIONS"]), WEIGHT.findall(parts["STATE_FEATURES"]))


def _state(trainer: Any) -> _Learned:
    """What CRFsuite learned; its temporary files contain only numbers and labels, and are deleted at once."""
    import pycrfsuite

    with scratch_folder() as folder:
        path, shown = str(folder / "weights"), folder / "shown"
        tagger = pycrfsuite.Tagger()
        try:
            trainer.train(path)
            tagger.open(path)
            tagger.dump(str(shown))
            tagger.close()
            return _Learned.read(shown.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # it has no other words for a file that was cut
            raise UnreadableFile(
                f"The work folder {path_text(folder)} cannot be written.",
                hint="Check that the disk is not full.",
            ) from None


def _crf(vocabulary: Vocabulary, features: Features, state: _Learned) -> Crf:
    labels = tuple(sorted({*state.labels, OUT}, key=lambda label: (label != OUT, label)))
    column = {label: number for number, label in enumerate(labels)}
    weights = np.zeros((features.size + 1, len(labels)))
    for name, label, weight in state.features:
        weights[int(name), column[label]] = float(weight)
    transitions = np.zeros((len(labels), len(labels)))
    for before, after, weight in state.transitions:
        transitions[column[before], column[after]] = float(weight)
    used = np.any(weights[1:] != 0, axis=1)
    kept = np.round(weights[np.concatenate([[True], used])], 4)
    return Crf(vocabulary, features.select(used), labels, kept, np.round(transitions, 4))
