"""`reidrisk report`: write an assessment or results as a document to read, print and archive."""

from __future__ import annotations

from pathlib import Path

import click

from reidrisk.cli import output
from reidrisk.cli.help import METHOD, OUTPUT, Command, option, section
from reidrisk.cli.options import SILENT

TEMPLATES = ("general", "ema", "hipaa", "summary")


@click.command(name="report", cls=Command)
@click.argument("results", nargs=-1, required=True, metavar="DIR|RESULT.json...")
@section(
    METHOD,
    option(
        "--template",
        type=click.Choice(TEMPLATES),
        default="general",
        show_default=True,
        help="Type of report. ema: EMA Policy 0070 and Health Canada PRCI; hipaa: expert determination; "
        "summary: one page.",
    ),
)
@section(
    OUTPUT,
    option("--html", metavar="FILE", help="Write an HTML page that works without a network."),
    option("--pdf", metavar="FILE", help="Write a PDF."),
    SILENT,
)
def command(
    results: tuple[str, ...], template: str, html: str | None, pdf: str | None, *, quiet: bool
) -> None:
    """Write the report of an assessment or of results.

    DIR is the folder of an assessment; RESULT.json is a result that another command wrote with --json. The
    same results always give the same files. The exit code is 0 whatever the verdict.
    """
    if html is None and pdf is None:
        raise click.UsageError("Choose what to write: --html FILE, --pdf FILE, or both.")
    read = [str(Path(name) / "assessment.json") if Path(name).is_dir() else name for name in results]
    output.check_targets(read, json=None, html=html, others={"--pdf": pdf} if pdf is not None else {})
    if pdf is not None:
        output.check_report_packages()
        output.check_packages(("typst", "report"))
    from reidrisk.report.charts.drawings import drawings_from
    from reidrisk.report.writing import document_of, folder_of, write_document

    document = document_of(list(results), template=template)
    with drawings_from(folder_of(list(results))):
        written = write_document(
            document, html=None if html is None else Path(html), pdf=None if pdf is None else Path(pdf)
        )
    show = output.Output(None, quiet=quiet)
    for path in written:
        show.say(f"{'PDF' if pdf is not None and path == Path(pdf) else 'Page'}: {path}")
    raise SystemExit(output.ACCEPTABLE)
