"""`reidrisk table`: measure the risk of a data set."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.exits import ABOVE_THRESHOLD, ACCEPTABLE
from reidrisk.errors import InvalidSetting


@click.group(name="table")
def command() -> None:
    """Job 2: the risk of a data set."""


@command.command()
@click.argument("table")
@click.option(
    "--quasi", required=True, metavar="COLUMNS", help="Columns an intruder may know, with commas between."
)
@click.option(
    "--unit", metavar="COLUMN", help="Which rows are one person or visit; otherwise every row is a record."
)
@click.option(
    "--reduce",
    "rules",
    multiple=True,
    metavar="COLUMN=RULE",
    help="For what varies in a unit: first, min, max, set.",
)
@click.option("--cell-size", default=5, show_default=True, help="Smallest class you accept.")
@click.option("--threshold", type=float, metavar="P", help="A literal threshold instead, such as 0.09.")
@click.option("--population", metavar="POP", help="A table of everybody who could be in TABLE, same columns.")
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@output.options
def risk(table: str, **given: Any) -> None:
    """Measure the re-identification risk of TABLE; exit code 3 if it is too high.

    TABLE is a file (CSV, Parquet, Arrow, Excel, SAS, Stata, SPSS, DuckDB, SQLite), a folder or pattern of
    files, or a PostgreSQL table by its URL.
    """
    output.check_targets((table, given["population"]), json=given["json"], html=given["html"])
    from reidrisk.core.schema import Schema
    from reidrisk.tables.risk import table_risk

    schema = Schema(
        quasi=_columns(given["quasi"]),
        unit=given["unit"],
        reduce=output.pairs(given["rules"], option="--reduce"),
    )
    result = table_risk(table, schema, threshold=output.threshold(given), population=given["population"])
    show = output.Output(given["json"], quiet=given["quiet"])
    if given["html"]:
        from reidrisk.report.page import write_page

        write_page(result, given["html"])
    show.result([result], result.to_dict())
    if given["html"]:
        show.say(f"Page: {given['html']}")
    raise SystemExit(ACCEPTABLE if result.acceptable else ABOVE_THRESHOLD)


def _columns(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise InvalidSetting("--quasi names no column.", hint="For example --quasi sex,age,region")
    return names
