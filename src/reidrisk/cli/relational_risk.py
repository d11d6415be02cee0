"""`reidrisk relational risk` and `attack`: the risk of people over linked tables, predicted and tried."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, INTRUDERS, LIMITS, METHOD, OUTPUT, Command, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import HTML, JSON, QUIET, SEED, THRESHOLD
from reidrisk.cli.settings import setting_option
from reidrisk.core.shared_settings import CELL_SIZE

KNOWN = option(
    "--known",
    type=click.IntRange(0, 5),
    metavar="N",
    show_default="that of the settings, or 2",
    help="Events of a person that the adversary knows, from all tables together.",
)


@click.command(cls=Command)
@click.argument("folder", type=InputPath("table"))
@section(
    INPUT,
    options.input_file(
        "--config", "Settings of the tables, as `relational suggest` drafts them.", required=True
    ),
    option(
        "--population",
        type=InputPath("table"),
        metavar="FILE",
        help="Table of the population, with the quasi-identifiers as columns. Adds the journalist risk of "
        "the classes.",
    ),
)
@section(INTRUDERS, KNOWN)
@section(LIMITS, setting_option(CELL_SIZE, filled=True), THRESHOLD)
@section(METHOD, SEED)
@section(OUTPUT, HTML, JSON, QUIET)
def risk(folder: str, **given: Any) -> None:
    """Measure the risk of people over all tables of FOLDER.

    The adversary knows the quasi-identifiers of a person and some events from any of the tables. The result
    shows which tables and columns drive the risk, and what would lower it. FOLDER has one file per table, or
    is a DuckDB file or a PostgreSQL URL.
    """
    output.check_targets((folder, given["config"]), json=given["json"], html=given["html"])
    from reidrisk.relational.config import read_relational
    from reidrisk.relational.risk import relational_risk

    result = relational_risk(
        folder,
        read_relational(given["config"]),
        known=given["known"],
        threshold=options.threshold(given),
        population=given["population"],
        seed=given["seed"],
    )
    output.finish(result, given)


@click.command(cls=Command)
@click.argument("released", type=InputPath("folder"))
@section(
    INPUT,
    option(
        "--against", type=InputPath("table"), required=True, metavar="FOLDER", help="The original tables."
    ),
    options.input_file("--config", "Settings with which the tables were released.", required=True),
    options.input_file("--key", "Key file of the release: it tells who was right.", required=True),
)
@section(
    INTRUDERS,
    KNOWN,
    option(
        "--targets",
        type=click.IntRange(1),
        default=1000,
        metavar="N",
        help="Number of people, drawn at random, whom the adversary looks for.",
    ),
)
@section(
    LIMITS,
    setting_option(
        replace(CELL_SIZE, help="Offsets may be guessed to the day for one person in so many."), filled=True
    ),
    THRESHOLD,
)
@section(METHOD, SEED)
@section(OUTPUT, HTML, JSON, QUIET)
def attack(released: str, **given: Any) -> None:
    """Attack the tables in RELEASED, and compare with the predicted risk.

    The adversary knows the quasi-identifiers and some true events of a person and looks for the record; then
    tries to recover how far dates were moved; and looks for ids and orders of rows in common. The originals
    and the key tell who was right. Exit code 3 if an attack succeeds more often than predicted.
    """
    read = (given["config"], given["key"])
    output.check_targets(read, json=given["json"], html=given["html"])
    from reidrisk.relational.run import attack_relational

    result = attack_relational(
        released,
        against=given["against"],
        config=given["config"],
        key=given["key"],
        known=given["known"],
        targets=given["targets"],
        threshold=options.threshold(given),
        seed=given["seed"],
    )
    output.finish(result, given)
