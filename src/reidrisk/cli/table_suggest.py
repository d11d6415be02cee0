"""`reidrisk table suggest` and `reidrisk table hipaa`: what the columns of a data set seem to be."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output


@click.command()
@click.argument("table")
@click.option(
    "--scenario",
    metavar="NAME",
    help="Who attacks: neighbour, acquaintance, registry, insider.  [default: anybody]",
)
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@output.options
def suggest(table: str, **given: Any) -> None:
    """Suggest what each column of TABLE is, and why; a person decides.

    Direct identifier, quasi-identifier, sensitive, unit or other, from names, patterns and distinct values,
    of which none is shown. Ends with the command to type next.
    """
    output.check_targets((table,), json=given["json"], html=given["html"])
    from reidrisk.tables.suggest import suggest_roles

    output.finish(suggest_roles(table, scenario=given["scenario"]), given, refuses=False)


@click.command()
@click.argument("table")
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@output.options
def hipaa(table: str, **given: Any) -> None:
    """List the HIPAA identifiers that TABLE still holds; exit code 3 if any of Safe Harbor is left.

    Safe Harbor (18 identifiers) and the limited data set (16). That none is found is not enough: nobody may
    know that what is left identifies a person.
    """
    output.check_targets((table,), json=given["json"], html=given["html"])
    from reidrisk.tables.hipaa import hipaa_check

    output.finish(hipaa_check(table), given)
