"""`reidrisk context`: who gets the data, under what controls, and which risk that allows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from reidrisk.cli import output


@click.group(name="context")
def command() -> None:
    """Who gets the data, under what controls, and which risk that allows."""


@command.command()
@click.argument("context", required=False)
@click.option("--preset", metavar="NAME", help="The policy: hospital, ema, ipc, … or your own YAML file.")
@click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="Change a setting, such as controls=high."
)
@click.option("--ask", is_flag=True, help="Ask what CONTEXT leaves open; without CONTEXT, everything.")
@click.option("--out", metavar="FILE", help="Keep the answers as YAML, also when you stop early.")
@click.option("--html", metavar="FILE", help="Write a page with charts.")
@click.option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def score(context: str | None, **given: Any) -> None:
    """Tell the chance of an attempt, the threshold and its reason, and what a higher one would need.

    CONTEXT is a YAML file. Without it the questions are asked one by one, on a terminal. Presets: hospital,
    ema, health_canada, hipaa, ipc, and cell_size_3 to cell_size_30.
    """
    others = {"--out": given["out"]} if given["out"] else None
    output.check_targets((context,), json=given["json"], html=given["html"], others=others)
    content = _content(context, given)
    folder = Path(context).parent if context else Path()
    if given["ask"] or content is None:
        content = _asked(content or {}, folder=folder, out=given["out"])
    from reidrisk.context.context import Context
    from reidrisk.context.score import score_context

    place = f"{context}: context" if context else "context"
    result = score_context(Context.of(content, place=place, folder=folder))
    if given["out"]:
        from reidrisk.core.yaml_file import write_yaml

        write_yaml(given["out"], content)
    output.finish(result, given, refuses=False)


def _content(path: str | None, given: dict[str, Any]) -> dict[str, Any] | None:
    """The settings of the file and the command line; None if there are none at all."""
    changes = output.pairs(given["changes"])
    if given["preset"]:
        changes = {"preset": given["preset"], **changes}
    if path is None and not changes:
        if not given["ask"] and not sys.stdin.isatty():
            raise click.UsageError("Name a file with the context; questions are asked on a terminal only.")
        return None
    from reidrisk.context.changes import changed_content
    from reidrisk.context.settings import settings_of
    from reidrisk.core.yaml_file import read_yaml

    read = {} if path is None else read_yaml(Path(path)) or {}
    hint = "Write for example access: non_public, one setting a line."
    return changed_content(settings_of(read, place=str(path), hint=hint).content, changes)


def _asked(content: dict[str, Any], *, folder: Path, out: str | None) -> dict[str, Any]:
    """The settings with the answers of a person; what was answered is kept when they stop."""
    from reidrisk.cli.context_questions import Interview
    from reidrisk.core.yaml_file import write_yaml

    asking = Interview(content, folder)
    try:
        asking.run()
    except (click.Abort, KeyboardInterrupt):
        if out and asking.content:
            write_yaml(out, asking.content)
            click.echo(
                f"\nKept in {out}; go on with: reidrisk context score {out} --ask --out FILE", err=True
            )
        raise
    return asking.content
