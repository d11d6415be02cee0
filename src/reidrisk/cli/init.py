"""`reidrisk init`: draft a release file for existing data files."""

from __future__ import annotations

import shlex

import click

from reidrisk.cli import output
from reidrisk.cli.help import OUTPUT, Command, option, section


@click.command(name="init", cls=Command)
@click.argument("files", nargs=-1)
@section(
    OUTPUT,
    option(
        "--out",
        metavar="FILE",
        show_default="standard output",
        help="Write the release file here; a file that you edited is not replaced.",
    ),
    option("--schema", is_flag=True, help="Print the JSON Schema of release files, for your editor."),
)
def command(files: tuple[str, ...], *, out: str | None, schema: bool) -> None:
    """Write a commented release file for FILES.

    FILES are annotations, tables or population counts, for example: reidrisk init gold/ tool/ records.csv
    --out release.yaml. The release file suggests what each file is, the roles of columns, and how they may be
    generalized. It can be assessed as it is, but a table is not acceptable before you have read the roles and
    written confirmed: true. It contains column names, but no values and no text from your data.
    """
    if schema:
        import json

        from reidrisk.assess.form import json_schema

        click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
        return
    if not files:
        raise click.UsageError("Name the files that you want to release.")
    from reidrisk.assess.draft import draft_release

    if out is None:
        click.echo(draft_release(files), nl=False)
        return
    output.check_targets(files, json=None, html=None, others={"--out": out})
    output.check_draft(out, option="--out", suffixes=(".yaml", ".yml"))
    from pathlib import Path

    from reidrisk.core.files import write_text

    write_text(out, draft_release(files, folder=Path(out).parent))
    output.commit_files()
    click.echo(
        f"Release file: {out}\nRead every line and correct it. Then run: reidrisk assess {shlex.quote(out)}"
    )
