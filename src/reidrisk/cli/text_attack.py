"""`reidrisk text attack`: can leaked originals be told from surrogates?"""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output


@click.command()
@click.argument("deidentified", type=click.Path(exists=True))
@click.option(
    "--gold",
    required=True,
    type=click.Path(exists=True),
    help="The originals with annotations, in any format.",
)
@click.option("--gold-format", metavar="F", help="Format of GOLD, if not to be found out.")
@click.option(
    "--types", metavar="FILE", help="Which types are direct, quasi, ignored: a YAML file, or TYPE=role,…"
)
@click.option(
    "--method", type=click.Choice(["redaction", "resynthesis"]), help="What was done.  [seen in the texts]"
)
@click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="Smallest share of right flags at which an adversary acts.",
)
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="folds, level; see the guide.")
@click.option("--html", type=click.Path(), help="Write a page with a chart.")
@output.options
def attack(deidentified: str, **given: Any) -> None:
    """Attack DEIDENTIFIED as an adversary would, and measure the recognition.

    DEIDENTIFIED holds the texts as they would be released: a folder of NAME.txt, or JSON lines with doc_id
    and text. Attacks see only these; the gold standard tells afterwards which flags were right. The result
    (--json) goes into `text evaluate --recognition RESULT.json`.
    """
    from reidrisk.resynthesis.attack.run import attack_text
    from reidrisk.resynthesis.attack.settings import attack_settings
    from reidrisk.text.evaluate import TextFiles
    from reidrisk.text.tally import Counting

    output.check_targets(
        (deidentified, given["gold"], given["types"]), json=given["json"], html=given["html"]
    )
    result = attack_text(
        deidentified,
        TextFiles(given["gold"], given["gold_format"]),
        settings=attack_settings(given["precision"], output.pairs(given["changes"])),
        counting=Counting.choose(types=given["types"]),
        method=given["method"],
        seed=given["seed"],
    )
    output.finish(result, given)
