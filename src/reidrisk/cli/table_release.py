"""`reidrisk table attack` and `utility`: test a released table against the original."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import (
    INPUT,
    INTRUDERS,
    LIMITS,
    METHOD,
    OUTPUT,
    READ,
    RESOURCES,
    SENSITIVE,
    UTILITY,
    Command,
    option,
    section,
)
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import HTML, JSON, QUIET, SEED
from reidrisk.cli.settings import set_option, set_values, setting_option, setting_options, setting_values
from reidrisk.cli.table_options import (
    MACHINE,
    QUASI,
    READING,
    hierarchies,
    limits,
    reading,
    reading_values,
    utility_settings,
)
from reidrisk.tables import settings as declared
from reidrisk.tables.attack import settings as attacking
from reidrisk.tables.utility import settings as comparing

if TYPE_CHECKING:
    from reidrisk.tables.attack.plan import AttackPlan


@click.command(cls=Command)
@click.argument("released", type=InputPath("table"))
@section(
    INPUT,
    setting_option(attacking.AGAINST, required=True),
    *setting_options((attacking.CONTROL, attacking.ID, attacking.UNIT, declared.EXPLAINED)),
)
@section(INTRUDERS, QUASI, *setting_options((attacking.KNOWN, attacking.SETS)))
@section(LIMITS, *setting_options(attacking.LIMITS))
@section(
    METHOD,
    setting_option(attacking.GUESSES, filled=True),
    set_option(attacking.NUMBER_SETTINGS),
    SEED,
)
@section(SENSITIVE, setting_option(attacking.SENSITIVE))
@section(READ, *READING)
@section(RESOURCES, *MACHINE)
@section(OUTPUT, HTML, JSON, QUIET)
def attack(released: str, **given: Any) -> None:
    """Attack RELEASED as an intruder would, and count successes.

    The attacks answer the three questions of European guidance: singling out, linkability and inference. The
    result compares their success with the predicted risk. Generalized values match the values they cover:
    20-29, 531**, 2019-Q1, *. Exit code 3 if you give a threshold and an attack exceeds it.
    """
    read = (released, given["against"], given["control"], given["hierarchies"])
    output.check_targets(read, json=given["json"], html=given["html"])
    allowed = limits(given)
    from reidrisk.tables.attack.run import attack_table

    result = attack_table(
        released,
        given["against"],
        _plan(given),
        control=given["control"],
        hierarchies=hierarchies(given["hierarchies"] or None),
        seed=given["seed"],
        reading=reading(given),
        limits=allowed,
    )
    output.finish(result, given)


def _plan(given: dict[str, Any]) -> AttackPlan:
    from reidrisk.tables.attack.plan import AttackPlan

    columns = setting_values(given, (declared.QUASI, attacking.SENSITIVE, attacking.KNOWN))
    return AttackPlan(
        **columns,
        sets=_column_sets(given["sets"]),
        id=given["id"],
        unit=given["unit"],
        guesses=given["guesses"],
        threshold=options.threshold(given),
        **set_values(given, attacking.NUMBER_SETTINGS, owner="an attack"),
    )


def _column_sets(text: str | None) -> Any:
    if text is None:
        return None
    return tuple(options.columns(part, option="--sets") for part in text.split(";"))


@click.command(cls=Command)
@click.argument("released", type=InputPath("table"))
@section(
    INPUT,
    setting_option(replace(attacking.AGAINST, help="The original table."), required=True),
    *setting_options((comparing.COMPARED, declared.EXPLAINED)),
    option("--config", type=InputPath("file"), metavar="FILE", help="YAML file with all of these settings."),
)
@section(METHOD, setting_option(comparing.INTERACTIONS), set_option(comparing.NUMBER_SETTINGS), SEED)
@section(UTILITY, *setting_options(comparing.QUERY_SETTINGS))
@section(READ, *READING)
@section(RESOURCES, *MACHINE)
@section(
    OUTPUT,
    *setting_options((comparing.SHOW_GROUPS, comparing.SMALLEST_GROUP)),
    HTML,
    JSON,
    QUIET,
)
def utility(released: str, **given: Any) -> None:
    """Measure how useful RELEASED still is.

    RELEASED is compared with the original table: distributions, associations and a propensity score, then
    your own queries and models, on both tables. The result shows differences, not the answers of your
    queries. Generalized values are compared at the released level: 20-29, 531**, 2019-Q1, *. Exit code 3 if
    you give a limit and it is not met.
    """
    read = (released, given["against"], given["hierarchies"], given["config"])
    output.check_targets(read, json=given["json"], html=given["html"])
    allowed = limits(given)
    from reidrisk.core.reading import TableReading
    from reidrisk.tables.utility.plan import UtilityConfig, UtilityPlan, read_utility_config
    from reidrisk.tables.utility.run import table_utility

    config = read_utility_config(given["config"]) if given["config"] else UtilityConfig()
    plan = UtilityPlan(**{**config.values, **utility_settings(given), **_own_settings(given)})
    result = table_utility(
        released,
        given["against"],
        plan,
        hierarchies={**config.hierarchies, **(hierarchies(given["hierarchies"] or None) or {})},
        seed=given["seed"],
        reading=TableReading.of({**config.reading, **reading_values(given)}),
        limits=allowed,
    )
    output.finish(result, given)


def _own_settings(given: dict[str, Any]) -> dict[str, Any]:
    settings = set_values(given, comparing.NUMBER_SETTINGS, owner="utility")
    plain = (comparing.COMPARED, comparing.SMALLEST_GROUP, comparing.SHOW_GROUPS)
    settings |= setting_values(given, plain)
    if given["interactions"]:
        settings["interactions"] = tuple(_pair(text) for text in given["interactions"])
    return settings


def _pair(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split("*"))
    if len(parts) != 2 or not all(parts):
        raise click.UsageError("--interaction takes two columns, such as age*sex.")
    return parts
