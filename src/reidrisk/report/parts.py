"""The parts that results are shown with. A kind fills them; a view draws them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column."""

    name: str
    is_number: bool = False
    short: str = ""
    """For the terminal, where room is scarce."""
    is_prose: bool = False
    """Whether its cells are sentences, which a page may break."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of finished texts; the first cell of a row names it."""

    title: str
    explanation: str
    """One plain sentence for a newcomer."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    marked: tuple[int, ...] = ()
    """Rows that stand out, such as the one chosen; a cell says so in words too."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and what is true of it."""

    name: str
    value: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts that belong together."""

    title: str
    explanation: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict is what it is."""

    text: str
    holds: bool | None
    """Whether it speaks for the release; None where nothing is decided."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, before anything else."""

    acceptable: bool | None
    """None where no threshold was given, so that nothing is decided."""
    reasons: tuple[Reason, ...]
    said: str = ""
    """Where yes or no is not the whole answer."""

    @property
    def word(self) -> str:
        """In words, since colour alone is not seen by all."""
        if self.said or self.acceptable is None:
            return self.said or "Measured"
        return "Acceptable" if self.acceptable else "Not acceptable"


@dataclass(frozen=True, slots=True)
class Source:
    """A publication, and its DOI if it has one that was checked."""

    citation: str
    doi: str = ""


@dataclass(frozen=True, slots=True)
class Guide:
    """What a newcomer needs beside the numbers."""

    terms: tuple[Fact, ...]
    limits: tuple[str, ...]
    sources: tuple[Source, ...]
