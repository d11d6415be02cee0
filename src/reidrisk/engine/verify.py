"""A written file is opened again and its classes are counted in the plainest way there is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import exact, quoted
from reidrisk.engine.packages import needed
from reidrisk.engine.scan import TextForm
from reidrisk.engine.session import Session, start_session
from reidrisk.engine.settings import ScanSettings
from reidrisk.engine.write import delimiter_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


def smallest_class(
    path: Path, quasi: Sequence[str], *, suffix: str, unit: str | None = None, like: TextForm | None = None
) -> int | None:
    """Records (units, if a column tells them) in the smallest class of a file; None if it has no rows.

    `suffix` says what the file is, whatever its present name.
    """
    session = start_session(ScanSettings())
    try:
        with without_values("The written file"):
            rows = _rows(session, path, suffix, like)
            size = "count(*)" if unit is None else f"count(DISTINCT {quoted(unit)})"
            classes = rows.aggregate(f"{size} AS size", ", ".join(quoted(name) for name in quasi))
            found = classes.aggregate("min(size)").fetchone()
        return None if found is None or found[0] is None else int(found[0])
    finally:
        session.close()


def _rows(session: Session, path: Path, suffix: str, like: TextForm | None) -> DuckDBPyRelation:
    if suffix == ".parquet":
        return session.connection.read_parquet(exact(path), hive_partitioning=False)
    if suffix in {".csv", ".tsv"}:
        return session.connection.read_csv(
            exact(path), header=True, delimiter=delimiter_of(suffix, like), all_varchar=True, quotechar='"'
        )
    with needed("pyarrow.ipc").open_file(str(path)) as reader:
        return session.connection.from_arrow(reader.read_all())
