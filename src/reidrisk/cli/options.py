"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from reidrisk.cli.help import OptionFactory, option
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.settings import setting_option
from reidrisk.core import shared_settings as shared
from reidrisk.core.shown_ids import showing_ids
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.context.score import ContextScore
    from reidrisk.core.threshold import Threshold
    from reidrisk.tables.deidentify.options import Gate


def _show_ids(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - as click calls it
    ctx.with_resource(showing_ids(wanted=wanted))


HTML = option("--html", metavar="FILE", help="Write a report page (HTML) with charts.")
JSON = option("--json", metavar="FILE", help="Write the result as JSON; use - for standard output.")
QUIET = option("--quiet", is_flag=True, help="Print errors only; the exit code gives the verdict.")
SILENT = option("--quiet", is_flag=True, help="Print errors only.")
SHOW_IDS = option(
    "--show-ids",
    is_flag=True,
    expose_value=False,
    callback=_show_ids,
    help="Name documents by their ids in messages; they are numbered otherwise.",
)
ALLOW_OUTSIDE = option(
    "--allow-outside",
    is_flag=True,
    help="Let paths in the release file lead out of its folder.",
)
MASTER = option(
    "--master",
    metavar="URL",
    show_default="this machine",
    help="Work on Spark, at this master: spark://HOST:7077, yarn, k8s://HOST:PORT, or local[N].",
)
SEED = setting_option(shared.SEED, filled=True)
CONTEXT = setting_option(shared.CONTEXT)
THRESHOLD = setting_option(shared.THRESHOLD)


def input_file(name: str, about: str, *, required: bool = False) -> OptionFactory:
    """An option that names a file to read."""
    kind = InputPath("file")
    return option(name, type=kind, metavar="FILE", help=about, required=required)


def settings_option(about: str, metavar: str = "NAME=VALUE") -> OptionFactory:
    """The option --set, which may be repeated."""
    return option("--set", "changes", multiple=True, metavar=metavar, help=about)


def pairs(texts: tuple[str, ...], *, option: str = "--set") -> dict[str, Any]:
    """Texts of the form NAME=VALUE as a dictionary."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"{option} takes NAME=VALUE, not {text!r}.")
        values[name.strip()] = value.strip()
    return values


def columns(text: str, *, option: str) -> tuple[str, ...]:
    """Column names separated by commas."""
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise click.UsageError(f"{option} needs at least one column.")
    return names


def whole_numbers(text: str, *, option: str) -> list[int]:
    """Whole numbers separated by commas."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise click.UsageError(f"{option} takes whole numbers separated by commas, such as 5,3.")
    return [int(part) for part in parts]


def real(text: str, *, option: str) -> float:
    """A number."""
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"{option} takes a number.") from None


def is_typed(name: str) -> bool:
    """Whether an option was typed, so that its value is no default."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def threshold(given: dict[str, Any]) -> Threshold | None:
    """The threshold that --cell-size or --threshold sets; None if neither was typed."""
    from reidrisk.core.threshold import Threshold

    if given["threshold"] is not None:
        found = Threshold(given["threshold"], "command line")
        return replace(found, reason=_typed_probability(found))
    if not is_typed("cell_size"):
        return None
    return Threshold.from_cell_size(given["cell_size"], f"cell size {given['cell_size']}, command line")


def _typed_probability(found: Threshold) -> str:
    """The reason for a typed probability: what it means for classes, and what was probably meant."""
    typed = f"probability {found.probability:g}, command line"
    if found.accepts(1 / found.cell_size) and found.probability * found.cell_size <= 1 + 1e-9:
        return typed
    means = f"{typed}; it means a cell size of {found.cell_size}"
    meant = found.rounded_from
    return means if meant is None else f"{means}; for 1/{meant}, use --cell-size {meant}"


def score_of(given: dict[str, Any], *, instead_of: tuple[str, ...]) -> ContextScore | None:
    """The score of the context that --context names, or None; the options it replaces are refused."""
    if given["context"] is None:
        return None
    for name in instead_of:
        if is_typed(name):
            raise click.UsageError(
                f"--{name.replace('_', '-')} and --context set the same thing. Use only one of them."
            )
    from reidrisk.context.context import read_context
    from reidrisk.context.score import score_context

    return score_context(read_context(given["context"]))


def largest_risk(score: ContextScore) -> Threshold:
    """The largest risk of a single record that the context accepts."""
    from reidrisk.core.threshold import Threshold

    rule = score.rule_for("table")
    if rule.row.statistic == "strict_average":
        raise InvalidSetting(
            "This context limits the average risk, combined with the risk of the context.",
            hint="Put the table in a release file and run `reidrisk assess`. `reidrisk init` writes a "
            "release file.",
        )
    if rule.row.attempt == "multiplied":
        reason = f"{score.threshold.reason}; what the context risk of {score.context_risk:g} leaves"
        return Threshold(rule.largest, reason)
    permission = score.permits(score.threshold)
    if not permission.allowed:
        raise InvalidSetting(
            f"The context does not permit its own threshold. Missing: {'; '.join(permission.missing[:3])}.",
            hint="Choose a stricter preset, or complete the checklist.",
        )
    return score.threshold


def gate(score: ContextScore, source: str) -> Gate:
    """Ask the context's checklist whether a threshold of the ladder is permitted."""
    from reidrisk.tables.deidentify.options import Permission

    def ask(threshold: Threshold, place: int) -> Permission:
        if score.rule == "overall":
            return Permission(allowed=True)
        answer = score.permits(threshold)
        if not answer.allowed:
            return Permission(allowed=False, requires="; ".join(answer.missing))
        if not place or not answer.requires:
            return Permission(allowed=True)
        return Permission(allowed=True, requires=f"{answer.requires[0]}, as stated in the context {source}")

    return ask
