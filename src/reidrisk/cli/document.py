"""`reidrisk document`: find identifiers in clinical documents, review, redact or replace, prove, measure."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

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
        return [name for name, (home, _) in COMMANDS.items() if find_spec(f"reidrisk.cli.{home}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one command that is asked for."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"reidrisk.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        names = self.list_commands(ctx)
        if names:
            with formatter.section("Commands"):
                formatter.write_dl([(name, COMMANDS[name][1]) for name in names])


@click.command(name="document", cls=LazyGroup)
def command() -> None:
    """Job 4: clinical documents: find, review, redact or replace, prove, and measure what remains."""
