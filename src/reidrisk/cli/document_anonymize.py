"""`reidrisk document anonymize`: redact or replace what identifies participants, and prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output
from reidrisk.cli.output import existing_file

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study


@click.command(name="anonymize")
@click.argument("documents", nargs=-1, type=click.Path())
@existing_file("--study", "The study: its data, its documents, and what is released instead.")
@existing_file(
    "--findings", "What `document detect` found or `document review` left; nothing is detected then."
)
@existing_file("--values", "Values to take out wherever they stand: one a line, or a table.")
@click.option(
    "--mode",
    type=click.Choice(("redact", "replace")),
    default="redact",
    show_default=True,
    help="A box over what was removed, or the value of the released data.",
)
@click.option("--out", required=True, type=click.Path(), metavar="DIR", help="Folder for the documents.")
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=VALUE", help="Any other option; see the guide."
)
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@click.option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors; the exit code tells.")
def command(documents: tuple[str, ...], **given: Any) -> None:
    """Redact or replace what identifies participants in DOCUMENTS: PDF, DOCX, HTML, RTF, text.

    Text is removed, not covered, and so are its traces in notes, bookmarks, properties and history. Each file
    is searched by other programs for what was removed, and appears only if nothing is left. A document that
    cannot be done does not stop the others; the exit code is 1 then.
    """
    from reidrisk.cli.exits import ACCEPTABLE, FAILURE
    from reidrisk.documents.anonymize.run import anonymize_documents
    from reidrisk.documents.anonymize.settings import anonymize_settings
    from reidrisk.documents.verify.values import read_values

    if not documents and not given["study"]:
        raise click.UsageError("Name documents, or a study that names them.")
    read = (*documents, given["study"], given["findings"], given["values"])
    output.check_targets(read, json=given["json"], html=given["html"])
    settings = anonymize_settings(given["mode"], output.pairs(given["changes"]))
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("documents") as tell:
        result = anonymize_documents(
            documents,
            given["out"],
            study=_study(given["study"]),
            findings=given["findings"],
            values=read_values(given["values"]).values if given["values"] else (),
            settings=settings,
            progress=tell,
        )
    try:
        output.finish(result, given, refuses=False, files={"Documents": given["out"]})
    except SystemExit:
        raise SystemExit(FAILURE if result.failed else ACCEPTABLE) from None


def _study(path: str | None) -> Study | None:
    if path is None:
        return None
    from reidrisk.documents.study.read import read_study

    return read_study(path)
