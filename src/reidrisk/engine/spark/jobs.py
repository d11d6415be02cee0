"""Spark at work: what reaches the driver, what leaves it, and errors without a value in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reidrisk.engine.packages import needed
from reidrisk.engine.spark.failures import unpacked
from reidrisk.errors import BadData, ReidRiskError, SparkFailure, UnreadableFile

Frame = Any
"""A data frame of Spark."""
Expression = Any
"""A column of one, or a computation on its columns."""
FEW = 2_000_000
"""Rows up to which a frame is sent to every worker."""
_NOT_FOUND = ("PATH_NOT_FOUND", "TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND")


def functions() -> Any:
    """The functions on columns."""
    return needed("pyspark.sql.functions", extra="spark")


def collected(frame: Frame, *, most: int) -> Any:
    """The rows as an Arrow table: the only way by which rows reach the driver, and so many at most."""
    found = frame.toArrow()
    if found.num_rows > most:
        raise SparkFailure(
            "Spark gave more rows than were asked for.", hint="Report this: it is a fault of reidrisk."
        )
    return found


def one_row(frame: Frame) -> tuple[Any, ...]:
    """The values of a frame that has one row."""
    found = collected(frame, most=1).to_pylist()
    return tuple(found[0].values())


def sent(session: Any, columns: Mapping[str, tuple[Any, Any]]) -> Frame:
    """A frame of Arrow arrays with the Spark types of their columns; sent to all workers where it is small.

    The values are not part of the query plan, which Spark shows and logs.
    """
    arrow, types = needed("pyarrow", extra="spark"), needed("pyspark.sql.types", extra="spark")
    fields = [types.StructField(name, kind) for name, (_, kind) in columns.items()]
    table = arrow.table({name: array for name, (array, _) in columns.items()})
    frame = session.createDataFrame(table, types.StructType(fields))
    return functions().broadcast(frame) if table.num_rows <= FEW else frame


@contextmanager
def spark_errors(place: str, *, reading: bool = False) -> Iterator[None]:
    """Run Spark; an error becomes one of ours, and the original text is not even chained."""
    java = needed("py4j.protocol", extra="spark")
    errors = needed("pyspark.errors", extra="spark")
    try:
        yield
    except (errors.PySparkException, java.Py4JError, ConnectionError, EOFError) as error:
        explained = _explained(error, place, reading=reading)
    else:
        return
    try:
        raise explained
    finally:
        explained.__context__ = None


def _explained(error: Exception, place: str, *, reading: bool) -> ReidRiskError:
    """By the class of the error and words of Spark's own; what else it says may be a value."""
    condition = str(getattr(error, "getCondition", lambda: "")() or "")
    text = str(error)
    if condition.startswith(_NOT_FOUND):
        return UnreadableFile.missing(place)
    return unpacked(text) or _known(text, place) or _other(place, reading=reading)


def _known(text: str, place: str) -> ReidRiskError | None:
    if "MALFORMED_RECORD" in text or "MALFORMED_CSV" in text:
        return UnreadableFile(
            f"{place}: a row has not as many fields as the header, or a quote is not closed.",
            hint="Correct the file, or name the delimiter.",
        )
    if "maxResultSize" in text or "OutOfMemoryError" in text:
        return BadData(
            f"{place} needs more memory than the driver or a worker has.",
            hint="Give Spark more: spark.driver.memory, spark.driver.maxResultSize, spark.executor.memory.",
        )
    if "No space left" in text:
        return BadData(f"{place}: the disk is full.", hint="Make room where Spark works and writes.")
    return None


def _other(place: str, *, reading: bool) -> ReidRiskError:
    if reading:
        return UnreadableFile(
            f"{place} cannot be read by Spark.",
            hint="Check that the files are complete, and that every worker may read them.",
        )
    return SparkFailure(
        f"{place}: Spark stopped before the work was done.",
        hint="The logs of the master and of the workers say why.",
    )
