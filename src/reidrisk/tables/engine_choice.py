"""What only the embedded engine can do is refused before Spark starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reidrisk.core.schema import Schema
from reidrisk.engine.opening import master_now
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.tables.deidentify.options import DeidentifyOptions


def refuse_on_spark(asked: Mapping[str, Any]) -> None:
    """Refuse the first of these that is asked for, if Spark does the work."""
    if master_now() is None:
        return
    for what, given in asked.items():
        if given:
            raise InvalidSetting(
                f"Spark cannot do this: {what}.",
                hint="Leave it out, or leave out --master (engine): the embedded engine can do it.",
            )


def refuse_release_on_spark(schema: Schema, options: DeidentifyOptions) -> None:
    """Refuse options of a release that need rows at hand."""
    refuse_on_spark(
        {
            "events of people (--events)": options.events,
            "a list of rare codes (--rare)": options.rare,
            "free text that is de-identified (--text)": "deidentify" in schema.text.values(),
            "transformations (steps)": options.steps,
            "derived variables": options.derived,
            "rules for columns that vary within a unit (--reduce)": schema.reduce,
            "limits on sensitive columns": options.sensitive_limits,
            "queries and models on the release (utility)": options.utility,
            "rows in the order of the source (--order keep)": options.order == "keep",
            f"the method {options.method}": options.method != "global",
        }
    )
