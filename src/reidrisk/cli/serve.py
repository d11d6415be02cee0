"""`reidrisk serve`: the app in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reidrisk.cli.help import OTHER, Command, option, section
from reidrisk.cli.input_path import InputPath


class ServingCommand(Command):
    """A command whose requests write and log for themselves, while it goes on."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        return click.Command.invoke(self, ctx)


@click.command(name="serve", cls=ServingCommand)
@click.argument("folder", default=".", type=InputPath("folder"))
@section(
    OTHER,
    option(
        "--port",
        type=click.IntRange(0, 65535),
        default=0,
        metavar="N",
        show_default="a free one",
        help="Port to listen on.",
    ),
    option("--no-browser", is_flag=True, help="Do not open a browser; only print the link."),
    option(
        "--host",
        default="127.0.0.1",
        metavar="HOST",
        show_default="this computer only",
        help="Name or address at which others reach the app; needs --auth, --tls-cert and --tls-key.",
    ),
    option(
        "--auth",
        type=InputPath("file"),
        metavar="FILE",
        help="Accounts, from: reidrisk account add FILE NAME --role ROLE.",
    ),
    option("--tls-cert", type=InputPath("file"), metavar="FILE", help="Certificate of the server (PEM)."),
    option("--tls-key", type=InputPath("file"), metavar="FILE", help="Private key of the certificate (PEM)."),
)
def command(folder: str, **given: Any) -> None:
    """Open the app on the releases in FOLDER.

    It leads from files to a signed report: what each column is, who gets the data, the verdict, what would
    make it acceptable. It reads and writes the same files as the other commands. Only this computer reaches
    it, with a link that works once. Nothing is sent anywhere.
    """
    from reidrisk.web.server import Serving, serve

    paths = {
        name: None if given[name] is None else Path(given[name]) for name in ("auth", "tls_cert", "tls_key")
    }
    serving = Serving(Path(folder), port=given["port"], host=given["host"], **paths)
    serve(serving, say=click.echo, browser=not given["no_browser"])
