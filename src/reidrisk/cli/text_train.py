"""`reidrisk text train`: a detector of your own from annotated documents."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output


@click.command()
@click.argument("corpora", metavar="CORPUS...", type=click.Path(exists=True), nargs=-1, required=True)
@click.option("--out", required=True, type=click.Path(), metavar="MODEL", help="The model's file.")
@click.option(
    "--folds",
    default=5,
    show_default=True,
    type=click.IntRange(min=2),
    help="Parts of the documents, each of which is judged by a model of the others.",
)
@click.option("--format", "kind", metavar="F", help="Format of every CORPUS, if not to be found out.")
@click.option(
    "--types", metavar="FILE", help="Which types are direct, quasi, ignored: a YAML file, or TYPE=role,…"
)
@click.option(
    "--ignore-words",
    default="default",
    show_default=True,
    metavar="none|default|FILE",
    help="Words that need no masking, for the figures.",
)
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Any other option; see the docs.")
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@output.options
def train(corpora: tuple[str, ...], **given: Any) -> None:
    """Train a model on the annotated documents of each CORPUS, and measure it by cross-validation.

    A CORPUS is a file, folder or zip file of annotations in any format that `text evaluate` reads, in any
    language. The model finds the types that they mark; `text deidentify --model MODEL` uses it.
    """
    from reidrisk.detect.model.settings import TrainSettings
    from reidrisk.detect.model.training import train_text
    from reidrisk.text.evaluate import TextFiles
    from reidrisk.text.tally import Counting

    read = (*corpora, given["types"], given["ignore_words"])
    output.check_targets(read, json=given["json"], html=given["html"], others={"--out": given["out"]})
    settings = TrainSettings.choose(output.pairs(given["changes"]))
    counting = Counting.choose(types=given["types"], ignore_words=given["ignore_words"])
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("models") as progress:
        result = train_text(
            [TextFiles(path, given["kind"]) for path in corpora],
            given["out"],
            folds=given["folds"],
            settings=settings,
            counting=counting,
            seed=given["seed"],
            progress=progress,
        )
    output.finish(result, given, refuses=False)
