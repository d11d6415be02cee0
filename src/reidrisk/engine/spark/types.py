"""The types of Spark as kinds of our own; what the engines do not treat alike is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.engine.packages import needed
from reidrisk.engine.plans import LabelKind
from reidrisk.engine.results import Kind
from reidrisk.errors import BadData

KIND_OF: dict[str, Kind] = {
    "string": "text",
    "byte": "whole number",
    "short": "whole number",
    "integer": "whole number",
    "long": "whole number",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "date": "date",
    "timestamp": "time",
    "timestamp_ntz": "time",
    "boolean": "yes or no",
}
FLOATS = ("float", "double")
BYTES = "UTF8_BINARY"
"""The one way to compare texts that all engines share."""
_LABELS = {
    "text": "StringType",
    "whole number": "LongType",
    "number": "DoubleType",
    "date": "DateType",
    "time": "TimestampNTZType",
}


def kind_of(spark_type: Any) -> Kind:
    """The kind of a column of this type."""
    name = spark_type.typeName()
    if name == "string" and getattr(spark_type, "collation", BYTES) != BYTES:
        return "other"
    return KIND_OF.get(name, "other")


def refuse_others(names: Sequence[str], types: Sequence[Any], *, place: str) -> None:
    """Name a column that has no kind."""
    for name, spark_type in zip(names, types, strict=True):
        if kind_of(spark_type) == "other":
            raise BadData(
                f"{place}: column {name!r} has the type {spark_type.typeName()}, which engines do not "
                "treat alike.",
                hint="Convert it to text, a number, a date or a timestamp in microseconds, or leave it out.",
            )


def of_labels(kind: LabelKind) -> Any:
    """The Spark type of labels of this kind."""
    return getattr(needed("pyspark.sql.types", extra="spark"), _LABELS[kind])()


def arrow_array(values: Sequence[Any], spark_type: Any) -> Any:
    """Python's values as an Arrow array of this type; times are naive and mean UTC."""
    arrow = needed("pyarrow", extra="spark")
    if spark_type.typeName() == "timestamp":
        return arrow.array(values, arrow.timestamp("us")).cast(arrow.timestamp("us", tz="UTC"))
    to_arrow = needed("pyspark.sql.pandas.types", extra="spark").to_arrow_type
    return arrow.array(values, to_arrow(spark_type))


def label_array(labels: Sequence[Any], kind: LabelKind) -> Any:
    """Labels as an Arrow array; texts are spelled as the embedded engine spells them."""
    if kind == "text":
        return arrow_array([_spelled(label) for label in labels], of_labels(kind))
    if kind == "number":
        return arrow_array(
            [None if label is None else float(label) + 0.0 for label in labels], of_labels(kind)
        )
    if kind == "whole number":
        return arrow_array([None if label is None else int(label) for label in labels], of_labels(kind))
    return arrow_array(list(labels), of_labels(kind))


def _spelled(label: Any) -> str | None:
    if label is None:
        return None
    return str(label).lower() if isinstance(label, bool) else str(label)
