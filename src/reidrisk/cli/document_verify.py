"""`reidrisk document verify`: search a document for values that must not be in it."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.output import existing_file


@click.command(name="verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@existing_file("--values", "Values: one a line, a table whose cells are meant, or findings.", required=True)
@click.option(
    "--source",
    type=click.Path(exists=True, dir_okay=False),
    metavar="DOCUMENT",
    help="The original, if --values holds findings.",
)
@click.option("--office", is_flag=True, help="Ask LibreOffice what it reads in a DOCX, too.")
@click.option("--html", type=click.Path(), help="Write a page with the result.")
@click.option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors; the exit code tells.")
def command(file: str, **given: Any) -> None:
    """Search FILE for values that must not be in it, whoever redacted it.

    The file is read by programs that did not write it, and its objects, streams and bytes are searched.
    Values are named by their number. Exit code 3 if one is found. Words that only lie under a box are told.
    """
    from reidrisk.documents.verify.run import verify_document

    output.check_targets((file, given["values"], given["source"]), json=given["json"], html=given["html"])
    result = verify_document(file, given["values"], source=given["source"], office=given["office"])
    output.finish(result, given)
