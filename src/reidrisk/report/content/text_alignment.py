"""Where a released text without offsets fits its original in more than one way."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Table
from reidrisk.text.alignment.result import MOST_WAYS

SHOWN = 20


def doubtful_places(result: dict[str, Any]) -> Table | None:
    """The doubtful places, or the first of them; None where offsets were given or nothing is in doubt."""
    found = result.get("alignment") or {}
    if not found.get("doubtful"):
        return None
    places = found["places"][:SHOWN]
    more = found["doubtful"] - len(places)
    return Table(
        "Doubtful places",
        (
            "The tool gave no offsets. Here its text fits the original in more than one way; "
            "only what is masked in all of them counts as masked. Look at these places, or "
            "count them as an error with --set ambiguous=error."
        ),
        (
            Column("document"),
            Column("from", is_number=True),
            Column("to", is_number=True),
            Column("ways", is_number=True),
        ),
        tuple((one["document"], count(one["start"]), count(one["end"]), _ways(one)) for one in places),
        f"{count(more)} more are not shown; the JSON has them, or the first of very many." if more else "",
    )


def _ways(place: dict[str, Any]) -> str:
    ways = count(place["ways"])
    return f"{ways} or more" if place["ways"] >= MOST_WAYS else ways
