"""Where questions, scores and thresholds come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

OURS = "ours"


@dataclass(frozen=True, slots=True)
class Source:
    """A publication that can be found, or that a thing is our own proposal."""

    id: str
    citation: str
    doi: str = ""
    note: str = ""
    """What could not be looked up."""

    @property
    def ours(self) -> bool:
        """Whether nobody but this project says so."""
        return self.id == OURS

    def __str__(self) -> str:
        doi = f", doi:{self.doi}" if self.doi else ""
        return f"{self.citation}{doi}{f' ({self.note})' if self.note else ''}"


def source(name: str) -> Source:
    """A source by its id; any other text, as in a preset of your own, is a citation itself."""
    return _known().get(name) or Source(name, name)


def cited(names: Iterable[str]) -> list[str]:
    """The citations of some sources, each once."""
    return list(dict.fromkeys(str(source(name)) for name in names))


def packaged(name: str) -> Any:
    """The content of a data file of this room."""
    return yaml.safe_load(files("reidrisk.context").joinpath(f"data/{name}").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Source]:
    return {name: Source(name, **entry) for name, entry in packaged("sources.yaml").items()}
