"""`reidrisk document risk`: what the documents of a study give away, by scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output
from reidrisk.cli.output import existing_file

if TYPE_CHECKING:
    from reidrisk.context.release import Release
    from reidrisk.core.threshold import Threshold

SCENARIOS = ("redacted", "replaced", "ipd", "ipd_mentioned", "qualitative")


@click.command(name="risk")
@existing_file("--study", "The study: a YAML file.", required=True)
@click.option(
    "--scenario", required=True, type=click.Choice(SCENARIOS), help="How the documents are published."
)
@existing_file("--findings", "Findings of `document detect`.  [found anew where they are needed]")
@existing_file("--review", "Findings of which a sample was reviewed.  [default: those that the study names]")
@click.option(
    "--recognition",
    multiple=True,
    metavar="P",
    help="Chance that a leaked original is told from replaced values; also TYPE=P.",
)
@click.option(
    "--cell-size", type=click.IntRange(min=1), help="Smallest class you accept.  [default: the study's]"
)
@click.option("--threshold", type=float, metavar="P", help="A literal threshold instead, such as 0.09.")
@click.option(
    "--profile", default="recommended", show_default=True, metavar="recommended|paper", help="Set of options."
)
@click.option("--show-subjects", is_flag=True, help="Name participants by the number of their row.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="combine, catch, given_catch, …; see the docs.",
)
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@output.options
def command(study: str, **given: Any) -> None:
    """Measure the risk that the documents of a study leave; exit code 3 if it is too high.

    redacted: everything found is boxed, only leaks count. replaced: by values of the de-identified data. ipd
    and ipd_mentioned: leaks are excluded by a full review; the classes of all participants, or of those who
    are mentioned. qualitative: in words.
    """
    from reidrisk.documents.risk.run import document_risk
    from reidrisk.documents.risk.settings import document_settings

    output.check_targets((study, given["findings"], given["review"]), json=given["json"], html=given["html"])
    options = output.pairs(given["changes"])
    if given["show_subjects"]:
        options["show_subjects"] = True
    result = document_risk(
        study,
        given["scenario"],
        findings=given["findings"],
        review=given["review"],
        release=_release(given),
        threshold=_threshold(given),
        settings=document_settings(given["profile"], options),
        seed=given["seed"],
    )
    output.finish(result, given)


def _release(given: dict[str, Any]) -> Release | None:
    if not given["recognition"]:
        return None
    if given["scenario"] != "replaced":
        raise click.UsageError("--recognition goes with --scenario replaced: what is boxed stands out.")
    from reidrisk.context.recognition import Recognition
    from reidrisk.context.release import Release

    return Release.public("resynthesis", recognition=Recognition.parse(given["recognition"]))


def _threshold(given: dict[str, Any]) -> Threshold | None:
    if given["cell_size"] is not None and given["threshold"] is not None:
        raise click.UsageError("Give --cell-size or --threshold, not both.")
    return None if given["cell_size"] is None and given["threshold"] is None else output.threshold(given)
