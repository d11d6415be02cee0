"""Tables of Hive, by the metastore that Spark is set up with: its own, or that of hive-site.xml."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

from reidrisk.core.places import HIVE
from reidrisk.engine.spark.jobs import Frame, spark_errors
from reidrisk.engine.spark.owner import Owner
from reidrisk.errors import BadData, InvalidSetting

OWNER = "reidrisk.owner"
"""Property of a table that is being written."""


def read_hive(session: Any, place: str) -> Frame:
    """The rows of a table."""
    with spark_errors(place, reading=True):
        return session.read.table(place.removeprefix(HIVE))


def write_hive(session: Any, rows: Callable[[], Frame], place: str, check: Callable[[Frame], None]) -> None:
    """Write a new table under another name, check it, and rename it.

    The table under the other name exists, with its owner, before it gets its first row: what a run that was
    killed has left is known by it, and removed by the next one.
    """
    database, name = _parts(session, place)
    with spark_errors(place):
        _remove_left(session, database, name, place)
        if session.catalog.tableExists(_quoted(database, name)):
            raise BadData(f"{place} exists already.", hint="Name a table that does not exist yet.")
    staging = _quoted(database, f"{name}_reidrisk_{secrets.token_hex(6)}")
    try:
        with spark_errors(place):
            frame = rows()
            session.createDataFrame([], frame.schema).write.format("parquet").saveAsTable(staging)
            owner = _text(json.dumps(Owner.here().to_dict()))
            session.sql(f"ALTER TABLE {staging} SET TBLPROPERTIES ({_text(OWNER)} = {owner})")
            frame.write.insertInto(staging)
            written = session.read.table(staging)
        check(written)
        with spark_errors(place):
            session.sql(f"ALTER TABLE {staging} UNSET TBLPROPERTIES ({_text(OWNER)})")
            session.sql(f"ALTER TABLE {staging} RENAME TO {_quoted(database, name)}")
    finally:
        with spark_errors(place):
            session.sql(f"DROP TABLE IF EXISTS {staging}")


def _parts(session: Any, place: str) -> tuple[str, str]:
    """Database and table. The metastore knows them in lower case only."""
    parts = place.removeprefix(HIVE).lower().split(".")
    if not all(parts) or len(parts) > 2:
        raise InvalidSetting(f"{place} does not name a table.", hint="Write hive:database.table.")
    return (parts[0], parts[1]) if len(parts) > 1 else (str(session.catalog.currentDatabase()), parts[0])


def _remove_left(session: Any, database: str, name: str, place: str) -> None:
    """Remove tables of runs that are dead."""
    for table in session.catalog.listTables(database, f"{name}_reidrisk_*"):
        left = _quoted(database, table.name)
        found = session.sql(f"SHOW TBLPROPERTIES {left} ({_text(OWNER)})").toArrow().to_pylist()
        owner = Owner.of(found[0]["value"]) if found else None
        if owner is not None and owner.may_live:
            raise BadData(
                f"{place} is being written by another run, or a run on another machine was stopped.",
                hint=f"Wait until that has ended. If it was stopped, drop the table {table.name}.",
            )
        session.sql(f"DROP TABLE {left}")


def _quoted(*names: str) -> str:
    return ".".join(f"`{name.replace('`', '``')}`" for name in names)


def _text(value: str) -> str:
    """A text in a command of Spark, where a backslash means something."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
