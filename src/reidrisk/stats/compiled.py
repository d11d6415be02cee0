"""One typed door to numba, so that loops stay checked and are compiled once.

The machine code is kept beside the module, or where numba finds a place that can be written. That is a
convenience only: where there is no such place, or no room, the loop is compiled again the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    caching = import_module(f"{COMPILER}.core.caching")

    class Forgiving(caching.FunctionCache):  # type: ignore[misc, name-defined]
        @contextmanager
        def _guard_against_spurious_io_errors(self) -> Iterator[None]:
            try:
                yield
            except OSError:
                return

    try:
        loop._cache = Forgiving(loop.py_func)
    except RuntimeError:  # no place to write
        return
