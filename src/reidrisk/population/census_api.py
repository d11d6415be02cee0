"""Asking the US Census Bureau's data interface, and keeping its answers.

The network is touched here only, and only because somebody typed a command that says so. A key, if any,
goes into the request and nowhere else: not into messages, not into the cache.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.files import write_text
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError, UnreadableFile

BASE_URL = "https://api.census.gov/data"
AGAIN = (429, 500, 502, 503, 504)
"""Answers that may be better a little later."""
LARGEST_ANSWER = 200_000_000
LOOPBACK = ("localhost", "127.0.0.1", "::1")
Answer = list[list[Any]]
"""Lines of values; the first holds the names of the columns."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for an answer."""

    timeout: float = 60.0
    """Seconds for one answer."""
    attempts: int = 4
    wait: float = 1.0
    """Seconds before the second attempt; each further one waits twice as long."""


@dataclass(frozen=True, slots=True)
class CensusApi:
    """The Bureau's interface, or one that answers like it."""

    base_url: str = BASE_URL
    key: str | None = field(default=None, repr=False)
    cache: Path | None = None
    """Where answers are kept, by their question without the key; None keeps none."""
    patience: Patience = Patience()

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidSetting("The address of the interface is none.", hint=f"Such as {BASE_URL}.")
        if self.key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise InvalidSetting(
                "A key is not sent over a connection that others can read.", hint="Use https."
            )

    def ask(self, dataset: str, question: dict[str, str]) -> Answer:
        """The answer, from the cache if it was given before."""
        url = self._url(dataset, question)
        kept = self._kept(url)
        if kept is not None and kept.is_file():
            found = _answer(kept.read_bytes())
            if found is not None:
                return found
        content = self._patiently(url)
        found = _answer(content)
        if found is None:
            raise BadData(
                f"{_place(url)} did not answer with lines of values.",
                hint="The Bureau answers so where a key is missing or wrong, or while it is being mended: "
                "check the key, and try again later.",
            )
        if kept is not None:
            _make(kept.parent)
            write_text(kept, json.dumps(found))
        return found

    def forget(self, dataset: str, question: dict[str, str]) -> None:
        """Drop a kept answer that made no sense, so that it is asked for again."""
        kept = self._kept(self._url(dataset, question))
        if kept is not None:
            kept.unlink(missing_ok=True)

    def _url(self, dataset: str, question: dict[str, str]) -> str:
        return f"{self.base_url.rstrip('/')}/{dataset}?{urllib.parse.urlencode(question, safe='():*,')}"

    def _kept(self, url: str) -> Path | None:
        return self.cache / f"{hashlib.sha256(url.encode()).hexdigest()}.json" if self.cache else None

    def _patiently(self, url: str) -> bytes:
        wait = self.patience.wait
        for attempt in range(1, self.patience.attempts + 1):
            try:
                return self._once(url)
            except urllib.error.HTTPError as error:
                problem = _refused(url, error.code)
                error.close()
                if error.code not in AGAIN:
                    raise problem from None
            except (OSError, http.client.HTTPException) as error:
                problem = _unreachable(url, error)
            if attempt < self.patience.attempts:
                time.sleep(wait)
                wait *= 2
        raise problem from None

    def _once(self, url: str) -> bytes:
        secret = f"&key={urllib.parse.quote(self.key)}" if self.key else ""
        request = urllib.request.Request(f"{url}{secret}", headers={"Accept": "application/json"})  # noqa: S310
        opener = urllib.request.build_opener(_NoRedirect)
        with opener.open(request, timeout=self.patience.timeout) as response:
            return _read(response, time.monotonic() + self.patience.timeout)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Nobody else is to be asked, least of all with the key."""

    def redirect_request(self, *_: Any) -> None:
        """Follow none: the answer becomes an error with its own code."""


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableFile(
            f"{path_text(folder)} cannot keep answers: {error.strerror}.",
            hint="Name another folder with --cache.",
        ) from None


def _place(url: str) -> str:
    """Whom was asked for what, without a line of fifty names."""
    parts = urllib.parse.urlsplit(url)
    wanted = urllib.parse.parse_qs(parts.query).get("get", [""])[0]
    first, comma, _ = wanted.partition(",")
    return f"{parts.scheme}://{parts.netloc}{parts.path} ({first}{' and others' if comma else ''})"


def _read(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """All of it, unless it drips for longer than the limit."""
    parts, size = [], 0
    while part := response.read1(1 << 16):
        parts.append(part)
        size += len(part)
        if time.monotonic() > deadline:
            raise TimeoutError("it was too slow")
        if size > LARGEST_ANSWER:
            raise BadData("The answer is too long.", hint="Ask for one state at a time.")
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)


def _answer(content: bytes) -> Answer | None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    lines = isinstance(found, list) and len(found) > 1 and all(isinstance(line, list) for line in found)
    if not lines or any(len(line) != len(found[0]) for line in found):
        return None
    return found if all(isinstance(name, str) for name in found[0]) else None


def _refused(url: str, code: int) -> ReidRiskError:
    if 300 <= code < 400:
        return BadData(
            f"{_place(url)} sends the request elsewhere ({code}), which is not followed.",
            hint="The Bureau does so where a key is missing or wrong: set the environment variable "
            "CENSUS_API_KEY; keys are free at https://api.census.gov/data/key_signup.html.",
        )
    hints = {
        400: "The Bureau does not know this table or area for this year.",
        403: "The Bureau wants a key, or refuses the one given.",
        404: "There is no such data set; check --base-url and the year.",
        429: "Too many requests: try again later, with a key.",
    }
    return BadData(
        f"{_place(url)} answered with status {code}.",
        hint=hints.get(code, "Try again later: answers so far are kept."),
    )


def _unreachable(url: str, error: Exception) -> ReidRiskError:
    slow = isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)
    host = urllib.parse.urlsplit(url).hostname
    problem = "did not answer in time" if slow else "cannot be reached"
    return BadData(
        f"{host} {problem}.",
        hint="Check the network and the proxy (HTTPS_PROXY). Without a network: download tables PCT12A to "
        "PCT12G from data.census.gov on another machine and name their folder instead of a fetched file.",
    )


def cache_folder() -> Path:
    """Where the system keeps what can be fetched again, for this user."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "reidrisk" / "census"
