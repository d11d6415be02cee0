"""`reidrisk table explore` and `classes`: other thresholds without a new search, and the riskiest classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, INTRUDERS, LIMITS, OUTPUT, READ, RESOURCES, Command, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import HTML, JSON, SILENT
from reidrisk.cli.settings import setting_option
from reidrisk.cli.table_options import MACHINE, QUASI, READING, hierarchies, limits, reading
from reidrisk.core.shared_settings import CELL_SIZE
from reidrisk.errors import InvalidSetting
from reidrisk.tables.deidentify.settings import MAX_SUPPRESSION
from reidrisk.tables.settings import HIERARCHIES, REDUCE, UNIT


@click.command(cls=Command)
@click.argument("profile", type=InputPath("file"))
@section(
    INPUT,
    option("--layout", metavar="NAME", help="Choice of variables, if the search had several."),
    option(
        "--level",
        "levels",
        multiple=True,
        metavar="COLUMN=N",
        help="Describe the combination with these level numbers instead of the best one. Give one for each "
        "variable; 0 is exact.",
    ),
)
@section(
    LIMITS,
    setting_option(replace(CELL_SIZE, default_text="that of the search")),
    setting_option(replace(MAX_SUPPRESSION, default_text="that of the search")),
)
@section(OUTPUT, HTML, JSON, SILENT)
def explore(profile: str, **given: Any) -> None:
    """Show the solutions at another threshold and limit, at once.

    PROFILE is a file of `table deidentify --profile`, or `parts/NAME/measured.json` in the folder of an
    assessment. It has counts only, so nothing is read from the table. This command decides nothing.
    """
    output.check_targets((profile,), json=given["json"], html=given["html"])
    from reidrisk.tables.deidentify.profile import read_lattice_profile

    result = read_lattice_profile(profile).explore(
        cell_size=given["cell_size"],
        max_suppression=given["max_suppression"],
        layout=given["layout"],
        levels=_levels(given["levels"]),
    )
    output.finish(result, given, refuses=False)


def _levels(texts: tuple[str, ...]) -> dict[str, int] | None:
    if not texts:
        return None
    pairs = options.pairs(texts, option="--level")
    if not all(number.isdecimal() for number in pairs.values()):
        raise InvalidSetting("--level takes the number of a level.", hint="Write for example age=2.")
    return {column: int(number) for column, number in pairs.items()}


@click.command(cls=Command)
@click.argument("table", type=InputPath("table"))
@section(
    INPUT,
    setting_option(UNIT),
    setting_option(REDUCE),
    setting_option(HIERARCHIES),
    option(
        "--level",
        "levels",
        multiple=True,
        metavar="COLUMN=N",
        help="Generalize a column to this level of its hierarchy first; 0 is exact.",
    ),
)
@section(INTRUDERS, QUASI)
@section(LIMITS, setting_option(CELL_SIZE, filled=True))
@section(READ, *READING)
@section(RESOURCES, *MACHINE)
@section(
    OUTPUT,
    option("--most", type=click.IntRange(1, 1000), default=20, show_default=True, help="Classes to list."),
    option(
        "--class", "number", type=click.IntRange(1), metavar="N", help="Explain only class N of the list."
    ),
    option(
        "--show-values",
        is_flag=True,
        help="Show the values of the listed classes. They describe real people: do not pass them on.",
    ),
    HTML,
    JSON,
    SILENT,
)
def classes(table: str, **given: Any) -> None:
    """List the riskiest equivalence classes of TABLE, and why each is small.

    For every class, the list shows how many records still match as an intruder learns one column after
    another, in the order of --quasi. It shows no values unless you ask for them. This command decides
    nothing.
    """
    output.check_targets((table, given["hierarchies"]), json=given["json"], html=given["html"])
    allowed = limits(given)
    from reidrisk.core.schema import Schema
    from reidrisk.tables.classes import count_classes

    schema = Schema(
        quasi=options.columns(given["quasi"], option="--quasi"),
        unit=given["unit"],
        reduce=options.pairs(given["reduce"], option="--reduce"),
    )
    rules = hierarchies(given["hierarchies"] or None)
    counted = count_classes(table, schema, rules, reading=reading(given), limits=allowed)
    result = counted.riskiest(
        levels=_levels(given["levels"]),
        cell_size=given["cell_size"],
        most=given["most"],
        only=given["number"],
        values=given["show_values"],
    )
    output.finish(result, given, refuses=False)
