"""`reidrisk text sample`: draw documents to annotate, and tell how many are needed."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output


@click.command()
@click.argument("corpus", type=click.Path(exists=True))
@click.option("--documents", type=click.IntRange(min=1), metavar="N", help="How many documents to draw.")
@click.option(
    "--strata",
    metavar="RULE",
    help="Parts to draw from in proportion: folder, type, column:NAME, or a pattern with a group for the id.",
)
@click.option("--recall", type=float, metavar="R", help="All-or-nothing recall that you expect of the tool.")
@click.option(
    "--upper", type=float, metavar="P", help="Upper limit that you want to show.  [default: the benchmark's]"
)
@click.option("--assurance", type=float, metavar="P", help="Chance of showing it.  [default: 0.8]")
@click.option("--format", "kind", metavar="F", help="Format of an annotated CORPUS, if not to be found out.")
@click.option("--out", type=click.Path(), metavar="DIR", help="New folder for the documents and sample.json.")
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@output.options
def sample(corpus: str, **given: Any) -> None:
    """Draw a stratified random sample of CORPUS to annotate.

    CORPUS is a folder of .txt files (folders inside count), a file of JSON lines or CSV with an id and a
    text, or any annotated corpus. With --recall, tells how many documents show an upper limit, and draws
    as many if --documents is not given. Without --out nothing is written.
    """
    from reidrisk.text.sample import Wanted, sample_documents

    output.check_targets((corpus,), json=given["json"], html=given["html"])
    if given["recall"] is None and (given["upper"] is not None or given["assurance"] is not None):
        raise click.UsageError("--upper and --assurance go with --recall, the recall that you expect.")
    named = {name: given[name] for name in ("upper", "assurance") if given[name] is not None}
    wanted = None if given["recall"] is None else Wanted(given["recall"], **named)
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.progress("Reading") as progress:
        result = sample_documents(
            corpus,
            documents=given["documents"],
            strata=given["strata"],
            wanted=wanted,
            out=given["out"],
            format=given["kind"],
            seed=given["seed"],
            progress=progress,
        )
    output.finish(result, given, refuses=False, files={"Sample": given["out"]})
