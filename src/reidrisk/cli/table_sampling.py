"""Options that say how a table was drawn from its population."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from reidrisk.tables.sampling import Sampling

Command = TypeVar("Command", bound=Callable[..., Any])


def sampling_options(command: Command) -> Command:
    """Add what is known of a population that is not at hand."""
    for option in (
        click.option(
            "--weights", metavar="COLUMN", help="Survey weights: how many people each record stands for."
        ),
        click.option(
            "--population-size",
            type=int,
            metavar="N",
            help="How many people TABLE was drawn from, if they are not at hand.",
        ),
        click.option(
            "--sampling-fraction",
            type=float,
            metavar="SHARE",
            help="The share of the population that is in TABLE, such as 0.01.",
        ),
    ):
        command = option(command)
    return command


def sampling(given: dict[str, Any]) -> Sampling | None:
    """How the table was drawn, if anything is said of it."""
    from reidrisk.tables.sampling import Sampling

    return Sampling.of(given)
