"""`reidrisk text agree`: how far annotators agree, and one gold standard from theirs."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output


@click.command()
@click.argument("annotators", type=click.Path(exists=True), nargs=-1, required=True)
@click.option("--out", type=click.Path(), metavar="FILE", help="Write the merged gold standard (JSON lines).")
@click.option("--conflicts", type=click.Path(), metavar="FILE", help="Write the conflicts to settle (CSV).")
@click.option(
    "--decisions",
    type=click.Path(exists=True),
    metavar="FILE",
    help="The same list with decisions filled in.",
)
@click.option(
    "--rule",
    default="majority",
    show_default=True,
    metavar="majority|union|first",
    help="What settles the other conflicts.",
)
@click.option(
    "--unmatched",
    default="error",
    show_default=True,
    metavar="error|allow",
    help="Documents that not everybody has: refuse, or take them from those who have them.",
)
@click.option("--format", "kind", metavar="F", help="Format of every file, if not to be found out.")
@click.option("--show-text", is_flag=True, help="Put the text itself into the list of conflicts.")
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@output.options
def agree(annotators: tuple[str, ...], **given: Any) -> None:
    """Compare the ANNOTATORS' files: agreement by type, conflicts to settle, merged gold standard.

    Two files or folders or more, one an annotator, of the same documents. Fill in the column `decision`
    of the list of conflicts (an annotator's name, all, none, or marks) and give it to --decisions.
    """
    from reidrisk.text.agree import agree_annotators
    from reidrisk.text.evaluate import TextFiles

    others = {f"--{name}": given[name] for name in ("out", "conflicts") if given[name] is not None}
    read = (*annotators, given["decisions"])
    output.check_targets(read, json=given["json"], html=given["html"], others=others)
    result = agree_annotators(
        [TextFiles(path, given["kind"]) for path in annotators],
        rule=given["rule"],
        decisions=given["decisions"],
        unmatched=given["unmatched"],
        seed=given["seed"],
    )
    if given["out"]:
        result.write_gold(given["out"])
    if given["conflicts"]:
        result.write_conflicts(given["conflicts"], show_text=given["show_text"])
    files = {"Gold standard": given["out"], "Conflicts": given["conflicts"]}
    output.finish(result, given, refuses=False, files=files)
