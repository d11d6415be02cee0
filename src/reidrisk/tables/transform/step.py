"""The protocol of a transformation: its inputs and its result."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints


@dataclass(frozen=True, slots=True)
class StepInputs:
    """What a transformation may use besides the table: randomness and a key."""

    rng: np.random.Generator = field(repr=False)
    seed: int = 7
    key: bytes | None = field(default=None, repr=False)
    """The key for pseudonyms and date shifts."""

    @classmethod
    def drawing(cls, seed: int, key: bytes | None) -> StepInputs:
        """Derive randomness from the seed, and from the key if there is one: a seed can be guessed."""
        hidden = [] if key is None else [int.from_bytes(_mix_key(seed, key))]
        return cls(
            np.random.default_rng([seed, *hidden]) if hidden else np.random.default_rng(seed), seed, key
        )

    @property
    def salt(self) -> str:
        """The salt of random choices by hash."""
        return str(self.seed) if self.key is None else f"{self.seed}:{_mix_key(self.seed, self.key).hex()}"

    def require_key(self, what: str) -> bytes:
        """Return the key, or raise an error if there is none."""
        if self.key is None:
            raise InvalidSetting(
                f"{what} needs a key.", hint="Make one with: reidrisk table key FILE; name it with --key."
            )
        return self.key


def _mix_key(seed: int, key: bytes) -> bytes:
    return hmac.digest(key, f"reidrisk draws {seed}".encode(), "sha256")


@dataclass(frozen=True, slots=True)
class StepResult:
    """The table after a transformation, and what was done."""

    table: Table
    text: str
    """Description of what was done, without any value."""
    figures: Mapping[str, Any]
    """What changed, as JSON types; `by_column` has a row for each changed column."""
    kept: Ints | None = field(default=None, repr=False)
    """Indexes of the rows that are kept, in order; None if all are."""


class TransformStep(Protocol):
    """One transformation."""

    @property
    def kind(self) -> str:
        """The name of the kind in a file."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the step reads."""
        ...

    @property
    def changes(self) -> tuple[str, ...]:
        """The columns whose values may no longer be true; a pseudonym still represents its value."""
        ...

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Apply the step to every row."""
        ...
