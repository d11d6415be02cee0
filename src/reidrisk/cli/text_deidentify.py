"""`reidrisk text deidentify`: find identifiers in texts and replace them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output

if TYPE_CHECKING:
    from collections.abc import Callable

    from reidrisk.detect.settings import DetectSettings
    from reidrisk.resynthesis.result import TextDeidentification

MODES = ("redact", "label", "mask", "surrogate")
DETECTING = ("plugin", "rules", "scheme", "consistency")
"""Options of --set that belong to the detector; all others say how identifiers are replaced."""


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True))
@click.option("--out", required=True, type=click.Path(), help="File or folder to write, of the kind of IN.")
@click.option(
    "--mode",
    default="surrogate",
    show_default=True,
    type=click.Choice(MODES),
    help="[REDACTED], [NAME], blocks of the same length, or an invented value.",
)
@click.option("--key", metavar="FILE", help="Secret of the surrogates; made if it does not exist.")
@click.option("--model", metavar="FILE", help="A model of `text train`, or none.  [the one for English]")
@click.option("--known", metavar="FILE", help="Values known of the people: a table, a list or JSON lines.")
@click.option("--terms", metavar="FILE", multiple=True, help="Your own words to find, one a line.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Lower finds more, and errs more.")
@click.option("--marks", metavar="FILE", help="Replace what this file of annotations marks; detect nothing.")
@click.option("--findings", metavar="FILE", help="Write where something was found (JSON lines).")
@click.option("--show-text", is_flag=True, help="Put the text that was found into the findings.")
@click.option("--column", multiple=True, metavar="NAME", help="Column of a table, or field, that holds text.")
@click.option(
    "--person", metavar="COLUMN|REGEX", help="Whom a text is about: a column, or a group in the id."
)
@click.option("--encoding", metavar="NAME", help="Of the files, if neither UTF-8 nor marked as UTF-16.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [all cores]")
@click.option("--resume", is_flag=True, help="Go on with a folder where an earlier run was stopped.")
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=VALUE", help="Any other option; see the guide."
)
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@click.option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors; the exit code tells.")
def deidentify(source: str, **given: Any) -> None:
    """Find identifiers in IN and replace them: texts, folders, CSV, Parquet, JSON lines.

    Surrogates are invented values that look real: one for one name in all texts, dates of a person moved by
    the same number of days, numbers of the same form. They are never the original nor another real value.
    What was missed is not known here: measure it with `text evaluate` and `text attack`.
    """
    if given["show_text"] and given["findings"] is None:
        raise click.UsageError("--show-text goes with --findings: no other output holds text.")
    inputs = (source, given["key"], given["model"], given["known"], given["marks"], *given["terms"])
    others = {"--findings": given["findings"]} if given["findings"] else {}
    output.check_targets(inputs, json=given["json"], html=given["html"], others=others)
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("") as tell:
        result = _run(source, given, tell)
    output.finish(result, given)


def _run(
    source: str, given: dict[str, Any], tell: Callable[[str, int, int], None] | None
) -> TextDeidentification:
    from reidrisk.resynthesis.corpus.note import SourceOptions
    from reidrisk.resynthesis.run import RunOptions, deidentify_text
    from reidrisk.resynthesis.settings import resynthesis_settings

    changes = output.pairs(given["changes"])
    settings = resynthesis_settings(
        given["mode"], {name: text for name, text in changes.items() if name not in DETECTING}
    )
    options = RunOptions(
        source=SourceOptions(given["column"], given["person"], given["encoding"]),
        marks=Path(given["marks"]) if given["marks"] else None,
        findings=Path(given["findings"]) if given["findings"] else None,
        show_text=given["show_text"],
        jobs=given["jobs"] or os.cpu_count() or 1,
        resume=given["resume"],
        progress=None
        if tell is None
        else lambda what, done, total, unit: tell(f"{what} ({unit})", done, total),
    )
    detect = detect_settings(given, changes)
    return deidentify_text(
        source, given["out"], settings=settings, detect=detect, key=given["key"], options=options
    )


def detect_settings(given: dict[str, Any], changes: dict[str, Any]) -> DetectSettings:
    """The detector that the options describe."""
    from reidrisk.detect.settings import DEFAULT_THRESHOLD, SHIPPED_MODEL, DetectSettings

    model = (
        SHIPPED_MODEL
        if given["model"] is None
        else None
        if given["model"] == "none"
        else Path(given["model"])
    )
    return DetectSettings(
        model=model,
        known=Path(given["known"]) if given["known"] else None,
        terms=tuple(Path(path) for path in given["terms"]),
        plugins=tuple(text.strip() for text in str(changes.get("plugin", "")).split(";") if text.strip()),
        threshold=DEFAULT_THRESHOLD if given["threshold"] is None else given["threshold"],
        rules=changes.get("rules"),
        scheme=changes.get("scheme", "i2b2"),
        consistency=str(changes.get("consistency", "yes")).casefold() not in ("no", "false", "0"),
    )
