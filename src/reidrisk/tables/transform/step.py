"""What every transformation takes and gives."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from reidrisk.engine.table import Table
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints


@dataclass(frozen=True, slots=True)
class Work:
    """What a transformation may use beside the table."""

    rng: np.random.Generator = field(repr=False)
    seed: int = 7
    key: bytes | None = field(default=None, repr=False)
    """The secret of pseudonyms and of shifts."""

    @classmethod
    def drawing(cls, seed: int, key: bytes | None) -> Work:
        """Draws that follow from the seed, and from the key if there is one: a seed alone can be guessed."""
        hidden = [] if key is None else [int.from_bytes(_mixed(seed, key))]
        return cls(
            np.random.default_rng([seed, *hidden]) if hidden else np.random.default_rng(seed), seed, key
        )

    @property
    def salt(self) -> str:
        """What draws by a hash are mixed with."""
        return str(self.seed) if self.key is None else f"{self.seed}:{_mixed(self.seed, self.key).hex()}"

    def secret(self, what: str) -> bytes:
        """The key, which some transformations cannot do without."""
        if self.key is None:
            raise InvalidSetting(
                f"{what} needs a key.", hint="Make one with: reidrisk table key FILE; name it with --key."
            )
        return self.key


def _mixed(seed: int, key: bytes) -> bytes:
    return hmac.digest(key, f"reidrisk draws {seed}".encode(), "sha256")


@dataclass(frozen=True, slots=True)
class Done:
    """A table after a transformation."""

    table: Table
    text: str
    """What was done, in words, without a value."""
    figures: Mapping[str, Any]
    """What it changed and what it is worth, as JSON types; `by_column` has a row for each changed column."""
    kept: Ints | None = field(default=None, repr=False)
    """Places from 0 of the rows that stay, in order; None if all do."""


class Step(Protocol):
    """One transformation."""

    @property
    def kind(self) -> str:
        """Its name in a file."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        ...

    @property
    def changes(self) -> tuple[str, ...]:
        """The columns whose values are no longer the person's own; a pseudonym stands for its value."""
        ...

    def apply(self, table: Table, work: Work) -> Done:
        """Do it to every row."""
        ...
