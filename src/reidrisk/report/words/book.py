"""Look words up by their key; a key that is not in the file is a defect, not an empty place."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

LANGUAGE = "en"
"""The only one so far; another is two other files with the same keys."""
FILES = ("{0}.yaml", "{0}.figures.yaml")
"""Words of documents, and words of the tables and charts that all views share."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The fast one where there is one; everything is text."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as the library declares it


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
    found: dict[str, str] = {}
    for name in FILES:
        text = (files("reidrisk.report.words") / name.format(language)).read_text(encoding="utf-8")
        found |= _flat(yaml.load(text, Loader=_Loader), "")  # noqa: S506 - a safe loader
    return found


def _flat(level: dict[str, Any], prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, inner in level.items():
        if isinstance(inner, dict):
            found |= _flat(inner, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = str(inner).strip()
    return found
