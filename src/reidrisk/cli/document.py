"""`reidrisk document`: find identifiers in clinical documents, review, redact or replace, prove, measure."""

from __future__ import annotations

import click

from reidrisk.cli.lazy import LazyGroup

COMMANDS = {
    "detect": ("document_detect", "Find what identifies participants in DOCUMENTS."),
    "review": ("document_review", "Take in what people decided on the findings in FILES."),
    "anonymize": ("document_anonymize", "Redact or replace what identifies participants in DOCUMENTS."),
    "verify": ("document_verify", "Search FILE for values that must not be in it."),
    "risk": ("document_risk", "Measure the risk that the documents of a study leave."),
}


@click.command(name="document", cls=LazyGroup, lazy=COMMANDS)
def command() -> None:
    """Job 4: clinical documents: find, review, redact or replace, prove, and measure what remains."""
