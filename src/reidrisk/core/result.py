"""The base class of results. All views are drawn from `to_dict()` alone."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, Literal

from reidrisk.core.audience import with_audience
from reidrisk.core.evidence import with_evidence
from reidrisk.core.shared_figures import shared

View = Literal["terminal", "html", "figure"]


class Result(ABC):
    """A complete and immutable result that can print, plot and export itself."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Let the dictionary of every kind say who may see it, and what its verdict rests on."""
        super().__init_subclass__(**options)
        own = cls.__dict__.get("to_dict")
        if own is not None:
            setattr(cls, "to_dict", _says_more(own))  # noqa: B010 - a method is replaced on purpose

    @property
    @abstractmethod
    def acceptable(self) -> bool:
        """Whether the result is within its limits."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""

    def shared(self) -> dict[str, Any]:
        """What recipients of the data and the public may see: no counts below the cell size.

        `to_dict()` is internal: with the released data it may reveal suppressed values.
        """
        return shared(self.to_dict())

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


def _says_more(own: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    @wraps(own)
    def to_dict(self: Result) -> dict[str, Any]:
        return with_evidence(with_audience(own(self)))

    return to_dict


def view(result: dict[str, Any], how: View) -> Any:
    """Draw a view of a result's dictionary. This is the only call from lower layers into `report`."""
    return import_module("reidrisk.report.views").draw(result, how)
