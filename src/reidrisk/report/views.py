"""Draw a result's dictionary for a terminal, a notebook or a figure."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

from reidrisk.errors import BadData, InvalidSetting

How = Literal["terminal", "html", "figure"]

ROOMS = {"terminal": "terminal", "html": "html", "figure": "charts"}
KINDS = (
    "text_risk",
    "text_comparison",
    "text_sample",
    "text_agreement",
    "text_deidentification",
    "text_attack",
    "text_training",
    "table_risk",
    "table_attack",
    "table_utility",
    "table_suggestion",
    "table_hipaa",
    "table_deidentified",
    "table_transformed",
    "table_hierarchies",
    "document_risk",
    "population_risk",
    "population_comparison",
    "population_explorer",
    "document_detection",
    "document_review",
    "document_anonymization",
    "document_proof",
    "assessment",
    "context_score",
)
"""Each has a file of its name in every room."""


def draw(result: dict[str, Any], how: How) -> Any:
    """Text for a terminal, HTML for a notebook, or a matplotlib figure."""
    if how not in ROOMS:
        raise InvalidSetting.among("A view", str(how), ROOMS)
    view = room_of(result, ROOMS[how])
    if how == "html":
        from reidrisk.report.page import fragment

        return fragment(result)
    return getattr(view, how)(result)


def room_of(result: dict[str, Any], room: str) -> Any:
    """The module of a room that knows this kind of result."""
    kind = result.get("kind")
    if kind not in KINDS:
        raise BadData(
            f"A result of kind {kind!r} cannot be shown.",
            hint=f"This version shows: {', '.join(KINDS)}. Was the file written by another version?",
        )
    return import_module(f"reidrisk.report.{room}.{kind}")
