"""`reidrisk document detect`: find what identifies participants in documents."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.output import existing_file


@click.command(name="detect")
@click.argument("documents", nargs=-1, type=click.Path())
@existing_file("--study", "The study: its data say who and what to look for.")
@existing_file("--values", "Further values to look for: one a line, or a table.")
@click.option("--out", required=True, type=click.Path(), metavar="FILE", help="Findings to write (JSON).")
@click.option("--show-text", is_flag=True, help="Put the text that was found into the findings.")
@click.option("--model", metavar="FILE", help="A model of `text train`, or none.  [the one for English]")
@click.option("--terms", metavar="FILE", multiple=True, help="Your own words to find, one a line.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Lower finds more, and errs more.")
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=VALUE", help="Any other option; see the guide."
)
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@click.option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors; the exit code tells.")
def command(documents: tuple[str, ...], **given: Any) -> None:
    """Find what identifies participants in DOCUMENTS: PDF, DOCX, HTML, RTF, text.

    With a study, ids, dates and values of its participants are found in all their writings, and each place is
    given to the participant of whom its narrative, row or sentence tells. What identifies anybody is found
    besides. A document that cannot be read does not stop the others; the exit code is 1 then.
    """
    from reidrisk.cli.exits import ACCEPTABLE, FAILURE
    from reidrisk.cli.text_deidentify import DETECTING, detect_settings
    from reidrisk.documents.detection.run import detect_documents
    from reidrisk.documents.study.read import read_study
    from reidrisk.documents.verify.values import read_values

    if not documents and not given["study"]:
        raise click.UsageError("Name documents, or a study that names them.")
    changes = output.pairs(given["changes"])
    for name in changes:
        if name not in DETECTING:
            raise click.UsageError(f"--set {name} is not known; known are: {', '.join(DETECTING)}.")
    read = (*documents, given["study"], given["values"], given["model"], *given["terms"])
    output.check_targets(read, json=given["json"], html=given["html"], others={"--out": given["out"]})
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("documents") as tell:
        result = detect_documents(
            documents,
            study=None if given["study"] is None else read_study(given["study"]),
            values=read_values(given["values"]).values if given["values"] else (),
            settings=detect_settings(given | {"known": None}, changes),
            keep_text=given["show_text"],
            progress=tell,
        )
    result.write(given["out"])
    try:
        output.finish(result, given, refuses=False, files={"Findings": given["out"]})
    except SystemExit:
        raise SystemExit(FAILURE if result.failed else ACCEPTABLE) from None
