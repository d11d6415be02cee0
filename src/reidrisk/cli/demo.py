"""`reidrisk demo`: the main job on generated data."""

from __future__ import annotations

from pathlib import Path

import click

ATTEMPT = (0.3, 0.4, 0.5)
RECOGNITION = 0.1


@click.command(name="demo")
@click.argument("folder", type=click.Path(file_okay=False), default="demo-output")
@click.option(
    "--seed", type=click.IntRange(min=0), default=7, show_default=True, help="Same seed, same data."
)
def command(folder: str, seed: int) -> None:
    """Make clinical notes, evaluate a simulated tool on them, write the page; all in FOLDER.

    The notes have the shape of the published case study: 120 documents in four groups. The exit
    code is 0 whatever the verdict, since nothing is to be released here.
    """
    from reidrisk.cli.output import needs_report
    from reidrisk.context.release import Release
    from reidrisk.core.files import writable, write_text
    from reidrisk.core.threshold import Threshold
    from reidrisk.demo import case_study_tool, clinical_notes
    from reidrisk.report.page import write_page
    from reidrisk.text.evaluate import evaluate_text
    from reidrisk.text.formats.jsonl import write_jsonl

    needs_report()
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name in ("gold.jsonl", "tool.jsonl", "result.json", "report.html"):
        writable(target / name)
    gold, tool = target / "gold.jsonl", target / "tool.jsonl"
    notes = clinical_notes(seed=seed)
    write_jsonl(notes, gold)
    write_jsonl(case_study_tool(notes, seed=seed), tool)
    result = evaluate_text(
        str(gold),
        str(tool),
        release=Release.non_public("resynthesis", recognition=RECOGNITION, attempt=ATTEMPT),
        threshold=Threshold.from_cell_size(5, "cell size of five, as in the case study"),
        seed=seed,
    )
    write_text(target / "result.json", result.to_json())
    write_page(result, target / "report.html")
    click.echo(str(result))
    low, mode, high = ATTEMPT
    click.echo(
        f"\nThe same by hand:\n  reidrisk text evaluate {gold} {tool} --recognition {RECOGNITION} "
        f"--attempt {low},{mode},{high} --html {target / 'report.html'}"
    )
    click.echo(f"\nVerdict: {'acceptable' if result.acceptable else 'NOT acceptable'}")
    click.echo(f"Report:  {target / 'report.html'}")
