"""Where a released text without offsets fits its original in more than one way."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say
from reidrisk.text.alignment.outcome import MOST_WAYS

SHOWN = 20


def doubtful_places(result: dict[str, Any]) -> Table | None:
    """The doubtful places, or the first of them; None where offsets were given or nothing is in doubt."""
    found = result.get("alignment") or {}
    if not found.get("doubtful"):
        return None
    places = found["places"][:SHOWN]
    more = found["doubtful"] - len(places)
    return Table(
        say("content.text_alignment.title"),
        say("content.text_alignment.meaning"),
        (
            Column(say("content.text_alignment.document")),
            Column(say("content.text_alignment.from"), is_number=True),
            Column(say("content.text_alignment.to"), is_number=True),
            Column(say("content.text_alignment.ways"), is_number=True),
        ),
        tuple((one["document"], count(one["start"]), count(one["end"]), _ways(one)) for one in places),
        say("content.text_alignment.more", number=count(more)) if more else "",
    )


def _ways(place: dict[str, Any]) -> str:
    ways = count(place["ways"])
    return say("content.text_alignment.at_least", ways=ways) if place["ways"] >= MOST_WAYS else ways
