"""Figures and released rows as data frames of pandas, Polars or Arrow, whichever the user works with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, TypeVar, get_args

from reidrisk.errors import InvalidSetting, MissingPackage

FrameKind = Literal["polars", "pandas", "arrow"]
KINDS: tuple[FrameKind, ...] = get_args(FrameKind)
"""In the order in which they are chosen for somebody who gave a file."""
PACKAGES: Mapping[str, FrameKind] = {
    "pandas": "pandas",
    "polars": "polars",
    "pyarrow": "arrow",
    "duckdb": "arrow",
    "_duckdb": "arrow",
}
MODULES: Mapping[FrameKind, str] = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}
_SIZES = (8, 16, 32, 64)
NULLABLE = {
    "bool": "boolean",
    **{f"int{size}": f"Int{size}" for size in _SIZES},
    **{f"uint{size}": f"UInt{size}" for size in _SIZES},
}
"""Arrow's types, and those of pandas that can miss a value."""
FIGURES = "figures"
"""The name of the table of one row, with every single figure of a result."""
Row = dict[str, Any]
Found = TypeVar("Found")


def kind_of_frame(source: object) -> FrameKind | None:
    """The library of a frame; None for a path and for what is none of the known frames.

    >>> kind_of_frame("patients.csv") is None
    True
    """
    return PACKAGES.get(type(source).__module__.split(".")[0])


def remember_kind(found: Found, sources: Iterable[object]) -> Found:
    """The same result, which gives its frames of the kind of the first frame that it was made from."""
    if hasattr(type(found), "_frame_kind") and hasattr(found, "__dict__"):
        kind = next((kind for kind in map(kind_of_frame, sources) if kind), None)
        if kind is not None:
            object.__setattr__(found, "_frame_kind", kind)
    return found


def figures_of(result: Mapping[str, Any]) -> Row:
    """Every single figure of a result by its name, parts with a point; settings and lists are left out.

    >>> figures_of({"kind": "table_risk", "records": 9, "prosecutor": {"highest": 0.5}, "seed": None})
    {'kind': 'table_risk', 'records': 9, 'prosecutor.highest': 0.5}
    """
    left_out = ("settings", "versions", "seed", "files", "evidence", "audience")
    found: Row = {}
    for name, value in result.items():
        if name not in left_out:
            found.update(_flat(name, value))
    return found


def _flat(name: str, value: Any) -> Row:
    if isinstance(value, Mapping):
        parts = (_flat(f"{name}.{inner}", part) for inner, part in value.items())
        return {key: one for part in parts for key, one in part.items()}
    return {} if isinstance(value, list | tuple) else {name: value}


def tables_of(result: Mapping[str, Any]) -> dict[str, list[Row]]:
    """The lists of figures of a result by name, each as rows, and the single figures as one row.

    >>> tables_of({"records": 3, "before": {"sizes": [{"size": 1, "classes": 3}]}})
    {'figures': [{'records': 3}], 'before.sizes': [{'size': 1, 'classes': 3}]}
    """
    return {FIGURES: [figures_of(result)], **dict(_lists("", result))}


def _lists(prefix: str, part: Mapping[str, Any]) -> Iterable[tuple[str, list[Row]]]:
    for name, value in part.items():
        if isinstance(value, Mapping):
            yield from _lists(f"{prefix}{name}.", value)
        elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
            yield f"{prefix}{name}", [_row(one) for one in value]


def _row(given: Mapping[str, Any]) -> Row:
    found: Row = {}
    for name, value in given.items():
        if isinstance(value, list | tuple):
            if not any(isinstance(one, Mapping | list | tuple) for one in value):
                found[name] = ", ".join(map(str, value))
        elif isinstance(value, Mapping):
            found.update(_row({f"{name}.{inner}": one for inner, one in value.items()}))
        else:
            found[name] = value
    return found


def table_named(result: Mapping[str, Any], name: str) -> list[Row]:
    """The rows of one table of a result."""
    tables = tables_of(result)
    if name not in tables:
        raise InvalidSetting.among("A table of figures", name, tuple(tables))
    return tables[name]


def frame_of(rows: Sequence[Row], kind: FrameKind | None) -> Any:
    """A frame of figures; None chooses among the libraries that are installed."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _alike([row.get(name) for row in rows]) for name in names}
    chosen = kind or installed_kind()
    library = needed_library(chosen)
    if chosen == "arrow":
        return library.table(columns)
    if chosen == "polars":
        return library.DataFrame(columns)
    return library.DataFrame({name: _series(library, values) for name, values in columns.items()})


def _alike(values: list[Any]) -> list[Any]:
    """Values of one type: a column of numbers and words, such as "fewer than 5", is a column of texts."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} and float in kinds:
        return [None if value is None else float(value) for value in values]
    if len(kinds) <= 1:
        return values
    return [None if value is None else str(value) for value in values]


def _series(pandas: Any, values: list[Any]) -> Any:
    """Whole numbers stay whole where one is missing."""
    kinds = {type(value) for value in values}
    nullable = {frozenset({int, type(None)}): "Int64", frozenset({bool, type(None)}): "boolean"}
    return pandas.Series(values, dtype=nullable.get(frozenset(kinds)))


def rows_as(table: Any, kind: FrameKind | None) -> Any:
    """Released rows, given as an Arrow table, as a frame of the kind."""
    chosen = kind or installed_kind()
    library = needed_library(chosen)
    if chosen == "arrow":
        return table
    if chosen == "polars":
        return library.from_arrow(table)
    names = dict.fromkeys(table.column_names)
    return library.DataFrame({name: _pandas_column(library, table.column(name)) for name in names})


def _pandas_column(pandas: Any, column: Any) -> Any:
    """Whole numbers and truth values keep their type where one is missing."""
    if not column.null_count:
        return column.to_pandas()
    name = str(column.type)
    if name not in NULLABLE:
        return column.to_pandas()
    return pandas.Series(column.to_pylist(), dtype=NULLABLE[name])


def installed_kind() -> FrameKind:
    """The first library of frames that is installed: Polars, pandas, Arrow."""
    for kind in KINDS:
        if find_spec(MODULES[kind]) is not None:
            return kind
    raise MissingPackage("This needs a library of data frames.", hint="pip install polars (or pandas)")


def needed_library(kind: FrameKind) -> Any:
    """The module, or an error that says how to get it."""
    try:
        return import_module(MODULES[kind])
    except ImportError:
        package = MODULES[kind]
        raise MissingPackage(f"This needs the package {package}.", hint=f"pip install {package}") from None
