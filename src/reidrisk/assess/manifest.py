"""The list of everything that an assessment was made from and consists of."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reidrisk.assess.inputs import file_hash
from reidrisk.core.about import own_version, versions
from reidrisk.core.wording import path_text

MANIFEST = "manifest.json"
KEYS = ("version", "versions", "seed", "release", "files", "inputs", "outputs")


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None if it has none that can be read."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    whole = (
        isinstance(found, dict) and found.get("kind") == "manifest" and all(name in found for name in KEYS)
    )
    return found if whole else None


def manifest_of(
    files: Mapping[str, Path],
    *,
    seed: int,
    release: Mapping[str, str],
    inputs: Sequence[Mapping[str, Any]],
    outputs: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Hashes of files by their name in the folder, of inputs and of tables that went out."""
    return {
        "kind": "manifest",
        "version": own_version(),
        "versions": versions(),
        "seed": seed,
        "release": dict(release),
        "files": entries(files),
        "inputs": [dict(one) for one in inputs],
        "outputs": [dict(one) for one in outputs],
    }


def entries(files: Mapping[str, Path]) -> list[dict[str, Any]]:
    """Hash and size of files, by their names."""
    hashed = {name: file_hash(path) for name, path in sorted(files.items())}
    return [{"path": name, "sha256": digest, "bytes": size} for name, (digest, size) in hashed.items()]


def way_to(release: Path, folder: Path) -> str:
    """Where the release file lies, seen from the folder."""
    return path_text(os.path.relpath(release, folder))


def manifest_text(content: Mapping[str, Any]) -> str:
    """As it is written."""
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
