"""`reidrisk document review`: sheets, decisions, agreement, and a gold standard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reidrisk.cli import output

if TYPE_CHECKING:
    from reidrisk.documents.findings.file import FindingsFile
    from reidrisk.documents.findings.review import Review
    from reidrisk.documents.review.places import Known
    from reidrisk.documents.review.result import DocumentReview

_DECIDING = ("accept", "reject", "add", "retype", "seen", "filled")


@click.command(name="review")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--reviewer", metavar="NAME", help="Who decides.")
@click.option("--accept", multiple=True, metavar="ID", help="A finding that is an identifier.")
@click.option("--reject", multiple=True, metavar="ID", help="A finding that is none.")
@click.option("--retype", multiple=True, metavar="ID=TYPE", help="A finding that is of another type.")
@click.option("--add", multiple=True, metavar="DOC:BLOCK:START-END:TYPE", help="A place that was missed.")
@click.option("--seen", multiple=True, metavar="DOC:BLOCK", help="A page that was read as a whole.")
@click.option("--from", "filled", type=click.Path(exists=True), metavar="FILE", help="A sheet, filled in.")
@click.option("--time", metavar="TIME", help="When it was decided, as 2026-03-01T09:30:00Z.  [now]")
@click.option("--out", type=click.Path(), metavar="FILE", help="The review file.  [FINDINGS.reviewed.json]")
@click.option("--sheet", type=click.Path(), metavar="FILE", help="Write a sheet to fill in: CSV or YAML.")
@click.option("--sample", metavar="PAGES", help="Draw so many pages for the sheet, or enough.")
@click.option("--recall", type=float, default=0.95, show_default=True, help="Recall of pages to be shown.")
@click.option("--expect", type=float, default=0.99, show_default=True, help="Recall that you expect.")
@click.option("--assurance", type=float, default=0.8, show_default=True, help="Chance of showing it.")
@click.option(
    "--rule",
    default="careful",
    show_default=True,
    metavar="careful|majority",
    help="What counts where reviewers differ.",
)
@click.option(
    "--gold", type=click.Path(), metavar="FILE", help="Write pages read as a gold standard (JSONL)."
)
@click.option("--prediction", type=click.Path(), metavar="FILE", help="Write what was found on them (JSONL).")
@click.option(
    "--source",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="DOCUMENT",
    help="A document that findings were made from.",
)
@click.option("--show-text", is_flag=True, help="Put texts into the sheet and the gold standard.")
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@output.options
def command(files: tuple[str, ...], **given: Any) -> None:
    """Take in what people decided on the findings in FILES, and say how far they agree.

    FILES are of `document detect`, or review files made from one. Decisions are added to the review file,
    which is all that other commands need; findings themselves are never changed. Pages that were read as a
    whole tell what was missed: their recall, and how many pages show the recall that you want.
    """
    from reidrisk.documents.review.journal import keep, review_file

    target = Path(given["out"]) if given["out"] else review_file(files[0])
    deciding = any(given[name] for name in _DECIDING)
    _check(files, target if deciding else None, given)
    read = [*files, target] if target.exists() and str(target) not in files else list(files)
    result = _reviewed(read, given, deciding=deciding)
    if deciding:
        keep(target, result.file)
    texts = _texts(result.file, given)
    if given["sheet"]:
        from reidrisk.documents.review.sheet import write_sheet

        write_sheet(given["sheet"], result.file, pages=result.drawn or None, texts=texts)
    if given["gold"]:
        _write_gold(result, given, texts or {})
    names = {"Sheet": given["sheet"], "Gold standard": given["gold"], "Prediction": given["prediction"]}
    output.finish(result, given, refuses=False, files={"Review": str(target) if deciding else None, **names})


def _check(files: tuple[str, ...], target: Path | None, given: dict[str, Any]) -> None:
    if target is not None and not given["reviewer"]:
        raise click.UsageError("--reviewer says who decides.")
    if given["show_text"] and not (given["source"] and (given["sheet"] or given["gold"])):
        raise click.UsageError("--show-text goes with --source and with --sheet or --gold.")
    if bool(given["gold"]) != bool(given["prediction"]):
        raise click.UsageError("--gold and --prediction go together: one is evaluated by the other.")
    if given["gold"] and not given["show_text"]:
        raise click.UsageError("A gold standard holds the texts of pages: say --show-text and --source.")
    named = ("sheet", "gold", "prediction")
    others = {f"--{name}": given[name] for name in named if given[name]}
    if target is not None and str(target) not in files:
        others["--out"] = str(target)
    read = (*files, given["filled"], *given["source"])
    output.check_targets(read, json=given["json"], html=given["html"], others=others)


def _reviewed(read: list[Any], given: dict[str, Any], *, deciding: bool) -> DocumentReview:
    from reidrisk.documents.review.gold import source_texts
    from reidrisk.documents.review.journal import together
    from reidrisk.documents.review.measure import WantedRecall
    from reidrisk.documents.review.places import Known
    from reidrisk.documents.review.run import ReviewOptions, review_documents

    file = together(read)
    reviews = []
    if deciding:
        texts = source_texts(file, given["source"])
        reviews.append(_review(Known(file, texts), given))
    sample = given["sample"]
    options = ReviewOptions(
        rule=given["rule"],
        wanted=WantedRecall(given["recall"], given["expect"], given["assurance"]),
        sample=int(sample) if sample and sample.isdecimal() else sample,
        seed=given["seed"],
    )
    return review_documents(file, reviews=reviews, options=options)


def _review(known: Known, given: dict[str, Any]) -> Review:
    from reidrisk.documents.findings.review import Review
    from reidrisk.documents.review.places import without_doubles
    from reidrisk.documents.review.run import review_time
    from reidrisk.documents.review.sheet import read_sheet

    decisions = [known.on(name, "accept") for name in given["accept"]]
    decisions += [known.on(name, "reject") for name in given["reject"]]
    retyped = output.pairs(given["retype"], option="--retype")
    decisions += [known.on(name, "retype", kind) for name, kind in retyped.items()]
    decisions += [known.added(text) for text in given["add"]]
    seen = [known.seen(text) for text in given["seen"]]
    if given["filled"]:
        from_sheet, pages = read_sheet(given["filled"], known)
        decisions, seen = decisions + from_sheet, seen + pages
    time = review_time(given["time"])
    return Review(given["reviewer"], time, without_doubles(decisions), tuple(dict.fromkeys(seen)))


def _texts(file: FindingsFile, given: dict[str, Any]) -> dict[tuple[str, str], str] | None:
    if not given["show_text"]:
        return None
    from reidrisk.documents.review.gold import source_texts

    return source_texts(file, given["source"])


def _write_gold(result: DocumentReview, given: dict[str, Any], texts: dict[tuple[str, str], str]) -> None:
    from reidrisk.documents.review.gold import gold_standard
    from reidrisk.text.formats.jsonl import write_jsonl

    gold, tool = gold_standard(result.file, texts, rule=given["rule"])
    write_jsonl(gold, Path(given["gold"]))
    write_jsonl(tool, Path(given["prediction"]))
