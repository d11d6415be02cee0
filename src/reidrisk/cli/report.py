"""`reidrisk report`: write an assessment or results as a document to read, print and archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.help import METHOD, OUTPUT, Command, option, section
from reidrisk.cli.options import SILENT
from reidrisk.core.audience import AUDIENCES, INTERNAL

TEMPLATES = ("general", "ema", "hipaa", "summary")
TARGETS = {"html": "Page", "pdf": "PDF", "json": "JSON"}
"""Options that name a file, and how each file is called."""


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
    option(
        "--audience",
        type=click.Choice(AUDIENCES),
        default=INTERNAL,
        show_default=True,
        help="Who may see the report. shared: recipients of the data and the public; without counts below "
        "the cell size and anything else that could reveal suppressed values.",
    ),
)
@section(
    OUTPUT,
    option("--html", metavar="FILE", help="Write an HTML page that works without a network."),
    option("--pdf", metavar="FILE", help="Write a PDF."),
    option("--json", metavar="FILE", help="Write what the audience may see as JSON."),
    SILENT,
)
def command(results: tuple[str, ...], *, quiet: bool, **given: Any) -> None:
    """Write the report of an assessment or of results.

    DIR is the folder of an assessment; RESULT.json is a result that another command wrote with --json. The
    same results always give the same files. The exit code is 0 whatever the verdict.
    """
    targets = {title: Path(given[name]) for name, title in TARGETS.items() if given[name] is not None}
    if not targets:
        raise click.UsageError("Choose what to write: --html FILE, --pdf FILE, --json FILE, or several.")
    read = [str(Path(name) / "assessment.json") if Path(name).is_dir() else name for name in results]
    others = {"--pdf": given["pdf"]} if "PDF" in targets else {}
    output.check_targets(read, json=given["json"], html=given["html"], others=others)
    if "PDF" in targets:
        output.check_report_packages()
        output.check_packages(("typst", "report"))
    _write(list(results), targets, template=given["template"], audience=given["audience"])
    show = output.Output(None, quiet=quiet)
    for title, path in targets.items():
        show.say(f"{title}: {path}")
    raise SystemExit(output.ACCEPTABLE)


def _write(results: list[str], targets: dict[str, Path], *, template: str, audience: str) -> None:
    """Write the files that were asked for; the same results always give the same files."""
    from reidrisk.core.audience import check_audience
    from reidrisk.core.files import write_text
    from reidrisk.report.case import result_json

    who = check_audience(audience)
    text = result_json(results, audience=who) if "JSON" in targets else ""
    if targets.keys() & {"Page", "PDF"}:
        from reidrisk.report.charts.drawings import drawings_from
        from reidrisk.report.writing import document_of, folder_of, write_document

        document = document_of(results, template=template, audience=who)
        with drawings_from(folder_of(results)):
            write_document(document, html=targets.get("Page"), pdf=targets.get("PDF"))
    if "JSON" in targets:
        write_text(targets["JSON"], text)
