"""`reidrisk account`: who may log in to an app that others reach."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from reidrisk.cli.help import INPUT, CommandGroup, option, section
from reidrisk.cli.input_path import InputPath

ROLES = ("preparer", "reviewer", "approver")


@click.group(name="account", cls=CommandGroup)
def command() -> None:
    """Manage the accounts of `reidrisk serve --auth`."""


@command.command()
@click.argument("file")
@click.argument("name")
@section(
    INPUT,
    option(
        "--role",
        required=True,
        type=click.Choice(ROLES),
        help="preparer: edits and runs. reviewer: decides on findings. approver: signs.",
    ),
    option(
        "--password-file",
        type=InputPath("file"),
        metavar="FILE",
        help="File with the password in its first line; otherwise you are asked.",
    ),
)
def add(file: str, name: str, **given: Any) -> None:
    """Add the account NAME to FILE, or give it a new password and role.

    FILE is made if it does not exist. Only you can read it. It has a hash of every password, made with
    scrypt, and no password. Start the app again afterwards: reidrisk serve --auth FILE and so on.
    """
    from reidrisk.web.accounts import Account, read_accounts, write_accounts

    known = read_accounts(file) if Path(file).exists() else []
    account = Account.new(name, given["role"], _password(given["password_file"]))
    write_accounts(file, [*(one for one in known if one.name != account.name), account])
    click.echo(f"Account: {account.name}, {account.role}\nFile: {file}")


@command.command()
@click.argument("file", type=InputPath("file"))
@click.argument("name")
def remove(file: str, name: str) -> None:
    """Remove the account NAME from FILE."""
    from reidrisk.web.accounts import read_accounts, write_accounts

    known = read_accounts(file)
    if name not in [one.name for one in known]:
        raise click.UsageError("There is no account of this name.")
    write_accounts(file, [one for one in known if one.name != name])
    click.echo(f"Removed: {name}\nFile: {file}")


def _password(file: str | None) -> str:
    if file:
        from reidrisk.cli.key import read_passphrase

        return read_passphrase(file)
    if not sys.stdin.isatty():
        raise click.UsageError("An account needs a password: use --password-file FILE or a terminal.")
    return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
