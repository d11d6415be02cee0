"""The second part of `reidrisk demo`: prescription records, from the request to a releasable file."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

RELEASED = "released.csv"
MADE = {
    "--out": RELEASED,
    "--codebook": "released.codebook.md",
    "--json": "result.json",
    "--html": "report.html",
}
"""What the command writes, by the option that names it."""


def needs_tables() -> None:
    """Say at once, not at the end, that tables cannot be read."""
    from reidrisk.errors import MissingPackage

    for package in ("duckdb", "numba"):
        if find_spec(package) is None:
            raise MissingPackage.of_extra(package, "tables")


def targets(folder: Path) -> list[Path]:
    """Every file of this part, before any of it is written."""
    from reidrisk.demo.prescriptions import CONFIG, KEY, LAYOUT, RECORDS

    return [folder / name for name in (RECORDS, CONFIG.name, LAYOUT.name, KEY, *MADE.values())]


def show_table(folder: Path, *, seed: int) -> str:
    """Make the records, print the command that de-identifies them, run it, sum up; the verdict."""
    from reidrisk.demo.prescriptions import write_case

    click.echo("== Job 2, tables: may a hospital's prescription records be released?\n")
    write_case(folder, seed=seed)
    words = _command(folder, seed)
    click.echo(
        "Invented records in the shape of those in Can J Hosp Pharm 62(4):307. The key is no secret, so\n"
        "that this can be repeated; a real one is made by: reidrisk table key FILE\n\n"
        f"The same by hand:\n  reidrisk table deidentify {shlex.join(words)}\n"
    )
    _run(words)
    result = json.loads((folder / MADE["--json"]).read_text(encoding="utf-8"))
    click.echo(f"\n{_story(result)}")
    return _verdict(result)


def _command(folder: Path, seed: int) -> list[str]:
    from reidrisk.demo.prescriptions import CONFIG, KEY, RECORDS

    read = [str(folder / RECORDS), "--config", str(folder / CONFIG.name), "--key", str(folder / KEY)]
    made = [word for option, name in MADE.items() for word in (option, str(folder / name))]
    return [*read, *made, "--seed", str(seed)]


def _run(words: list[str]) -> None:
    """The command itself, as if it had been typed; its exit code says no more than its result."""
    from reidrisk.cli.table_deidentify import deidentify

    with suppress(SystemExit):
        deidentify.main(words, prog_name="reidrisk table deidentify", standalone_mode=False)


def _story(result: dict[str, Any]) -> str:
    """The way from the request to the release, a line for each step."""
    requested, rungs = result["named_solutions"][0], result["threshold_ladder"]
    first, limit = rungs[0]["cell_size"], f"{100 * result['settings']['max_suppression']:.0f} %"
    lines = [
        f"As requested: {100 * requested['shares'][str(first)]:.0f} % of {result['before']['records']:,} "
        f"visits are above a risk of 1/{first}."
    ]
    for rung in rungs:
        share = rung["suppressed_share"]
        verb = "lose" if rung["outcome"] == "solution" else "would lose"
        needed = "" if share is None else f"; {100 * share:.1f} % of visits {verb} a value, {limit} may"
        lines.append(f"At 1/{rung['cell_size']}: {rung['outcome']}{needed}.")
    return "\n".join(lines)


def _verdict(result: dict[str, Any]) -> str:
    if not result["acceptable"]:
        return "no solution"
    conditions = ", on conditions" if result["conditions"] else ""
    return f"acceptable at 1/{result['threshold']['cell_size']}{conditions}"
