"""Download population counts from the Census Bureau when the user asks for it.

This module uses the network, and only when the user runs a command that says so. An API key goes into the
request and nowhere else: not into messages, and not into the cache.
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.file_set import at_once, clear_left
from reidrisk.core.files import write_text
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError, UnreadableFile
from reidrisk.population.census import POSTAL, RACES, state_fips
from reidrisk.population.people import Population
from reidrisk.population.readers.downloads import whole_number
from reidrisk.population.readers.pct12 import CELLS, CensusArea, RaceTable, one_population

BASE_URL = "https://api.census.gov/data"
AGAIN = (429, 500, 502, 503, 504)
"""HTTP status codes after which another attempt may succeed."""
LARGEST_ANSWER = 200_000_000
LOOPBACK = ("localhost", "127.0.0.1", "::1")
Answer = list[list[Any]]
"""Rows of values; the first row has the column names."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a response, and how often to try."""

    timeout: float = 60.0
    """Seconds per response."""
    attempts: int = 4
    wait: float = 1.0
    """Seconds before the second attempt; the wait doubles with each further attempt."""


@dataclass(frozen=True, slots=True)
class CensusApi:
    """The API of the Census Bureau, or a compatible one."""

    base_url: str = BASE_URL
    key: str | None = field(default=None, repr=False)
    cache: Path | None = None
    """Folder that caches responses by their query without the key; None turns the cache off."""
    patience: Patience = Patience()

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidSetting("The address of the API is not valid.", hint=f"For example: {BASE_URL}.")
        if self.key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise InvalidSetting("A key is not sent over an unencrypted connection.", hint="Use https.")

    def ask(self, dataset: str, question: dict[str, str]) -> Answer:
        """The response to a query, from the cache if possible."""
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
                f"{_place(url)} did not return rows of values.",
                hint="This happens if the key is missing or wrong, or during maintenance: "
                "check the key, and try again later.",
            )
        if kept is not None:
            _make(kept.parent)
            with at_once():
                write_text(kept, json.dumps(found))
        return found

    def forget(self, dataset: str, question: dict[str, str]) -> None:
        """Delete an invalid response from the cache, so that it is requested again."""
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
    """Refuses redirects, so that the key is never sent to another server."""

    def redirect_request(self, *_: Any) -> None:
        """Do not follow the redirect; the response becomes an error with its status code."""


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableFile(
            f"{path_text(folder)} cannot be used as a cache: {error.strerror}.",
            hint="Choose another folder with --cache.",
        ) from None


def _place(url: str) -> str:
    """Server and query for messages, with only the first of many variables."""
    parts = urllib.parse.urlsplit(url)
    wanted = urllib.parse.parse_qs(parts.query).get("get", [""])[0]
    first, comma, _ = wanted.partition(",")
    return f"{parts.scheme}://{parts.netloc}{parts.path} ({first}{' and others' if comma else ''})"


def _read(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """Read the whole response, unless it takes longer than the time limit."""
    parts, size = [], 0
    while part := response.read1(1 << 16):
        parts.append(part)
        size += len(part)
        if time.monotonic() > deadline:
            raise TimeoutError("it was too slow")
        if size > LARGEST_ANSWER:
            raise BadData("The response is too long.", hint="Request one state at a time.")
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
            f"{_place(url)} redirects the request ({code}); redirects are not followed.",
            hint="This happens if the key is missing or wrong: set the environment variable "
            "CENSUS_API_KEY; keys are free at https://api.census.gov/data/key_signup.html.",
        )
    hints = {
        400: "The Bureau does not have this table or area for this year.",
        403: "The Bureau requires a key, or rejected the one given.",
        404: "There is no such data set; check --base-url and the year.",
        429: "Too many requests: try again later, with a key.",
    }
    return BadData(
        f"{_place(url)} returned status {code}.",
        hint=hints.get(code, "Try again later. Responses so far are in the cache."),
    )


def _unreachable(url: str, error: Exception) -> ReidRiskError:
    slow = isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)
    host = urllib.parse.urlsplit(url).hostname
    problem = "did not respond in time" if slow else "cannot be reached"
    return BadData(
        f"{host} {problem}.",
        hint="Check the network and the proxy (HTTPS_PROXY). Without a network, download tables PCT12A to "
        "PCT12G from data.census.gov on another computer, and use their folder instead.",
    )


