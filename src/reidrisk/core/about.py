"""Which versions made a result."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

RESULT_PACKAGES = ("numpy", "scipy")
"""The packages whose version can change a digit."""


def own_version() -> str:
    """The version of reidrisk."""
    return installed("reidrisk") or "unknown"


@cache
def installed(package: str) -> str | None:
    """The installed version of a package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def versions() -> dict[str, str]:
    """What a result needs to be repeated to the last digit."""
    found = {name: installed(name) or "missing" for name in RESULT_PACKAGES}
    return {"reidrisk": own_version(), "python": platform.python_version(), **found}
