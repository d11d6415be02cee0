"""The option --overwrite: without it, commands replace only what reidrisk wrote (`core/written_files`)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

OPTION = "--overwrite"
_META = "reidrisk.overwrite"


def allow(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - as click calls it
    """Remember that --overwrite was typed, also for the commands that this one runs."""
    if wanted:
        ctx.meta[_META] = True


def guard(targets: Iterable[Path]) -> None:
    """Before any work: refuse to replace a file of somebody else. What is written is recorded at the end."""
    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return
    from reidrisk.core.written_files import recording_written, refuse_foreign

    known = [target.resolve() for target in targets]
    if not ctx.meta.get(_META):
        refuse_foreign(known, hint=f"Choose another name, or add {OPTION} to replace it.")
    ctx.with_resource(recording_written(known))
