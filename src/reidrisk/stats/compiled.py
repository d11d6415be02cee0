"""One typed door to numba, so that loops stay checked and are compiled once.

The machine code is kept beside the module, or where numba finds a place that can be written. That is a
convenience only: where there is no such place, or no room, the loop is compiled again the next time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast

from reidrisk.errors import MissingPackage

COMPILER = "numba"
ALGEBRA = "scipy.linalg"
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
    """Numba's store of machine code, which takes a refusal of the disk for an empty store."""
    caching = import_module(f"{COMPILER}.core.caching")

    class Forgiving(caching.FunctionCache):  # type: ignore[misc, name-defined]
        @contextmanager
        def _guard_against_spurious_io_errors(self) -> Iterator[None]:
            try:
                yield
            except OSError:
                return

    return Forgiving


def start_lean() -> None:
    """Start the compiler without linear algebra, which it looks for in scipy and our loops do not use.

    It saves a third of a second. Only for a program of our own: loops of others that multiply matrices
    could not be compiled in it.
    """
    if ALGEBRA in sys.modules:
        return
    sys.modules[ALGEBRA] = None  # type: ignore[assignment]
    try:
        import_module(f"{COMPILER}.np.arraymath")
    except ImportError:  # said where a loop is compiled
        return
    finally:
        del sys.modules[ALGEBRA]
