"""What the options say that table commands share: sampling, sensitive columns, events and utility."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options
from reidrisk.cli.color import color_error
from reidrisk.cli.help import option
from reidrisk.cli.settings import setting_option, setting_options, setting_values
from reidrisk.core.shared_settings import LIMIT_SETTINGS
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables import settings as declared
from reidrisk.tables.utility.settings import QUERY_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reidrisk.core.limits import Limits
    from reidrisk.core.reading import TableReading
    from reidrisk.stats.disclosure.limits import SensitiveLimits
    from reidrisk.tables.events import EventKnowledge
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.sampling import Sampling

QUASI = setting_option(
    replace(
        declared.QUASI,
        help="Quasi-identifiers, as `reidrisk table suggest` proposes them: columns that an intruder may "
        "know.",
    ),
    required=True,
)
READING = setting_options(declared.READING_SETTINGS)
MACHINE = setting_options(LIMIT_SETTINGS)
ESCAPES = option(
    "--escape-formulas",
    is_flag=True,
    help="Put an apostrophe before cells of a CSV or TSV file that a spreadsheet would run as formulas.",
)


@contextmanager
def formulas(given: Mapping[str, Any]) -> Iterator[None]:
    """Escape formulas in the table that is written, or warn of them, even with --quiet."""
    from reidrisk.engine.opening import watching_formulas

    with watching_formulas(escapes=bool(given.get("escape_formulas"))) as found:
        yield
    warning = found.warning()
    if warning is not None:
        click.echo(color_error(f"Warning: {warning}"), err=True)


def sampling(given: dict[str, Any]) -> Sampling | None:
    """How the table was sampled, or None if no option describes it."""
    from reidrisk.tables.sampling import Sampling

    ordinal = options.columns(given["ordinal"], option="--ordinal") if given["ordinal"] else ()
    return Sampling.of({**given, "ordinal": ordinal})


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


def reading_values(given: dict[str, Any]) -> dict[str, Any]:
    """What the options say about how the table is read, in the form of a configuration file."""
    found = {one.name: given[one.name] for one in declared.READING_SETTINGS if given[one.name]}
    if "date_format" in found:
        found["date_format"] = _date_format(found["date_format"])
    if "null" in found:
        parts = (part.strip() for text in found["null"] for part in text.split(","))
        found["null"] = [part for part in parts if part]
    return found


def _date_format(texts: Sequence[str]) -> str | dict[str, str]:
    """One format for all dates, or formats by column."""
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    if any("=" not in text for text in texts):
        raise click.UsageError(
            "--date-format takes one format for all dates, or COLUMN=FORMAT for each column."
        )
    return options.pairs(tuple(texts), option="--date-format")


def reading(given: dict[str, Any]) -> TableReading | None:
    """How the table is read, or None if no option says it."""
    from reidrisk.core.reading import TableReading

    return TableReading.of(reading_values(given))


def limits(given: dict[str, Any]) -> Limits | None:
    """How much of the machine may be used, or None if no option says it; call it before packages load."""
    from reidrisk.core.limits import Limits, tell_packages

    tell_packages(given["cores"])
    return Limits.of(given)


def utility_settings(given: dict[str, Any]) -> dict[str, Any]:
    """The queries, models and limits of the command line, as settings of a utility plan."""
    settings = setting_values(given, QUERY_SETTINGS)
    if len(settings.get("queries", ())) < len(given["queries"]):
        raise click.UsageError("--query: two queries have the same name.")
    return settings


def column_actions(texts: tuple[str, ...], *, option: str, default: str) -> dict[str, Any]:
    """Columns with an action, as COLUMN=ACTION; several may be separated by commas.

    A column without an action gets the default.
    """
    parts = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    named = tuple(part if "=" in part else f"{part}={default}" for part in parts)
    return options.pairs(named, option=option)


def hierarchies(path: str | None) -> Mapping[str, Hierarchy] | None:
    """The hierarchies in a folder or file, or None if there is no path."""
    if path is None:
        return None
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies

    return read_hierarchies(path)
