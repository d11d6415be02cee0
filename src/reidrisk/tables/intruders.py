"""Intruders of several kinds, and what each may know of a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import yaml

from reidrisk.errors import InvalidSetting

EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Known:
    """Why an intruder knows a kind of column, and who says so."""

    why: str
    source: str


@dataclass(frozen=True, slots=True)
class Intruder:
    """One kind of intruder."""

    name: str
    says: str
    source: str
    knows: Mapping[str, Known]
    """By kind of column; `everything` stands for all of them."""

    def knowledge_of(self, kind: str | None) -> Known | None:
        """Why the intruder knows such a column; None if not."""
        return self.knows.get(EVERYTHING) or self.knows.get(kind or "")


def intruder(name: str) -> Intruder:
    """An intruder by name."""
    known = intruders()
    if name not in known:
        raise InvalidSetting.among("A scenario", name, known)
    return known[name]


@lru_cache(maxsize=1)
def intruders() -> Mapping[str, Intruder]:
    """Every intruder by name."""
    text = files("reidrisk.tables").joinpath("data/intruders.yaml").read_text(encoding="utf-8")
    entries = yaml.safe_load(text)
    sources = entries.pop("sources")
    return {
        name: Intruder(
            name,
            entry["says"],
            sources[entry["source"]],
            {kind: Known(one["why"], sources[one["source"]]) for kind, one in entry["knows"].items()},
        )
        for name, entry in entries.items()
    }
