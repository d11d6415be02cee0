"""`reidrisk check`: which packages are installed, which are missing, and how to install them."""

from __future__ import annotations

import platform
import shutil

import click

from reidrisk.cli.help import Command
from reidrisk.core.about import installed, own_version
from reidrisk.core.shell import pip_install

PACKAGES = (
    ("numpy", "core", "statistics"),
    ("scipy", "core", "statistics"),
    ("click", "core", "command line"),
    ("pyyaml", "core", "settings files"),
    ("matplotlib", "report", "charts"),
    ("jinja2", "report", "HTML pages"),
    ("typst", "report", "PDF and Word reports"),
    ("duckdb", "tables", "tables"),
    ("numba", "tables", "de-identifying tables"),
    ("pyarrow", "io", "Arrow files and frames"),
    ("pyreadstat", "io", "SAS, SPSS and Stata files"),
    ("fastexcel", "io", "Excel files"),
    ("polars", "io", "writing SAS, SPSS, Stata"),
    ("adbc-driver-postgresql", "io", "PostgreSQL"),
    ("ahocorasick-rs", "text", "known values in text"),
    ("python-crfsuite", "text", "training detectors"),
    ("pikepdf", "documents", "writing PDF documents"),
    ("pdfminer.six", "documents", "reading PDF documents"),
    ("pypdfium2", "documents", "images of PDF pages"),
    ("lxml", "documents", "Word documents"),
    ("cryptography", "sign", "signatures"),
    ("fastapi", "web", "the app in a browser"),
    ("uvicorn", "web", "the app in a browser"),
    ("python-multipart", "web", "the app in a browser"),
    ("pyspark", "spark", "texts on a Spark cluster"),
    ("pandas", "spark", "texts on a Spark cluster"),
)
PROGRAMS = (
    ("java", "Spark", "apt-get install openjdk-17-jre-headless"),
    ("chromium", "tests of pages (developers)", "apt-get install chromium"),
)


@click.command(name="check", cls=Command)
def command() -> None:
    """List the packages that are installed or missing.

    The list shows how to install what is missing. Exit code 1 if a required package is missing.
    """
    click.echo(f"reidrisk {own_version()} on Python {platform.python_version()}\n")
    for package, extra, purpose in PACKAGES:
        version = installed(package)
        state = version or f"missing: {pip_install(extra)}"
        click.echo(f"  {package:<24} {purpose:<28} {state}")
    for program, purpose, remedy in PROGRAMS:
        state = "found" if shutil.which(program) else f"missing: {remedy}"
        click.echo(f"  {program:<24} {purpose:<28} {state}")
    _list_plugins()
    missing = [package for package, extra, _ in PACKAGES if extra == "core" and not installed(package)]
    raise SystemExit(1 if missing else 0)


def _list_plugins() -> None:
    """Plug-ins of other packages; none of them is loaded here."""
    from reidrisk.core.plugins import GROUPS, PREFIX, installed_plugins

    found = installed_plugins()
    if found:
        click.echo("\nPlug-ins, used only if you name them:")
    for one in found:
        click.echo(f"  {PREFIX + one.name:<24} {GROUPS[one.group]:<28} {one}")
