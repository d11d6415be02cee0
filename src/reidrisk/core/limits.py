"""How much of the machine may be used: memory, processor cores, and where data go that do not fit."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from reidrisk.core.frames import remember_kind
from reidrisk.core.shared_settings import LIMIT_SETTINGS
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting

MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])(i?)B", re.IGNORECASE)
LEAST_MEMORY = 200 * 10**6
"""Python, the packages and the database need about that before they have read a row."""
BLAS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""What the packages for linear algebra look at when they are loaded."""

Given = ParamSpec("Given")
Found = TypeVar("Found")


def memory_bytes(text: str) -> int:
    """The number of bytes that a text such as "4GB" or "512 MiB" stands for.

    >>> memory_bytes("4GB"), memory_bytes("1.5 GiB")
    (4000000000, 1610612736)
    """
    found = MEMORY.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        raise InvalidSetting(f"{text!r} is not a memory limit.", hint='Write it as "500MB" or "4GB".')
    base = 1024 if found[3] else 1000
    return int(float(found[1]) * base ** (" KMGT".index(found[2].upper())))


def memory_text(size: float) -> str:
    """A number of bytes as people write it.

    >>> memory_text(4e9), memory_text(250_000_000)
    ('4 GB', '250 MB')
    """
    return f"{size / 1e9:.3g} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a computation may use; what is None is not limited, or chosen from what the machine has."""

    memory: str | None = None
    """Such as "4GB": of everything that runs together. What does not fit goes to the work folder."""
    cores: int | None = None
    temp: str | Path | None = None
    """An existing folder in which work folders are made, and removed at the end."""

    def __post_init__(self) -> None:
        if self.memory is not None and memory_bytes(self.memory) < LEAST_MEMORY:
            raise InvalidSetting(
                f"{self.memory} of memory is too little to work with.",
                hint=f"Allow {memory_text(LEAST_MEMORY)} or more.",
            )
        if self.cores is not None and (isinstance(self.cores, bool) or not isinstance(self.cores, int)):
            raise InvalidSetting("The number of cores is a whole number.", hint="Use 1 or more.")
        if self.cores is not None and self.cores < 1:
            raise InvalidSetting(f"{self.cores} cores cannot work.", hint="Use 1 or more.")
        if self.temp is not None:
            _check_folder(Path(self.temp))

    @classmethod
    def of(cls, values: Mapping[str, Any], *, folder: Path | None = None) -> Limits | None:
        """The limits among the values of settings; None without any. A path is relative to `folder`."""
        found = {one.name: values[one.name] for one in LIMIT_SETTINGS if values.get(one.name) is not None}
        if folder is not None and "temp" in found:
            found["temp"] = folder / found["temp"]
        return cls(**found) if found else None

    @property
    def bytes(self) -> int | None:
        """The memory as a number."""
        return None if self.memory is None else memory_bytes(self.memory)

    def under(self, outer: Limits) -> Limits:
        """These limits, and those of an outer computation where these say nothing."""
        return Limits(
            outer.memory if self.memory is None else self.memory,
            outer.cores if self.cores is None else self.cores,
            outer.temp if self.temp is None else self.temp,
        )


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise InvalidSetting(
            f"The folder for temporary files, {path_text(folder)}, does not exist.",
            hint="Name an existing folder that you may write to.",
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidSetting(
            f"The folder for temporary files, {path_text(folder)}, cannot be written to.",
            hint="Name an existing folder that you may write to.",
        )


_LIMITS: ContextVar[Limits | None] = ContextVar("limits", default=None)


def limits_now() -> Limits:
    """What the computation that asks may use."""
    return _LIMITS.get() or Limits()


def cores_now() -> int:
    """How many threads may work at the same time."""
    return limits_now().cores or os.cpu_count() or 1


@contextmanager
def within(limits: Limits | None) -> Iterator[None]:
    """Keep everything that is computed inside to the limits; None changes nothing."""
    if limits is None:
        yield
        return
    token = _LIMITS.set(limits.under(limits_now()))
    try:
        yield
    finally:
        _LIMITS.reset(token)


def tell_packages(cores: int | None) -> None:
    """Linear algebra counts its threads once, when it is loaded: a command says so before."""
    if cores is not None and "numpy" not in sys.modules:
        for name in BLAS:
            os.environ[name] = str(cores)


def limited(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """A function that keeps to what its argument `limits` says."""

    @wraps(function)
    def run(*given: Given.args, **named: Given.kwargs) -> Found:
        limits: Any = named.get("limits")
        with within(limits):
            return remember_kind(function(*given, **named), (*given, *named.values()))

    return run


def as_now(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """A function that another thread, or somebody later, calls as if it were called here and now."""
    context = copy_context()

    @wraps(function)
    def run(*given: Given.args, **named: Given.kwargs) -> Found:
        # A context cannot be entered twice at the same time.
        return context.copy().run(function, *given, **named)

    return run
