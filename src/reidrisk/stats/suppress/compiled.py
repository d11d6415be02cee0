"""One typed door to numba, so that the loops over cells stay checked and are compiled once."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar, cast

from reidrisk.errors import MissingPackage

COMPILER = "numba"
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a loop to machine code on first use and keep the result beside the module."""
    try:
        numba = import_module(COMPILER)
    except ImportError as missing:
        raise MissingPackage.of_extra(COMPILER, "tables") from missing
    return cast("Function", numba.njit(cache=True, nogil=True)(function))
