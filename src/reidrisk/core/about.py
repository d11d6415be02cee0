"""Versions of reidrisk, Python and packages that a result records."""

from __future__ import annotations

import platform
from functools import cache

RESULT_PACKAGES = ("numpy", "scipy")
"""Packages whose version can change the last digits of a result."""


def own_version() -> str:
    """The version of reidrisk."""
    return installed("reidrisk") or "unknown"


@cache
def installed(package: str) -> str | None:
    """The installed version of a package, or None."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def versions() -> dict[str, str]:
    """The versions needed to reproduce a result to the last digit."""
    found = {name: installed(name) or "missing" for name in RESULT_PACKAGES}
    return {"reidrisk": own_version(), "python": platform.python_version(), **found}
