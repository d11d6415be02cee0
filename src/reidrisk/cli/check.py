"""`reidrisk check`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import platform
import shutil

import click

from reidrisk.core.about import installed, own_version

PACKAGES = (
    ("numpy", "core", "statistics"),
    ("scipy", "core", "statistics"),
    ("click", "core", "command line"),
    ("pyyaml", "core", "settings files"),
    ("matplotlib", "report", "charts"),
    ("jinja2", "report", "HTML pages"),
    ("typst", "report", "PDF reports"),
    ("duckdb", "tables", "tables"),
    ("numba", "tables", "search in tables"),
    ("pyarrow", "io", "Arrow files and frames"),
    ("pyreadstat", "io", "SAS, SPSS and Stata files"),
    ("fastexcel", "io", "Excel files"),
    ("polars", "io", "writing SAS, SPSS and Stata files"),
    ("adbc-driver-postgresql", "io", "PostgreSQL"),
    ("ahocorasick-rs", "text", "known values in texts"),
    ("python-crfsuite", "text", "training of detectors"),
    ("pikepdf", "documents", "writing PDF documents"),
    ("pdfminer.six", "documents", "reading PDF documents"),
    ("pypdfium2", "documents", "pictures of PDF pages"),
    ("lxml", "documents", "Word documents"),
)
PROGRAMS = (("chromium", "page tests of developers", "apt-get install chromium"),)


@click.command(name="check")
def command() -> None:
    """Tell what is installed and what is missing, and how to get it."""
    click.echo(f"reidrisk {own_version()} on Python {platform.python_version()}\n")
    for package, extra, purpose in PACKAGES:
        version = installed(package)
        state = version or f"missing: pip install 'reidrisk[{extra}]'"
        click.echo(f"  {package:<24} {purpose:<26} {state}")
    for program, purpose, remedy in PROGRAMS:
        state = "found" if shutil.which(program) else f"missing: {remedy}"
        click.echo(f"  {program:<24} {purpose:<26} {state}")
    missing = [package for package, extra, _ in PACKAGES if extra == "core" and not installed(package)]
    raise SystemExit(1 if missing else 0)
