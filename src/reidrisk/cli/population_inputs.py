"""The options that the population commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reidrisk.cli import output

if TYPE_CHECKING:
    from reidrisk.population.attacker import Attacker
    from reidrisk.population.options import PopulationOptions
    from reidrisk.population.people import Population
    from reidrisk.population.policy import Policy
    from reidrisk.population.voters import VoterLists

Command = TypeVar("Command", bound=Callable[..., Any])


def measure_options(command: Command) -> Command:
    """Who attacks, and what is computed."""
    for option in (
        click.option("--html", metavar="FILE", help="Write a page with charts."),
        click.option(
            "--across",
            is_flag=True,
            help="The attacker does not know the state, or the coarsest area.",
        ),
        click.option(
            "--birth-dates",
            default="uniform",
            show_default=True,
            metavar="HOW",
            help="uniform, leap, or a CSV file of month, day, births.",
        ),
        click.option(
            "--days", type=click.IntRange(min=12), metavar="N", help="Days in a year of birth.  [365]"
        ),
        click.option(
            "--g", "sizes", default="1,3,5,10", show_default=True, metavar="SIZES", help="Group sizes."
        ),
        click.option("--voter-lists", metavar="FILE", help="A table of voter lists of your own."),
        click.option("--price", type=click.FloatRange(min=0), metavar="PRICE", help="Of the list."),
        click.option(
            "--attacker",
            default="general",
            show_default=True,
            metavar="WHO",
            help="general, voter, fields of a list such as county,year_of_birth, or a YAML file.",
        ),
    ):
        command = option(command)
    return command


def people_options(command: Command) -> Command:
    """Whose risk is told."""
    for option in (
        click.option("--by", metavar="AREA", help="Tell the risk of each area of a column: state, county."),
        click.option(
            "--counted-in",
            type=click.IntRange(min=1000, max=3000),
            metavar="YEAR",
            help="When POP was counted; makes ages of a data set's years of birth.",
        ),
        click.option("--dataset", metavar="FILE", help="Records of people of POP; their risk is told."),
    ):
        command = option(command)
    return command


def source_options(command: Command) -> Command:
    """How POP is read."""
    for option in (
        click.option("--year", metavar="YEAR", help="Which estimate of a file of the Bureau's."),
        click.option(
            "--open-band-years",
            type=click.IntRange(min=1),
            metavar="N",
            help="Years of birth in the open age band at the top.",
        ),
        click.option(
            "--modelled",
            metavar="HOW",
            help="How counts were computed that nobody counted; told on all pages.",
        ),
        click.option("--areas", metavar="COLUMNS", help="Which columns are areas, the coarsest first."),
        click.option("--state", multiple=True, metavar="STATE", help="Only this one; may be repeated."),
    ):
        command = option(command)
    return command


def people(pop: str, given: Mapping[str, Any]) -> Population:
    """The population, or some states of it."""
    from reidrisk.population.read import read_population

    areas = output.columns(given["areas"], option="--areas") if given["areas"] else None
    found = read_population(pop, areas=areas, open_band_years=given["open_band_years"], year=given["year"])
    if given["modelled"]:
        found = replace(found, modelled=given["modelled"])
    return _states(found, given["state"]) if given["state"] else found


def _states(population: Population, wanted: tuple[str, ...]) -> Population:
    """States by their labels, or by any name that the label is another form of."""
    from reidrisk.errors import InvalidSetting
    from reidrisk.population.attack import known_areas
    from reidrisk.population.voters import state_label

    if not known_areas(population):
        raise InvalidSetting(f"{population.source} tells no states.", hint="Leave --state out.")
    column = known_areas(population)[-1]
    labels = population.labels[column]
    return population.of(column, [state_label(text, labels) or text for text in wanted])


def policy(text: str) -> Policy:
    """What is typed after --policy."""
    from reidrisk.population.policy import read_policy

    return read_policy(text)


def attacker(given: Mapping[str, Any]) -> Attacker | VoterLists:
    """What is typed after --attacker, at the price that is typed."""
    from reidrisk.population.attacker import read_attacker
    from reidrisk.population.voters import read_voter_lists, voter_lists

    own = given["voter_lists"]
    if given["attacker"].strip().casefold() != "voter":
        if own:
            raise click.UsageError("--voter-lists goes with --attacker voter.")
        return read_attacker(given["attacker"]).with_price(given["price"])
    return (read_voter_lists(own) if own else voter_lists()).with_price(given["price"])


def options(given: Mapping[str, Any], *, limits: Mapping[str, float] | None = None) -> PopulationOptions:
    """How the population is measured."""
    from reidrisk.population.dates import read_birth_dates
    from reidrisk.population.options import PopulationOptions

    return PopulationOptions(
        g=_sizes(given["sizes"]),
        birth_dates=read_birth_dates(given["birth_dates"], days=given["days"]),
        across=given["across"],
        counted_in=given.get("counted_in"),
        limits=limits or {},
    )


def _sizes(text: str) -> list[int]:
    """Whole numbers with commas between, and runs such as 1-100."""
    from reidrisk.population.options import MOST

    found: list[int] = []
    for part in text.split(","):
        ends = [number for end in part.split("-") for number in output.whole_numbers(end, option="--g")]
        if len(ends) > 2 or ends[0] > ends[-1]:
            raise click.UsageError("--g takes whole numbers and runs such as 1-100.")
        if ends[-1] - ends[0] >= MOST:
            raise click.UsageError(f"--g takes {MOST:,} numbers at most.")
        found += range(ends[0], ends[-1] + 1)
    return found
