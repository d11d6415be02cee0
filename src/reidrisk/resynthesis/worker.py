"""De-identify texts in several processes."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from reidrisk.detect.detector import build_detector
from reidrisk.detect.finding import Detector, Finding, find_in_each
from reidrisk.detect.settings import DetectSettings
from reidrisk.resynthesis.dates.shift import days_in
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import Hashing, RealValues, RealValuesInMemory, parts_of
from reidrisk.resynthesis.replace import (
    DeidentifiedNote,
    merge_overlaps,
    placeholder_for,
    replace_findings,
    surrogate_text,
    values_of,
)
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.surrogates import Surrogates, kind_of
from reidrisk.resynthesis.work_file import RealValuesOnDisk


@dataclass(frozen=True, slots=True)
class Task:
    """One text, whose it is, and what is known to be in it."""

    text: str = field(repr=False)
    scope: str = field(repr=False)
    findings: tuple[Finding, ...] | None = None
    """None if they must be looked for."""


@dataclass(frozen=True, slots=True)
class TextScan:
    """What the first look at a text found, as numbers that tell nothing without the key."""

    findings: tuple[Finding, ...]
    values: tuple[int, ...]
    days: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a process needs to begin."""

    detect: DetectSettings | Detector
    settings: ResynthesisSettings
    key: bytes = field(repr=False)
    database: Path | None = None
    """Where the real values are, for the second look."""


class Worker:
    """Looks at texts and replaces what it finds."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._keyed = KeyedDraw(setup.key)
        real: RealValues = (
            RealValuesInMemory(self._keyed)
            if setup.database is None
            else RealValuesOnDisk(setup.database, self._keyed)
        )
        self._draw = Draw(self._keyed, real)

    def look(self, tasks: Sequence[Task]) -> list[TextScan]:
        """The first look: what there is, so that no surrogate becomes one of the real values."""
        return [self._seen(task, found) for task, found in zip(tasks, self._findings(tasks), strict=True)]

    def replace(self, tasks: Sequence[Task]) -> list[DeidentifiedNote]:
        """The second look: new texts."""
        return [self._replaced(task, found) for task, found in zip(tasks, self._findings(tasks), strict=True)]

    def _findings(self, tasks: Sequence[Task]) -> list[list[Finding]]:
        """What is in each text: all that must be looked for is looked for together."""
        unknown = [task.text for task in tasks if task.findings is None and task.text]
        looked = iter(find_in_each(_detector(self._setup.detect), unknown) if unknown else ())
        found = [
            task.findings if task.findings is not None else next(looked) if task.text else ()
            for task in tasks
        ]
        return [merge_overlaps(own, len(task.text)) for task, own in zip(tasks, found, strict=True)]

    def _seen(self, task: Task, findings: list[Finding]) -> TextScan:
        hashing = Hashing(self._keyed)
        values = values_of(task.text, findings)
        parts = {part for value in values for part in parts_of(value.text)}
        person = hashing.person(task.scope)
        days = {
            (person, hashing.day(task.scope, day))
            for value in values
            if kind_of(value.type) in ("date", "words")
            for day in days_in(value.text, self._setup.settings)
        }
        return TextScan(
            tuple(findings), tuple(hashing.value(part) for part in sorted(parts)), tuple(sorted(days))
        )

    def _replaced(self, task: Task, findings: list[Finding]) -> DeidentifiedNote:
        settings = self._setup.settings
        if settings.mode != "surrogate":
            return replace_findings(task.text, findings, placeholder_for(settings.mode))
        values = values_of(task.text, findings)
        made = Surrogates(values, task.scope, draw=self._draw, settings=settings)
        return surrogate_text(task.text, findings, made)


@lru_cache(maxsize=1)
def _cached_detector(settings: DetectSettings) -> Detector:
    return build_detector(settings)


def _detector(given: DetectSettings | Detector) -> Detector:
    return _cached_detector(given) if isinstance(given, DetectSettings) else given


Step = Literal["look", "replace"]
LETTERS, TEXTS = 200_000, 400
"""A piece of work ends after so many characters or texts."""
AHEAD = 2
"""Pieces for each process that wait or are under way."""
_worker: list[Worker] = []
"""The worker of this process."""


def run_in_order(tasks: Iterable[Task], step: Step, setup: Setup, *, jobs: int) -> Iterator[Any]:
    """The answer to every task; one piece of work is done here, more in other processes."""
    pieces = _pieces(tasks)
    first, second = next(pieces, None), next(pieces, None)
    every = chain([piece for piece in (first, second) if piece is not None], pieces)
    if jobs == 1 or second is None:
        worker = Worker(setup)
        for piece in every:
            yield from getattr(worker, step)(piece)
        return
    with ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(setup,)
    ) as pool:
        yield from _ahead(every, lambda piece: pool.submit(_work, step, piece), most=AHEAD * jobs)


def _ahead(
    pieces: Iterator[list[Task]], submit: Callable[[list[Task]], Future[list[Any]]], *, most: int
) -> Iterator[Any]:
    waiting: deque[Future[list[Any]]] = deque()
    try:
        for piece in pieces:
            waiting.append(submit(piece))
            if len(waiting) >= most:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        for left in waiting:
            left.cancel()


def _pieces(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    piece: list[Task] = []
    letters = 0
    for task in tasks:
        piece.append(task)
        letters += len(task.text)
        if letters >= LETTERS or len(piece) >= TEXTS:
            yield piece
            piece, letters = [], 0
    if piece:
        yield piece


def _begin(setup: Setup) -> None:
    _worker[:] = [Worker(setup)]


def _work(step: Step, piece: list[Task]) -> list[Any]:
    found: list[Any] = getattr(_worker[0], step)(piece)
    return found
