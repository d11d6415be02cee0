"""What every part of a release can do: name its inputs, and be measured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.inputs import exists
from reidrisk.core.place import Place
from reidrisk.core.wording import path_text

Progress = Callable[[str, str, int, int], None]
"""Called with the part, what is being done, how much of it is done and how much there is (0 if unknown)."""


@dataclass(frozen=True, slots=True)
class Work:
    """How a part is measured and followed."""

    seed: int
    progress: Progress | None = None
    stop: Callable[[], bool] | None = None


@dataclass(frozen=True)
class Part(ABC):
    """One thing that is released."""

    kind: ClassVar[str]
    task: ClassVar[str] = "risk"

    name: str
    given: Mapping[str, Any] = field(repr=False)
    """Its settings, checked."""
    folder: Path

    @abstractmethod
    def sources(self) -> tuple[str, ...]:
        """What it reads, as the release file names it; secrets are not among them."""

    @abstractmethod
    def counted(self) -> Mapping[str, Any]:
        """The settings that measuring depends on, as JSON types."""

    @abstractmethod
    def measure(self, work: Work) -> dict[str, Any]:
        """Read the data and count; everything that judging needs, as JSON types, and nothing of a record."""

    def path(self, source: str) -> str:
        """Where a source lies; the table of a server is where it is."""
        return source if "://" in source else str(self.folder / source)

    def told(self, found: Any) -> Any:
        """The same with paths as the release file names them, wherever it was run."""
        names = {self.path(source): source for source in self.sources()}
        return _renamed(found, {long: short for long, short in names.items() if long != short})


def _renamed(found: Any, names: Mapping[str, str]) -> Any:
    if isinstance(found, dict):
        return {_renamed(name, names): _renamed(value, names) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [_renamed(value, names) for value in found]
    if isinstance(found, str):
        for long, short in sorted(names.items(), key=lambda pair: -len(pair[0])):
            found = found.replace(path_text(long), short)
    return found


def check_sources(part: Part, place: Place) -> None:
    """Refuse what is not there, by the line that names it."""
    for source in part.sources():
        if not exists(source, part.folder):
            named = next((key for key, value in part.given.items() if value == source), None)
            here = place if named is None else place.at(named)
            raise here.wrong(
                f"names {path_text(source)}, which does not exist.",
                hint="Paths are relative to the folder of the release file.",
            )
