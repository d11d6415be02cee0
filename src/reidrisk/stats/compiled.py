"""The single, typed interface to numba: loops stay type-checked and are compiled once.

The machine code is cached next to the module, or in another writable place that numba finds. The cache is
optional: if there is no such place, or no space left, the loop is compiled again the next time. If several
processes need a loop, one of them compiles it and the others wait.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar, cast

from reidrisk.core.kernel_lock import HeldLock, take_lock
from reidrisk.errors import MissingPackage

COMPILER = "numba"
MOST_SECONDS = 60
"""How long a process waits for another one that compiles the same loop; then it compiles it, too."""
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a loop to machine code on first use, and cache the result if possible."""
    return cast("Function", CompiledLoop(function))


class CompiledLoop:
    """A function whose machine code, and the compiler itself, wait until the first call.

    Importing the compiler takes longer than most commands work, and most never call a loop.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.function = function

    def __call__(self, *given: Any) -> Any:
        """Run the machine code; loops take no keywords."""
        return self.machine_code(*given)

    @cached_property
    def machine_code(self) -> Any:
        """The function as the compiler wraps it."""
        try:
            with _unloaded("coverage"):
                numba = import_module(COMPILER)
        except ImportError:
            raise MissingPackage.of_extra(COMPILER, "tables") from None
        loop = numba.njit(nogil=True, error_model="numpy")(self.function)
        keep(loop)
        return loop

    @property
    def _numba_type_(self) -> Any:
        """What the compiler asks for when another loop calls this one."""
        return self.machine_code._numba_type_


@contextmanager
def _unloaded(package: str) -> Iterator[None]:
    """Hide a package that the compiler uses only if it runs already, but loads wherever it is installed."""
    hidden = package not in sys.modules
    if hidden:
        sys.modules[package] = cast("Any", None)  # an import of it fails, as if it were not installed
    try:
        yield
    finally:
        if hidden:
            sys.modules.pop(package, None)


def keep(loop: Any) -> None:
    """Cache the machine code of a loop on disk; ignore errors from the disk."""
    try:
        loop._cache = forgiving_cache()(loop.py_func)
    except RuntimeError:  # no writable place
        return


@dataclass(slots=True)
class Turn:
    """The turn of this process to compile a loop, which other processes wait for."""

    held: HeldLock | None = None

    @classmethod
    def at(cls, path: Path) -> Turn:
        """Take the turn; if another process never ends its own, go on without."""
        end = time.monotonic() + MOST_SECONDS
        while (held := take_lock(path)) is None and time.monotonic() < end:
            continue
        return cls(held)

    def end(self) -> None:
        """Let others go on; a second call does nothing."""
        held, self.held = self.held, None
        if held is not None:
            held.path.unlink(missing_ok=True)
            held.release()


@cache
def forgiving_cache() -> Any:
    """Numba's cache of machine code, empty if the disk fails or the code is of another version.

    Cached code needs only the runtime, not the declarations that compiling needs. Without these it starts
    half a second sooner. The compiler loads them itself when there is something to compile.
    """
    caching = import_module(f"{COMPILER}.core.caching")
    runtime = import_module(f"{COMPILER}.core.runtime").rtsys

    class Forgiving(caching.FunctionCache):  # type: ignore[misc, name-defined]
        turn = Turn()

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            runtime.initialize(target_context)
            found = self._found(sig, target_context)
            if found is None:
                self.turn.end()  # of a loop that could not be compiled
                with self._guard_against_spurious_io_errors():
                    self._impl.locator.ensure_cache_path()
                    self.turn = Turn.at(Path(self._cache_path) / f"{self._impl.filename_base}.lock")
                found = self._found(sig, target_context)
                if found is not None:
                    self.turn.end()
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            super().save_overload(sig, data)
            self.turn.end()

        def _found(self, sig: Any, target_context: Any) -> Any:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)

        @contextmanager
        def _guard_against_spurious_io_errors(self) -> Iterator[None]:
            try:
                yield
            except OSError:
                return
            except (AttributeError, ImportError, EOFError, UnpicklingError):  # of a version with other names
                with suppress(OSError):
                    self._cache_file.flush()

    return Forgiving
