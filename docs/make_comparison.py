"""Write docs/compare-tools.md and its charts from outputs of real tools: `python docs/make_comparison.py "
"DATA`.

DATA holds corpora/NAME.jsonl and predictions/NAME/TOOL.jsonl. Nothing of their text is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from reidrisk.report.blocks import text_counts, text_improvements
from reidrisk.report.blocks.text_counts import ROLES
from reidrisk.report.charts.svg import svg
from reidrisk.report.codebook import list_text, table_text
from reidrisk.report.kinds import text_comparison as content
from reidrisk.report.kinds.text_comparison import charts

HERE = Path(__file__).parent
PROGRAM = str(Path(sys.executable).with_name("reidrisk"))
TOOLS = ("presidio_md", "philter_lite", "spacy_md", "stella", "pydeid")
CORPORA = {
    "tab144": (
        "Court decisions (TAB)",
        "144 decisions of the European Court of Human Rights in English, a part of the Text Anonymization "
        "Benchmark (MIT licence). People marked what is direct and what is a quasi-identifier. A decision "
        "has "
        "637 words on average and 23 distinct quasi-identifier values. They are not clinical notes, for "
        "which most of these tools were made.",
    ),
    "asq_phi_800": (
        "Clinical questions (ASQ-PHI)",
        "800 short questions of clinicians in English, synthetic (MIT licence), with names, record numbers, "
        "dates and places. Names, numbers and contacts count as direct identifiers, the rest as "
        "quasi-identifiers; this typing is ours.",
    ),
}
INTRODUCTION = """\
# Five tools on two corpora

Which de-identification tool is safest? That depends on the texts. This page compares five tools that anybody
can install by the risk that they leave, on the same documents, with one command per corpus. **Each tool ran
offline with its default settings.** Nobody adapted them to these texts, as you should before use, so their
makers would get better figures. `docs/make_comparison.py` makes this page, and a test makes it again.

| name | tool |
| --- | --- |
| presidio\\_md | Presidio analyzer 2.2.366 with spaCy's en\\_core\\_web\\_md |
| philter\\_lite | Philter-lite 0.6.0 |
| spacy\\_md | spaCy's en\\_core\\_web\\_md alone |
| stella | stella 3.0.7 |
| pydeid | pyDeid |

The release is public and identifiers are blacked out, so every leak counts, and we assume that somebody
will try. Direct identifiers are compared with the benchmark of the publication ([risk from
text](concepts/risk-from-text.md)), and quasi-identifiers with a cell size of five.
"""
END = """\
- **Masking most words is not enough.** A tool that masks nine words of ten can still leave a name or a
  number in many documents, and one of these names a patient.
- **What leaks is specific.** Case numbers of courts and numbers of medical records look different in every
  place. Tools let you add your own patterns, and the lists above say how much these must catch.
- In long texts the risk from quasi-identifiers is above 0.5 for all tools: with twenty values in a document
  some pair leaks. There the counts of documents that leak under one tool alone tell more.
- Your texts are others. Ask with your own documents ([compare tools](guides/compare-text-tools.md)) and
  your own gold standard ([gold standards](guides/gold-standards.md)).
"""


def main(data: Path, folder: Path) -> None:
    """Write the page and its charts into a folder."""
    parts = [INTRODUCTION]
    (folder / "images").mkdir(exist_ok=True)
    results = {name: compared(data, name) for name in CORPORA}
    for name, (title, about) in CORPORA.items():
        parts.append(section(results[name], title, about, images=drawn(results[name], name, folder)))
    parts += [lessons(results), END, run_it()]
    (folder / "compare-tools.md").write_text("\n".join(parts), encoding="utf-8")


def compared(data: Path, name: str) -> dict[str, Any]:
    """What the command says."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "result.json"
        tools = [str(data / "predictions" / name / f"{tool}.jsonl") for tool in TOOLS]
        gold = str(data / "corpora" / f"{name}.jsonl")
        command = [PROGRAM, "text", "evaluate", gold, *tools, "--json", str(target), "--quiet"]
        done = subprocess.run(command, check=False)  # noqa: S603 - our own program
        if done.returncode not in (0, 3):
            raise SystemExit(done.returncode)
        result: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
        return result


def drawn(result: dict[str, Any], name: str, folder: Path) -> list[str]:
    """The charts as files; their names with the words for those who do not see them."""
    found = []
    for chart in charts(result):
        file = f"images/compare-{name}-{chart.name}.svg"
        (folder / file).write_text(standalone(svg(chart, prefix=name)), encoding="utf-8")
        found += [f"**{chart.title}.** {chart.caption}", f"![{chart.title}. {chart.description}]({file})"]
    return found


def standalone(drawing: str) -> str:
    """A drawing with paper below it, so that it is read on dark pages too."""
    head, end, rest = drawing.partition("</desc>")
    sized = head.replace("<svg ", '<svg width="620" ', 1)
    lines = (f"{sized}{end}\n" + '<rect width="100%" height="100%" fill="#fefefe"/>' + rest).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def section(result: dict[str, Any], title: str, about: str, *, images: list[str]) -> str:
    """One corpus."""
    table = content.tools(result)
    parts = [
        f"## {title}",
        about,
        f"**{content.verdict(result).word}.** {table.explanation}",
        table_text(table),
    ]
    parts += images
    parts += ["### What each tool needs", needs(result)]
    for role in ROLES:
        pairs = content.differences(result, role)
        if pairs is not None:
            parts += [f"### {pairs.title}", pairs.explanation, table_text(pairs)]
    best = content.in_order(result)[0]
    parts += [
        f"### Where {best['name']}, the least risky, leaks".replace("_", "\\_"),
        table_text(text_counts.recall_by_type(best)),
    ]
    return "\n\n".join(parts) + "\n"


def lessons(results: dict[str, dict[str, Any]]) -> str:
    """What follows from the figures, computed so that it stays true."""
    lines = ["## What to take from it", ""]
    good = sum(tool["acceptable"] for result in results.values() for tool in result["tools"])
    if not good:
        lines.append("- **No tool passes as it comes**, on either corpus.")
    for role, title in ROLES.items():
        least = [
            f"{min(result['tools'], key=lambda tool: tool[role]['value'])['name']} on {CORPORA[name][0]}"
            for name, result in results.items()
        ]
        lines.append(f"- {title}: the least risk is left by {' and by '.join(least)}.".replace("_", "\\_"))
    return "\n".join(lines)


def needs(result: dict[str, Any]) -> str:
    """What would make each tool acceptable, in sentences."""
    said = [
        f"{tool['name']}. {' '.join(text_improvements.sentences(tool)) or 'Nothing: it is acceptable.'}"
        for tool in content.in_order(result)
    ]
    return list_text(said)


def run_it() -> str:
    """How to repeat it."""
    outputs = " ".join(f"{tool}.jsonl" for tool in TOOLS)
    return (
        "## Run it\n\nWith the annotated corpus and the output of each tool as JSON lines:\n\n"
        f"```\nreidrisk text evaluate tab144.jsonl {outputs} --html compare.html --leaks leaks.csv\n```\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else HERE)
