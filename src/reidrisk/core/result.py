"""What every result can do, drawn from its dictionary alone."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any, Literal

View = Literal["terminal", "html", "figure"]


class Result(ABC):
    """A finished measurement: complete, unchangeable, and able to show itself."""

    __slots__ = ()

    @property
    @abstractmethod
    def acceptable(self) -> bool:
        """The verdict."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""

    def to_json(self) -> str:
        """The dictionary as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def __str__(self) -> str:
        return str(view(self.to_dict(), "terminal"))

    def _repr_html_(self) -> str:
        return str(view(self.to_dict(), "html"))

    def plot(self) -> Any:
        """A matplotlib figure of the result."""
        return view(self.to_dict(), "figure")


def view(result: dict[str, Any], how: View) -> Any:
    """Draw a result's dictionary. The only call from below into the report room."""
    return import_module("reidrisk.report.views").draw(result, how)
