"""Stop long work from outside: with the best result so far, or without any.

Work asks at places where it can end cleanly. Between them, a thread asks ten times a second: it interrupts
the databases, and in the main thread also Python itself, as Ctrl-C does.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

from reidrisk.errors import Cancelled

StopRequest = Literal["best", "cancel"]
"""`best`: searches end with the best solution so far, and the work goes on. `cancel`: everything ends."""
Stop = Callable[[], StopRequest | None]
PAUSE = 0.1
"""Seconds between two questions."""


@dataclass(eq=False)
class _Watcher:
    """Asks while the work runs."""

    stop: Stop
    is_main: bool
    done: threading.Event = field(default_factory=threading.Event)
    databases: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)
    has_cancelled: bool = False

    def run(self) -> None:
        while not self.done.wait(PAUSE):
            if self.stop() != "cancel":
                continue
            for one in list(self.databases):
                with suppress(Exception):  # one that was closed meanwhile
                    one.interrupt()
            is_first, self.has_cancelled = not self.has_cancelled, True
            if self.is_main and is_first:
                _interrupt_main()


def _interrupt_main() -> None:
    """As Ctrl-C does; a signal also ends a call of the system that waits."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main, signal.SIGINT)


@contextmanager
def _own_interrupts_arrive(watcher: _Watcher) -> Iterator[None]:
    """Where Ctrl-C is ignored, as in a shell's background jobs, the interrupt of a watcher is not."""
    if not watcher.is_main or signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        yield
        return

    def interrupt(*_: object) -> None:
        if watcher.has_cancelled:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


_WATCHER: ContextVar[_Watcher | None] = ContextVar("stop_watcher", default=None)


@contextmanager
def stoppable(stop: Stop | None) -> Iterator[None]:
    """Work that `stop` can end; Cancelled is raised if it asks to cancel."""
    outer = _WATCHER.get()
    if stop is None or (outer is not None and outer.stop is stop):
        yield
        return
    watcher = _Watcher(stop, threading.current_thread() is threading.main_thread())
    thread = threading.Thread(target=watcher.run, name="reidrisk-stop", daemon=True)
    token = _WATCHER.set(watcher)
    try:
        with _own_interrupts_arrive(watcher):
            thread.start()
            try:
                yield
            finally:
                watcher.done.set()
                thread.join()
    except KeyboardInterrupt:
        if watcher.has_cancelled:
            raise cancelled() from None
        raise
    finally:
        _WATCHER.reset(token)


def check_stop() -> None:
    """A place where work can end cleanly."""
    watcher = _WATCHER.get()
    if watcher is not None and watcher.stop() == "cancel":
        raise cancelled()


def interrupted_on_stop(database: Any) -> None:
    """A database connection that is interrupted when the work around it is cancelled."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher.databases.add(database)


def cancelled() -> Cancelled:
    """The work was cancelled."""
    return Cancelled(
        "The work was cancelled.",
        hint="Nothing was changed. Parts that were measured completely are not measured again.",
    )
