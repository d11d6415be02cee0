"""`reidrisk table preview`: what each level of the hierarchies would leave."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.exits import ACCEPTABLE


@click.command()
@click.argument("table")
@click.option(
    "--hierarchies",
    required=True,
    metavar="PATH",
    help="A YAML file, or a folder of files *hierarchy_COLUMN.csv.",
)
@click.option("--cell-size", default=5, show_default=True, help="Values of fewer rows count as rare.")
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@output.options
def preview(table: str, **given: Any) -> None:
    """Show what every level of the hierarchies leaves of the columns of TABLE; decides nothing.

    Values of fewer rows than the cell size are never shown.
    """
    output.check_targets((table, given["hierarchies"]), json=given["json"], html=given["html"])
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies
    from reidrisk.tables.hierarchy.preview import preview_hierarchies as previewed

    result = previewed(table, read_hierarchies(given["hierarchies"]), cell_size=given["cell_size"])
    show = output.Output(given["json"], quiet=given["quiet"])
    if given["html"]:
        from reidrisk.report.page import write_page

        write_page(result, given["html"])
    show.result([result], result.to_dict())
    if given["html"]:
        show.say(f"Page: {given['html']}")
    raise SystemExit(ACCEPTABLE)
