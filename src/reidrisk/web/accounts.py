"""Accounts of a server that others reach: names, roles and hashed passwords, in a file for its owner only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reidrisk.core.file_set import at_once
from reidrisk.core.files import write_bytes
from reidrisk.core.key import read_private
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.web.security import EVERY_ROLE

COST, BLOCK, PARALLEL = 2**17, 8, 1
"""Of scrypt: 128 MiB and about half a second for every try."""
MEMORY = 2 * 128 * COST * BLOCK
SHORTEST_PASSWORD = 12
MOST_FAILURES, LOCKED_SECONDS = 5, 15 * 60.0
MOST_NAMES = 10_000
KIND = "accounts"
ADD = "reidrisk account add FILE NAME --role preparer"


@dataclass(frozen=True, slots=True)
class Account:
    """A person who may log in."""

    name: str
    role: str
    salt: str
    hashed: str

    @classmethod
    def new(cls, name: str, role: str, password: str) -> Account:
        """Hash the password with a new salt."""
        if not name.strip() or len(name) > 200 or not name.isprintable():
            raise InvalidSetting("An account needs a name.", hint="Use one line of at most 200 letters.")
        if role not in EVERY_ROLE:
            raise InvalidSetting.among("The role", role, EVERY_ROLE)
        if len(password) < SHORTEST_PASSWORD:
            raise InvalidSetting(
                "The password is too short.", hint=f"Use at least {SHORTEST_PASSWORD} letters."
            )
        salt = secrets.token_bytes(16)
        return cls(name.strip(), role, _text(salt), _text(_hashed(password, salt)))

    def fits(self, password: str) -> bool:
        """Whether this is the password; takes the same time if not."""
        return hmac.compare_digest(_hashed(password, _bytes(self.salt)), _bytes(self.hashed))


NOBODY = Account("", "", "AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAAAA==")
"""Checked where the name is unknown, so that the time does not tell which names there are."""


@dataclass(frozen=True, slots=True)
class LoginProblem:
    """Why somebody is not let in; it does not tell whether the name is known."""

    problem: str
    hint: str
    is_locked: bool = False


WRONG = LoginProblem("Name or password is wrong.", "Try again.")
LOCKED = LoginProblem(
    "There were too many wrong passwords for this name.", "Wait 15 minutes.", is_locked=True
)


class Accounts:
    """The accounts of a server, and how often somebody failed to log in."""

    def __init__(self, accounts: Sequence[Account], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._accounts = {one.name: one for one in accounts}
        self._clock = clock
        self._failures: dict[str, list[float]] = {}
        self._lock = threading.Lock()

    def check(self, name: str, password: str) -> tuple[Account, None] | tuple[None, LoginProblem]:
        """The account, or why not; one check at a time, which bounds memory and guesses."""
        with self._lock:
            recent = [at for at in self._failures.get(name, ()) if at > self._clock() - LOCKED_SECONDS]
            if len(recent) >= MOST_FAILURES:
                return None, LOCKED
            account = self._accounts.get(name, NOBODY)
            if account.fits(password) and account is not NOBODY:
                self._failures.pop(name, None)
                return account, None
            while len(self._failures) >= MOST_NAMES:
                self._failures.pop(next(iter(self._failures)))
            self._failures[name] = [*recent, self._clock()]
            return None, WRONG


def read_accounts(path: str | Path) -> list[Account]:
    """The accounts in a file; a file that others can read is refused."""
    file = Path(path)
    content = read_private(file, hint=f"To make it: {ADD}")
    try:
        found: Any = json.loads(content)
        accounts = [Account(**one) for one in found["accounts"]]
        is_valid = found["kind"] == KIND and all(
            isinstance(text, str) for one in accounts for text in asdict(one).values()
        )
        for one in accounts:
            _bytes(one.salt), _bytes(one.hashed)
    except (ValueError, KeyError, TypeError):
        is_valid, accounts = False, []
    if not is_valid or any(one.role not in EVERY_ROLE for one in accounts):
        raise UnreadableFile(f"{path_text(file)} is not a file of accounts.", hint=f"To make one: {ADD}")
    return accounts


def write_accounts(path: str | Path, accounts: Sequence[Account]) -> None:
    """Replace the file of accounts; only its owner can read it."""
    text = json.dumps({"kind": KIND, "accounts": [asdict(one) for one in accounts]}, indent=1) + "\n"
    with at_once():
        write_bytes(path, text.encode(), mode=0o600)


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"),
        salt=salt,
        n=COST,
        r=BLOCK,
        p=PARALLEL,
        maxmem=MEMORY,
        dklen=32,
    )


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
