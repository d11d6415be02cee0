"""What a run was asked for: its key, what it records of its settings, and its fingerprint."""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version
from reidrisk.core.key import make_key, read_key
from reidrisk.core.wording import path_text
from reidrisk.detect.settings import DetectSettings
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.worker import Setup

NO_KEY = (
    "No key was given, so surrogates cannot be reproduced: the next run would give the same name a different "
    "surrogate. Use --key FILE to create and keep a key."
)


def choose_key(given: str | Path | bytes | None, warnings: list[str], settings: ResynthesisSettings) -> bytes:
    """The key that was given, made or drawn; warnings are added to the list."""
    if isinstance(given, bytes):
        return given
    if given is None:
        if settings.mode == "surrogate":
            warnings.append(NO_KEY)
        return secrets.token_bytes(32)
    path = Path(given)
    if not path.exists():
        make_key(path)
    return read_key(path)


def key_text(given: str | Path | bytes | None, settings: ResynthesisSettings) -> str:
    """What a result records about the key; never the key."""
    if settings.mode != "surrogate":
        return "not needed"
    return (
        "none kept" if given is None else "given" if isinstance(given, bytes) else path_text(Path(given).name)
    )


def detection_settings(setup: Setup, marks: Path | None) -> dict[str, Any]:
    """What a result records about detection."""
    if marks is not None:
        return {"detector": f"annotations from {path_text(marks.name)}"}
    if isinstance(setup.detect, DetectSettings):
        return {"detector": "built in", **setup.detect.to_dict()}
    return {"detector": type(setup.detect).__name__}


def fingerprint(setup: Setup, marks: Path | None, *others: Any) -> str:
    """Two runs with the same fingerprint give the same texts; it reveals nothing about the key."""
    key_number = KeyedDraw(setup.key).number("fingerprint") if setup.settings.mode == "surrogate" else 0
    parts = [
        own_version(),
        setup.settings.to_dict(),
        detection_settings(setup, marks),
        *others,
        key_number,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
