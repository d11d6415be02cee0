"""Log a command in the release folders that it writes into: its name and options, no value of an option."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    """Files that exist before the command runs and that a parameter names; folders only as arguments."""
    found: dict[Path, None] = {}
    for parameter in ctx.command.params:
        if parameter.name is not None and parameter.name not in NEVER_READ:
            is_argument = isinstance(parameter, click.Argument)
            for path in _paths(ctx.params.get(parameter.name)):
                if path.is_file() or (is_argument and path.is_dir()):
                    found[path] = None
    return list(found)


def _paths(value: Any) -> Iterator[Path]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _paths(one)
    elif isinstance(value, str | Path) and value and "\0" not in str(value) and "://" not in str(value):
        matches = glob.glob(str(value), recursive=True) if glob.has_magic(str(value)) else []  # noqa: PTH207
        with suppress(OSError):  # a text that is too long for a path
            yield from (Path(one).resolve() for one in (value, *matches) if Path(one).exists())
