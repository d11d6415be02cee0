"""`reidrisk gate`: assess releases in a pipeline, and say in one line whether each may go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output
from reidrisk.cli.assess import assess_progress, complain
from reidrisk.cli.help import INPUT, OUTPUT, Command, option, section
from reidrisk.cli.input_path import RELEASE_FILE
from reidrisk.cli.options import ALLOW_OUTSIDE, JSON, SILENT

if TYPE_CHECKING:
    from reidrisk.assess.result import Assessment
    from reidrisk.report.gates.checks import CheckList

DEFAULT = "release.yaml"


@click.command(name="gate", cls=Command)
@click.argument("release", nargs=-1, type=RELEASE_FILE)
@section(INPUT, ALLOW_OUTSIDE)
@section(
    OUTPUT,
    option("--markdown", type=click.Path(), metavar="FILE", help="Write a comment for a pull request."),
    option("--junit", type=click.Path(), metavar="FILE", help="Write one test case per part (JUnit XML)."),
    option("--sarif", type=click.Path(), metavar="FILE", help="Write what did not pass (SARIF 2.1.0)."),
    JSON,
    SILENT,
)
def command(release: tuple[str, ...], **given: Any) -> None:
    """Assess each RELEASE in a pipeline: one line and an exit code.

    RELEASE is a release file; without one, release.yaml. Nothing is released and no assessment is kept. Exit
    code 0 if every release is acceptable, 3 if not, and 1 if a part could not be judged. To see why a release
    did not pass, use --markdown FILE, or run: reidrisk assess RELEASE
    """
    releases = release or (RELEASE_FILE.convert(DEFAULT, None, None),)
    if given["json"] and len(releases) > 1:
        raise click.UsageError("--json needs a single RELEASE.")
    wanted = {f"--{name}": given[name] for name in ("markdown", "junit", "sarif") if given[name]}
    output.check_targets(releases, json=given["json"], html=None, others=wanted)
    gated = [_gated(path, given) for path in releases]
    lists = [checks for checks, _ in gated]
    write_checks(lists, given)
    if given["markdown"]:
        _write_comment(gated, given["markdown"])
    show = output.Output(given["json"], quiet=given["quiet"])
    lines = "\n".join(checks.line for checks in lists)
    if given["json"]:
        show.result(gated[0][1].to_dict(), text=lines)
    else:
        show.say(lines)
    raise SystemExit(_code([done for _, done in gated]))


def _gated(release: str, given: dict[str, Any]) -> tuple[CheckList, Assessment]:
    """The assessment and its checks. Its sentences go into files, so they name no document by its id."""
    from reidrisk.assess.run import assess
    from reidrisk.core.shown_ids import hiding_ids
    from reidrisk.report.gates.checks import checks_of

    with hiding_ids(), assess_progress(quiet=given["quiet"] or given["json"] == "-") as progress:
        done = assess(release, allow_outside=given["allow_outside"], progress=progress)
    complain(done)
    return checks_of(done.to_dict(), about=release), done


def _code(done: Sequence[Assessment]) -> int:
    if any(one.failed for one in done):
        return output.FAILURE
    return output.ACCEPTABLE if all(one.acceptable for one in done) else output.ABOVE_THRESHOLD


def _write_comment(gated: Sequence[tuple[CheckList, Assessment]], path: str) -> None:
    from reidrisk.core.files import write_text
    from reidrisk.report.gates.markdown import markdown_text

    write_text(path, "\n".join(markdown_text(checks, done.to_dict()) for checks, done in gated))


def write_checks(lists: Sequence[CheckList], given: dict[str, Any]) -> None:
    """Write the files for build servers that were asked for."""
    from reidrisk.core.files import write_text
    from reidrisk.report.gates.junit import junit_text
    from reidrisk.report.gates.sarif import sarif_text

    if given["junit"]:
        write_text(given["junit"], junit_text(lists))
    if given["sarif"]:
        write_text(given["sarif"], sarif_text(lists))
