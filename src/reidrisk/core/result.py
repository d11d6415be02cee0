"""The base class of results. All views are drawn from `to_dict()` alone."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, ClassVar, Literal

from reidrisk.core.audience import with_audience
from reidrisk.core.evidence import with_evidence
from reidrisk.core.frames import FIGURES, FrameKind, frame_of, rows_as, table_named, tables_of
from reidrisk.core.plugins import with_versions
from reidrisk.core.shared_figures import shared

View = Literal["terminal", "html", "figure", "line"]


class Result(ABC):
    """A complete and immutable result that can print, plot and export itself."""

    __slots__ = ()
    _frame_kind: ClassVar[FrameKind | None] = None
    """The kind of frame that the user works with; None after reading a file."""
    _main_table: ClassVar[str] = FIGURES
    """The table of figures that `to_frame()` gives when no name is given."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Let the dictionary of every kind say who may see it, and what its verdict rests on.

        A data class keeps the short `__repr__` only if the class has it as its own.
        """
        super().__init_subclass__(**options)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]
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

    @property
    def frame_names(self) -> tuple[str, ...]:
        """The tables that `to_frame`, `to_pandas` and `to_polars` can give: released ones, and figures."""
        return (*self._released_names(), *tables_of(self.to_dict()))

    def _released_names(self) -> tuple[str, ...]:
        """The names of released tables; none if there is at most one, which needs no name."""
        return ()

    def _released_rows(self, name: str | None) -> Any:  # noqa: ARG002 - for those that release tables
        """The rows of a released table as an Arrow table; None if the name is that of figures."""
        return None

    def to_frame(self, name: str | None = None) -> Any:
        """A released table or a table of figures, as a data frame of the library that you work with.

        It is the kind of frame that was measured. If a file was measured, it is the first of Polars, pandas
        and Arrow that is installed. Without a name, a result that released one table gives its rows, in the
        order in which they are written. `name` is one of `frame_names`; "figures" is a single row with every
        single figure, so that results can be put below one another.
        """
        return self._figures(name, self._frame_kind)

    def to_pandas(self, name: str | None = None) -> Any:
        """The same table as by `to_frame`, as a pandas data frame."""
        return self._figures(name, "pandas")

    def to_polars(self, name: str | None = None) -> Any:
        """The same table as by `to_frame`, as a Polars data frame."""
        return self._figures(name, "polars")

    def _figures(self, name: str | None, kind: FrameKind | None) -> Any:
        rows = self._released_rows(name)
        if rows is not None:
            return rows_as(rows, kind)
        found = self.to_dict()
        if name is None:  # a result without groups or areas has no main table
            name = self._main_table if self._main_table in tables_of(found) else FIGURES
        return frame_of(table_named(found, name), kind)

    def __repr__(self) -> str:
        """The verdict and three figures; never a value of the data."""
        return f"<{type(self).__name__}: {view(self.to_dict(), 'line')}>"

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
        return with_evidence(with_audience(with_versions(own(self))))

    return to_dict


def view(result: dict[str, Any], how: View) -> Any:
    """Draw a view of a result's dictionary. This is the only call from lower layers into `report`."""
    return import_module("reidrisk.report.views").draw(result, how)
