"""`reidrisk table deidentify`: make a table releasable with the least loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import context_option, output
from reidrisk.cli.exits import ACCEPTABLE, FAILURE
from reidrisk.cli.interrupt import interruptible
from reidrisk.cli.table_events import event_options
from reidrisk.cli.table_secrets import FORMS, LIMITS, secret_options
from reidrisk.cli.table_utility import typed_plan, utility_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reidrisk.context.score import ContextScore
    from reidrisk.core.threshold import Threshold
    from reidrisk.tables.deidentify.result import Deidentified
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy

CELL_SIZE, SUPPRESSION = 5, 0.05
KINDS = "csv, tsv, parquet, arrow, xlsx, sqlite, duckdb, xpt, sav or dta"


@click.command()
@click.argument("table")
@click.option("--quasi", metavar="COLUMNS", help="Columns an intruder may know, with commas between.")
@click.option("--hierarchies", metavar="DIR|FILE", help="Folder of *hierarchy_COLUMN.csv, or a YAML file.")
@click.option(
    "--method",
    type=click.Choice(["global", "local", "mondrian", "microaggregate"]),
    help="One level for each variable, as much as each record needs, cuts, or means of groups.  [global]",
)
@click.option(
    "--aggregate",
    type=click.Choice(["mean", "median"]),
    help="With microaggregate: what numbers become.  [mean]",
)
@click.option("--cell-size", type=click.IntRange(min=1), help=f"Smallest class you accept.  [{CELL_SIZE}]")
@click.option(
    "--max-suppression",
    type=click.FloatRange(0, 1),
    help=f"Largest share of records that may lose a value.  [{SUPPRESSION}]",
)
@click.option(
    "--max-cell-suppression",
    type=click.FloatRange(0, 1),
    help="Largest share of records that may lose their value of one variable.",
)
@click.option(
    "--suppress", type=click.Choice(["cells", "records"]), help="Single cells, or whole records.  [cells]"
)
@click.option(
    "--reading",
    type=click.Choice(["value", "wildcard"]),
    help="A suppressed cell is a value of its own, or matches every value.  [value]",
)
@click.option(
    "--loss",
    type=click.Choice(["loss_gm", "loss_am", "prec", "entropy", "dm"]),
    help="What is lost, and least in the answer.  [loss_gm]",
)
@click.option(
    "--weight", multiple=True, metavar="COLUMN=NUMBER", help="What a loss in a variable counts.  [1]"
)
@click.option("--max-level", multiple=True, metavar="COLUMN=LEVEL", help="Maximum acceptable generalization.")
@click.option("--ladder", metavar="SIZES", help="Cell sizes to try in turn if there is no solution, as 5,3.")
@context_option.option
@click.option(
    "--average",
    type=click.FloatRange(0, 1, min_open=True),
    help="Largest average risk, beside the cell size.",
)
@click.option(
    "--direct",
    multiple=True,
    metavar="COLUMN=WHAT",
    help="Direct identifiers: drop, pseudonym, number or keep; several with commas between.",
)
@click.option(
    "--order",
    type=click.Choice(["auto", "keep", "content"]),
    help="Rows as they came, in an order that tells nothing, or that if need be.  [auto]",
)
@click.option(
    "--key", metavar="FILE", help="The secret of pseudonyms, and of steps; see `reidrisk table key`."
)
@click.option("--unit", metavar="COLUMN", help="Which rows are one person or visit.")
@click.option(
    "--reduce", multiple=True, metavar="COLUMN=RULE", help="For what varies in a unit: first, min, max, set."
)
@click.option(
    "--sensitive", metavar="COLUMNS", help="Secret columns that the limits below are on, with commas between."
)
@secret_options
@event_options
@click.option(
    "--max-event-suppression",
    type=click.FloatRange(0, 1),
    help=f"With --events: largest share of rows that may be left out.  [{SUPPRESSION}]",
)
@utility_options
@click.option(
    "--config", metavar="FILE", help="All of this, derived variables, layouts and steps from a YAML file."
)
@click.option(
    "--out", required=True, metavar="FILE", help=f"The table to write; its suffix says the kind: {KINDS}."
)
@click.option("--codebook", metavar="FILE", help="What was done to each column.  [OUT with .codebook.md]")
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@output.options
def deidentify(table: str, **given: Any) -> None:
    """Generalize and suppress TABLE until its risk is acceptable; exit code 1 if there is no solution.

    What the configuration says is overruled by options. Ctrl-C ends the search with the best so far.
    """
    codebook = given["codebook"] or str(Path(given["out"]).with_suffix(".codebook.md"))
    parts = Path(table).rglob("*") if Path(table).is_dir() else ()
    inputs = (table, given["hierarchies"], given["config"], given["key"], given["context"], *map(str, parts))
    others = {"--out": given["out"], "--codebook": codebook}
    output.check_targets(inputs, json=given["json"], html=given["html"], others=others)
    from reidrisk.engine.write import ready_to_write

    ready_to_write(Path(given["out"]))
    result = _run(table, given)
    if result.acceptable:
        from reidrisk.core.files import write_text
        from reidrisk.report.codebook import codebook_text

        result = result.with_codebook(codebook)
        write_text(codebook, codebook_text(result.to_dict()))
    _show(result, given)
    raise SystemExit(ACCEPTABLE if result.acceptable else FAILURE)


def _show(result: Deidentified, given: dict[str, Any]) -> None:
    show = output.Output(given["json"], quiet=given["quiet"])
    if given["html"]:
        from reidrisk.report.page import write_page

        write_page(result, given["html"])
    show.result([result], result.to_dict())
    files = {"Table": result.files["out"], "Codebook": result.files["codebook"], "Page": given["html"]}
    show.say("\n".join(f"{name}: {path}" for name, path in files.items() if path))


def _run(table: str, given: dict[str, Any]) -> Deidentified:
    from reidrisk.core.key import read_key
    from reidrisk.tables.deidentify.config import TableConfig, read_config
    from reidrisk.tables.deidentify.run import deidentify as search
    from reidrisk.tables.deidentify.search import Watch
    from reidrisk.tables.utility.plan import UtilityPlan

    score = context_option.scored(given, instead_of=("cell_size", "ladder", "average"))
    own = TableConfig({**_said(given), **(_target(score) if score else {})}, _hierarchies(given))
    config = read_config(given["config"]).under(own) if given["config"] else own
    ladder = _ladder(config.values, f"context {given['context']}" if score else "command line")
    options = config.options(ladder, key=read_key(given["key"]) if given["key"] else None)
    typed = typed_plan(given)
    if typed:
        options = replace(options, utility=replace(options.utility or UtilityPlan(propensity=False), **typed))
    if score:
        options = replace(options, gate=context_option.gate(score, given["context"]))
    show = output.Output(given["json"], quiet=given["quiet"])
    with interruptible(quiet=given["quiet"]) as stop, show.steps() as progress:
        return search(
            table,
            config.schema,
            config.hierarchies,
            threshold=ladder[0],
            max_suppression=config.max_suppression,
            options=options,
            out=given["out"],
            watch=Watch(stop, progress, given["seed"]),
        )


def _target(score: ContextScore) -> dict[str, Any]:
    """What the context leaves for the data; it goes before the configuration."""
    from reidrisk.assess.parts.deidentify import Target

    target = Target.of(score)
    sizes = list(target.cell_sizes)
    return {"cell_size": sizes[0], "ladder": sizes, "average": target.average}


def _said(given: dict[str, Any]) -> dict[str, Any]:
    """The options that were typed, in the form of the configuration."""
    plain = (
        "method",
        "aggregate",
        "unit",
        "cell_size",
        "max_suppression",
        "max_cell_suppression",
        "suppress",
        "reading",
        "order",
        "loss",
        "average",
        "known",
        "max_event_suppression",
        *LIMITS,
        *FORMS,
    )
    said = {name: given[name] for name in plain if given[name] is not None}
    if given["quasi"] is not None:
        said["quasi"] = output.columns(given["quasi"], option="--quasi")
    if given["events"] is not None:
        said["events"] = output.columns(given["events"], option="--events")
    if given["count_events"]:
        said["count_events"] = True
    if given["sensitive"] is not None:
        said["sensitive"] = output.columns(given["sensitive"], option="--sensitive")
    if given["ladder"] is not None:
        said["ladder"] = output.whole_numbers(given["ladder"], option="--ladder")
    for name, option in (("reduce", "--reduce"), ("max_level", "--max-level")):
        if given[name]:
            said[name] = output.pairs(given[name], option=option)
    if given["weight"]:
        weights = output.pairs(given["weight"], option="--weight")
        said["weights"] = {name: output.real(text, option="--weight") for name, text in weights.items()}
    if given["direct"]:
        texts = tuple(part for text in given["direct"] for part in text.split(",") if part.strip())
        said["direct"] = output.pairs(texts, option="--direct")
    return said


def _hierarchies(given: dict[str, Any]) -> Mapping[str, Hierarchy]:
    if not given["hierarchies"]:
        return {}
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies

    return read_hierarchies(given["hierarchies"])


def _ladder(said: Mapping[str, Any], source: str) -> list[Threshold]:
    from reidrisk.core.threshold import Threshold

    sizes = list(said.get("ladder", ()))
    baseline = said.get("cell_size", sizes[0] if sizes else CELL_SIZE)
    rungs = [baseline, *(size for size in sizes if size != baseline)]
    return [Threshold.from_cell_size(size, f"cell size {size}, {source}") for size in rungs]


@click.command()
@click.argument("file")
def key(file: str) -> None:
    """Make a new random key for pseudonyms in FILE, readable by you alone."""
    from reidrisk.core.key import make_key

    make_key(file)
    click.echo(f"Key: {file}\nKeep it apart from the data: with it the pseudonyms can be made again.")
