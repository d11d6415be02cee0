"""A file as readers see it: on the disk, or inside a zip file."""

from __future__ import annotations

from typing import BinaryIO, Literal, Protocol


class SourceFile(Protocol):
    """What a reader needs of a file; `pathlib.Path` has it all."""

    @property
    def name(self) -> str:
        """The name without its folder."""

    @property
    def suffix(self) -> str:
        """The end of the name from its last dot."""

    @property
    def stem(self) -> str:
        """The name without its suffix."""

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """The bytes."""

    def exists(self) -> bool:
        """Whether there is such a file."""

    def with_name(self, name: str) -> SourceFile:
        """The file of another name beside it."""

    def with_suffix(self, suffix: str) -> SourceFile:
        """The file beside it that differs in the suffix only."""
