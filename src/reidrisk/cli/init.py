"""`reidrisk init`: draft a release file for existing data files."""

from __future__ import annotations

import click

from reidrisk.cli.help import Command


@click.command(name="init", cls=Command)
@click.argument("files", nargs=-1)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of release files, for your editor.")
def command(files: tuple[str, ...], *, schema: bool) -> None:
    """Write a commented release file for FILES.

    FILES are annotations, tables or population counts. The release file goes to standard output, for example:
    reidrisk init gold/ tool/ records.csv > release.yaml. It suggests what each file is; check every
    suggestion. It contains column names, but no values and no text from your data.
    """
    if schema:
        import json

        from reidrisk.assess.form import json_schema

        click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
        return
    if not files:
        raise click.UsageError("Name the files that you want to release.")
    from reidrisk.assess.draft import draft_release

    click.echo(draft_release(files), nl=False)
