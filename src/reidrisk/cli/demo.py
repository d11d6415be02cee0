"""`reidrisk demo`: the jobs on generated data."""

from __future__ import annotations

from pathlib import Path

import click

ATTEMPT = (0.3, 0.4, 0.5)
RECOGNITION = 0.1
TEXT = ("gold.jsonl", "tool.jsonl", "result.json", "report.html")
TABLE, POPULATION, STUDY = "table", "population", "study"
"""Where the files of the table, of the state and of the trial lie."""


@click.command(name="demo")
@click.argument("folder", type=click.Path(file_okay=False), default="demo-output")
@click.option(
    "--seed", type=click.IntRange(min=0), default=7, show_default=True, help="Same seed, same data."
)
def command(folder: str, seed: int) -> None:
    """Make clinical notes, prescription records, a state and a trial; judge and release them; all in FOLDER.

    The notes have the shape of the published case study, 120 documents in four groups; a simulated tool
    masks them and is evaluated. The records have the shape of a hospital's, 94,100 prescriptions of
    10,364 visits; they are de-identified. The state has twelve counties; two sharing policies are compared
    on its people. The trial has 60 participants and a report of 30 pages, from which they are removed. At the
    end all of it is assessed as one release. The exit code is 0 whatever the verdicts.
    """
    from reidrisk.cli import demo_population, demo_study
    from reidrisk.cli.demo_assess import FOLDER, RELEASE, show_assessment
    from reidrisk.cli.demo_table import needs_tables, show_table, targets
    from reidrisk.cli.output import needs_report
    from reidrisk.core.files import writable

    needs_report()
    needs_tables()
    demo_study.needs_documents()
    target = Path(folder)
    for place in (target / TABLE, target / POPULATION / demo_population.FIGURE, target / STUDY):
        place.mkdir(parents=True, exist_ok=True)
    others = (
        *targets(target / TABLE),
        *demo_population.targets(target / POPULATION),
        *demo_study.targets(target / STUDY),
    )
    for path in (*(target / name for name in (*TEXT, RELEASE)), *others):
        writable(path)
    click.echo("== Job 1, text: does a de-identification tool protect the patients?\n")
    text = _show_text(target, seed=seed)
    click.echo("\n")
    table = show_table(target / TABLE, seed=seed)
    click.echo("\n")
    found = demo_population.show_population(target / POPULATION, seed=seed)
    click.echo("\n")
    trial = demo_study.show_study(target / STUDY, seed=seed)
    click.echo("\n")
    whole = show_assessment(target, seed=seed)
    click.echo(f"\nText:  {text}; {target / 'report.html'}")
    click.echo(f"Table: {table}; {target / TABLE / 'report.html'}")
    click.echo(f"State: {found}; {target / POPULATION / 'report.html'}")
    click.echo(f"Trial: {trial}; {target / STUDY / demo_study.PAGE}; {target / STUDY / demo_study.COPIES}")
    click.echo(f"Whole: {whole}; {target / FOLDER / 'report.html'}; {target / FOLDER / 'report.pdf'}")


def _show_text(target: Path, *, seed: int) -> str:
    """Make the notes, evaluate the tool, write the page; the verdict."""
    from reidrisk.context.release import Release
    from reidrisk.core.files import write_text
    from reidrisk.core.threshold import Threshold
    from reidrisk.demo import case_study_tool, clinical_notes
    from reidrisk.report.page import write_page
    from reidrisk.text.evaluate import evaluate_text
    from reidrisk.text.formats.jsonl import write_jsonl

    gold, tool, figures, page = (target / name for name in TEXT)
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
    write_text(figures, result.to_json())
    write_page(result, page)
    click.echo(str(result))
    low, mode, high = ATTEMPT
    click.echo(
        f"\nThe same by hand:\n  reidrisk text evaluate {gold} {tool} --recognition {RECOGNITION} "
        f"--attempt {low},{mode},{high} --html {page}"
    )
    verdict = "acceptable" if result.acceptable else "NOT acceptable"
    click.echo(f"\nVerdict: {verdict}")
    click.echo(f"Report:  {page}")
    return verdict
