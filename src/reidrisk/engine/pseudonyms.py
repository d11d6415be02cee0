"""Keyed pseudonyms: HMAC-SHA256 computed in the database, where the key is a variable and not a text."""

from __future__ import annotations

import hashlib

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import literal
from reidrisk.engine.session import Session

BLOCK = 64
"""Bytes of a block of SHA-256 (RFC 2104)."""
LENGTH = 24
"""Hexadecimal digits kept: 96 bits, so that a million people share none."""


def arm(session: Session, key: bytes) -> None:
    """Give the connection the key, in the two forms that HMAC needs."""
    padded = (hashlib.sha256(key).digest() if len(key) > BLOCK else key).ljust(BLOCK, b"\0")
    with without_values("The key"):
        for name, pad in (("reidrisk_inner", 0x36), ("reidrisk_outer", 0x5C)):
            session.connection.execute(f"SET VARIABLE {name} = ?", [bytes(byte ^ pad for byte in padded)])


def pseudonym(column: str, expression: str) -> str:
    """SQL of the pseudonym of a value; the same value in another column has another one. Null stays null."""
    message = f"encode({literal(column)} || chr(0) || CAST({expression} AS VARCHAR))"
    inner = f"unhex(sha256(getvariable('reidrisk_inner') || {message}))"
    return f"left(sha256(getvariable('reidrisk_outer') || {inner}), {LENGTH})"
