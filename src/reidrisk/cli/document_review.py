"""`reidrisk document review`: what people decide about findings, in a review file or in journals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import (
    DECISIONS,
    INPUT,
    METHOD,
    OUTPUT,
    SAMPLE,
    Command,
    option,
    section,
)
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import (
    HTML,
    JSON,
    SEED,
    SHOW_IDS,
    SILENT,
)
from reidrisk.core.wording import path_text

if TYPE_CHECKING:
    from reidrisk.documents.findings.file import FindingsFile
    from reidrisk.documents.findings.finding import Review
    from reidrisk.documents.review.run import DocumentReview
    from reidrisk.documents.review.sheet import Known

DECIDING = ("accept", "reject", "add", "cci", "retype", "seen", "filled")
"""Options of `review` that record a decision."""
JOURNALING = ("journal", "undo", "finish")
"""Options of `review` that write the journal of the reviewer instead of the review file."""
TO_REVIEW = (
    "To write a sheet for reviewers, add: --sheet sheet.csv\n"
    "To read it back, use: --reviewer NAME --from sheet.csv"
)


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, type=InputPath("file"))
@section(
    INPUT,
    option(
        "--source",
        multiple=True,
        type=InputPath("file"),
        metavar="DOCUMENT",
        help="A document that the findings come from; may be repeated.",
    ),
)
@section(
    METHOD,
    option(
        "--rule",
        default="careful",
        show_default=True,
        metavar="careful|majority",
        help="Which decision counts if reviewers disagree.",
    ),
)
@section(
    DECISIONS,
    option("--reviewer", metavar="NAME", help="Who made the decisions."),
    option("--accept", multiple=True, metavar="ID", help="This finding is an identifier."),
    option("--reject", multiple=True, metavar="ID", help="This finding is not an identifier."),
    option("--retype", multiple=True, metavar="ID=TYPE", help="This finding has another type."),
    option(
        "--add",
        multiple=True,
        metavar="DOC:BLOCK:START-END:TYPE",
        help="There is an identifier here that was missed.",
    ),
    option(
        "--cci",
        multiple=True,
        metavar="DOC:BLOCK:START-END",
        help="Here is commercially confidential information, not personal data.",
    ),
    option("--seen", multiple=True, metavar="DOC:BLOCK", help="This page was read completely."),
    option("--from", "filled", type=InputPath(), metavar="FILE", help="A sheet with decisions."),
    option(
        "--everywhere",
        is_flag=True,
        help="--accept, --reject and --retype count for every finding with the same type and text. Needs "
        "--source.",
    ),
    option(
        "--undo",
        multiple=True,
        metavar="ID",
        help="Take back the last decision about this finding; as with --journal.",
    ),
    option("--finish", is_flag=True, help="The reviewer has finished; as with --journal."),
    option(
        "--journal",
        is_flag=True,
        help="Append the decisions to the journal of the reviewer next to the findings, as the web app does.",
    ),
    option(
        "--time",
        metavar="TIME",
        show_default="now",
        help="When the decisions were made, such as 2026-03-01T09:30:00Z.",
    ),
)
@section(
    SAMPLE,
    option("--sample", metavar="PAGES", help="Draw this many pages for the sheet, or `enough`."),
    option(
        "--recall",
        type=float,
        default=0.95,
        show_default=True,
        metavar="R",
        help="Recall that the reviewed pages should show: the share of pages without a missed identifier.",
    ),
    option(
        "--expect", type=float, default=0.99, show_default=True, metavar="R", help="Recall that you expect."
    ),
    option(
        "--assurance",
        type=float,
        default=0.8,
        show_default=True,
        metavar="P",
        help="Chance of showing --recall, if the recall is as expected.",
    ),
    SEED,
)
@section(
    OUTPUT,
    option(
        "--out",
        type=click.Path(),
        metavar="FILE",
        show_default="FINDINGS.reviewed.json",
        help="Review file to write.",
    ),
    option("--sheet", type=click.Path(), metavar="FILE", help="Write a sheet to fill in (CSV or YAML)."),
    option(
        "--gold",
        type=click.Path(),
        metavar="FILE",
        help="Write the pages that were read completely as a gold standard (JSON Lines).",
    ),
    option(
        "--prediction",
        type=click.Path(),
        metavar="FILE",
        help="Write what was detected on these pages (JSON Lines).",
    ),
    option("--show-text", is_flag=True, help="Include text in the sheet and the gold standard."),
    HTML,
    JSON,
    SHOW_IDS,
    SILENT,
)
def review(files: tuple[str, ...], **given: Any) -> None:
    """Record decisions about findings, and measure agreement.

    FILES are findings of `reidrisk document detect`, or review files made from the same findings. Decisions
    are added to the review file, which is all that the other commands need. The findings are never changed.
    With --journal, each reviewer has a file of their own, and every decision is a line that can be undone.
    Pages that were read completely show what was missed: the recall, and how many pages you need to show the
    recall that you want.
    """
    from reidrisk.documents.review.journal import keep, review_file

    target = Path(given["out"]) if given["out"] else review_file(files[0])
    journaling = any(given[name] for name in JOURNALING)
    deciding = any(given[name] for name in DECIDING) and not journaling
    _check_review(files, target if deciding else None, given)
    read = [*files, target] if target.exists() and str(target) not in files else list(files)
    journal = _append(read, given) if journaling else None
    result = _review_result(read, given, deciding=deciding)
    if deciding:
        keep(target, result.file)
    texts = _texts(result.file, given)
    if given["sheet"]:
        from reidrisk.documents.review.sheet import write_sheet

        write_sheet(given["sheet"], result.file, pages=result.drawn or None, texts=texts)
    if given["gold"]:
        _write_gold(result, given, texts or {})
    names = {"Sheet": given["sheet"], "Gold standard": given["gold"], "Prediction": given["prediction"]}
    written = {
        "Review": str(target) if deciding else None,
        "Journal": path_text(journal) if journal else None,
    }
    output.show_result(result, given, decides=False, files={**written, **names})
    if not result.file.reviews and not given["sheet"]:
        output.Output(given["json"], quiet=given["quiet"]).say(TO_REVIEW)


def _append(read: list[Any], given: dict[str, Any]) -> Path:
    """Write decisions into the journal of the reviewer; return its path."""
    from reidrisk.documents.findings.journal import ReviewJournal
    from reidrisk.documents.review.journal import source_texts, together
    from reidrisk.documents.review.run import journal_lines
    from reidrisk.documents.review.sheet import Known

    file = together(read)
    known = Known(file, source_texts(file, given["source"]))
    documents = {one.document: one.sha256 for one in file.documents}
    journal = ReviewJournal.of(read[0], given["reviewer"], documents)
    places = [known.place_of(name) for name in given["undo"]]
    journal.append(journal_lines(_review(known, given), journal, undo=places, finish=given["finish"]))
    return journal.path


def _check_review(files: tuple[str, ...], target: Path | None, given: dict[str, Any]) -> None:
    if any(given[name] for name in JOURNALING) and given["out"]:
        raise click.UsageError("--out is for review files: a journal is next to the findings.")
    if given["everywhere"] and not given["source"]:
        raise click.UsageError("--everywhere needs --source, the document with the text.")
    if (target is not None or any(given[name] for name in JOURNALING)) and not given["reviewer"]:
        raise click.UsageError("Decisions need --reviewer, the name of the person who made them.")
    if given["show_text"] and not (given["source"] and (given["sheet"] or given["gold"])):
        raise click.UsageError("--show-text needs --source, and --sheet or --gold.")
    if bool(given["gold"]) != bool(given["prediction"]):
        raise click.UsageError("--gold and --prediction belong together: give both of them.")
    if given["gold"] and not given["show_text"]:
        raise click.UsageError("A gold standard contains the text of pages. Add --show-text and --source.")
    named = ("sheet", "gold", "prediction")
    others = {f"--{name}": given[name] for name in named if given[name]}
    if target is not None and str(target) not in files:
        others["--out"] = str(target)
    read = (*files, given["filled"], *given["source"])
    output.check_targets(read, json=given["json"], html=given["html"], others=others, extends=target)


def _review_result(read: list[Any], given: dict[str, Any], *, deciding: bool) -> DocumentReview:
    from reidrisk.documents.review.journal import source_texts, together
    from reidrisk.documents.review.measure import WantedRecall
    from reidrisk.documents.review.run import ReviewOptions, review_documents
    from reidrisk.documents.review.sheet import Known

    file = together(read)
    reviews = []
    if deciding:
        texts = source_texts(file, given["source"])
        reviews.append(_review(Known(file, texts), given))
    sample = given["sample"]
    review_options = ReviewOptions(
        rule=given["rule"],
        wanted=WantedRecall(given["recall"], given["expect"], given["assurance"]),
        sample=int(sample) if sample and sample.isdecimal() else sample,
        seed=given["seed"],
    )
    found = review_documents(file, reviews=reviews, options=review_options)
    return replace(found, settings={**found.settings, "findings": [path_text(one) for one in read]})


def _review(known: Known, given: dict[str, Any]) -> Review:
    """The decisions of the command line and of the sheet."""
    from reidrisk.documents.findings.finding import Review
    from reidrisk.documents.review.run import review_time
    from reidrisk.documents.review.sheet import read_sheet, without_doubles

    def meant(name: str) -> tuple[str, ...]:
        return known.same_value(name) if given["everywhere"] else (name,)

    decisions = [known.on(one, "accept") for name in given["accept"] for one in meant(name)]
    decisions += [known.on(one, "reject") for name in given["reject"] for one in meant(name)]
    types = options.pairs(given["retype"], option="--retype")
    decisions += [known.on(one, "retype", kind) for name, kind in types.items() for one in meant(name)]
    decisions += [known.added(text) for text in given["add"]]
    decisions += [known.confidential(text) for text in given["cci"]]
    seen = [known.seen(text) for text in given["seen"]]
    if given["filled"]:
        from_sheet, pages = read_sheet(given["filled"], known)
        decisions, seen = decisions + from_sheet, seen + pages
    time = review_time(given["time"])
    return Review(given["reviewer"], time, without_doubles(decisions), tuple(dict.fromkeys(seen)))


def _texts(file: FindingsFile, given: dict[str, Any]) -> dict[tuple[str, str], str] | None:
    if not given["show_text"]:
        return None
    from reidrisk.documents.review.journal import source_texts

    return source_texts(file, given["source"])


def _write_gold(result: DocumentReview, given: dict[str, Any], texts: dict[tuple[str, str], str]) -> None:
    from reidrisk.documents.review.journal import gold_standard
    from reidrisk.text.formats.jsonl import write_jsonl

    gold, tool = gold_standard(result.file, texts, rule=given["rule"])
    write_jsonl(gold, Path(given["gold"]))
    write_jsonl(tool, Path(given["prediction"]))
