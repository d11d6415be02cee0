"""Open a table with the engine that the user chose; and what can be asked before a table is open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from reidrisk.core.frames import remember_kind
from reidrisk.core.limits import within
from reidrisk.core.places import is_hive
from reidrisk.core.reading import TableReading
from reidrisk.engine.protocol import Engine, Table
from reidrisk.engine.results import CodedColumns, SqlGroups
from reidrisk.engine.settings import ScanSettings

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.formulas import FormulaCells

EMBEDDED = "duckdb"
"""The engine inside this process."""

Given = ParamSpec("Given")
Found = TypeVar("Found")


@dataclass(eq=False)
class _Cluster:
    """Spark, which starts with the first table that is opened."""

    master: Any
    """A URL, or a session."""
    hive: bool = False
    """Whether tables of Hive are read or written."""
    open: ExitStack = field(default_factory=ExitStack)
    engine: Engine | None = None

    def started(self) -> Engine:
        if self.engine is None:
            from reidrisk.engine.spark.scan import SparkEngine
            from reidrisk.engine.spark.session import spark_session

            self.engine = SparkEngine.on(self.open.enter_context(spark_session(self.master, hive=self.hive)))
        return self.engine


_CLUSTER: ContextVar[_Cluster | None] = ContextVar("cluster", default=None)


@contextmanager
def working(engine: Any, *, places: Iterable[Any] = ()) -> Iterator[None]:
    """Open all tables with one engine: "duckdb", the URL of a Spark master, or a SparkSession.

    None leaves it as it is. What was started for the tables is stopped at the end. `places` are where tables
    are read or written: Hive needs another start.
    """
    if engine is None:
        yield
        return
    cluster = None if engine == EMBEDDED else _Cluster(engine, hive=any(map(is_hive, places)))
    token = _CLUSTER.set(cluster)
    try:
        yield
    finally:
        _CLUSTER.reset(token)
        if cluster is not None:
            cluster.open.close()


def master_now() -> Any:
    """The URL or session of Spark that opens tables now; None for the embedded engine."""
    cluster = _CLUSTER.get()
    return None if cluster is None else cluster.master


def on_engine(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """A function that uses the engine of its argument `engine`, within its argument `limits`."""

    @wraps(function)
    def run(*given: Given.args, **named: Given.kwargs) -> Found:
        limits: Any = named.get("limits")
        with within(limits), working(named.get("engine"), places=(*given, *named.values())):
            return remember_kind(function(*given, **named), (*given, *named.values()))

    return run


def open_table(
    source: Any, *, settings: ScanSettings | None = None, reading: TableReading | None = None
) -> Table:
    """Make a source countable: a path, a folder, a pattern, a PostgreSQL URL or a frame.

    `reading` says how to read the cells. With Spark, a source is what that reads.
    """
    cluster = _CLUSTER.get()
    if cluster is not None:
        return cluster.started().scan(source, reading=reading)
    from reidrisk.engine.duckdb.table import open_embedded

    return open_embedded(source, settings=settings, reading=reading)


def written_rows(path: str | Path) -> Any:
    """The rows of a file that was written, in their order, as an Arrow table."""
    from reidrisk.engine.duckdb.table import open_embedded

    with open_embedded(path) as table:
        return table.relation.to_arrow_table()


def table_of(columns: CodedColumns, *, source: str, settings: ScanSettings | None = None) -> Table:
    """A table of columns at hand, with the texts written out, and whole numbers as such."""
    from reidrisk.engine.duckdb.table import table_of as made

    return made(columns, source=source, settings=settings)


def ready_to_write(path: Path) -> str:
    """The suffix, if tables can be written so and the packages for it are there."""
    from reidrisk.engine.duckdb.write import ready_to_write as ready

    return ready(path)


def is_text(path: Path) -> bool:
    """Whether the file would hold texts without types."""
    from reidrisk.engine.duckdb.write import is_text as text

    return text(path)


def check_query(name: str, sql: str) -> None:
    """Refuse what is not one SELECT."""
    from reidrisk.engine.duckdb.queries import check_query as check

    check(name, sql)


def sql_groups(sql: str) -> SqlGroups | None:
    """Which columns of a query's answer are groups, and which counts records; None if it is not plain."""
    from reidrisk.engine.duckdb.queries import sql_groups as groups

    return groups(sql)


def watching_formulas(*, escapes: bool = False) -> AbstractContextManager[FormulaCells]:
    """Count cells that spreadsheets would run, in the text files that are written inside."""
    from reidrisk.engine.duckdb.formulas import watching_formulas as watching

    return watching(escapes=escapes)
