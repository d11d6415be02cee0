"""`reidrisk text train`, `deidentify` and `attack`: replace identifiers in text, and test the result."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, LIMITS, METHOD, OUTPUT, Command, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import HTML, JSON, MASTER, QUIET, SEED, SHOW_IDS, SILENT, settings_option
from reidrisk.cli.overwriting import guard
from reidrisk.cli.settings import setting_option
from reidrisk.cli.text_options import (
    DETECTION_SETTINGS,
    DETECTION_THRESHOLD,
    IGNORE_WORDS,
    KNOWN,
    MISALIGNED,
    MODEL,
    TERMS,
    TYPES,
    detect_settings,
)
from reidrisk.detect.model import settings as training
from reidrisk.resynthesis import settings as replacement
from reidrisk.resynthesis.attack import settings as attacking
from reidrisk.text.input_settings import GOLD_FORMAT, TREATMENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from reidrisk.resynthesis.result import TextDeidentification


@click.command(cls=Command)
@click.argument("corpora", metavar="CORPUS...", type=InputPath(), nargs=-1, required=True)
@section(
    INPUT,
    option("--format", "kind", metavar="F", show_default="detected", help="Format of every CORPUS."),
    TYPES,
    IGNORE_WORDS,
    MISALIGNED,
)
@section(
    METHOD,
    setting_option(training.FOLDS, filled=True),
    settings_option("Change any other setting; see the guide."),
    SEED,
)
@section(
    OUTPUT,
    option("--out", required=True, type=click.Path(), metavar="MODEL", help="Model file to write."),
    HTML,
    JSON,
    SHOW_IDS,
    SILENT,
)
def train(corpora: tuple[str, ...], **given: Any) -> None:
    """Train a detector on annotated documents, and measure it.

    Each CORPUS is a file, folder or zip file of annotations, in any language and any format that `reidrisk
    text evaluate` reads. The model finds the types that are annotated in them. To use it, run `reidrisk text
    deidentify --model MODEL`.
    """
    from reidrisk.detect.model.training import train_text
    from reidrisk.text.evaluate import TextFiles
    from reidrisk.text.tally import Counting

    read = (*corpora, given["types"], given["ignore_words"])
    output.check_targets(read, json=given["json"], html=given["html"], others={"--out": given["out"]})
    output.check_packages(("pycrfsuite", "text"))
    settings = training.TrainSettings.choose(options.pairs(given["changes"]))
    counting = Counting.choose(types=given["types"], ignore_words=given["ignore_words"])
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("models") as progress:
        result = train_text(
            [TextFiles(path, given["kind"]) for path in corpora],
            given["out"],
            folds=given["folds"],
            settings=settings,
            counting=counting,
            misaligned=given["misaligned"],
            seed=given["seed"],
            progress=progress,
        )
    output.finish(result, given, refuses=False)


@click.command(cls=Command)
@click.argument("source", metavar="IN", type=InputPath())
@section(
    INPUT,
    option(
        "--column", multiple=True, metavar="NAME", help="Column or field that contains text; may be repeated."
    ),
    option(
        "--person",
        metavar="COLUMN|REGEX",
        help="How to tell whom a text is about: a column, or a pattern with one group for the document id.",
    ),
    option(
        "--encoding",
        metavar="NAME",
        show_default="UTF-8, or UTF-16 with a mark",
        help="Encoding of the files.",
    ),
    option(
        "--marks",
        type=InputPath(),
        metavar="FILE",
        help="Replace what is annotated in this file, in any format, and do not detect anything.",
    ),
)
@section(
    METHOD,
    setting_option(replacement.MODE, filled=True),
    option("--key", metavar="FILE", help="Key file for the surrogates; created if it does not exist."),
    MODEL,
    KNOWN,
    TERMS,
    DETECTION_THRESHOLD,
    option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        show_default="all cores",
        help="Number of processes.",
    ),
    MASTER,
    option("--resume", is_flag=True, help="Continue in a folder where an earlier run was stopped."),
    settings_option("Change any other setting; see the guide."),
)
@section(
    OUTPUT,
    option(
        "--out",
        required=True,
        type=click.Path(),
        metavar="PATH",
        help="File or folder to write, of the same kind as IN; with --master, a new folder.",
    ),
    option("--findings", metavar="FILE", help="Write the position of each identifier found (JSON Lines)."),
    option("--show-text", is_flag=True, help="Include the text of the identifiers in the findings."),
    HTML,
    JSON,
    SHOW_IDS,
    QUIET,
)
def deidentify(source: str, **given: Any) -> None:
    """Find identifiers in text and replace them.

    IN is a text file, a folder of texts, or a CSV, Parquet or JSON Lines file. Surrogates are invented values
    that look real. A name gets the same surrogate in all texts, all dates of a person move by the same number
    of days, and numbers keep their form. A surrogate is never the original or another real value. To measure
    what was missed, use `reidrisk text evaluate` and `reidrisk text attack`.

    With --master, IN is a Parquet file or a folder of them, which Spark de-identifies with the same result.
    """
    if given["master"] and given["jobs"]:
        raise click.UsageError("--jobs cannot be used with --master: Spark decides.")
    if given["show_text"] and given["findings"] is None:
        raise click.UsageError("--show-text needs --findings, the only output that can contain text.")
    inputs = (source, given["key"], given["model"], given["known"], given["marks"], *given["terms"])
    others = {"--findings": given["findings"]} if given["findings"] else {}
    output.check_targets(inputs, json=given["json"], html=given["html"], others=others)
    guard([Path(given["out"])])
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("") as progress:
        result = _deidentify(source, given, progress)
    output.finish(result, given)


def _deidentify(
    source: str, given: dict[str, Any], progress: Callable[[str, int, int], None] | None
) -> TextDeidentification:
    from reidrisk.resynthesis.corpus.note import SourceOptions
    from reidrisk.resynthesis.run import RunOptions, deidentify_text

    changes = options.pairs(given["changes"])
    settings = replacement.resynthesis_settings(
        given["mode"], {name: text for name, text in changes.items() if name not in DETECTION_SETTINGS}
    )
    run_options = RunOptions(
        source=SourceOptions(given["column"], given["person"], given["encoding"]),
        marks=Path(given["marks"]) if given["marks"] else None,
        findings=Path(given["findings"]) if given["findings"] else None,
        show_text=given["show_text"],
        jobs=given["jobs"] or os.cpu_count() or 1,
        resume=given["resume"],
        progress=None
        if progress is None
        else lambda what, done, total, unit: progress(f"{what} ({unit})", done, total),
    )
    detect = detect_settings(given, changes)
    return deidentify_text(
        source,
        given["out"],
        settings=settings,
        detect=detect,
        key=given["key"],
        options=run_options,
        engine=given["master"],
    )


@click.command(cls=Command)
@click.argument("deidentified", type=InputPath())
@section(
    INPUT,
    option(
        "--gold",
        required=True,
        type=InputPath(),
        metavar="PATH",
        help="The original texts with their annotations, in any format.",
    ),
    setting_option(GOLD_FORMAT),
    TYPES,
    MISALIGNED,
    setting_option(
        replace(
            TREATMENT,
            help="What happened to the identifiers.",
            default=None,
            default_text="detected in the texts",
        )
    ),
)
@section(
    LIMITS,
    setting_option(attacking.PRECISION, filled=True),
)
@section(METHOD, settings_option("Change folds or level; see the guide."), SEED)
@section(OUTPUT, HTML, JSON, SHOW_IDS, QUIET)
def attack(deidentified: str, **given: Any) -> None:
    """Measure whether intruders can recognize leaked originals.

    DEIDENTIFIED contains the texts as they would be released: a folder of NAME.txt files, or JSON Lines with
    doc_id and text. The attacks see only these texts. The gold standard then shows which flagged values are
    originals. Use the result (--json) in `reidrisk text evaluate --recognition RESULT.json`.
    """
    from reidrisk.resynthesis.attack.run import attack_text
    from reidrisk.text.evaluate import TextFiles
    from reidrisk.text.tally import Counting

    output.check_targets(
        (deidentified, given["gold"], given["types"]), json=given["json"], html=given["html"]
    )
    result = attack_text(
        deidentified,
        TextFiles(given["gold"], given["gold_format"]),
        settings=attacking.attack_settings(given["precision"], options.pairs(given["changes"])),
        counting=Counting.choose(types=given["types"]),
        method=given["treatment"],
        misaligned=given["misaligned"],
        seed=given["seed"],
    )
    output.finish(result, given)
