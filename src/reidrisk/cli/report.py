"""`reidrisk report`: write an assessment or results as a document to read, print and archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.help import METHOD, OUTPUT, Command, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import SILENT
from reidrisk.cli.settings import PluginChoice
from reidrisk.core.audience import AUDIENCES, INTERNAL

TEMPLATES = ("general", "ema", "hipaa", "summary")
FORMATS = {"html": "Page", "pdf": "PDF", "docx": "Word"}
"""Formats of a report, and how each file is called."""
USUAL = "html,pdf"
TARGETS = {**FORMATS, "json": "JSON"}
"""Options that name a file, and how each file is called."""
NAMES = {"report": "", "annex": "annex, "}
"""The files that --out writes, and how their lines begin."""


@click.command(name="report", cls=Command)
@click.argument("results", nargs=-1, required=True, metavar="DIR|RESULT.json...", type=InputPath())
@section(
    METHOD,
    option(
        "--template",
        type=PluginChoice(TEMPLATES),
        metavar="TEMPLATE",
        default="general",
        show_default=True,
        help="Type of report: general, ema, hipaa, summary, or plugin:NAME. ema: EMA Policy 0070 and "
        "Health Canada PRCI; hipaa: expert determination; summary: one page.",
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
    option(
        "--out",
        metavar="DIR",
        help="Write the report, and its annex if it has one, into this folder: report.html, annex.html and "
        "so on.",
    ),
    option(
        "--format",
        "formats",
        metavar="FORMATS",
        show_default=USUAL,
        help="Formats that --out writes, separated by commas: html, pdf, and docx (Word, for editing).",
    ),
    option("--html", metavar="FILE", help="Write only an HTML page, which works without a network."),
    option("--pdf", metavar="FILE", help="Write only a PDF."),
    option("--docx", metavar="FILE", help="Write only a Word document."),
    option("--json", metavar="FILE", help="Write what the audience may see as JSON."),
    SILENT,
)
def command(results: tuple[str, ...], *, quiet: bool, **given: Any) -> None:
    """Write the report of an assessment or of results.

    DIR is the folder of an assessment; RESULT.json is a result that another command wrote with --json. The
    same results always give the same files. The exit code is 0 whatever the verdict.
    """
    targets = {title: Path(given[name]) for name, title in TARGETS.items() if given[name] is not None}
    formats = _formats(given)
    if not targets and not formats:
        raise click.UsageError(
            "Choose what to write: --out DIR, --html FILE, --pdf FILE, --docx FILE, --json FILE, or several."
        )
    _check(list(results), given, formats)
    made = _write(list(results), targets, given, formats)
    show = output.Output(None, quiet=quiet)
    for title, path in made:
        show.say(f"{title}: {path}")
    raise SystemExit(output.ACCEPTABLE)


def _formats(given: dict[str, Any]) -> tuple[str, ...]:
    """What --out writes, in the usual order; empty without it."""
    if given["out"] is None:
        if given["formats"] is not None:
            raise click.UsageError("--format is for --out: name a folder with --out DIR.")
        return ()
    wanted = [name.strip() for name in (USUAL if given["formats"] is None else given["formats"]).split(",")]
    for name in wanted:
        if name not in FORMATS:
            raise click.UsageError(f"--format: {name!r} is not one of {', '.join(FORMATS)}.")
    return tuple(name for name in FORMATS if name in wanted)


def _check(results: list[str], given: dict[str, Any], formats: tuple[str, ...]) -> None:
    """Before any work: all files can be written, and the packages are there."""
    others = {f"--{form}": given[form] for form in ("pdf", "docx") if given[form] is not None}
    if formats:
        _make_folder(given["out"])
        names = [f"{name}.{form}" for name in NAMES for form in formats]
        others |= {f"--out ({name})": str(Path(given["out"]) / name) for name in names}
    read = [str(Path(name) / "assessment.json") if Path(name).is_dir() else name for name in results]
    output.check_targets(read, json=given["json"], html=given["html"], others=others)
    if formats or given["pdf"] or given["docx"]:
        output.check_report_packages()
    if {"pdf", "docx"} & set(formats) or given["pdf"] or given["docx"]:
        output.check_packages(("typst", "report"))


def _make_folder(out: str) -> None:
    """The folder of --out; it goes again if nothing is written."""
    from reidrisk.core.file_set import errors_about, together

    folder = Path(out)
    if not out or (folder.exists() and not folder.is_dir()):
        raise click.UsageError("--out takes the name of a folder.")
    if (folder / "manifest.json").exists():
        raise click.UsageError(
            f"{out} is the folder of an assessment: its reports are part of what is verified and signed. "
            "Choose another folder."
        )
    with together() as files, errors_about(out):
        files.make_folder(folder)


def _write(
    results: list[str], targets: dict[str, Path], given: dict[str, Any], formats: tuple[str, ...]
) -> list[tuple[str, Path]]:
    """Write the files that were asked for; the same results always give the same files."""
    from reidrisk.core.audience import check_audience
    from reidrisk.core.files import write_bytes, write_text
    from reidrisk.report.case import result_json

    who = check_audience(given["audience"])
    text = result_json(results, audience=who) if "JSON" in targets else ""
    made = []
    if formats or targets.keys() & set(FORMATS.values()):
        from reidrisk.report import crosswalks
        from reidrisk.report.charts.drawings import drawings_from
        from reidrisk.report.writing import document_of, draw_files, folder_of, write_document

        document = document_of(results, template=given["template"], audience=who)
        with drawings_from(folder_of(results)):
            for name, content in (draw_files(document, formats) if formats else {}).items():
                path = Path(given["out"]) / name
                write_bytes(path, content)
                made.append((_title(path), path))
            if formats:
                path = Path(given["out"]) / crosswalks.FILE
                write_text(path, crosswalks.crosswalks_json(results, audience=who))
                made.append(("Crosswalks", path))
            files = {form: targets.get(title) for form, title in FORMATS.items()}
            write_document(document, **files)
    if "JSON" in targets:
        write_text(targets["JSON"], text)
    return [*made, *targets.items()]


def _title(path: Path) -> str:
    """How a file in the folder is called.

    >>> _title(Path("annex.pdf"))
    'Annex, PDF'
    """
    title = f"{NAMES[path.stem]}{FORMATS[path.suffix[1:]]}"
    return title[0].upper() + title[1:]
