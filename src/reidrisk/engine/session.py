"""One database connection with its limits and its work folder."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import exact, quoted
from reidrisk.engine.packages import needed
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation
    from numpy.typing import NDArray

SHARE_OF_DEFAULT = 0.75
"""The database takes 80 % of the memory by default; three quarters of that are our 60 %."""
WIDE = ("HUGEINT", "UHUGEINT")
LISTED = {"object": "VARCHAR", "int32": "INTEGER", "int64": "BIGINT"}
"""Types of arrays that are handed over with texts."""
_numbers = count()


@dataclass(frozen=True, eq=False)
class Session:
    """Lives as long as a table that uses it; its work folder goes with it."""

    connection: DuckDBPyConnection
    folder: Path
    """Spilled and converted data; readable by the owner only."""

    def work_file(self, suffix: str) -> Path:
        """A path in the work folder that nobody has used."""
        return self.folder / f"{next(_numbers)}{suffix}"

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
        """Handed over as JSON: for every object of an array the database looks for pandas anew."""
        kinds = {key: LISTED[array.dtype.name] for key, array in arrays.items()}
        columns = [f"unnest(from_json(?, '[\"{kind}\"]')) AS {key}" for key, kind in kinds.items()]
        texts = [json.dumps(array.tolist()) for array in arrays.values()]
        name = self.work_name()
        self.connection.execute(f"CREATE TABLE {name} AS SELECT {', '.join(columns)}", texts)
        return self.connection.table(name)

    def staged(self, relation: DuckDBPyRelation) -> DuckDBPyRelation:
        """A relation of any connection, written once to the work folder and scanned from there."""
        path = self.work_file(".parquet")
        _without_wide_integers(relation).write_parquet(str(path))
        return self.connection.read_parquet(exact(path), hive_partitioning=False)

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
        _end(self.connection, self.folder)


def start_session(settings: ScanSettings) -> Session:
    """A database in memory that never reaches for the network."""
    needed("duckdb", extra="tables")
    folder = _work_folder(settings.folder)
    try:
        with without_values("The engine"):
            connection = _connected(settings, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    session = Session(connection, folder)
    weakref.finalize(session, _end, connection, folder)
    return session


def _connected(settings: ScanSettings, folder: Path) -> DuckDBPyConnection:
    config = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": str(folder / "spill"),
    }
    if settings.threads is not None:
        config["threads"] = str(settings.threads)
    connection: DuckDBPyConnection = needed("duckdb").connect(":memory:", config=config)
    limit = settings.memory_limit or _default_limit(connection)
    connection.execute("SET memory_limit = ?", [limit])
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET enable_progress_bar = false")
    return connection


def _work_folder(parent: Path | None) -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix="reidrisk-", dir=parent))
    except OSError as error:
        raise InvalidSetting(
            f"No work folder can be made in {parent}: {error.strerror}.",
            hint="Name an existing folder that you may write to.",
        ) from error


def _default_limit(connection: DuckDBPyConnection) -> str:
    found = connection.execute("SELECT current_setting('memory_limit')").fetchone()
    parts = re.fullmatch(r"([\d.]+) (\w+)", str(found[0])) if found else None
    return f"{float(parts[1]) * SHARE_OF_DEFAULT:.3f} {parts[2]}" if parts else "2GB"


def _without_wide_integers(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """Parquet would turn 128-bit integers into inexact doubles."""
    columns = [
        f"CAST({quoted(name)} AS DECIMAL(38, 0)) AS {quoted(name)}" if str(kind) in WIDE else quoted(name)
        for name, kind in zip(relation.columns, relation.types, strict=True)
    ]
    return relation.project(", ".join(columns))


def _end(connection: DuckDBPyConnection, folder: Path) -> None:
    connection.close()
    shutil.rmtree(folder, ignore_errors=True)
