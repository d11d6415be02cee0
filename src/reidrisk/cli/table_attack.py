"""`reidrisk table attack`: play the adversary against a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output

if TYPE_CHECKING:
    from reidrisk.core.threshold import Threshold


@click.command()
@click.argument("released")
@click.option(
    "--against", required=True, metavar="TABLE", help="The original, or a table of people with their names."
)
@click.option(
    "--quasi", required=True, metavar="COLUMNS", help="Columns an intruder may know, with commas between."
)
@click.option("--control", metavar="TABLE", help="People like them who are not in the release.")
@click.option("--secret", metavar="COLUMNS", help="What the intruder wants to infer.")
@click.option("--known", metavar="COLUMNS", help="What inference starts from.  [the quasi-identifiers]")
@click.option("--sets", metavar="A;B", help="Two sets of columns to be linked.  [halves of --quasi]")
@click.option("--hierarchies", metavar="DIR|FILE", help="What generalized values stand for.")
@click.option("--id", "id_", metavar="COLUMN", help="Tells who is who in both tables.  [order of rows]")
@click.option(
    "--unit", metavar="COLUMN", help="Which rows of --against are one person; otherwise every row is one."
)
@click.option(
    "--guesses", type=click.IntRange(min=1), default=2000, show_default=True, help="Of each attack."
)
@click.option("--cell-size", type=click.IntRange(min=1), help="Decide by the threshold 1/N.")
@click.option(
    "--threshold", type=float, metavar="P", help="Decide: largest success of any attack that you accept."
)
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="together, level, tolerance, neighbours, confidence; see the guide.",
)
@click.option("--html", metavar="FILE", help="Write a page with a chart.")
@output.options
def attack(released: str, **given: Any) -> None:
    """Link, single out and infer people of RELEASED, and count how often it succeeds.

    The measured success stands beside the predicted risk, and the three questions of European guidance
    (singling out, linkability, inference) are answered in words. Generalized values match what they stand
    for: 20-29, 531**, 2019-Q1, *. Exit code 3 if a threshold was given and an attack is above it.
    """
    read = (released, given["against"], given["control"], given["hierarchies"])
    output.check_targets(read, json=given["json"], html=given["html"])
    from reidrisk.tables.attack.run import attack_table
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies

    result = attack_table(
        released,
        given["against"],
        _plan(given),
        control=given["control"],
        hierarchies=read_hierarchies(given["hierarchies"]) if given["hierarchies"] else None,
        seed=given["seed"],
    )
    output.finish(result, given)


def _plan(given: dict[str, Any]) -> Any:
    from reidrisk.tables.attack.plan import AttackPlan

    def named(option: str) -> tuple[str, ...] | None:
        return output.columns(given[option], option=f"--{option}") if given[option] is not None else None

    return AttackPlan(
        quasi=output.columns(given["quasi"], option="--quasi"),
        secret=named("secret") or (),
        known=named("known"),
        sets=_sets(given["sets"]),
        id=given["id_"],
        unit=given["unit"],
        guesses=given["guesses"],
        threshold=_threshold(given),
        **_changed(output.pairs(given["changes"])),
    )


def _sets(text: str | None) -> Any:
    if text is None:
        return None
    return tuple(output.columns(part, option="--sets") for part in text.split(";"))


def _threshold(given: dict[str, Any]) -> Threshold | None:
    if given["threshold"] is None and given["cell_size"] is None:
        return None
    return output.threshold(given)


def _changed(pairs: dict[str, str]) -> dict[str, Any]:
    from reidrisk.errors import InvalidSetting

    whole, known = ("together", "neighbours"), ("together", "level", "tolerance", "neighbours", "confidence")
    for name, text in pairs.items():
        if name not in known:
            raise InvalidSetting.among("A setting of an attack", name, known)
        if not output.real(text, option=f"--set {name}").is_integer() and name in whole:
            raise click.UsageError(f"--set {name} takes a whole number.")
    return {name: int(float(text)) if name in whole else float(text) for name, text in pairs.items()}
