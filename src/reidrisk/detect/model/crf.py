"""A linear-chain conditional random field: trained with CRFsuite, applied with numpy alone."""

from __future__ import annotations

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
    except ImportError as error:
        raise MissingPackage.of_extra("python-crfsuite", "text") from error
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


def _state(trainer: Any) -> Any:
    """What CRFsuite learned; its temporary file contains only numbers and is deleted at once."""
    import pycrfsuite

    with scratch_folder() as folder:
        path = str(folder / "weights")
        tagger = pycrfsuite.Tagger()
        try:
            trainer.train(path)
            tagger.open(path)
        except (OSError, ValueError):  # it has no other words for a file that was cut
            raise UnreadableFile(
                f"The work folder {path_text(folder)} cannot be written.",
                hint="Check that the disk is not full.",
            ) from None
        state = tagger.info()
        tagger.close()
    return state


def _crf(vocabulary: Vocabulary, features: Features, state: Any) -> Crf:
    labels = tuple(sorted(set(state.labels) | {OUT}, key=lambda label: (label != OUT, label)))
    column = {label: number for number, label in enumerate(labels)}
    weights = np.zeros((features.size + 1, len(labels)))
    for (name, label), weight in state.state_features.items():
        weights[int(name), column[label]] = weight
    transitions = np.zeros((len(labels), len(labels)))
    for (before, after), weight in state.transitions.items():
        transitions[column[before], column[after]] = weight
    used = np.any(weights[1:] != 0, axis=1)
    kept = np.round(weights[np.concatenate([[True], used])], 4)
    return Crf(vocabulary, features.select(used), labels, kept, np.round(transitions, 4))
