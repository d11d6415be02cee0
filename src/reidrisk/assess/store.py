"""Where measurements are kept: as soon as they are made, then with the assessment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reidrisk.core.files import write_text

PARTS, MEASURED, WAITING = "parts", "measured.json", ".measuring"


class Store:
    """Measurements by part and by the hash of what they depend on."""

    def __init__(self, folder: Path | None, *, is_read_only: bool = False) -> None:
        self._folder = folder
        self._keeps = folder is not None and not is_read_only

    def find(self, part: str, key: str) -> dict[str, Any] | None:
        """What was measured with the same key; what cannot be read counts as absent."""
        if self._folder is None:
            return None
        for path in (self._waiting(part), self._folder / PARTS / part / MEASURED):
            found = _read(path)
            if found is not None and found.get("key") == key and isinstance(found.get("measured"), dict):
                measured: dict[str, Any] = found["measured"]
                return measured
        return None

    def keep(self, part: str, key: str, measured: Mapping[str, Any]) -> None:
        """At once, so that an interrupted run goes on where it stopped."""
        if not self._keeps:
            return
        path = self._waiting(part)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, kept_text(part, key, measured))

    def clear(self) -> None:
        """When everything stands in the assessment itself."""
        if self._folder is not None and self._keeps:
            shutil.rmtree(self._folder / WAITING, ignore_errors=True)

    def _waiting(self, part: str) -> Path:
        return (self._folder or Path()) / WAITING / f"{part}.json"


def kept_text(part: str, key: str, measured: Mapping[str, Any]) -> str:
    """The text of a file of measurements."""
    content = {"kind": "measured", "part": part, "key": key, "measured": measured}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
