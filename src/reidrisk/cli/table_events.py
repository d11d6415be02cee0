"""Options that say what an adversary knows of the events of a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reidrisk.cli import output

if TYPE_CHECKING:
    from reidrisk.tables.events import EventKnowledge

Command = TypeVar("Command", bound=Callable[..., Any])


def event_options(command: Command) -> Command:
    """Add them."""
    for option in reversed(
        (
            click.option(
                "--events",
                metavar="COLUMNS",
                help="In a table of events, many a person: columns that make an event, with commas between.",
            ),
            click.option(
                "--known",
                type=click.IntRange(0, 5),
                metavar="P",
                help="With --events: how many events of a person the adversary knows.  [default: 2]",
            ),
            click.option(
                "--count-events",
                is_flag=True,
                help="With --events: the adversary also knows how often the same event happened.",
            ),
        )
    ):
        command = option(command)
    return command


def known_events(given: dict[str, Any]) -> EventKnowledge | None:
    """What the adversary knows of events; None if nothing is said of them."""
    from dataclasses import replace

    from reidrisk.tables.events import event_knowledge

    columns = output.columns(given["events"], option="--events") if given["events"] else None
    asked = event_knowledge(columns, given["known"], counted=given["count_events"])
    return None if asked is None else replace(asked, seed=given["seed"])
