"""The base class of results. All views are drawn from `to_dict()` alone."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any, Literal

View = Literal["terminal", "html", "figure"]


class Result(ABC):
    """A complete and immutable result that can print, plot and export itself."""

    __slots__ = ()

    @property
    @abstractmethod
    def acceptable(self) -> bool:
        """Whether the result is within its limits."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""

    def to_json(self) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def __str__(self) -> str:
        return str(view(self.to_dict(), "terminal"))

    def _repr_html_(self) -> str:
        return str(view(self.to_dict(), "html"))

    def plot(self) -> Any:
        """A matplotlib figure of the result."""
        return view(self.to_dict(), "figure")


def view(result: dict[str, Any], how: View) -> Any:
    """Draw a view of a result's dictionary. This is the only call from lower layers into `report`."""
    return import_module("reidrisk.report.views").draw(result, how)
