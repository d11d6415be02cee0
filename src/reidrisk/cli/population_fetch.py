"""`reidrisk population fetch` and `fit`: get a population that is in no file yet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output

if TYPE_CHECKING:
    from reidrisk.population.people import Population


@click.command()
@click.option("--year", type=int, required=True, help="Of the census: 2000, 2010 or 2020.")
@click.option(
    "--state", required=True, metavar="CODE", help="Postal code, FIPS code or name, such as OH, 39 or Ohio."
)
@click.option("--out", required=True, metavar="FILE", help="Where to write it; .parquet or .csv.")
@click.option(
    "--key-variable",
    default="CENSUS_API_KEY",
    show_default=True,
    metavar="NAME",
    help="The environment variable that holds your key of the Census Bureau, if you have one.",
)
@click.option("--base-url", metavar="URL", help="Another server that answers like the Bureau's.")
@click.option("--cache", metavar="FOLDER", help="Where answers are kept; otherwise your cache folder.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def fetch(year: int, state: str, out: str, **given: Any) -> None:
    """Fetch the counties of a state by race, sex and age from the US Census Bureau.

    The only command that uses the network. What is sent: the year, the state, the names of the tables, and
    your key.
    """
    output.check_targets((), json=None, html=None, others={"--out": out})
    from reidrisk.engine.write import ready_to_write
    from reidrisk.population.fetch import BASE_URL, CensusApi, cache_folder, fetch_population

    ready_to_write(Path(out))
    api = CensusApi(
        base_url=given["base_url"] or BASE_URL,
        key=os.environ.get(given["key_variable"]) or None,
        cache=Path(given["cache"]) if given["cache"] else cache_folder(),
    )
    with output.Output(None, quiet=given["quiet"]).steps("tables") as tell:
        told = None if tell is None else lambda done, total: tell("Asked for", done, total)
        people = fetch_population(year, state, api=api, progress=told)
    _write(people, out, quiet=given["quiet"])


@click.command()
@click.argument("margins")
@click.option("--out", required=True, metavar="FILE", help="Where to write it; .parquet or .csv.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def fit(margins: str, out: str, *, quiet: bool) -> None:
    """Compute a population from its margins by iterative proportional fitting.

    MARGINS is a YAML file that lists them, each a file of counts in long form:

    \b
        margins: [county_race.csv, county_sex.csv, county_age.csv]
        start: [nation_single_years.csv]
        open_band_years: 15

    The result is labelled as modelled, in the file and wherever it is used.
    """
    output.check_targets((margins,), json=None, html=None, others={"--out": out})
    from reidrisk.engine.write import ready_to_write
    from reidrisk.population.fit_file import fit_from_file

    ready_to_write(Path(out))
    with output.Output(None, quiet=quiet).steps("areas") as tell:
        told = None if tell is None else lambda done, total: tell("Fitted", done, total)
        people = fit_from_file(margins, progress=told)
    _write(people, out, quiet=quiet)


def _write(people: Population, out: str, *, quiet: bool) -> None:
    from reidrisk.population.write import write_population

    write_population(people, out)
    areas = ", ".join(f"{len(people.labels[name]):,} x {name}" for name in people.areas)
    say = output.Output(None, quiet=quiet).say
    say(f"{people.people:,} people ({areas}) written to {out}")
    if people.modelled:
        say(f"Modelled: {people.modelled}")
    for note in people.notes:
        say(f"Note: {note}")
