"""`reidrisk table attack` and `utility`: test a released table against the original."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import (
    INPUT,
    INTRUDERS,
    LIMITS,
    METHOD,
    OUTPUT,
    SENSITIVE,
    UTILITY,
    Command,
    option,
    section,
)
from reidrisk.cli.options import HTML, JSON, QUIET, SEED, settings_option
from reidrisk.cli.table_options import GENERALIZED, QUASI, UTILITY_OPTIONS, hierarchies, utility_settings

if TYPE_CHECKING:
    from reidrisk.core.threshold import Threshold
    from reidrisk.tables.attack.plan import AttackPlan


@click.command(cls=Command)
@click.argument("released")
@section(
    INPUT,
    option(
        "--against",
        required=True,
        metavar="TABLE",
        help="The original table, or a table of people with their names.",
    ),
    option("--control", metavar="TABLE", help="Table of similar people who are not in the release."),
    option(
        "--id",
        "id_",
        metavar="COLUMN",
        show_default="the order of rows",
        help="Column that identifies the person in both tables. Used only to check the guesses.",
    ),
    option(
        "--unit",
        metavar="COLUMN",
        show_default="each row is a person",
        help="Column that identifies the person of each row of --against.",
    ),
    GENERALIZED,
)
@section(
    INTRUDERS,
    QUASI,
    option(
        "--known",
        metavar="COLUMNS",
        show_default="the quasi-identifiers",
        help="Columns from which the intruder infers sensitive values.",
    ),
    option(
        "--sets",
        metavar="A;B",
        show_default="halves of --quasi",
        help="Two sets of columns that the intruder links through the release.",
    ),
)
@section(
    LIMITS,
    option(
        "--cell-size",
        type=click.IntRange(min=1),
        metavar="N",
        help="Decide by the threshold 1/N. Without a threshold nothing is decided.",
    ),
    option(
        "--threshold",
        type=float,
        metavar="P",
        help="Decide by the largest success rate of an attack that you accept.",
    ),
)
@section(
    METHOD,
    option(
        "--guesses",
        type=click.IntRange(min=1),
        default=2000,
        show_default=True,
        metavar="N",
        help="Number of guesses per attack.",
    ),
    settings_option("Change together, level, tolerance, neighbours or confidence; see the guide."),
    SEED,
)
@section(
    SENSITIVE,
    option(
        "--sensitive",
        "--secret",
        "sensitive",
        metavar="COLUMNS",
        help="Sensitive columns that the intruder wants to infer, separated by commas.",
    ),
)
@section(OUTPUT, HTML, JSON, QUIET)
def attack(released: str, **given: Any) -> None:
    """Attack RELEASED as an intruder would, and count successes.

    The attacks answer the three questions of European guidance: singling out, linkability and inference. The
    result compares their success with the predicted risk. Generalized values match the values they cover:
    20-29, 531**, 2019-Q1, *. Exit code 3 if you give a threshold and an attack exceeds it.
    """
    read = (released, given["against"], given["control"], given["hierarchies"])
    output.check_targets(read, json=given["json"], html=given["html"])
    from reidrisk.tables.attack.run import attack_table

    result = attack_table(
        released,
        given["against"],
        _plan(given),
        control=given["control"],
        hierarchies=hierarchies(given["hierarchies"] or None),
        seed=given["seed"],
    )
    output.finish(result, given)


def _plan(given: dict[str, Any]) -> AttackPlan:
    from reidrisk.tables.attack.plan import AttackPlan

    def columns_of(option: str) -> tuple[str, ...] | None:
        return options.columns(given[option], option=f"--{option}") if given[option] is not None else None

    return AttackPlan(
        quasi=options.columns(given["quasi"], option="--quasi"),
        secret=columns_of("sensitive") or (),
        known=columns_of("known"),
        sets=_column_sets(given["sets"]),
        id=given["id_"],
        unit=given["unit"],
        guesses=given["guesses"],
        threshold=_threshold(given),
        **_attack_settings(options.pairs(given["changes"])),
    )


def _column_sets(text: str | None) -> Any:
    if text is None:
        return None
    return tuple(options.columns(part, option="--sets") for part in text.split(";"))


def _threshold(given: dict[str, Any]) -> Threshold | None:
    if given["threshold"] is None and given["cell_size"] is None:
        return None
    return options.threshold(given)


def _attack_settings(pairs: dict[str, str]) -> dict[str, Any]:
    from reidrisk.errors import InvalidSetting

    whole, known = ("together", "neighbours"), ("together", "level", "tolerance", "neighbours", "confidence")
    for name, text in pairs.items():
        if name not in known:
            raise InvalidSetting.among("A setting of an attack", name, known)
        if not options.real(text, option=f"--set {name}").is_integer() and name in whole:
            raise click.UsageError(f"--set {name} takes a whole number.")
    return {name: int(float(text)) if name in whole else float(text) for name, text in pairs.items()}


@click.command(cls=Command)
@click.argument("released")
@section(
    INPUT,
    option("--against", required=True, metavar="TABLE", help="The original table."),
    option(
        "--columns",
        metavar="COLUMNS",
        show_default="all columns in both tables",
        help="Columns to compare, separated by commas.",
    ),
    GENERALIZED,
    option("--config", metavar="FILE", help="YAML file with all of these settings."),
)
@section(
    METHOD,
    option(
        "--interaction",
        multiple=True,
        metavar="A*B",
        help="Interaction of two columns in the propensity model; may be repeated.",
    ),
    settings_option("Change rows, seconds, folds or level; see the guide."),
    SEED,
)
@section(UTILITY, *UTILITY_OPTIONS)
@section(
    OUTPUT,
    option(
        "--show-groups",
        is_flag=True,
        help="Name the groups of a query that differ most, if they are large enough.",
    ),
    option(
        "--cell-size",
        type=click.IntRange(min=1),
        metavar="N",
        show_default="5",
        help="Groups of fewer than N are never named.",
    ),
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
    )
    output.finish(result, given)


def _own_settings(given: dict[str, Any]) -> dict[str, Any]:
    settings = _utility_changes(options.pairs(given["changes"]))
    if given["columns"] is not None:
        settings["columns"] = options.columns(given["columns"], option="--columns")
    if given["interaction"]:
        settings["interactions"] = tuple(_pair(text) for text in given["interaction"])
    if given["cell_size"] is not None:
        settings["cell_size"] = given["cell_size"]
    if given["show_groups"]:
        settings["show_groups"] = True
    return settings


def _pair(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split("*"))
    if len(parts) != 2 or not all(parts):
        raise click.UsageError("--interaction takes two columns, such as age*sex.")
    return parts


def _utility_changes(pairs: dict[str, str]) -> dict[str, Any]:
    from reidrisk.errors import InvalidSetting

    known = {"rows": int, "seconds": float, "folds": int, "level": float}
    for name, text in pairs.items():
        if name not in known:
            raise InvalidSetting.among("A setting of utility", name, known)
        if not options.real(text, option=f"--set {name}").is_integer() and known[name] is int:
            raise click.UsageError(f"--set {name} takes a whole number.")
    return {name: known[name](float(text)) for name, text in pairs.items()}
