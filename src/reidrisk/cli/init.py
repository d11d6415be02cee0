"""`reidrisk init`: draft a release file for existing data files."""

from __future__ import annotations

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, OUTPUT, Command, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.core.shell import shell_word


@click.command(name="init", cls=Command)
@click.argument("files", nargs=-1, type=InputPath("table"))
@section(
    INPUT,
    option(
        "--kind",
        "kinds",
        multiple=True,
        metavar="FILE=KIND",
        help="What a file is, if it is taken for something else: table, text, population, documents or "
        "relational.",
    ),
)
@section(
    OUTPUT,
    option(
        "--out",
        metavar="FILE",
        show_default="standard output",
        help="Write the release file here; a file that you edited is not replaced.",
    ),
    option(
        "--json", metavar="FILE", help="Write the draft as JSON, with reasons; use - for standard output."
    ),
    option("--schema", is_flag=True, help="Print the JSON Schema of release files, for your editor."),
)
def command(
    files: tuple[str, ...],
    *,
    kinds: tuple[str, ...],
    out: str | None,
    json: str | None,
    schema: bool,
) -> None:
    """Write a commented release file for FILES.

    FILES are annotations, tables, folders of linked tables or population counts, for example: reidrisk init
    gold/ tool/ records.csv --out release.yaml. The release file suggests what each file is, the roles of
    columns, how they may be generalized, and which parts hold the same people. It can be assessed as it is,
    but a table is not acceptable before you have read the roles and written confirmed: true. It contains
    column names, but no values and no text from your data.
    """
    if schema:
        from json import dumps

        from reidrisk.assess.form import json_schema

        click.echo(dumps(json_schema(), indent=2, ensure_ascii=False))
        return
    if not files:
        raise click.UsageError("Name the files that you want to release.")
    others = {} if out is None else {"--out": out}
    output.check_targets(files, json=json, html=None, others=others)
    if out is not None:
        output.check_draft(out, option="--out", suffixes=(".yaml", ".yml"))
    from pathlib import Path

    from reidrisk.assess.drafting import draft_files
    from reidrisk.core.files import write_text

    named = options.pairs(kinds, option="--kind")
    draft = draft_files(files, folder=None if out is None else Path(out).parent, kinds=named)
    if out is not None:
        write_text(out, draft.text)
    if json is not None:
        output.Output(json, quiet=True).result(draft.to_dict(), text=draft.text)
    elif out is None:
        click.echo(draft.text, nl=False)
    output.commit_files()
    if out is not None and json != "-":
        click.echo(
            f"Release file: {out}\n"
            f"Read every line and correct it. Then run: reidrisk assess {shell_word(out)}"
        )
