"""`reidrisk text`: evaluate the output of text de-identification tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from reidrisk.cli import context_option, output
from reidrisk.cli.text_agree import agree
from reidrisk.cli.text_attack import attack
from reidrisk.cli.text_convert import convert
from reidrisk.cli.text_deidentify import deidentify
from reidrisk.cli.text_sample import sample
from reidrisk.cli.text_train import train
from reidrisk.text.formats.names import READABLE

if TYPE_CHECKING:
    from reidrisk.context.release import Release
    from reidrisk.context.score import ContextScore
    from reidrisk.text.leaks import LeakList
    from reidrisk.text.result import TextRisk
    from reidrisk.text.settings import TextSettings

NAMES = ", ".join(READABLE)


@click.group(name="text")
def command() -> None:
    """Job 1: the risk that a text de-identification tool leaves."""


command.add_command(convert)


@command.command()
@click.argument("gold", type=click.Path(exists=True))
@click.argument("tool", type=click.Path(exists=True), nargs=-1, required=True)
@click.option("--gold-format", metavar="F", help=f"Format of GOLD, if not to be found out: {NAMES}.")
@click.option("--tool-format", metavar="F", help="Format of every TOOL, if not to be found out.")
@click.option(
    "--types", metavar="FILE", help="Which types are direct, quasi, ignored: a YAML file, or TYPE=role,…"
)
@click.option(
    "--patient", metavar="REGEX", help="Merge documents of one patient: first group of the pattern in the id."
)
@click.option(
    "--profile", default="recommended", show_default=True, metavar="recommended|paper", help="Set of options."
)
@click.option("--method", metavar="redaction|resynthesis", help="What was done to caught identifiers.")
@click.option(
    "--recognition",
    multiple=True,
    metavar="P",
    help="Chance that a leak is told from surrogates; also TYPE=P, or the result of `text attack`.",
)
@click.option(
    "--access", metavar="public|semi-public|non-public", help="Who can get the text.  [default: public]"
)
@click.option(
    "--attempt", metavar="P", help="Chance of an attempt: 0.4, or low,mode,high.  [default: 1, public]"
)
@click.option(
    "--cell-size",
    default=5,
    show_default=True,
    help="Smallest group you accept; the threshold is its inverse.",
)
@click.option("--threshold", type=float, metavar="P", help="A literal threshold instead, such as 0.09.")
@click.option(
    "--ignore-words",
    default="default",
    show_default=True,
    metavar="none|default|FILE",
    help="Words that need no masking.",
)
@click.option(
    "--engine",
    default="exact",
    show_default=True,
    metavar="exact|sobol|montecarlo|bootstrap",
    help="How to compute.",
)
@click.option(
    "--by",
    metavar="GROUP",
    help="Groups of documents to judge on their own: folder, type, field:NAME, or a pattern with a group.",
)
@click.option("--leaks", type=click.Path(), metavar="FILE", help="Write where each leak is (CSV).")
@click.option("--show-text", is_flag=True, help="Put the leaked text itself into the list of leaks.")
@context_option.option
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Any other option; see the docs.")
@click.option("--html", type=click.Path(), help="Write a page with charts.")
@output.options
def evaluate(gold: str, tool: tuple[str, ...], **given: Any) -> None:
    """Compare TOOL with GOLD: probability of re-identification, interval, verdict.

    GOLD and TOOL are files, folders or zip files of annotations. Several tools are compared with each other
    on the same gold standard. Exit code 3 if the risk of any tool is above its limit.
    """
    from reidrisk.text.leaks import LeakList
    from reidrisk.text.settings import settings
    from reidrisk.text.tally import Counting

    read = (gold, *tool, given["types"], given["ignore_words"], given["context"])
    others = {"--leaks": given["leaks"]} if given["leaks"] is not None else {}
    output.check_targets(read, json=given["json"], html=given["html"], others=others)
    if given["show_text"] and given["leaks"] is None:
        raise click.UsageError("--show-text goes with --leaks: no other output holds text.")
    chosen = settings(given["profile"], {"engine": given["engine"]} | output.pairs(given["changes"]))
    score = context_option.scored(given, instead_of=("access", "attempt", "cell_size", "threshold"))
    common: dict[str, Any] = {
        "release": _release(given, chosen, score),
        "threshold": score.threshold if score else output.threshold(given),
        "settings": chosen,
        "counting": Counting.choose(
            types=given["types"], ignore_words=given["ignore_words"], patient=given["patient"], by=given["by"]
        ),
        "seed": given["seed"],
    }
    show = output.Output(given["json"], quiet=given["quiet"])
    lists: list[LeakList] = []
    results: list[TextRisk] = []
    for path in tool:
        lists.append(LeakList(show_text=given["show_text"]))
        kept = lists[-1] if given["leaks"] else None
        with show.progress(f"Evaluating {Path(path).name}") as progress:
            files = (gold, given["gold_format"]), (path, given["tool_format"])
            results.append(_evaluate(*files, leaks=kept, progress=progress, **common))
    _finish(tool, results, lists, given)


def _evaluate(gold: tuple[str, str | None], tool: tuple[str, str | None], **rest: Any) -> TextRisk:
    from reidrisk.text.evaluate import TextFiles, evaluate_text

    return evaluate_text(TextFiles(*gold), TextFiles(*tool), **rest)


def _release(given: dict[str, Any], settings: TextSettings, score: ContextScore | None) -> Release | None:
    """What the options or the context say of the release; None where they say nothing."""
    if score is None and not any(given[name] for name in ("method", "recognition", "attempt", "access")):
        return None
    from reidrisk.context.recognition import Recognition, parse_probability
    from reidrisk.context.release import Release
    from reidrisk.errors import InvalidSetting
    from reidrisk.text.evaluate import default_release

    usual = default_release(settings)
    recognition = Recognition.parse(given["recognition"]) if given["recognition"] else None
    method = given["method"] or ("resynthesis" if recognition else usual.treatment)
    if recognition is None and method == usual.treatment:
        recognition = usual.recognition
    if score is not None:
        return score.release(method, recognition)
    access = given["access"] or ("public" if given["attempt"] is None else "non-public")
    if access == "non-public" and given["attempt"] is None:
        raise click.UsageError("A non-public release needs --attempt: how likely does the recipient try?")
    if access in ("public", "semi-public") and given["attempt"] is not None:
        raise click.UsageError(f"--attempt goes with --access non-public, not {access}.")
    if access == "public":
        return Release.public(method, recognition=recognition)
    if access == "semi-public":
        return Release.semi_public(method, recognition=recognition)
    if access != "non-public":
        raise InvalidSetting.among("--access", access, ("public", "semi-public", "non-public"))
    attempt = parse_probability(given["attempt"], "attempt")
    return Release.non_public(method, recognition=recognition, attempt=attempt)


def _finish(
    tools: tuple[str, ...], results: list[TextRisk], lists: list[LeakList], given: dict[str, Any]
) -> NoReturn:
    """Write the leaks, then show one result, or the comparison of several."""
    from reidrisk.text.compare import compare_risks, tool_names
    from reidrisk.text.leaks import write_leaks

    names = tool_names(tools)
    if given["leaks"]:
        write_leaks(zip(names, lists, strict=True), given["leaks"], show_text=given["show_text"])
    result = results[0] if len(results) == 1 else compare_risks(results, names=names)
    output.finish(result, given, files={"Leaks": given["leaks"]})


for other in (sample, agree, train, deidentify, attack):
    command.add_command(other)
