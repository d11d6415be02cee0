"""`reidrisk document`: find identifiers in clinical documents, review, redact or replace, prove, measure."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "detect": ("document_detect", "Find what identifies participants in DOCUMENTS."),
    "review": ("document_review", "Take in what people decided on the findings in FILES."),
    "anonymize": ("document_anonymize", "Redact or replace what identifies participants in DOCUMENTS."),
    "verify": ("document_verify", "Search FILE for values that must not be in it."),
    "risk": ("document_risk", "Measure the risk that the documents of a study leave."),
}


class LazyGroup(click.Group):
    """Knows its commands by name and one line of help; imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Every command, in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the one command that is asked for."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"reidrisk.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in COMMANDS.items()])


@click.command(name="document", cls=LazyGroup)
def command() -> None:
    """Job 4: clinical documents: find, review, redact or replace, prove, and measure what remains."""
