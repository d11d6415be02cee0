"""`reidrisk report`: an assessment, or results, as a document to read, print and keep."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from reidrisk.cli import output
from reidrisk.cli.exits import ACCEPTABLE

TEMPLATES = ("general", "ema", "hipaa", "summary")


@click.command(name="report")
@click.argument("results", nargs=-1, required=True, metavar="DIR|RESULT.json...")
@click.option(
    "--template",
    type=click.Choice(TEMPLATES),
    default="general",
    show_default=True,
    help="ema: EMA Policy 0070 and Health Canada PRCI. hipaa: expert determination. summary: one page.",
)
@click.option("--html", metavar="FILE", help="Write a page that needs no network.")
@click.option("--pdf", metavar="FILE", help="Write a PDF.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(
    results: tuple[str, ...], template: str, html: str | None, pdf: str | None, *, quiet: bool
) -> None:
    """Write the report of an assessment's folder DIR, or of results that --json wrote.

    The same results give the same files. The exit code is 0 whatever the verdict.
    """
    if html is None and pdf is None:
        raise click.UsageError("Say what to write: --html FILE, --pdf FILE or both.")
    read = [str(Path(name) / "assessment.json") if Path(name).is_dir() else name for name in results]
    output.check_targets(read, json=None, html=html, others={"--pdf": pdf} if pdf is not None else {})
    _needs_typst(pdf)
    from reidrisk.report.charts.kept import kept_in
    from reidrisk.report.writing import document_of, folder_of, write_document

    document = document_of(list(results), template=template)
    with kept_in(folder_of(list(results))):
        written = write_document(
            document, html=None if html is None else Path(html), pdf=None if pdf is None else Path(pdf)
        )
    show = output.Output(None, quiet=quiet)
    for path in written:
        show.say(f"{'PDF' if pdf is not None and path == Path(pdf) else 'Page'}: {path}")
    raise SystemExit(ACCEPTABLE)


def _needs_typst(pdf: str | None) -> None:
    """Say at once, not at the end, what a PDF needs."""
    if pdf is None:
        return
    output.needs_report()
    if find_spec("typst") is None:
        from reidrisk.errors import MissingPackage

        raise MissingPackage.of_extra("typst", "report")
