"""The fourth part of `reidrisk demo`: the report of a trial, from detection to a proved copy and its risk."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

FOUND, COPIES = "findings.json", "replaced"
PLANNED, FINAL = "risk-planned.json", "risk.json"
PAGE = "report.html"


def needs_documents() -> None:
    """Say at once, not at the end, that documents or SAS files cannot be read."""
    from reidrisk.errors import MissingPackage

    for package, extra in (("pikepdf", "documents"), ("lxml", "documents"), ("pyreadstat", "io")):
        if find_spec(package) is None:
            raise MissingPackage.of_extra(package, extra)


def targets(folder: Path) -> list[Path]:
    """Every file of this part, before any of it is written."""
    from reidrisk.demo.study import ANSWERS, CONFIG, REPORTS, STRICT

    names = (*REPORTS, ANSWERS, CONFIG.name, STRICT.name, FOUND, PLANNED, FINAL, PAGE)
    return [folder / name for name in names]


def show_study(folder: Path, *, seed: int) -> str:
    """Make the study, print the commands that anonymize its report, run them; the verdict."""
    from reidrisk.demo.study import REPORTS, write_study

    click.echo("== Job 4, documents: may the report of a trial be published?\n")
    write_study(folder, seed=seed)
    for name in REPORTS:  # a copy of an earlier run; no other is ever written over
        (folder / COPIES / name).unlink(missing_ok=True)
    commands = _commands(folder)
    listed = "\n".join(f"  reidrisk document {verb} {shlex.join(words)}" for verb, words in commands)
    click.echo(
        "An invented trial of 60 participants: data, a report of 30 pages as PDF and DOCX, an answer key.\n"
        "Its key is no secret, so that this can be repeated.\n\n"
        f"The same by hand:\n{listed}\n"
    )
    for verb, words in commands:
        _run(verb, words)
    planned, final = (_read(folder / name) for name in (PLANNED, FINAL))
    click.echo(
        f"\nAs planned: highest risk {planned['highest']:.2f}. With less detail: {final['highest']:.3f}."
    )
    return "acceptable" if final["acceptable"] else "NOT acceptable"


def _commands(folder: Path) -> list[tuple[str, list[str]]]:
    """Find, measure what was planned, measure what is left with less detail, replace."""
    from reidrisk.demo.study import CONFIG, REPORTS, STRICT

    reports = [str(folder / name) for name in REPORTS]
    planned, strict, found = (str(folder / name) for name in (CONFIG.name, STRICT.name, FOUND))
    measured = ["--scenario", "ipd_mentioned", "--findings", found, "--json"]
    return [
        ("detect", [*reports, "--study", planned, "--out", found]),
        ("risk", ["--study", planned, *measured, str(folder / PLANNED), "--quiet"]),
        ("risk", ["--study", strict, *measured, str(folder / FINAL), "--html", str(folder / PAGE)]),
        (
            "anonymize",
            [
                *reports,
                "--study",
                strict,
                "--findings",
                found,
                "--mode",
                "replace",
                "--out",
                str(folder / COPIES),
            ],
        ),
    ]


def _run(verb: str, words: list[str]) -> None:
    """The command itself, as if it had been typed; its exit code says no more than its result."""
    command: click.Command = import_module(f"reidrisk.cli.document_{verb}").command
    with suppress(SystemExit):
        command.main(words, prog_name=f"reidrisk document {verb}", standalone_mode=False)


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
