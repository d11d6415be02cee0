"""One budget of memory for everything that is open in this process: databases share it with arrays."""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from reidrisk.core.limits import limits_now, memory_bytes, memory_text
from reidrisk.core.wording import plural
from reidrisk.errors import OverBudget

SHARE_OF_MACHINE = 0.75
"""Of the memory there is, if nobody said how much may be used."""
SHARE_OF_DATABASE = 0.8
"""Of the budget. What the database needs beside its limit, and Python itself, take the rest."""
SHARE_OF_ARRAYS = 0.6
"""Arrays may have so much of the budget; the databases then keep to what is left."""
LEAST = 50_000_000
"""A database with less does not get through anything."""
CELL = 40
"""Bytes for a row of one column while it becomes a number: as it comes, sorted, and as a code."""
TUPLE = 350
"""Bytes that a search needs for one distinct tuple: measured with 2 million tuples of 6 columns."""


@dataclass(eq=False)
class OpenDatabase:
    """One open database, whose limit can be changed while it works."""

    total: int
    """Bytes of the budget that it belongs to."""
    set_limit: Callable[[int], bool]
    """Try to set the limit; False if so much is in use."""
    used: Callable[[], int]
    """Bytes in use now."""
    end: Callable[[], None]
    """Nobody changes the limit any more."""
    limit: int = 0


@dataclass
class _Registry:
    open: list[OpenDatabase] = field(default_factory=list)
    reserved: dict[int, int] = field(default_factory=dict)
    """Bytes of arrays, by a number of their own."""
    lock: RLock = field(default_factory=RLock)

    def share(self) -> None:
        """Give every open database its part; who cannot give memory back now keeps what it uses."""
        arrays, spent = sum(self.reserved.values()), 0
        waiting = sorted(self.open, key=lambda one: one.limit, reverse=True)
        for place, one in enumerate(waiting):
            if one not in self.open:  # Python may have freed it since, in the middle of this loop
                continue
            free = int((one.total - arrays) * SHARE_OF_DATABASE) - spent
            self._set(one, max(LEAST, free // (len(waiting) - place)))
            spent += one.limit

    def _set(self, one: OpenDatabase, wanted: int) -> None:
        if wanted == one.limit:
            return
        if one.set_limit(wanted):
            one.limit = wanted
        elif one.limit and one.set_limit(needed := min(one.limit, int(one.used() * 1.1) + LEAST)):
            one.limit = needed


_registry = _Registry()


def enter(database: OpenDatabase) -> None:
    """Count a database among those that are open: all of them get a new limit."""
    with _registry.lock:
        _registry.open.append(database)
        _registry.share()


def leave(database: OpenDatabase) -> None:
    """The others may use what a closed database had."""
    with _registry.lock:
        if database in _registry.open:
            _registry.open.remove(database)
            database.end()
            _registry.share()


def budget() -> int:
    """Bytes that everything together may use."""
    given = limits_now().memory
    return int(memory_of_machine() * SHARE_OF_MACHINE) if given is None else memory_bytes(given)


def memory_of_machine() -> int:
    """Bytes that this process could have: of the machine, or of its container."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if sys.platform != "win32" else []
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            found.append(int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return min(found, default=8 * 10**9)


@dataclass(eq=False)
class ArrayRoom:
    """Memory that databases leave to arrays."""

    size: int
    is_kept: bool = False
    left: int = 0
    """Bytes of the arrays themselves, once nobody computes with them any more."""

    def keep_for(self, owner: object, *, left: int) -> None:
        """Leave the room until the owner of the arrays is gone."""
        self.is_kept, self.left = True, left
        weakref.finalize(owner, _free, id(self), self)

    def shrink(self) -> None:
        """The table of the arrays is closed: only they themselves remain."""
        if id(self) in _registry.reserved:
            _registry.reserved[id(self)] = min(self.size, self.left)


@contextmanager
def room_for(size: int, *, what: str, hint: str) -> Iterator[ArrayRoom]:
    """Refuse arrays that do not fit in the budget; otherwise all databases leave room for them."""
    room = ArrayRoom(size)
    with _registry.lock:
        total, others = budget(), sum(_registry.reserved.values())
        if size > int(total * SHARE_OF_ARRAYS) - others:
            raise OverBudget(
                f"{what} need about {memory_text(size)} of memory; of {memory_text(total)} for everything, "
                f"{memory_text(max(0, int(total * SHARE_OF_ARRAYS) - others))} are left for them.",
                hint=hint,
            )
        _registry.reserved[id(room)] = size
        _registry.share()
    try:
        yield room
    finally:
        if not room.is_kept:
            with _registry.lock:
                _free(id(room), room)
                _registry.share()


def _free(number: int, _: ArrayRoom) -> None:
    """Runs whenever Python frees arrays, so it only notes that; the next change shares anew."""
    _registry.reserved.pop(number, None)


def room_for_tuples(tuples: int, columns: Sequence[str], *, source: str) -> AbstractContextManager[ArrayRoom]:
    """Room for distinct tuples, each with what a search needs for it."""
    return room_for(
        tuples * TUPLE,
        what=f"{source}: {tuples:,} distinct combinations of {', '.join(columns)}",
        hint="Allow more memory (--memory), give these columns a coarser lowest level (min_level of a "
        "hierarchy), or name fewer of them.",
    )


def tuples_with_room() -> int:
    """How many distinct tuples would fit now."""
    with _registry.lock:
        free = int(budget() * SHARE_OF_ARRAYS) - sum(_registry.reserved.values())
    return max(0, free // TUPLE)


def rows_that_fit(columns: int) -> int:
    """How many rows of so many columns can become numbers at once."""
    with _registry.lock:
        left = int(budget() * SHARE_OF_ARRAYS) - sum(_registry.reserved.values())
    return max(0, left) // (max(1, columns) * CELL)


def room_for_cells(rows: int, columns: int, *, source: str) -> AbstractContextManager[ArrayRoom]:
    """ArrayRoom for all the rows of some columns as numbers."""
    return room_for(
        rows * columns * CELL,
        what=f"{source}: {plural(rows, 'row')} of {plural(columns, 'column')} as numbers",
        hint="Allow more memory (--memory), name fewer columns, or use a sample of the rows.",
    )
