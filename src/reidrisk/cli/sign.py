"""`reidrisk sign`: sign an assessment."""

from __future__ import annotations

from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.help import INPUT, OUTPUT, Command, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.key import passphrase_for
from reidrisk.cli.options import JSON, SILENT

ROLES = ("preparer", "reviewer", "approver")


@click.command(name="sign", cls=Command)
@click.argument("folder", type=InputPath("folder"))
@section(
    INPUT,
    option("--as", "signer", required=True, metavar="NAME", help="Your full name."),
    option("--role", required=True, type=click.Choice(ROLES), help="What you are in this release."),
    option("--meaning", required=True, metavar="TEXT", help="What your signature means."),
    option(
        "--key",
        type=InputPath("file"),
        required=True,
        metavar="FILE",
        help="Your private key, from: reidrisk key new.",
    ),
    option(
        "--passphrase-file",
        type=InputPath("file"),
        metavar="FILE",
        help="File with the passphrase of the key; otherwise you are asked.",
    ),
)
@section(OUTPUT, JSON, SILENT)
def command(folder: str, **given: Any) -> None:
    """Sign an assessment with your name, role and key.

    The signature is written into FOLDER. It binds your name, role and meaning, the time of your computer's
    clock, the root hash of the assessment and the signatures before it. The report is drawn again with it.
    Verify an assessment before you sign it: here only hashes are compared.
    """
    output.check_targets((), json=given["json"], html=None)
    output.check_packages(("cryptography", "sign"))
    from reidrisk.report.assessment_folder import sign

    made = sign(
        folder,
        name=given["signer"],
        role=given["role"],
        meaning=given["meaning"],
        key=given["key"],
        passphrase=passphrase_for(given["key"], given["passphrase_file"]),
    )
    text = (
        f"Signed: {folder}\nSignature {made.number}: {made.name}, {made.role}, {made.time} by {made.clock}\n"
        f"Root hash: {made.root}\nSignature file: {made.file}"
    )
    output.Output(given["json"], quiet=given["quiet"]).result(
        {"kind": "signature", **made.to_dict()}, text=text
    )
    raise SystemExit(output.ACCEPTABLE)
