"""`reidrisk population`: measure what a data sharing policy exposes, and get the population for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, INTRUDERS, LIMITS, METHOD, OUTPUT, RELEASE, CommandGroup, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import CONTEXT, HTML, JSON, QUIET, SEED, SILENT
from reidrisk.cli.settings import setting_option, setting_options
from reidrisk.errors import InvalidSetting
from reidrisk.population.settings import (
    ACROSS,
    AREAS,
    ATTACKER,
    BIRTH_DATES,
    BY,
    COARSE,
    DATASET_SETTINGS,
    DAYS,
    FINE,
    MAX_SHARE,
    MEASURE,
    MODELLED,
    OPEN_BAND_YEARS,
    POLICIES,
    POLICY,
    PRICE,
    STATE,
    TARGET,
    TOTAL,
    VOTER_LISTS,
    YEAR,
    G,
)

if TYPE_CHECKING:
    from reidrisk.context.score import ContextScore
    from reidrisk.population.attacker import Attacker
    from reidrisk.population.options import PopulationOptions
    from reidrisk.population.people import Population
    from reidrisk.population.voters import VoterLists

SOURCE_OPTIONS = setting_options((STATE, AREAS, MODELLED, OPEN_BAND_YEARS, YEAR))
DATASET_OPTIONS = setting_options(DATASET_SETTINGS)
ATTACKER_OPTIONS = (setting_option(ATTACKER, filled=True), *setting_options((PRICE, VOTER_LISTS, ACROSS)))
SIZE_RANGES = replace(G, help=f"{G.help} Ranges such as 1-100 are allowed.")
MEASURE_OPTIONS = (
    setting_option(SIZE_RANGES),
    setting_option(BIRTH_DATES, filled=True),
    setting_option(DAYS),
)


@click.group(name="population", cls=CommandGroup)
def command() -> None:
    """Measure whom a data sharing policy exposes, and at what cost."""


@command.command()
@click.argument("pop", type=InputPath("table"))
@section(INPUT, *SOURCE_OPTIONS, *DATASET_OPTIONS)
@section(INTRUDERS, *ATTACKER_OPTIONS)
@section(RELEASE, setting_option(POLICY, required=True))
@section(LIMITS, setting_option(MAX_SHARE), CONTEXT)
@section(METHOD, *MEASURE_OPTIONS, setting_option(BY), SEED)
@section(OUTPUT, HTML, JSON, QUIET)
def risk(pop: str, **given: Any) -> None:
    """Measure whom a policy exposes in POP, and at what cost.

    The result gives the g-distinct people, the total risk and the cost per re-identification. POP is a table
    of counts (area, field, age_lo, age_hi, n), or an unchanged download from the US Census Bureau. Exit code
    3 if the risk is above --max-share, or not acceptable by the rule of --context. Without these, nothing is
    decided.
    """
    _check(pop, given)
    from reidrisk.population.policy import read_policy
    from reidrisk.population.risk import population_risk

    score = options.score_of(given, instead_of=("max_share",))
    limits = _max_shares(given["max_share"])
    result = population_risk(
        _people(pop, given),
        read_policy(given["policy"]),
        _attacker(given),
        by=given["by"],
        dataset=given["dataset"],
        options=_options(given, limits=limits, score=score),
    )
    output.finish(result, given, refuses=result.is_limited)


@command.command()
@click.argument("pop", type=InputPath("table"))
@section(INPUT, *SOURCE_OPTIONS, *DATASET_OPTIONS)
@section(INTRUDERS, *ATTACKER_OPTIONS)
@section(RELEASE, setting_option(POLICIES, required=True))
@section(LIMITS, CONTEXT)
@section(METHOD, *MEASURE_OPTIONS, setting_option(BY), SEED)
@section(OUTPUT, HTML, JSON, SILENT)
def compare(pop: str, **given: Any) -> None:
    """Compare the risk of two or more policies in POP.

    The result gives the risk of each policy and the trust differential between any two. POP is a population
    as for `reidrisk population risk`. With --context, each policy is judged by its rule; exit code 3 if one
    is not acceptable.
    """
    _check(pop, given)
    from reidrisk.population.compare import compare_policies
    from reidrisk.population.policy import read_policy

    result = compare_policies(
        _people(pop, given),
        [read_policy(text) for text in given["policies"]],
        _attacker(given),
        by=given["by"],
        dataset=given["dataset"],
        options=_options(given, score=options.score_of(given, instead_of=())),
    )
    output.finish(result, given, refuses=given["context"] is not None)


@command.command()
@click.argument("pop", type=InputPath("table"))
@section(INPUT, *SOURCE_OPTIONS)
@section(INTRUDERS, *ATTACKER_OPTIONS)
@section(RELEASE, *setting_options((COARSE, FINE), filled=True))
@section(LIMITS, setting_option(TARGET))
@section(METHOD, setting_option(MEASURE, filled=True), *MEASURE_OPTIONS, SEED)
@section(OUTPUT, HTML, JSON, SILENT)
def explore(pop: str, **given: Any) -> None:
    """Find policies that share more data at the same risk.

    All policies between --from and --to are tried. POP is a population as for `reidrisk population risk`.
    """
    _check(pop, given)
    from reidrisk.population.explore import explore_policies
    from reidrisk.population.policy import read_policy

    result = explore_policies(
        _people(pop, given),
        _attacker(given),
        between=(read_policy(given["coarse"]), read_policy(given["fine"])),
        target=given["target"],
        measure=given["measure"],
        options=_options(given),
    )
    output.finish(result, given, refuses=False)


@command.command()
@section(
    INPUT,
    option("--year", type=int, required=True, metavar="YEAR", help="Year of the census: 2000, 2010 or 2020."),
    option(
        "--state",
        required=True,
        metavar="CODE",
        help="Postal abbreviation, FIPS code or name, such as OH, 39 or Ohio.",
    ),
    option(
        "--key-variable",
        default="CENSUS_API_KEY",
        show_default=True,
        metavar="NAME",
        help="Environment variable with your Census Bureau API key, if you have one.",
    ),
    option("--base-url", metavar="URL", help="Another server with the same API as the Census Bureau."),
    option(
        "--cache",
        metavar="FOLDER",
        show_default="your cache folder",
        help="Folder where answers of the server are stored.",
    ),
)
@section(
    OUTPUT, option("--out", required=True, metavar="FILE", help="File to write: .parquet or .csv."), SILENT
)
def fetch(year: int, state: str, out: str, **given: Any) -> None:
    """Download the population of a state from the US Census Bureau.

    The result has the people of each county by race, sex and age. This is the only command that uses the
    network. It sends the year, the state, the names of the tables, and your API key.
    """
    output.check_targets((), json=None, html=None, others={"--out": out})
    from reidrisk.engine.opening import ready_to_write
    from reidrisk.population.fetch import BASE_URL, CensusApi, cache_folder, fetch_population

    ready_to_write(Path(out))
    api = CensusApi(
        base_url=given["base_url"] or BASE_URL,
        key=os.environ.get(given["key_variable"]) or None,
        cache=Path(given["cache"]) if given["cache"] else cache_folder(),
    )
    with output.Output(None, quiet=given["quiet"]).steps("tables") as show:
        progress = None if show is None else lambda done, total: show("Downloaded", done, total)
        people = fetch_population(year, state, api=api, progress=progress)
    _write(people, out, quiet=given["quiet"])


@command.command()
@click.argument("margins", type=InputPath("file"))
@section(
    OUTPUT, option("--out", required=True, metavar="FILE", help="File to write: .parquet or .csv."), SILENT
)
def fit(margins: str, out: str, *, quiet: bool) -> None:
    """Estimate a population from its margins.

    The method is iterative proportional fitting. MARGINS is a YAML file that lists the margins. Each margin
    is a file of counts in long format:

    \b
        margins: [county_race.csv, county_sex.csv, county_age.csv]
        start: [nation_single_years.csv]
        open_band_years: 15

    The result is labeled as modeled, in the file and in every report that uses it.
    """
    output.check_targets((margins,), json=None, html=None, others={"--out": out})
    from reidrisk.engine.opening import ready_to_write
    from reidrisk.population.fit_file import fit_from_file

    ready_to_write(Path(out))
    with output.Output(None, quiet=quiet).steps("areas") as show:
        progress = None if show is None else lambda done, total: show("Fitted", done, total)
        people = fit_from_file(margins, progress=progress)
    _write(people, out, quiet=quiet)


def _check(pop: str, given: dict[str, Any]) -> None:
    read = (pop, given.get("dataset"), given["attacker"], given["birth_dates"], given["voter_lists"])
    policies = given.get("policies") or [given.get(name) for name in ("policy", "coarse", "fine")]
    output.check_targets((*read, *policies), json=given["json"], html=given["html"])


def _max_shares(texts: tuple[str, ...]) -> dict[str, float]:
    limits: dict[str, float] = {}
    for text in texts:
        for name, share in options.pairs((text,), option="--max-share").items():
            if name != TOTAL and not name.isdecimal():
                raise InvalidSetting(
                    "--max-share needs a value of g, or total.", hint="Write 5=0.01 or total=0.001."
                )
            size = name if name == TOTAL else str(int(name))
            if size in limits:
                raise click.UsageError(f"--max-share sets the limit of {size} twice.")
            limits[size] = options.real(share, option="--max-share")
    return limits


def _people(pop: str, given: Mapping[str, Any]) -> Population:
    """The population, or the states of it that --state names."""
    from reidrisk.population.read import read_population

    areas = options.columns(given["areas"], option="--areas") if given["areas"] else None
    people = read_population(pop, areas=areas, open_band_years=given["open_band_years"], year=given["year"])
    if given["modelled"]:
        people = replace(people, modelled=given["modelled"])
    return _states(people, given["state"]) if given["state"] else people


def _states(population: Population, wanted: tuple[str, ...]) -> Population:
    """States by their labels in the population, or by any other form of their names."""
    from reidrisk.population.attack import known_areas
    from reidrisk.population.voters import state_label

    if not known_areas(population):
        raise InvalidSetting(f"{population.source} has no column of states.", hint="Leave out --state.")
    column = known_areas(population)[-1]
    labels = population.labels[column]
    return population.of(column, [state_label(text, labels) or text for text in wanted])


def _attacker(given: Mapping[str, Any]) -> Attacker | VoterLists:
    """The attacker that --attacker, --voter-lists and --price describe."""
    from reidrisk.population.attacker import read_attacker
    from reidrisk.population.voters import read_voter_lists, voter_lists

    own = given["voter_lists"]
    if given["attacker"].strip().casefold() != "voter":
        if own:
            raise click.UsageError("--voter-lists needs --attacker voter.")
        return read_attacker(given["attacker"]).with_price(given["price"])
    return (read_voter_lists(own) if own else voter_lists()).with_price(given["price"])


def _options(
    given: Mapping[str, Any],
    *,
    limits: Mapping[str, float] | None = None,
    score: ContextScore | None = None,
) -> PopulationOptions:
    """How to measure the population."""
    from reidrisk.population.dates import read_birth_dates
    from reidrisk.population.options import PopulationOptions

    return PopulationOptions(
        g=G.default if given["g"] is None else _sizes(given["g"]),
        birth_dates=read_birth_dates(given["birth_dates"], days=given["days"]),
        across=given["across"],
        counted_in=given.get("counted_in"),
        limits=limits or {},
        rule=None if score is None else score.rule_for("population"),
    )


def _sizes(text: str) -> list[int]:
    """Whole numbers separated by commas, and ranges such as 1-100."""
    from reidrisk.population.options import MOST

    sizes: list[int] = []
    for part in text.split(","):
        ends = [number for end in part.split("-") for number in options.whole_numbers(end, option="--g")]
        if len(ends) > 2 or ends[0] > ends[-1]:
            raise click.UsageError("--g takes whole numbers and ranges such as 1-100.")
        if ends[-1] - ends[0] >= MOST:
            raise click.UsageError(f"--g takes {MOST:,} numbers at most.")
        sizes += range(ends[0], ends[-1] + 1)
    return sizes


def _write(people: Population, out: str, *, quiet: bool) -> None:
    from reidrisk.population.write import write_population

    write_population(people, out)
    areas = ", ".join(f"{len(people.labels[name]):,} x {name}" for name in people.areas)
    say = output.Output(None, quiet=quiet).say
    say(f"{people.people:,} people ({areas}) written to {out}")
    if people.modelled:
        say(f"Modeled: {people.modelled}")
    for note in people.notes:
        say(f"Note: {note}")
