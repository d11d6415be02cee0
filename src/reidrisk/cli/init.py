"""`reidrisk init`: a release file for files that exist."""

from __future__ import annotations

import click


@click.command(name="init")
@click.argument("files", nargs=-1)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a release file, for an editor.")
def command(files: tuple[str, ...], *, schema: bool) -> None:
    """Write a commented release file for FILES, which are annotations, tables or counts of people.

    It goes to standard output: reidrisk init gold/ tool/ records.csv > release.yaml. What each file seems to
    be is a suggestion; a person decides. Only names of columns are written, nothing of a cell or a text.
    """
    if schema:
        import json

        from reidrisk.assess.form import json_schema

        click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
        return
    if not files:
        raise click.UsageError("Name the files that are to be released.")
    from reidrisk.assess.draft import draft_release

    click.echo(draft_release(files), nl=False)
