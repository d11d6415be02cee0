"""Packages that only some users have."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from reidrisk.errors import MissingPackage


def needed(module: str, *, extra: str = "io") -> Any:
    """The module, or an error that says which extra brings it."""
    try:
        return import_module(module)
    except ImportError:
        package = module.split(".", maxsplit=1)[0].replace("_", "-")
        raise MissingPackage.of_extra(package, extra) from None
