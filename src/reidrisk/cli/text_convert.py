"""`reidrisk text convert`: annotations from one format to another."""

from __future__ import annotations

import click

from reidrisk.text.formats.names import READABLE, WRITABLE


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True))
@click.option(
    "--to",
    required=True,
    metavar="FORMAT",
    help=f"Format to write: {', '.join(WRITABLE)}.",
)
@click.option("--out", required=True, type=click.Path(), help="File or folder to write; see the guide.")
@click.option(
    "--from", "given", metavar="F", help=f"Format of IN, if not to be found out: {', '.join(READABLE)}."
)
@click.option(
    "--annotator", default="first", show_default=True, metavar="NAME", help="Whose annotations, if several."
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def convert(source: str, to: str, out: str, *, given: str | None, annotator: str, quiet: bool) -> None:
    """Write the annotated documents of IN (file, folder or zip file) in another format.

    Offsets are counted as the new format counts them, and what was written is read back and compared. What
    the new format cannot hold is refused if it would change what is marked, and otherwise named in a note.
    """
    from reidrisk.text.convert import convert as run
    from reidrisk.text.formats.reader import ReadSettings

    done = run(source, to, out, format=given, settings=ReadSettings(annotator=annotator))
    if not quiet:
        click.echo(str(done))
