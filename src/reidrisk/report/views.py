"""Draw a result's dictionary for a terminal, a notebook or a figure."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.report.kind import Kind
from reidrisk.report.plain_text import terminal_width

How = Literal["terminal", "html", "figure", "line"]
VIEWS = ("terminal", "html", "figure", "line")
KINDS = (
    "text_risk",
    "text_comparison",
    "text_what_if",
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
    "table_exploration",
    "table_classes",
    "relational_risk",
    "joint_risk",
    "relational_deidentified",
    "document_risk",
    "document_tables",
    "population_risk",
    "population_comparison",
    "population_explorer",
    "document_detection",
    "document_review",
    "document_anonymization",
    "document_proof",
    "relational_attack",
    "relational_release",
    "relational_proof",
    "relational_suggestion",
    "assessment",
    "context_score",
    "validation",
)
"""Each has a file of its name in `kinds`, which declares `KIND`."""


def draw(result: dict[str, Any], how: How, *, width: int | None = None) -> Any:
    """Text for a terminal of so many columns, HTML for a notebook, a matplotlib figure, or a single line."""
    if how not in VIEWS:
        raise InvalidSetting.among("A view", str(how), VIEWS)
    kind = kind_of(result)
    if how == "html":
        from reidrisk.report.page import fragment

        return fragment(result)
    if how == "figure":
        return kind.figure(result)
    if how == "line":
        return kind.line(result)
    with terminal_width(width):
        return kind.terminal(result)


def kind_of(result: dict[str, Any]) -> Kind:
    """The declaration of this kind of result; loaded when the first result of the kind is shown."""
    name = result.get("kind")
    if name not in KINDS:
        raise BadData(
            f"A result of kind {name!r} cannot be shown.",
            hint=f"This version shows: {', '.join(KINDS)}. Was the file written by another version?",
        )
    found = import_module(f"reidrisk.report.kinds.{name}").KIND
    assert isinstance(found, Kind)  # noqa: S101 - for the type checker
    return found
