"""The end of `reidrisk demo`: everything that was made, assessed as one release."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from pathlib import Path

import click

RELEASE, FOLDER = "release.yaml", "assessment"


def show_assessment(folder: Path, *, seed: int) -> str:
    """Write the release file, print the command that assesses it, run it; the verdict."""
    from reidrisk.cli.assess import command
    from reidrisk.demo.release import write_release

    click.echo("== One decision: may all of it be released to this recipient?\n")
    write_release(folder / RELEASE, seed=seed)
    words = [str(folder / RELEASE), "--out", str(folder / FOLDER)]
    click.echo(
        "A release file names the parts and their context.\n\n"
        f"The same by hand:\n  reidrisk assess {shlex.join(words)}\n"
        f"What if everybody could have it:\n  reidrisk assess {shlex.join(words)} "
        "--set context.access=public\n"
        f"Is it as it was made:\n  reidrisk verify {shlex.quote(str(folder / FOLDER))}\n"
    )
    with suppress(SystemExit):
        command.main(words, prog_name="reidrisk assess", standalone_mode=False)
    result = json.loads((folder / FOLDER / "assessment.json").read_text(encoding="utf-8"))
    return "acceptable" if result["acceptable"] else "NOT acceptable"
