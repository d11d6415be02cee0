"""Ctrl-C asks for the best so far; a second one ends the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import click


@contextmanager
def interruptible(*, quiet: bool) -> Iterator[Callable[[], bool]]:
    """A question to ask between pieces of work: has somebody pressed Ctrl-C?"""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(_number: int, _frame: FrameType | None) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)
        if not quiet:
            click.echo("\nStopping with the best found so far; press Ctrl-C again to give up.", err=True)

    signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)