def cache_folder() -> Path:
    """The cache folder of the current user."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "reidrisk" / "census"


AT_ONCE = 50
"""Largest number of variables in one request."""


@dataclass(frozen=True, slots=True)
class Census:
    """The names of tables PCT12A to PCT12G of one census in the API."""

    dataset: str
    table: str
    """The name of a table, with {} for its letter."""
    cell: str
    """The name of a cell, with {0} for the letter and {1} for the number."""
    by_group: bool
    """Whether a whole table can be requested by its name."""


CENSUSES = {
    2000: Census("2000/dec/sf1", "PCT012{}", "PCT012{0}{1:03d}", by_group=False),
    2010: Census("2010/dec/sf1", "PCT12{}", "PCT012{0}{1:03d}", by_group=False),
    2020: Census("2020/dec/dhc", "PCT12{}", "PCT12{0}_{1:03d}N", by_group=True),
}
Cells = dict[CensusArea, NDArray[np.int64]]


def fetch_population(
    year: int,
    state: str,
    *,
    api: CensusApi | None = None,
    open_band_years: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Population:
    """Download the counts of all counties of a state, given by its postal or FIPS code.

    This uses the network. Responses are cached in the user's cache folder unless `api` says otherwise, so
    a second call, or one after an interruption, requests only what is missing.
    """
    if year not in CENSUSES:
        raise InvalidSetting.among("The year of a census", str(year), map(str, CENSUSES))
    fips = state_fips(state)
    census, interface = CENSUSES[year], api or CensusApi(cache=cache_folder())
    if interface.cache is not None and interface.cache.is_dir():
        clear_left(interface.cache)
    source = f"Census {year}, {POSTAL[fips]}, tables PCT12A to PCT12G ({interface.base_url})"
    tables = []
    for done, letter in enumerate(RACES, start=1):
        tables.append(_table(interface, census, letter, fips))
        if progress is not None:
            progress(done, len(RACES))
    try:
        return one_population(tables, open_band_years=open_band_years, source=source)
    except BadData:
        for letter in RACES:
            _forget(interface, census, letter, fips)
        raise


def _table(interface: CensusApi, census: Census, letter: str, fips: str) -> RaceTable:
    """The table of one race; invalid responses are not kept in the cache."""
    answers = [
        (numbers, interface.ask(census.dataset, _question(wanted, fips)))
        for wanted, numbers in _questions(census, letter)
    ]
    try:
        return _taken(answers, census, letter, fips)
    except BadData:
        _forget(interface, census, letter, fips)
        raise


def _forget(interface: CensusApi, census: Census, letter: str, fips: str) -> None:
    for wanted, _ in _questions(census, letter):
        interface.forget(census.dataset, _question(wanted, fips))


def _question(wanted: str, fips: str) -> dict[str, str]:
    return {"get": wanted, "for": "county:*", "in": f"state:{fips}"}


def _taken(answers: list[tuple[range, Answer]], census: Census, letter: str, fips: str) -> RaceTable:
    found: Cells = {}
    for numbers, answer in answers:
        names = [census.cell.format(letter, number) for number in numbers]
        _take(found, answer, names, numbers, (fips, f"{census.dataset} {census.table.format(letter)}"))
    incomplete = sum(bool(np.any(row < 0)) for row in found.values())
    if incomplete or not found:
        raise BadData(
            f"{census.dataset}: the responses are incomplete for {incomplete} counties.",
            hint="Try again later.",
        )
    return RaceTable(letter, found, f"{census.dataset} {census.table.format(letter)}")


def _questions(census: Census, letter: str) -> Iterator[tuple[str, range]]:
    if census.by_group:
        yield f"group({census.table.format(letter)})", range(1, CELLS + 1)
        return
    for first in range(1, CELLS + 1, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, CELLS + 1))
        yield ",".join(census.cell.format(letter, number) for number in numbers), numbers


def _take(found: Cells, answer: Answer, names: list[str], numbers: range, where: tuple[str, str]) -> None:
    """Copy the cells of one response into the table."""
    fips, place = where
    header = answer[0]
    missing = [name for name in (*names, "state", "county") if name not in header]
    if missing:
        raise BadData(
            f"{place}: the response lacks {len(missing)} columns, such as {missing[0]}.",
            hint="The API may have changed. Download the tables from data.census.gov instead.",
        )
    columns = [header.index(name) for name in names]
    state, county = header.index("state"), header.index("county")
    for line in answer[1:]:
        if line[state] != fips:
            raise BadData(f"{place}: the response is for another state.", hint="Empty the cache folder.")
        cells = [whole_number(str(line[column])) for column in columns]
        counts = [count for count in cells if count is not None]
        if len(counts) < len(columns):
            raise BadData(
                f"{place}: the response has cells without a count.",
                hint="The Bureau did not provide them. Try again later.",
            )
        row = found.setdefault(CensusArea("050", f"{fips}{line[county]}"), np.full(CELLS, -1, dtype=np.int64))
        row[numbers.start - 1 : numbers.stop - 1] = counts
