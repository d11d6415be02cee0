"""De-identify texts in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from reidrisk.detect.detector import build_detector
from reidrisk.detect.finding import Detector, Finding, find_in_each
from reidrisk.detect.settings import DetectSettings
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
from reidrisk.resynthesis.surrogates import Surrogates
from reidrisk.resynthesis.work_file import RealValuesOnDisk


@dataclass(frozen=True, slots=True)
class Task:
    """One text, its person, and its findings if they are known."""

    text: str = field(repr=False)
    scope: str = field(repr=False)
    findings: tuple[Finding, ...] | None = None
    """None if the detector must find them."""


@dataclass(frozen=True, slots=True)
class TextScan:
    """Result of the first pass over a text; its numbers reveal nothing without the key."""

    findings: tuple[Finding, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a worker process needs."""

    detect: DetectSettings | Detector
    settings: ResynthesisSettings
    key: bytes = field(repr=False)
    database: Path | None = None
    """The database of real values, or the folder of mapped ones, for the second pass."""


class Worker:
    """Finds and replaces identifiers in texts."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._keyed = KeyedDraw(setup.key)
        self._draw = Draw(self._keyed, _real_values(setup.database, self._keyed))

    def scan(self, tasks: Sequence[Task]) -> list[TextScan]:
        """First pass: collect the real values, so that no surrogate is one of them."""
        return [self._scan(task, found) for task, found in zip(tasks, self._findings(tasks), strict=True)]

    def replace(self, tasks: Sequence[Task]) -> list[DeidentifiedNote]:
        """Second pass: make the new texts."""
        return [self._replace(task, found) for task, found in zip(tasks, self._findings(tasks), strict=True)]

    def _findings(self, tasks: Sequence[Task]) -> list[list[Finding]]:
        """The findings of each text; all texts that need the detector are processed together."""
        unknown = [task.text for task in tasks if task.findings is None and task.text]
        detected = iter(find_in_each(_detector(self._setup.detect), unknown) if unknown else ())
        found = [
            task.findings if task.findings is not None else next(detected) if task.text else ()
            for task in tasks
        ]
        return [merge_overlaps(own, len(task.text)) for task, own in zip(tasks, found, strict=True)]

    def _scan(self, task: Task, findings: list[Finding]) -> TextScan:
        hashing = Hashing(self._keyed)
        values = values_of(task.text, findings)
        parts = {part for value in values for part in parts_of(value.text)}
        return TextScan(tuple(findings), tuple(hashing.value(part) for part in sorted(parts)))

    def _replace(self, task: Task, findings: list[Finding]) -> DeidentifiedNote:
        settings = self._setup.settings
        if settings.mode != "surrogate":
            return replace_findings(task.text, findings, placeholder_for(settings.mode))
        values = values_of(task.text, findings)
        surrogates = Surrogates(values, task.scope, draw=self._draw, settings=settings)
        return surrogate_text(task.text, findings, surrogates)


def _real_values(path: Path | None, keyed: KeyedDraw) -> RealValues:
    if path is None:
        return RealValuesInMemory(keyed)
    if path.is_dir():
        from reidrisk.resynthesis.spark.real_values import RealValuesMapped

        return RealValuesMapped(path, keyed)
    return RealValuesOnDisk(path, keyed)


@lru_cache(maxsize=1)
def _cached_detector(settings: DetectSettings) -> Detector:
    return build_detector(settings)


def _detector(given: DetectSettings | Detector) -> Detector:
    return _cached_detector(given) if isinstance(given, DetectSettings) else given


Step = Literal["scan", "replace"]
LETTERS, TEXTS = 200_000, 400
"""A batch ends after this many characters or texts."""
AHEAD = 2
"""Batches per process that are waiting or running."""
_worker: list[Worker] = []
"""The worker of this process."""


def run_in_order(tasks: Iterable[Task], step: Step, setup: Setup, *, jobs: int) -> Iterator[Any]:
    """The result of every task, in order; a single batch runs here, several run in other processes."""
    batches = pieces(tasks)
    first, second = next(batches, None), next(batches, None)
    every = chain([piece for piece in (first, second) if piece is not None], batches)
    if jobs == 1 or second is None:
        worker = Worker(setup)
        for piece in every:
            yield from getattr(worker, step)(piece)
        return
    with ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(setup,)
    ) as pool:

        def submit(piece: list[Task]) -> Future[list[Any]]:
            with _signals_later():  # a batch for which nobody is free starts a process
                return pool.submit(_work, step, piece)

        yield from _ahead(every, submit, most=AHEAD * jobs)


@contextmanager
def _signals_later() -> Iterator[None]:
    """Signals wait for the end of the block: a process that is started by half prints an error of its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    every = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in every}
    own = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in own:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in own.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])


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


def pieces(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Batches of tasks that fit into memory."""
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
    _end_with_parent()
    _worker[:] = [Worker(setup)]


def _end_with_parent() -> None:
    """Signals of the terminal are for the parent, which ends its workers; if it is killed, they end too."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_wait_for_end, args=(parent,), daemon=True).start()


def _wait_for_end(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _work(step: Step, piece: list[Task]) -> list[Any]:
    found: list[Any] = getattr(_worker[0], step)(piece)
    return found
