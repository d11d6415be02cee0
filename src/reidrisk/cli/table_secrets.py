"""Options that limit what the classes of a table may tell of its secret columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from reidrisk.stats.disclosure.limits import SensitiveLimits

Command = TypeVar("Command", bound=Callable[..., Any])
LIMITS = ("l", "t", "beta", "delta")
FORMS = ("diversity", "c", "distance", "likeness")


def secret_options(command: Command) -> Command:
    """Add the limits and their forms."""
    for option in reversed(
        (
            click.option(
                "--l", type=float, metavar="N", help="At least N values of a secret in every class."
            ),
            click.option("--t", type=float, metavar="D", help="At most the distance D from the whole table."),
            click.option("--beta", type=float, metavar="X", help="At most the relative gain X of any value."),
            click.option(
                "--delta", type=float, metavar="X", help="At most X doublings or halvings of a value."
            ),
            click.option(
                "--diversity",
                type=click.Choice(["distinct", "entropy", "recursive"]),
                help="How --l counts values.  [default: distinct]",
            ),
            click.option(
                "--c", type=float, metavar="X", help="With recursive diversity: its c.  [default: 3]"
            ),
            click.option(
                "--distance",
                type=click.Choice(["auto", "equal", "ordered", "hierarchical"]),
                help="How far values are apart for --t.  [default: numbers and dates by order, others equal]",
            ),
            click.option(
                "--likeness",
                type=click.Choice(["basic", "enhanced"]),
                help="The form of --beta.  [default: basic]",
            ),
        )
    ):
        command = option(command)
    return command


def secret_limits(given: dict[str, Any]) -> SensitiveLimits | None:
    """The limits that are given; None if there are none."""
    said = {name: given[name] for name in (*LIMITS, *FORMS) if given[name] is not None}
    if not said:
        return None
    from reidrisk.stats.disclosure.limits import SensitiveLimits

    return SensitiveLimits(**said)
