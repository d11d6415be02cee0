"""`reidrisk table utility`: what a release is still good for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from reidrisk.cli import output

Command = TypeVar("Command", bound=Callable[..., Any])


def utility_options(command: Command) -> Command:
    """What users want to know; for every command that measures it."""
    for option in (
        click.option(
            "--limit",
            "limits",
            multiple=True,
            metavar="NAME=VALUE",
            help="Largest loss: query, query_largest, model, propensity, distribution, association.",
        ),
        click.option(
            "--model", "models", multiple=True, metavar="TEXT", help="A regression, as 'cost ~ age, sex'."
        ),
        click.option(
            "--query", "queries", multiple=True, metavar="NAME=SQL", help="A SELECT on the table `data`."
        ),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("released")
@click.option("--against", required=True, metavar="TABLE", help="The original.")
@utility_options
@click.option("--columns", metavar="COLUMNS", help="Columns to compare.  [all that both tables have]")
@click.option("--interaction", multiple=True, metavar="A*B", help="Product in the propensity model.")
@click.option("--hierarchies", metavar="DIR|FILE", help="What generalized values stand for.")
@click.option("--config", metavar="FILE", help="All of this from a YAML file.")
@click.option("--show-groups", is_flag=True, help="Name large groups of queries that differ most.")
@click.option("--cell-size", type=click.IntRange(min=1), help="Groups of fewer are never named.  [5]")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="rows, seconds, folds, level; see the guide.",
)
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@output.options
def utility(released: str, **given: Any) -> None:
    """Measure what RELEASED is still good for, beside the original.

    Distributions, associations and a propensity score, then your own queries and models on both tables.
    Figures are shown, not answers: no group, no record. Generalized values are compared at the released
    level: 20-29, 531**, 2019-Q1, *. Exit code 3 if a limit was given and is not met.
    """
    read = (released, given["against"], given["hierarchies"], given["config"])
    output.check_targets(read, json=given["json"], html=given["html"])
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies
    from reidrisk.tables.utility.plan import UtilityConfig, UtilityPlan, read_utility_config
    from reidrisk.tables.utility.run import table_utility

    config = read_utility_config(given["config"]) if given["config"] else UtilityConfig()
    hierarchies = read_hierarchies(given["hierarchies"]) if given["hierarchies"] else {}
    plan = UtilityPlan(**{**config.values, **typed_plan(given), **_own(given)})
    result = table_utility(
        released,
        given["against"],
        plan,
        hierarchies={**config.hierarchies, **hierarchies},
        seed=given["seed"],
    )
    output.finish(result, given)


def typed_plan(given: dict[str, Any]) -> dict[str, Any]:
    """Queries, models and limits that were typed."""
    found: dict[str, Any] = {}
    if given["queries"]:
        found["queries"] = output.pairs(given["queries"], option="--query")
        if len(found["queries"]) < len(given["queries"]):
            raise click.UsageError("--query: two queries have the same name.")
    if given["models"]:
        found["models"] = given["models"]
    if given["limits"]:
        limits = output.pairs(given["limits"], option="--limit")
        found["limits"] = {name: output.real(text, option="--limit") for name, text in limits.items()}
    return found


def _own(given: dict[str, Any]) -> dict[str, Any]:
    found = _changed(output.pairs(given["changes"]))
    if given["columns"] is not None:
        found["columns"] = output.columns(given["columns"], option="--columns")
    if given["interaction"]:
        found["interactions"] = tuple(_pair(text) for text in given["interaction"])
    if given["cell_size"] is not None:
        found["cell_size"] = given["cell_size"]
    if given["show_groups"]:
        found["show_groups"] = True
    return found


def _pair(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split("*"))
    if len(parts) != 2 or not all(parts):
        raise click.UsageError("--interaction takes two columns, as age*sex.")
    return parts


def _changed(pairs: dict[str, str]) -> dict[str, Any]:
    from reidrisk.errors import InvalidSetting

    known = {"rows": int, "seconds": float, "folds": int, "level": float}
    for name, text in pairs.items():
        if name not in known:
            raise InvalidSetting.among("A setting of utility", name, known)
        if not output.real(text, option=f"--set {name}").is_integer() and known[name] is int:
            raise click.UsageError(f"--set {name} takes a whole number.")
    return {name: known[name](float(text)) for name, text in pairs.items()}
