"""`reidrisk population`: what a sharing policy exposes, to whom, at what price."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import context_option, output
from reidrisk.cli.population_fetch import fetch, fit
from reidrisk.cli.population_inputs import (
    attacker,
    measure_options,
    options,
    people,
    people_options,
    policy,
    source_options,
)
from reidrisk.errors import InvalidSetting


@click.group(name="population")
def command() -> None:
    """Job 3: what a sharing policy exposes, to whom, at what price."""


@command.command()
@click.argument("pop")
@click.option(
    "--policy",
    required=True,
    metavar="POLICY",
    help="limited, safe, fields such as zip3,year_of_birth,sex, or a YAML file.",
)
@click.option(
    "--max-share",
    multiple=True,
    metavar="G=SHARE",
    help="Largest acceptable share of g-distinct people, or total=SHARE; exit code 3 above it.",
)
@context_option.option
@measure_options
@people_options
@source_options
@output.options
def risk(pop: str, **given: Any) -> None:
    """Measure what a policy exposes in POP: g-distinct people, total risk, cost per re-identification.

    POP is a table of counts (area, field, age_lo, age_hi, n), or a table of the US Census Bureau as
    downloaded. Nothing is decided without --max-share or --context.
    """
    _check(pop, given)
    from reidrisk.population.risk import population_risk

    score = context_option.scored(given, instead_of=("max_share",))
    limits = {"total": score.left} if score else _shares(given["max_share"])
    result = population_risk(
        people(pop, given),
        policy(given["policy"]),
        attacker(given),
        by=given["by"],
        dataset=given["dataset"],
        options=options(given, limits=limits),
    )
    output.finish(result, given, refuses=bool(limits))


@command.command()
@click.argument("pop")
@click.option(
    "--policy",
    "policies",
    required=True,
    multiple=True,
    metavar="POLICY",
    help="As for risk; two or more, the first is held against the last.",
)
@measure_options
@people_options
@source_options
@output.options
def compare(pop: str, **given: Any) -> None:
    """Compare policies in POP: the risk of each, and the trust differential of any two."""
    _check(pop, given)
    from reidrisk.population.compare import compare_policies

    result = compare_policies(
        people(pop, given),
        [policy(text) for text in given["policies"]],
        attacker(given),
        by=given["by"],
        dataset=given["dataset"],
        options=options(given),
    )
    output.finish(result, given, refuses=False)


@command.command()
@click.argument("pop")
@click.option("--from", "coarse", default="safe", show_default=True, metavar="POLICY", help="Tells least.")
@click.option("--to", "fine", default="limited", show_default=True, metavar="POLICY", help="Tells most.")
@click.option("--target", type=click.FloatRange(0, 1), metavar="SHARE", help="Largest share you accept.")
@click.option(
    "--measure",
    default="total",
    show_default=True,
    metavar="total|G",
    help="What the target and the frontier are about: total risk, or g-distinct people.",
)
@measure_options
@source_options
@output.options
def explore(pop: str, **given: Any) -> None:
    """Try all policies between two in POP: what more could be shared at the same risk?"""
    _check(pop, given)
    from reidrisk.population.explore import explore_policies

    result = explore_policies(
        people(pop, given),
        attacker(given),
        between=(policy(given["coarse"]), policy(given["fine"])),
        target=given["target"],
        measure=given["measure"],
        options=options(given),
    )
    output.finish(result, given, refuses=False)


for other in (fetch, fit):
    command.add_command(other)


def _check(pop: str, given: dict[str, Any]) -> None:
    read = (pop, given.get("dataset"), given["attacker"], given["birth_dates"], given["voter_lists"])
    policies = given.get("policies") or [given.get(name) for name in ("policy", "coarse", "fine")]
    output.check_targets((*read, *policies), json=given["json"], html=given["html"])


def _shares(texts: tuple[str, ...]) -> dict[str, float]:
    limits: dict[str, float] = {}
    for text in texts:
        for name, share in output.pairs((text,), option="--max-share").items():
            if name != "total" and not name.isdecimal():
                raise InvalidSetting("--max-share names no g.", hint="Write 5=0.01 or total=0.001.")
            plain = name if name == "total" else str(int(name))
            if plain in limits:
                raise click.UsageError(f"--max-share says twice what {name} may be.")
            limits[plain] = output.real(share, option="--max-share")
    return limits
