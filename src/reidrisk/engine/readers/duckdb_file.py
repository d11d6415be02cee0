"""Tables of a DuckDB file, attached read-only."""

from __future__ import annotations

from pathlib import Path

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import literal, quoted
from reidrisk.engine.scan import Form, Scan, one_table
from reidrisk.engine.session import Session
from reidrisk.engine.settings import ScanSettings

TABLES = """SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? AND NOT internal
ORDER BY schema_name, table_name"""


def read_duckdb(session: Session, path: Path, settings: ScanSettings) -> Scan:
    """The table named (with its schema if that is not "main"), or the only one.

    Views are left out: a view may read any other file of this machine.
    """
    database = session.work_name()
    with without_values(str(path)):
        session.connection.execute(f"ATTACH {literal(str(path))} AS {database} (READ_ONLY, TYPE duckdb)")
        found = session.connection.execute(TABLES, [database]).fetchall()
    tables = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in found}
    chosen = one_table(list(tables), settings, place=str(path))
    schema, name = tables[chosen]
    with without_values(str(path)):
        relation = session.connection.sql(f"FROM {database}.{quoted(schema)}.{quoted(name)}")
    return Scan(relation, (f"table: {chosen}",), Form(name=name))
