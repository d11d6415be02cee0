"""Log a command in the release folders that it writes into: its name and options, no value of an option."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from reidrisk.core.trail import Recorder, recorded

SIGNER = "signer"
"""The parameter that names a person."""
NEVER_READ = ("key", "passphrase_file")
"""Parameters whose files are not hashed: a hash would help to recognize a key."""


@contextmanager
def recording(ctx: click.Context) -> Iterator[None]:
    """Record what the command writes, and log it at its end."""
    recorder = Recorder(
        command=ctx.command_path.removeprefix("reidrisk").strip(),
        options=_options(ctx),
        name=ctx.params.get(SIGNER),
        inputs=_inputs(ctx),
    )
    with recorded(recorder):
        yield


def _options(ctx: click.Context) -> list[str]:
    """The names of the options that were typed."""
    return [
        max(parameter.opts, key=len)
        for parameter in ctx.command.params
        if isinstance(parameter, click.Option)
        and parameter.name is not None
        and ctx.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]


def _inputs(ctx: click.Context) -> list[Path]:
    """Files that exist before the command runs and that a parameter names."""
    given = [value for name, value in ctx.params.items() if name not in NEVER_READ]
    return list(dict.fromkeys(path for value in given for path in _files(value)))


def _files(value: Any) -> Iterator[Path]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _files(one)
    elif isinstance(value, str | Path) and value and "\0" not in str(value) and "://" not in str(value):
        try:
            path = Path(value)
            if path.is_file():
                yield path.resolve()
        except OSError:  # a text that is too long for a path
            return
