"""The third part of `reidrisk demo`: what two sharing policies expose in an invented state."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

PEOPLE = "state.csv"
FIGURE = "figure-1"
COMPARED = {"--json": "result.json", "--html": "report.html"}
EXPLORED = {"--json": "explored.json", "--html": "explored.html"}
"""What the two commands write, by the option that names it."""
TARGET = 0.01


def targets(folder: Path) -> list[Path]:
    """Every file of this part, before any of it is written."""
    figure = [folder / FIGURE / name for name in ("people.csv", "released.csv")]
    return [folder / PEOPLE, *figure, *(folder / name for name in (*COMPARED.values(), *EXPLORED.values()))]


def show_population(folder: Path, *, seed: int) -> str:
    """Make the state, print the commands that measure it, run them, sum up; what was found."""
    from reidrisk.demo.population import write_figure_one, write_population

    click.echo("== Job 3, population: what does a sharing policy expose?\n")
    write_population(folder / PEOPLE, seed=seed)
    write_figure_one(folder / FIGURE)
    compare = _words(folder, COMPARED, "--policy", "limited", "--policy", "safe", "--by", "county")
    explore = _words(folder, EXPLORED, "--target", str(TARGET))
    click.echo(
        "An invented state of twelve counties. The same by hand:\n"
        f"  reidrisk population compare {shlex.join(compare)}\n"
        f"  reidrisk population explore {shlex.join(explore)}\n"
    )
    _run("compare", compare)
    _run("explore", [*explore, "--quiet"])
    compared, explored = (_read(folder / names["--json"]) for names in (COMPARED, EXPLORED))
    click.echo(f"\n{_story(compared, explored)}")
    click.echo(f"Page: {folder / EXPLORED['--html']}")
    return _found(compared)


def _words(folder: Path, made: dict[str, str], *options: str) -> list[str]:
    files = [word for option, name in made.items() for word in (option, str(folder / name))]
    return [str(folder / PEOPLE), *options, *files]


def _run(verb: str, words: list[str]) -> None:
    """The command itself, as if it had been typed."""
    from reidrisk.cli.population import command

    with suppress(SystemExit):
        command.main([verb, *words], prog_name="reidrisk population", standalone_mode=False)


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _story(compared: dict[str, Any], explored: dict[str, Any]) -> str:
    """What the figures say, a line for each."""
    limited, safe = compared["risks"]
    worst = max(limited["by_area"], key=lambda row: row["total_risk"]["share"])
    under = [policy for policy in explored["policies"] if policy["under_target"]]
    most = max(under, key=lambda policy: (policy["detail"], -policy["risk"]))
    return "\n".join(
        [
            f"Unique: {_cent(limited['g_distinct']['1'])} under the {limited['policy']['name']}, "
            f"{_cent(safe['g_distinct']['1'])} under {safe['policy']['name']}.",
            f"One rule, different places: in {worst['area']} county, with {worst['people']:,} people, "
            f"{_cent(worst['total_risk']['share'])} would be re-identified under the former.",
            f"With a total risk of at most {_cent(explored['target'])} one could share {most['name']} "
            f"({_cent(most['risk'])}).",
        ]
    )


def _cent(share: float) -> str:
    from reidrisk.report.numbers import brief_percent

    return brief_percent(share)


def _found(compared: dict[str, Any]) -> str:
    limited, safe = (risk["policy"]["name"] for risk in compared["risks"])
    return f"{limited} exposes {compared['trust_differential']['total']:,.0f} times as many people as {safe}"
