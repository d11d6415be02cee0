"""`reidrisk validate`: check on this machine that the program is installed well and computes as it should."""

from __future__ import annotations

from pathlib import Path

import click

from reidrisk.cli import output
from reidrisk.cli.help import METHOD, OUTPUT, Command, option, section
from reidrisk.cli.options import JSON, QUIET
from reidrisk.cli.overwriting import guard


@click.command(name="validate", cls=Command)
@section(
    METHOD,
    option("--full", is_flag=True, help="Draw more in every simulation; takes much longer."),
    option(
        "--quick",
        is_flag=True,
        help="Draw less, and leave out the checks that start other processes (two of them).",
    ),
)
@section(
    OUTPUT,
    option(
        "--out",
        required=True,
        metavar="DIR",
        type=click.Path(file_okay=False),
        help="Folder for the certificate: certificate.pdf and certificate.json.",
    ),
    option("--by", metavar="NAME", help="Who validates; otherwise the certificate has a line to fill in."),
    option("--where", metavar="TEXT", help="The place or the system, in your words."),
    option("--machine", is_flag=True, help="Record the name of this machine; it is not recorded otherwise."),
    JSON,
    QUIET,
)
def command(  # noqa: PLR0913 - one argument per option
    *,
    full: bool,
    quick: bool,
    out: str,
    by: str | None,
    where: str | None,
    machine: bool,
    json: str | None,
    quiet: bool,
) -> None:
    """Validate the program on this machine, and write a certificate.

    Repeats the numbers of publications, coverage simulations, attacks, searches against every other answer,
    and the redaction of documents with hidden values. The certificate states requirement, test, expected and
    seen for each check. Exit code 1 if a check fails.
    """
    if full and quick:
        raise click.UsageError("Use either --full or --quick.")
    output.check_targets((), json=json, html=None)
    output.check_report_packages()
    output.check_packages(("typst", "report"))
    from reidrisk.validate.run import CERTIFICATE, FIGURES, Performed, validate

    guard(Path(out) / name for name in (CERTIFICATE, FIGURES))
    show = output.Output(json, quiet=quiet)
    about = Performed(by, where, machine)
    with show.steps("checks") as progress:
        found = validate(out, full=full, quick=quick, performed=about, progress=progress)
    show.result(found.to_dict(), acceptable=found.acceptable)
    show.say(f"Certificate: {out}/{CERTIFICATE}, {out}/{FIGURES}")
    raise SystemExit(output.ACCEPTABLE if found.acceptable else output.FAILURE)
