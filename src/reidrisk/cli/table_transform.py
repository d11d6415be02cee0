"""`reidrisk table transform`: single transformations, in turn."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output


@click.command()
@click.argument("table")
@click.option("--config", required=True, metavar="FILE", help="A YAML file with the steps; see the guide.")
@click.option("--out", required=True, metavar="FILE", help="The table to write; its suffix says the kind.")
@click.option("--key", metavar="FILE", help="The secret of pseudonyms and shifts; see `reidrisk table key`.")
@click.option("--html", metavar="FILE", help="Write a page with a chart.")
@output.options
def transform(table: str, **given: Any) -> None:
    """Sample, swap, randomise, blur or shift TABLE as a file of steps says; no risk is measured.

    What each step changed and what it is worth is computed from the data and told.
    """
    inputs = (table, given["config"], given["key"])
    output.check_targets(inputs, json=given["json"], html=given["html"], others={"--out": given["out"]})
    from reidrisk.core.key import read_key
    from reidrisk.tables.transform.run import transform_table

    key = read_key(given["key"]) if given["key"] else None
    done = transform_table(table, given["config"], given["out"], key=key, seed=given["seed"])
    output.finish(done, given, refuses=False, files={"Table": given["out"]})
