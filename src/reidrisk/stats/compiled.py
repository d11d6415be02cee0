"""One typed door to numba, so that loops stay checked and are compiled once.

The machine code is kept beside the module, or where numba finds a place that can be written. That is a
convenience only: where there is no such place, or no room, the loop is compiled again the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast

from reidrisk.errors import MissingPackage

COMPILER = "numba"
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a loop to machine code on first use, and keep the result if it can be kept."""
    try:
        numba = import_module(COMPILER)
    except ImportError as missing:
        raise MissingPackage.of_extra(COMPILER, "tables") from missing
    loop = numba.njit(nogil=True, error_model="numpy")(function)
    keep(loop)
    return cast("Function", loop)


def keep(loop: Any) -> None:
    """Let the machine code of a loop be kept on disk, without an error where the disk refuses."""
    try:
        loop._cache = forgiving_cache()(loop.py_func)
    except RuntimeError:  # no place to write
        return


@cache
def forgiving_cache() -> Any:
    """Numba's store of machine code, which takes a refusal of the disk for an empty store.

    Code that was kept needs the runtime only, not the declarations that compiling needs: without them it
    starts half a second sooner. The compiler loads them itself once there is something to compile.
    """
    caching = import_module(f"{COMPILER}.core.caching")
    runtime = import_module(f"{COMPILER}.core.runtime").rtsys

    class Forgiving(caching.FunctionCache):  # type: ignore[misc, name-defined]
        def load_overload(self, sig: Any, target_context: Any) -> Any:
            runtime.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)

        @contextmanager
        def _guard_against_spurious_io_errors(self) -> Iterator[None]:
            try:
                yield
            except OSError:
                return

    return Forgiving
