"""Read and write model files: a zip of JSON and arrays that contains no executable code."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.files import write_bytes
from reidrisk.detect.model.confidence import COLUMNS, Confidence
from reidrisk.detect.model.crf import Crf
from reidrisk.detect.model.model import Model
from reidrisk.detect.model.templates import TEMPLATES, Features
from reidrisk.detect.model.vocabulary import KNOWN, Vocabulary
from reidrisk.errors import UnreadableFile

VERSION = 2
_EPOCH = (1980, 1, 1, 0, 0, 0)
_LARGEST = 2**30
"""A file that unpacks to more bytes than this is not a reidrisk model."""


def model_bytes(model: Model) -> bytes:
    """The content of a model file; the same model gives the same bytes."""
    crf = model.crf
    about = {
        "reidrisk_model": VERSION,
        "labels": crf.labels,
        "confidence": model.confidence.coefficients,
        "about": model.about,
    }
    arrays: dict[str, np.ndarray[Any, Any]] = {
        f"keys{place:03}": keys for place, keys in enumerate(crf.features.keys)
    }
    arrays |= {"weights": crf.weights, "transitions": crf.transitions}
    parts = {
        "about.json": _json(about),
        "words.json": _json(dict(crf.vocabulary.values)),
        **{f"{name}.npy": _array(array) for name, array in arrays.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, date_time=_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
    return packed.getvalue()


def save_model(model: Model, path: str | Path) -> None:
    """Write a model file, complete or not at all."""
    write_bytes(path, model_bytes(model))


def load_model(path: str | Path) -> Model:
    """Read a model file. Nothing in the file is executed."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
                raise ValueError("too large")
            about = json.loads(archive.read("about.json"))
            _check_version(about, path)
            words = json.loads(archive.read("words.json"))
            keys = tuple(_read(archive, f"keys{place:03}") for place in range(len(TEMPLATES)))
            weights, transitions = _read(archive, "weights"), _read(archive, "transitions")
        return _assemble(about, words, Features(keys), (weights, transitions))
    except FileNotFoundError:
        raise UnreadableFile.missing(path) from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, zipfile.BadZipFile):
        raise UnreadableFile(
            f"The model {Path(path).name} cannot be read.",
            hint="Use a file written by `reidrisk text train … --out MODEL`.",
        ) from None


def _assemble(about: dict[str, Any], words: dict[str, Any], features: Features, numbers: Any) -> Model:
    weights, transitions = numbers
    labels = tuple(str(label) for label in about["labels"])
    confidence = Confidence(tuple(float(value) for value in about["confidence"]))
    fits = weights.shape == (features.size + 1, len(labels)) and transitions.shape == (len(labels),) * 2
    if not fits or len(confidence.coefficients) != COLUMNS:
        raise ValueError("parts of the model do not fit together")
    vocabulary = Vocabulary({name: tuple(str(value) for value in words[name]) for name in KNOWN})
    return Model(Crf(vocabulary, features, labels, weights, transitions), confidence, dict(about["about"]))


def _check_version(about: dict[str, Any], path: str | Path) -> None:
    if about["reidrisk_model"] != VERSION:
        raise UnreadableFile(
            f"The model {Path(path).name} was written by another version of reidrisk.",
            hint="Train it again with `reidrisk text train`.",
        )


def _json(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _array(array: np.ndarray[Any, Any]) -> bytes:
    packed = io.BytesIO()
    np.save(packed, array, allow_pickle=False)
    return packed.getvalue()


def _read(archive: zipfile.ZipFile, name: str) -> Any:
    return np.load(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False)
