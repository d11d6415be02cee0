"""One database connection with its limits and its work folder."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.limits import limits_now
from reidrisk.core.scratch import work_folder_here
from reidrisk.core.stopping import interrupted_on_stop
from reidrisk.core.work_folder import LockedFolder
from reidrisk.engine.budget import ArrayRoom, OpenDatabase, budget, enter, leave
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import exact, literal, quoted
from reidrisk.engine.duckdb.watched import WatchedFiles
from reidrisk.engine.packages import needed
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import InvalidSetting, UnwritableFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation
    from numpy.typing import NDArray

WIDE = ("HUGEINT", "UHUGEINT")
LISTED = {"object": "VARCHAR", "int32": "INTEGER", "int64": "BIGINT"}
"""Types of arrays that are handed over with texts."""
IN_STATEMENT = 1 << 20
"""Characters of texts that are handed over inside a statement."""
_numbers = count()


@dataclass(frozen=True, eq=False)
class Session:
    """Lives as long as a table that uses it; its work folder goes with it."""

    connection: DuckDBPyConnection
    work: LockedFolder
    """Spilled and converted data; readable by the owner only."""
    shared: OpenDatabase | None = None
    """Its part of the budget; None if it has a limit of its own."""
    rooms: list[ArrayRoom] = field(default_factory=list)
    """Of arrays that were made from its tables."""
    watched: WatchedFiles = field(default_factory=WatchedFiles)
    """The files that its tables were read from."""

    def work_file(self, suffix: str) -> Path:
        """A path in the work folder that nobody has used."""
        return self.work.path / f"{next(_numbers)}{suffix}"

    def work_name(self) -> str:
        """A table name that nobody has used."""
        return f"reidrisk_{next(_numbers)}"

    def kept(self, relation: DuckDBPyRelation) -> DuckDBPyRelation:
        """The relation computed once, as a table of this connection."""
        name = self.work_name()
        relation.create(name)
        return self.connection.table(name)

    @contextmanager
    def kept_for_now(self, relation: DuckDBPyRelation) -> Iterator[DuckDBPyRelation]:
        """The relation computed once, and its memory freed at the end."""
        name = self.work_name()
        relation.create(name)
        try:
            yield self.connection.table(name)
        finally:
            self.connection.execute(f"DROP TABLE {name}")

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> DuckDBPyRelation:
        """Arrays of one length as a table of this connection; objects are texts or None."""
        if any(array.dtype == object for array in arrays.values()):
            return self._from_lists(arrays)
        name = self.work_name()
        contiguous = {
            key: array if array.flags.c_contiguous else array.copy() for key, array in arrays.items()
        }
        self.connection.register(name, contiguous)
        try:
            return self.kept(self.connection.view(name))
        finally:
            self.connection.unregister(name)

    def _from_lists(self, arrays: Mapping[str, NDArray[Any]]) -> DuckDBPyRelation:
        """Handed over as JSON: for every object of an array the database looks for pandas anew.

        It does so for parameters, too; where pandas is installed, loading it takes longer than reading a few
        values that stand in the statement. Many are read faster as parameters.
        """
        texts = [json.dumps(array.tolist()) for array in arrays.values()]
        stands = sum(map(len, texts)) <= IN_STATEMENT
        shown = map(literal, texts) if stands else "?" * len(texts)
        columns = [
            f"unnest(from_json({text}, '[\"{LISTED[array.dtype.name]}\"]')) AS {key}"
            for (key, array), text in zip(arrays.items(), shown, strict=True)
        ]
        name = self.work_name()
        made = f"CREATE TABLE {name} AS SELECT {', '.join(columns)}"
        self.connection.execute(made, None if stands else texts)
        return self.connection.table(name)

    def text_rows(self, files: Sequence[Path], options: Mapping[str, str]) -> DuckDBPyRelation:
        """Text files, with the options of `read_csv` as SQL."""
        return text_rows(self.connection, files, options)

    def staged(self, relation: DuckDBPyRelation) -> DuckDBPyRelation:
        """A relation of any connection, written once to the work folder and scanned from there."""
        return self.connection.read_parquet(exact(self.stored(relation)), hive_partitioning=False)

    def stored(self, relation: DuckDBPyRelation) -> Path:
        """A new file of the work folder (Parquet), with the rows of a relation in their order."""
        path = self.work_file(".parquet")
        _without_wide_integers(relation).write_parquet(str(path))
        return path

    def staged_batches(self, schema: Any, batches: Iterable[Any]) -> DuckDBPyRelation:
        """Arrow record batches, one at a time in memory, then scanned from the work folder."""
        parquet = needed("pyarrow.parquet")
        path = self.work_file(".parquet")
        with parquet.ParquetWriter(str(path), schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
        return self.connection.read_parquet(exact(path), hive_partitioning=False)

    def close(self) -> None:
        """End the connection and remove the work folder; a second call does nothing."""
        _end(self.connection, self.work, self.shared, self.rooms)


def text_rows(
    connection: DuckDBPyConnection, files: Sequence[Path], options: Mapping[str, str]
) -> DuckDBPyRelation:
    """Text files, with the options of `read_csv` as SQL.

    A call in Python would make the database load pandas where it is installed.
    """
    paths = ", ".join(literal(exact(file)) for file in files)
    given = "".join(f", {name}={value}" for name, value in options.items())
    return connection.sql(f"FROM read_csv([{paths}]{given})")


def start_session(settings: ScanSettings) -> Session:
    """A database in memory that never reaches for the network."""
    needed("duckdb", extra="tables")
    work = _work_folder(settings.folder)
    try:
        with without_values("The engine"):
            connection = _connected(settings, work.path)
            shared = None if settings.memory_limit else _in_budget(connection)
    except BaseException:
        work.remove()
        raise
    interrupted_on_stop(connection)
    session = Session(connection, work, shared)
    weakref.finalize(session, _end, connection, work, shared, session.rooms)
    return session


def _connected(settings: ScanSettings, folder: Path) -> DuckDBPyConnection:
    config = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": str(folder / "spill"),
    }
    threads = settings.threads or limits_now().cores
    if threads is not None:
        config["threads"] = str(threads)
    connection: DuckDBPyConnection = needed("duckdb").connect(":memory:", config=config)
    if settings.memory_limit:
        connection.execute(f"SET memory_limit = {literal(settings.memory_limit)}")
    connection.execute("SET TimeZone = 'UTC'")
    with suppress(needed("duckdb").InvalidInputException):
        # In a notebook without ipywidgets there is no bar, and the database refuses to switch it off.
        connection.execute("SET enable_progress_bar = false")
    return connection


def _in_budget(connection: DuckDBPyConnection) -> OpenDatabase:
    """The database shares the budget with all others that are open; it works while its limit changes."""
    other = connection.cursor()
    error = needed("duckdb").Error

    def set_limit(size: int) -> bool:
        try:
            other.execute(f"SET memory_limit = '{size}B'")
        except error:
            return False
        return True

    def used() -> int:
        try:
            found = other.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchone()
        except error:
            return 0  # it was closed while limits were shared
        return int(found[0]) if found else 0

    database = OpenDatabase(budget(), set_limit, used, other.close)
    enter(database)
    return database


def _work_folder(parent: str | Path | None) -> LockedFolder:
    try:
        return work_folder_here(parent)
    except OSError as error:
        place = parent or Path(error.filename or ".").parent
        if parent or limits_now().temp:
            raise InvalidSetting(
                f"No work folder can be made in {place}: {error.strerror}.",
                hint="Name an existing folder that you may write to.",
            ) from None
        raise UnwritableFile(
            f"No work folder can be made in {place}: {error.strerror}.",
            hint="Check the free disk space, or name another folder with --temp.",
        ) from None


def _without_wide_integers(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """Parquet would turn 128-bit integers into inexact doubles."""
    columns = [
        f"CAST({quoted(name)} AS DECIMAL(38, 0)) AS {quoted(name)}" if str(kind) in WIDE else quoted(name)
        for name, kind in zip(relation.columns, relation.types, strict=True)
    ]
    return relation.project(", ".join(columns))


def _end(
    connection: DuckDBPyConnection, work: LockedFolder, shared: OpenDatabase | None, rooms: list[ArrayRoom]
) -> None:
    for room in rooms:
        room.shrink()
    if shared is not None:
        leave(shared)
    connection.close()
    work.remove()
