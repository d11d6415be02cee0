"""A small model of generated notes, made once for all tests."""

from __future__ import annotations

from functools import cache

from reidrisk.demo import clinical_notes
from reidrisk.detect.model.model import Model
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.train import train
from reidrisk.text.corpus import Document

QUICK = TrainSettings(iterations=15)


@cache
def notes() -> tuple[Document, ...]:
    return tuple(clinical_notes(seed=5, documents=24))


@cache
def small_model() -> Model:
    return train(notes()[:12], folds=2, settings=QUICK)
