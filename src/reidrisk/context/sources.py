"""Citations for questions, scores and thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

OURS = "ours"


@dataclass(frozen=True, slots=True)
class Citation:
    """A publication, or a statement that something is our own proposal."""

    id: str
    citation: str
    doi: str = ""
    note: str = ""
    """What could not be verified in the source itself."""

    @property
    def ours(self) -> bool:
        """Whether this is a proposal of this project."""
        return self.id == OURS

    def __str__(self) -> str:
        doi = f", doi:{self.doi}" if self.doi else ""
        return f"{self.citation}{doi}{f' ({self.note})' if self.note else ''}"


def source(name: str) -> Citation:
    """A source by its id; any other text, such as in a user's own preset, is taken as the citation."""
    return _known().get(name) or Citation(name, name)


def cite(names: Iterable[str]) -> list[str]:
    """The citations of some sources, each once."""
    return list(dict.fromkeys(str(source(name)) for name in names))


def read_data_file(name: str) -> Any:
    """The content of a data file of this package."""
    return yaml.safe_load(files("reidrisk.context").joinpath(f"data/{name}").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Citation]:
    return {name: Citation(name, **entry) for name, entry in read_data_file("sources.yaml").items()}
