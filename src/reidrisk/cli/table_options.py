"""Options that the table commands share: columns, sampling, sensitive columns, events and utility."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options
from reidrisk.cli.help import option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reidrisk.stats.disclosure.limits import SensitiveLimits
    from reidrisk.tables.events import EventKnowledge
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.sampling import Sampling

QUASI_HELP = "Quasi-identifiers: columns that an intruder may know, separated by commas."
QUASI = option("--quasi", required=True, metavar="COLUMNS", help=QUASI_HELP)
UNIT = option(
    "--unit",
    metavar="COLUMN",
    show_default="each row is a record",
    help="Column that identifies the person or visit of each row.",
)
REDUCE_HELP = "For a column that varies within a unit, which value to use: first, min, max or set."
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
SENSITIVE_LIMITS = ("l", "t", "beta", "delta")
SENSITIVE_FORMS = ("diversity", "c", "distance", "likeness")
SENSITIVE_OPTIONS = (
    option(
        "--l",
        type=float,
        metavar="N",
        help="l-diversity: every equivalence class has at least N values of a sensitive column.",
    ),
    option(
        "--t",
        type=float,
        metavar="D",
        help="t-closeness: the values in a class differ from those in the table by a distance of at most D.",
    ),
    option(
        "--beta",
        type=float,
        metavar="X",
        help="beta-likeness: in a class, no value is more than 1 + X times as frequent as in the table.",
    ),
    option(
        "--delta",
        type=float,
        metavar="X",
        help="delta-disclosure: the frequency of a value in a class is at most X doublings or halvings away "
        "from its frequency in the table.",
    ),
    option(
        "--diversity",
        type=click.Choice(["distinct", "entropy", "recursive"]),
        show_default="distinct",
        help="How --l counts values.",
    ),
    option(
        "--c",
        type=float,
        metavar="X",
        show_default="3",
        help="The c of recursive diversity, for --diversity.",
    ),
    option(
        "--distance",
        type=click.Choice(["auto", "equal", "ordered", "hierarchical"]),
        show_default="auto: ordered for numbers and dates, otherwise equal",
        help="How --t measures the distance between values.",
    ),
    option(
        "--likeness",
        type=click.Choice(["basic", "enhanced"]),
        show_default="basic",
        help="Which form of beta-likeness --beta uses.",
    ),
)
EVENT_OPTIONS = (
    option(
        "--events",
        metavar="COLUMNS",
        help="For tables with several rows per person: the columns that describe an event, separated by "
        "commas.",
    ),
    option(
        "--known",
        type=click.IntRange(0, 5),
        metavar="P",
        show_default="2",
        help="Number of events of a person that the intruder knows. Needs --events.",
    ),
    option(
        "--count-events",
        is_flag=True,
        help="The intruder also knows how often the same event happened. Needs --events.",
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
    settings = {
        name: given[name] for name in (*SENSITIVE_LIMITS, *SENSITIVE_FORMS) if given[name] is not None
    }
    if not settings and not given["sensitive"]:
        return None
    from reidrisk.stats.disclosure.limits import SensitiveLimits

    return SensitiveLimits(**settings)


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
