"""Options that the table commands share: columns, sampling, sensitive columns, events and utility."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options
from reidrisk.cli.help import option
from reidrisk.cli.settings import setting_option, setting_values
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables import settings as declared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reidrisk.stats.disclosure.limits import SensitiveLimits
    from reidrisk.tables.events import EventKnowledge
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.sampling import Sampling

QUASI = setting_option(declared.QUASI, required=True)
GENERALIZED = option(
    "--hierarchies",
    metavar="DIR|FILE",
    help="Generalization hierarchies that explain the generalized values in RELEASED.",
)

SAMPLING = (
    option(
        "--sampling-fraction",
        type=float,
        metavar="SHARE",
        help="Share of the population that is in TABLE, such as 0.01.",
    ),
    option(
        "--population-size",
        type=int,
        metavar="N",
        help="Number of people in the population that TABLE was sampled from.",
    ),
    option(
        "--weights",
        metavar="COLUMN",
        help="Survey weights: the number of people that each record represents.",
    ),
)
UTILITY_OPTIONS = (
    option(
        "--query",
        "queries",
        multiple=True,
        metavar="NAME=SQL",
        help="SELECT statement on the table `data`, to compare its answers; may be repeated.",
    ),
    option(
        "--model",
        "models",
        multiple=True,
        metavar="TEXT",
        help="Regression to compare, such as 'cost ~ age, sex'; may be repeated.",
    ),
    option(
        "--limit",
        "limits",
        multiple=True,
        metavar="NAME=VALUE",
        help="Largest loss you accept for query, query_largest, model, propensity, distribution or "
        "association; may be repeated.",
    ),
)


def sampling(given: dict[str, Any]) -> Sampling | None:
    """How the table was sampled, or None if no option describes it."""
    from reidrisk.tables.sampling import Sampling

    return Sampling.of(given)


def sensitive_limits(given: dict[str, Any]) -> SensitiveLimits | None:
    """The limits on sensitive columns; without limits if only --sensitive is given, None if nothing is."""
    limits = setting_values(given, SENSITIVE_SETTINGS)
    if not limits and not given["sensitive"]:
        return None
    from reidrisk.stats.disclosure.limits import SensitiveLimits

    return SensitiveLimits(**limits)


def known_events(given: dict[str, Any]) -> EventKnowledge | None:
    """What the intruder knows about events, or None if no option describes it."""
    from dataclasses import replace

    from reidrisk.tables.events import event_knowledge

    columns = options.columns(given["events"], option="--events") if given["events"] else None
    known = event_knowledge(columns, given["known"], counted=given["count_events"])
    return None if known is None else replace(known, seed=given["seed"])


def utility_settings(given: dict[str, Any]) -> dict[str, Any]:
    """The queries, models and limits of the command line, as settings of a utility plan."""
    settings: dict[str, Any] = {}
    if given["queries"]:
        settings["queries"] = options.pairs(given["queries"], option="--query")
        if len(settings["queries"]) < len(given["queries"]):
            raise click.UsageError("--query: two queries have the same name.")
    if given["models"]:
        settings["models"] = given["models"]
    if given["limits"]:
        limits = options.pairs(given["limits"], option="--limit")
        settings["limits"] = {name: options.real(text, option="--limit") for name, text in limits.items()}
    return settings


def hierarchies(path: str | None) -> Mapping[str, Hierarchy] | None:
    """The hierarchies in a folder or file, or None if there is no path."""
    if path is None:
        return None
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies

    return read_hierarchies(path)
