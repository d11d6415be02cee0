"""Datasets of CDISC as JSON (Dataset-JSON 1.1), one object or one row per line, in and out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.engine.duckdb.failures import damaged, without_values
from reidrisk.engine.duckdb.names import distinct_names, quoted
from reidrisk.engine.duckdb.scan import Form, Scan
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.packages import needed
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

SUFFIXES = (".json", ".ndjson")
CHUNK = 20_000
VERSION = "datasetJSONVersion"
NUMBERS = ("integer", "float", "double", "decimal")
WHAT = "a dataset of CDISC (Dataset-JSON)"


def read_dataset_json(session: Session, path: Path) -> Scan:
    """Texts, numbers and true or false as the file says; dates stay texts of ISO 8601."""
    arrow = needed("pyarrow")
    header = dataset_header(path)
    columns = header["columns"]
    names = [str(one["name"]) for one in columns]
    distinct_names(names, place=str(path))
    schema = arrow.schema(
        (str(one["name"]), _type(arrow, str(one.get("dataType", "string")))) for one in columns
    )
    with without_values(str(path)):
        relation = session.staged_batches(schema, _batches(arrow, path, schema))
    labels = {str(one["name"]): str(one["label"]) for one in columns if one.get("label")}
    return Scan(relation, (), Form(name=str(header.get("name", path.stem)), labels=labels))


def dataset_header(path: Path) -> dict[str, Any]:
    """All that a file says about its dataset, without the rows."""
    first: object = next(_parts(path), {})
    header = {key: value for key, value in first.items() if key != "rows"} if isinstance(first, dict) else {}
    columns = header.get("columns")
    if VERSION not in header or not isinstance(columns, list) or not columns:
        raise BadData(f"{path} is not {WHAT}.", hint="Resources of FHIR are read with profile: fhir.")
    if not all(isinstance(one, Mapping) and one.get("name") for one in columns):
        raise damaged(str(path), WHAT)
    return header


def _type(arrow: Any, kind: str) -> Any:
    if kind == "integer":
        return arrow.int64()
    if kind in NUMBERS:
        return arrow.float64()
    return arrow.bool_() if kind == "boolean" else arrow.string()


def _parts(path: Path) -> Iterator[Any]:
    """The object of the file; of a file of lines the header, then the rows."""
    try:
        with path.open(encoding="utf-8") as file:
            if path.suffix.lower() == ".json":
                yield json.load(file)
                return
            for line in file:
                if line.strip():
                    yield json.loads(line)
    except (OSError, ValueError, RecursionError):
        raise damaged(str(path), WHAT) from None


def _rows(path: Path) -> Iterator[Any]:
    parts = _parts(path)
    header = next(parts)
    yield from header.get("rows", ()) if path.suffix.lower() == ".json" else parts


def _batches(arrow: Any, path: Path, schema: Any) -> Iterator[Any]:
    rows = _rows(path)
    while chunk := list(islice(rows, CHUNK)):
        if any(not isinstance(row, list) or len(row) != len(schema) for row in chunk):
            raise BadData(f"{path}: a row has not as many values as there are columns.", hint="Correct it.")
        columns = zip(*chunk, strict=True)
        arrays = [
            _array(arrow, list(values), field, path) for values, field in zip(columns, schema, strict=True)
        ]
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _array(arrow: Any, values: list[Any], field: Any, path: Path) -> Any:
    if arrow.types.is_string(field.type):
        values = [None if value in (None, "") else str(value) for value in values]
    elif arrow.types.is_float64(field.type):
        values = [None if value in (None, "") else float(value) for value in values]
    try:
        return arrow.array(values, type=field.type)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, OverflowError, ValueError):
        raise BadData(
            f"{path}: column {field.name!r} has values that are not of its type.", hint="Correct them."
        ) from None


def write_dataset_json(
    relation: DuckDBPyRelation, part: Path, like: Path, *, changed: Sequence[str] = ()
) -> None:
    """Write rows with the header of another file; columns that it lacks, or that `changed`, become texts."""
    header = dataset_header(like)
    known = {str(one["name"]): dict(one) for one in header["columns"]}
    columns = []
    for name in relation.columns:
        one = known.get(name) or {"itemOID": f"IT.{name}", "name": name, "label": name}
        if name in changed or name not in known:
            one = {key: value for key, value in one.items() if key not in ("length", "targetDataType")}
            one["dataType"] = "string"
        columns.append(one)
    [count] = relation.aggregate("count(*)").fetchone() or (0,)
    header |= {"columns": columns, "records": int(count)}
    texts = [
        name for name, one in zip(relation.columns, columns, strict=True) if one["dataType"] not in NUMBERS
    ]
    shown = [
        f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}" if name in texts else quoted(name)
        for name in relation.columns
    ]
    rows = relation.project(", ".join(shown))
    with part.open("w", encoding="utf-8") as file:
        lines = like.suffix.lower() == ".ndjson"
        file.write(json.dumps(header, ensure_ascii=False) if lines else _opening(header))
        first = True
        while chunk := rows.fetchmany(CHUNK):
            for row in chunk:
                file.write("\n" if lines or first else ",\n")
                file.write(json.dumps(list(row), ensure_ascii=False))
                first = False
        file.write("\n" if lines else "\n]}\n")


def _opening(header: Mapping[str, Any]) -> str:
    return json.dumps(header, ensure_ascii=False)[:-1] + ', "rows": ['
