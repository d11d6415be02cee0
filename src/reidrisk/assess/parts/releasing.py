"""Parts that write a table if it is acceptable, some of them with a secret."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from functools import cached_property
from pathlib import Path

from reidrisk.assess.parts.part import Part, Work
from reidrisk.core.key import read_key

ROUNDS = 200_000
"""Of the function that makes a key's fingerprint slow to guess."""


class ReleasingPart(Part):
    """A part with a table to write."""

    @property
    def out(self) -> Path | None:
        """Where the table goes if it is acceptable."""
        return Path(self.path(self.given["out"])) if self.given.get("out") else None

    @property
    def secret(self) -> bytes | None:
        """The key; None without one."""
        key = self.given.get("key")
        return read_key(self.path(key)) if key else None

    @cached_property
    def fingerprint(self) -> str | None:
        """By which a key is recognised, slow to guess; None without a key."""
        secret = self.secret
        if secret is None:
            return None
        return hashlib.pbkdf2_hmac("sha256", secret, b"reidrisk fingerprint", ROUNDS).hex()

    @abstractmethod
    def write(self, work: Work, path: Path) -> None:
        """Write the table, whole or not at all; the same seed and key write the same bytes."""
