"""`reidrisk key`: create keys for signing and for pseudonyms."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.help import INPUT, CommandGroup, option, section
from reidrisk.cli.input_path import InputPath

SIGNING, PSEUDONYMS = "signing", "pseudonyms"


@click.group(name="key", cls=CommandGroup)
def command() -> None:
    """Create keys for signing and for pseudonyms."""


@command.command()
@click.argument("file")
@section(
    INPUT,
    option(
        "--for",
        "purpose",
        required=True,
        type=click.Choice((SIGNING, PSEUDONYMS)),
        help="signing: to sign assessments. pseudonyms: to replace identifiers and for random steps.",
    ),
    option("--name", metavar="NAME", help="Owner of a key for signing, written into FILE.pub."),
    option(
        "--passphrase-file",
        type=InputPath("file"),
        metavar="FILE",
        help="File with a passphrase for a key for signing.",
    ),
    option("--no-passphrase", is_flag=True, help="Store a key for signing without a passphrase."),
)
def new(file: str, **given: Any) -> None:
    """Create a new key in FILE.

    Only you can read the file. A key for signing has a public key in FILE.pub: give that to those who verify.
    On a terminal you are asked for a passphrase. Existing files are not replaced.
    """
    if given["purpose"] == PSEUDONYMS:
        if given["name"] or given["passphrase_file"] or given["no_passphrase"]:
            raise click.UsageError("A key for pseudonyms has no name and no passphrase.")
        write_pseudonym_key(file)
        return
    output.check_packages(("cryptography", "sign"))
    from reidrisk.core.key import new_key

    public = new_key(file, SIGNING, passphrase=_new_passphrase(given), name=given["name"])
    click.echo(
        f"Private key: {file}\nPublic key: {public}\nKeep the private key to yourself, outside of releases: "
        "anyone who has it can sign as you.\nGive the public key to those who verify your signatures."
    )


def write_pseudonym_key(file: str) -> None:
    """Write a key for pseudonyms and say what to do with it."""
    from reidrisk.core.key import make_key

    make_key(file)
    click.echo(
        f"Key: {file}\nKeep the key separate from the data: anyone who has it can recreate the pseudonyms."
    )


def _new_passphrase(given: dict[str, Any]) -> str | None:
    if given["no_passphrase"]:
        if given["passphrase_file"]:
            raise click.UsageError("--no-passphrase and --passphrase-file contradict each other.")
        return None
    if given["passphrase_file"]:
        return read_passphrase(given["passphrase_file"])
    if not sys.stdin.isatty():
        raise click.UsageError(
            "A key for signing needs a passphrase: use --passphrase-file FILE, or --no-passphrase for none."
        )
    return str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True))


def passphrase_for(key: str, file: str | None) -> str | None:
    """The passphrase of a key, from a file or asked for on a terminal; None for a key without one."""
    if file:
        return read_passphrase(file)
    from reidrisk.core.key import read_signing_key

    if b"ENCRYPTED PRIVATE KEY" not in read_signing_key(key):
        return None
    if not sys.stdin.isatty():
        raise click.UsageError("The key has a passphrase: use --passphrase-file FILE or a terminal.")
    return str(click.prompt("Passphrase", hide_input=True, err=True))


def read_passphrase(file: str) -> str:
    """The first line of a file that nobody else can read."""
    from reidrisk.core.key import read_private

    try:
        found = read_private(Path(file), hint="Check the path.").decode().split("\n")[0].rstrip("\r")
    except UnicodeDecodeError:
        found = ""
    if not found:
        raise click.UsageError("The passphrase file has no text in its first line.")
    return found
