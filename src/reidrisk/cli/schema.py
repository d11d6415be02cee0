"""`reidrisk schema`: the JSON Schema of a kind of result, for programs that read results."""

from __future__ import annotations

import json

import click

from reidrisk.cli.help import Command


@click.command(name="schema", cls=Command)
@click.argument("kind", required=False)
def command(kind: str | None) -> None:
    """Print the JSON Schema of the results of KIND.

    KIND is the `kind` of a result that --json wrote, such as table_risk. Without it, all kinds are listed.
    """
    from reidrisk.report.schemas import result_schema, schema_kinds

    if kind is None:
        click.echo("\n".join(schema_kinds()))
        return
    click.echo(json.dumps(result_schema(kind), indent=2, ensure_ascii=False))
