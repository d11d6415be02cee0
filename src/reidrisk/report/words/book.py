"""Look words up by their key; a key that is not in the file is a defect, not an empty place."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import as_file, files
from typing import Any

from reidrisk.core.yaml_file import read_yaml

LANGUAGE = "en"
"""The only one so far; another is another file with the same keys."""


def say(key: str, **values: object) -> str:
    """The words of a key, with the values that it names.

    >>> say("document.page", page=3, pages=12)
    'Page 3 of 12'
    """
    found = words(LANGUAGE)[key]
    return found.format(**values) if values else found


def phrases(group: str) -> dict[str, str]:
    """All words directly below a key, by their last name."""
    start = f"{group}."
    found = {key.removeprefix(start): text for key, text in words(LANGUAGE).items() if key.startswith(start)}
    if not found:
        raise KeyError(group)
    return found


@lru_cache(maxsize=4)
def words(language: str) -> dict[str, str]:
    """Every text of a language by its key, the names of the levels joined by dots."""
    with as_file(files("reidrisk.report.words") / f"{language}.yaml") as path:
        return dict(_flat(read_yaml(path), ""))


def _flat(level: dict[str, Any], prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, inner in level.items():
        if isinstance(inner, dict):
            found += _flat(inner, f"{prefix}{name}.")
        else:
            found.append((f"{prefix}{name}", str(inner).strip()))
    return found
