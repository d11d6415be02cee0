"""Work on many texts in several processes; the answers come in the order of the texts."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain
from typing import Any, Literal

from reidrisk.resynthesis.worker import Setup, Task, Worker

Step = Literal["look", "replace"]
LETTERS, TEXTS = 200_000, 400
"""A piece of work ends after so many characters or texts."""
AHEAD = 2
"""Pieces for each process that wait or are under way."""
_worker: list[Worker] = []
"""The worker of this process."""


def in_order(tasks: Iterable[Task], step: Step, setup: Setup, *, jobs: int) -> Iterator[Any]:
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
