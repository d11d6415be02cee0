"""`reidrisk text`: evaluate de-identification tools, and the gold standards that this needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from reidrisk.cli import options, output
from reidrisk.cli.help import INPUT, LIMITS, METHOD, OUTPUT, RELEASE, SAMPLE, CommandGroup, option, section
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import (
    CONTEXT,
    HTML,
    JSON,
    MASTER,
    QUIET,
    SEED,
    SHOW_IDS,
    SILENT,
    THRESHOLD,
    settings_option,
)
from reidrisk.cli.overwriting import guard
from reidrisk.cli.settings import setting_option, setting_options
from reidrisk.cli.text_deidentify import attack, deidentify, train
from reidrisk.cli.text_options import IGNORE_WORDS, MISALIGNED, PROFILE, TYPES
from reidrisk.text import input_settings as inputs
from reidrisk.text import settings as evaluation
from reidrisk.text.formats.names import READABLE, WRITABLE

if TYPE_CHECKING:
    from reidrisk.context.release import Release
    from reidrisk.context.score import ContextScore
    from reidrisk.report.gates.checks import CheckList
    from reidrisk.text.compare import TextComparison
    from reidrisk.text.leaks import LeakList
    from reidrisk.text.result import TextRisk
    from reidrisk.text.settings import TextSettings

FORMATS = ", ".join(READABLE)


@click.group(name="text", cls=CommandGroup)
def command() -> None:
    """Measure what a text de-identification tool misses, or de-identify."""


@command.command()
@click.argument("gold", type=InputPath(), required=False)
@click.argument("tool", type=InputPath(), nargs=-1)
@section(
    INPUT,
    option(
        "--counts",
        type=InputPath(),
        metavar="FILE",
        help="Compute the risk from counts by type (CSV), instead of from GOLD and TOOL.",
    ),
    setting_option(replace(inputs.GOLD_FORMAT, help=f"Format of the gold standard: {FORMATS}.")),
    setting_option(inputs.TOOL_FORMAT),
    TYPES,
    IGNORE_WORDS,
    *setting_options((inputs.PATIENT, inputs.SPLIT_PATIENTS, inputs.CLUSTER, inputs.BY)),
    MISALIGNED,
)
@section(
    RELEASE,
    *setting_options((inputs.ACCESS, inputs.ATTEMPT)),
    setting_option(replace(inputs.TREATMENT, default=None)),
    setting_option(
        replace(
            inputs.RECOGNITION,
            help=f"{inputs.RECOGNITION.help} Give P, TYPE=P, or a result file of `reidrisk text attack`.",
        )
    ),
)
@section(
    LIMITS,
    option(
        "--cell-size",
        default=5,
        show_default=True,
        metavar="N",
        help="Smallest group you accept. The threshold is 1/N.",
    ),
    THRESHOLD,
    CONTEXT,
    option(
        "--baseline",
        type=InputPath(),
        metavar="FILE",
        help="Compare with an earlier version of TOOL on the same gold standard: a result of --json.",
    ),
    option(
        "--fail-if-worse",
        is_flag=True,
        help="Exit code 3 only if TOOL is worse than the baseline, whatever its own verdict.",
    ),
)
@section(
    METHOD,
    PROFILE,
    setting_option(evaluation.ENGINE, filled=True),
    MASTER,
    settings_option("Change any other setting; see the reference."),
    SEED,
)
@section(
    OUTPUT,
    option("--leaks", type=click.Path(), metavar="FILE", help="Write the position of each leak (CSV)."),
    option("--show-text", is_flag=True, help="Include the leaked text in the list of leaks."),
    option(
        "--evidence",
        type=click.Path(),
        metavar="FILE",
        help="Write the counts of the documents, without text, for `reidrisk text what-if` (JSON).",
    ),
    option("--junit", type=click.Path(), metavar="FILE", help="Write the checks as test cases (JUnit XML)."),
    option("--sarif", type=click.Path(), metavar="FILE", help="Write what did not pass (SARIF 2.1.0)."),
    HTML,
    JSON,
    SHOW_IDS,
    QUIET,
)
def evaluate(gold: str | None, tool: tuple[str, ...], **given: Any) -> None:
    """Estimate the re-identification risk that TOOL leaves.

    GOLD is the gold standard, TOOL the output of a de-identification tool. Each is a file, folder or zip file
    of annotations. If you name several tools, they are compared on the same gold standard. Exit code 3 if the
    risk of any tool is above its limit, or if too few documents were examined to decide.

    With --master, Spark counts: GOLD and TOOL are Parquet files, or folders of them, with the fields of our
    JSON Lines as columns (doc_id, text, entities; doc_id, spans).
    """
    from reidrisk.text.leaks import LeakList
    from reidrisk.text.tally import Counting

    _check_inputs(gold, tool, given)
    read = tuple(path for path in (gold, *tool, given["counts"]) if path is not None)
    read = (*read, given["types"], given["ignore_words"], given["context"], given["baseline"])
    written = ("leaks", "evidence", "junit", "sarif")
    others = {f"--{name}": given[name] for name in written if given[name] is not None}
    output.check_targets(read, json=given["json"], html=given["html"], others=others)
    if given["show_text"] and given["leaks"] is None:
        raise click.UsageError("--show-text needs --leaks, the only output that can contain text.")
    _check_single(tool, given)
    named = {name: given[name] for name in ("engine", "misaligned")}
    chosen = evaluation.settings(given["profile"], named | options.pairs(given["changes"]))
    score = options.score_of(given, instead_of=("access", "attempt", "cell_size", "threshold"))
    common: dict[str, Any] = {
        "release": _release(given, chosen, score),
        "threshold": score.threshold if score else options.threshold(given),
        "settings": chosen,
        "counting": Counting.choose(
            **{
                name: given[name]
                for name in ("types", "ignore_words", "patient", "by", "cluster", "split_patients")
            }
        ),
        "seed": given["seed"],
    }
    if gold is None:
        _evaluate_counts(given, common)
    show = output.Output(given["json"], quiet=given["quiet"])
    lists: list[LeakList] = []
    results: list[TextRisk] = []
    for path in tool:
        lists.append(LeakList(show_text=given["show_text"]))
        leaks = lists[-1] if given["leaks"] else None
        with show.progress(f"Evaluating {Path(path).name}") as progress:
            files = (gold, given["gold_format"]), (path, given["tool_format"])
            results.append(
                _evaluate(*files, leaks=leaks, progress=progress, engine=given["master"], **common)
            )
    _finish(tool, results, lists, given)


def _check_inputs(gold: str | None, tool: tuple[str, ...], given: dict[str, Any]) -> None:
    """GOLD and TOOL, or --counts; options about documents need documents."""
    if given["counts"] is None:
        for name, value in (("GOLD", gold), ("TOOL", tool)):
            if not value:
                raise click.UsageError(f"Missing argument '{name}{'...' if name == 'TOOL' else ''}'.")
        return
    if gold is not None:
        raise click.UsageError("--counts takes the place of GOLD and TOOL: leave them out.")
    about_documents = (
        "types",
        "patient",
        "cluster",
        "by",
        "leaks",
        "gold_format",
        "tool_format",
        "master",
        "baseline",
    )
    for name in about_documents:
        if given[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} needs documents, but --counts has none.")


def _check_single(tool: tuple[str, ...], given: dict[str, Any]) -> None:
    """Options that are about one tool."""
    for name in ("evidence", "baseline"):
        if given[name] is not None and len(tool) > 1:
            raise click.UsageError(f"--{name} needs a single TOOL.")
    if given["fail_if_worse"] and given["baseline"] is None:
        raise click.UsageError("--fail-if-worse needs --baseline, the result to compare with.")
    if given["baseline"] is not None and given["master"]:
        raise click.UsageError("--baseline cannot be used with --master: Spark keeps no order of documents.")


def _evaluate_counts(given: dict[str, Any], common: dict[str, Any]) -> NoReturn:
    from reidrisk.text.counts_file import evaluate_counts

    shared = {name: value for name, value in common.items() if name != "counting"}
    risk = evaluate_counts(given["counts"], **shared)
    _write_evidence(risk, given)
    _write_checks(risk, given, about=given["counts"])
    output.finish(risk, given, files={"Evidence": given["evidence"]} | _check_files(given))


def _write_evidence(risk: TextRisk, given: dict[str, Any]) -> None:
    if given["evidence"]:
        from reidrisk.text.scenario import write_text_evidence

        write_text_evidence(risk, given["evidence"])


def _evaluate(gold: tuple[str, str | None], tool: tuple[str, str | None], **rest: Any) -> TextRisk:
    from reidrisk.text.evaluate import TextFiles, evaluate_text

    return evaluate_text(TextFiles(*gold), TextFiles(*tool), **rest)


def _release(given: dict[str, Any], settings: TextSettings, score: ContextScore | None) -> Release | None:
    """The release that the options or the context describe; None if they do not describe any."""
    if score is None and not any(given[name] for name in ("treatment", "recognition", "attempt", "access")):
        return None
    from reidrisk.context.recognition import Recognition, parse_probability
    from reidrisk.context.release import Release
    from reidrisk.text.evaluate import default_release

    usual = default_release(settings)
    recognition = Recognition.parse(given["recognition"]) if given["recognition"] else None
    method = given["treatment"] or ("resynthesis" if recognition else usual.treatment)
    if recognition is None and method == usual.treatment:
        recognition = usual.recognition
    if score is not None:
        return score.release(method, recognition)
    access = given["access"] or ("public" if given["attempt"] is None else "non-public")
    if access == "non-public" and given["attempt"] is None:
        raise click.UsageError(
            "A non-public release needs --attempt: the chance that the recipient tries to re-identify a "
            "patient."
        )
    if access in ("public", "semi-public") and given["attempt"] is not None:
        raise click.UsageError(f"--attempt can only be used with --access non-public, not {access}.")
    if access == "public":
        return Release.public(method, recognition=recognition)
    if access == "semi-public":
        return Release.semi_public(method, recognition=recognition)
    attempt = parse_probability(given["attempt"], "attempt")
    return Release.non_public(method, recognition=recognition, attempt=attempt)


def _finish(
    tools: tuple[str, ...], results: list[TextRisk], lists: list[LeakList], given: dict[str, Any]
) -> NoReturn:
    """Write the leaks, then show the result, or the comparison of several tools."""
    from reidrisk.text.compare import compare_risks, tool_names
    from reidrisk.text.leaks import write_leaks
    from reidrisk.text.result import TextRisk

    names = tool_names(tools)
    if given["leaks"]:
        write_leaks(zip(names, lists, strict=True), given["leaks"], show_text=given["show_text"])
    _write_evidence(results[0], given)
    result = _single(results[0], given) if len(results) == 1 else compare_risks(results, names=names)
    checks = _write_checks(result, given, about=tools[0])
    files = {"Leaks": given["leaks"], "Evidence": given["evidence"]} | _check_files(given)
    if not given["fail_if_worse"]:
        output.finish(result, given, files=files)
    output.show_result(result, given, decides=True, files=files)
    output.Output(given["json"], quiet=given["quiet"]).say(checks.line)
    worse = isinstance(result, TextRisk) and result.baseline is not None and result.baseline.is_worse
    raise SystemExit(output.ABOVE_THRESHOLD if worse else output.ACCEPTABLE)


def _single(risk: TextRisk, given: dict[str, Any]) -> TextRisk:
    """The result of one tool, compared with the baseline; a later version can be compared with it."""
    if given["baseline"]:
        return risk.compared_with(given["baseline"])
    return risk.keeping_documents() if given["master"] is None else risk


def _check_files(given: dict[str, Any]) -> dict[str, str | None]:
    return {"JUnit": given["junit"], "SARIF": given["sarif"]}


def _write_checks(result: TextRisk | TextComparison, given: dict[str, Any], *, about: str) -> CheckList:
    from reidrisk.cli.gate import write_checks
    from reidrisk.report.gates.checks import checks_of

    checks = checks_of(result.to_dict(), against_baseline=given["fail_if_worse"], about=about)
    write_checks([checks], given)
    return checks


@command.command(name="what-if")
@click.argument("evidence", type=InputPath())
@section(
    METHOD,
    option(
        "--recall",
        multiple=True,
        metavar="TYPE=R",
        help="Assume this recall of a type, such as NAME=0.99. Can be repeated.",
    ),
    setting_option(
        replace(
            inputs.RECOGNITION,
            help="Assume this chance that a leak is recognized. Give P, TYPE=P, or a result file of "
            "`reidrisk text attack`.",
        )
    ),
)
@section(OUTPUT, HTML, JSON, SILENT)
def what_if(evidence: str, recall: tuple[str, ...], **given: Any) -> None:
    """Compute a stored risk again with another recall or recognition.

    EVIDENCE is a file that `reidrisk text evaluate --evidence` wrote, or the folder of a text part in an
    assessment, such as assessment/parts/notes. Documents are not read. The answer is not a verdict: the exit
    code is 0 whatever it is.
    """
    from reidrisk.text.scenario import text_what_if

    output.check_targets((evidence,), json=given["json"], html=given["html"])
    recalls = {}
    for text in recall:
        name, _, value = text.rpartition("=")
        try:
            recalls[name.strip()] = float(value)
        except ValueError:
            raise click.UsageError("--recall takes TYPE=RECALL, such as NAME=0.99.") from None
    result = text_what_if(evidence, recall=recalls, recognition=given["recognition"] or None)
    output.finish(result, given, refuses=False)


@command.command()
@click.argument("corpus", type=InputPath())
@section(
    INPUT,
    option("--format", "kind", metavar="F", show_default="detected", help="Format of an annotated CORPUS."),
)
@section(
    SAMPLE,
    *setting_options(inputs.SAMPLE_SETTINGS),
    SEED,
)
@section(
    OUTPUT,
    option("--out", type=click.Path(), metavar="DIR", help="New folder for the documents and sample.json."),
    HTML,
    JSON,
    SHOW_IDS,
    SILENT,
)
def sample(corpus: str, **given: Any) -> None:
    """Draw a stratified random sample of CORPUS to annotate.

    CORPUS is a folder of .txt files (including subfolders), a JSON Lines or CSV file with an id and a text,
    or any annotated corpus. With --recall, the result shows how many documents you need to show an upper
    limit, and that many are drawn unless you give --documents. Without --out, nothing is written.
    """
    from reidrisk.text.sample import Wanted, sample_documents

    output.check_targets((corpus,), json=given["json"], html=given["html"])
    if given["recall"] is None and (given["upper"] is not None or given["assurance"] is not None):
        raise click.UsageError("--upper and --assurance need --recall, the recall that you expect.")
    named = {name: given[name] for name in ("upper", "assurance") if given[name] is not None}
    wanted = None if given["recall"] is None else Wanted(given["recall"], **named)
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.progress("Reading") as progress:
        result = sample_documents(
            corpus,
            documents=given["documents"],
            strata=given["strata"],
            wanted=wanted,
            out=given["out"],
            format=given["kind"],
            seed=given["seed"],
            progress=progress,
        )
    output.finish(result, given, refuses=False, files={"Sample": given["out"]})


@command.command()
@click.argument("annotators", type=InputPath(), nargs=-1, required=True)
@section(
    INPUT,
    option("--format", "kind", metavar="F", show_default="detected", help="Format of every file."),
    setting_option(inputs.ANNOTATORS_UNMATCHED, filled=True),
    setting_option(
        replace(
            evaluation.MISALIGNED,
            help="What to do with annotations that do not fit their text: refuse the files, skip them, or "
            "search for their text nearby.",
        ),
        filled=True,
    ),
)
@section(
    METHOD,
    option(
        "--decisions",
        type=InputPath(),
        metavar="FILE",
        help="The list of conflicts, with the column `decision` filled in.",
    ),
    setting_option(inputs.RULE, filled=True),
    SEED,
)
@section(
    OUTPUT,
    option("--out", type=click.Path(), metavar="FILE", help="Write the merged gold standard (JSON Lines)."),
    option("--conflicts", type=click.Path(), metavar="FILE", help="Write the conflicts to settle (CSV)."),
    option("--show-text", is_flag=True, help="Include the text in the list of conflicts."),
    HTML,
    JSON,
    SHOW_IDS,
    SILENT,
)
def agree(annotators: tuple[str, ...], **given: Any) -> None:
    """Measure how well annotators agree, and merge their work.

    ANNOTATORS are two or more files or folders, one per annotator, with the same documents. To settle
    conflicts, write the list with --conflicts, fill in the column `decision` (an annotator's name, all, none,
    or your own marks), and pass the file to --decisions.
    """
    from reidrisk.text.agree import agree_annotators
    from reidrisk.text.evaluate import TextFiles

    others = {f"--{name}": given[name] for name in ("out", "conflicts") if given[name] is not None}
    read = (*annotators, given["decisions"])
    output.check_targets(read, json=given["json"], html=given["html"], others=others)
    result = agree_annotators(
        [TextFiles(path, given["kind"]) for path in annotators],
        rule=given["rule"],
        decisions=given["decisions"],
        unmatched=given["unmatched"],
        misaligned=given["misaligned"],
        seed=given["seed"],
    )
    if given["out"]:
        result.write_gold(given["out"])
    if given["conflicts"]:
        result.write_conflicts(given["conflicts"], show_text=given["show_text"])
    files = {"Gold standard": given["out"], "Conflicts": given["conflicts"]}
    output.finish(result, given, refuses=False, files=files)


@command.command()
@click.argument("source", metavar="IN", type=InputPath())
@section(
    INPUT,
    option("--from", "given", metavar="F", show_default="detected", help=f"Format of IN: {FORMATS}."),
    setting_option(evaluation.ANNOTATOR, filled=True),
    setting_option(
        replace(
            evaluation.MISALIGNED,
            help="What to do with annotations that do not fit their text: refuse the corpus, skip them, or "
            "search for their text nearby. Skipped and moved ones are listed.",
        ),
        filled=True,
    ),
)
@section(
    OUTPUT,
    option("--to", required=True, metavar="FORMAT", help=f"Format to write: {', '.join(WRITABLE)}."),
    option("--out", required=True, type=click.Path(), metavar="PATH", help="File or folder to write."),
    SHOW_IDS,
    SILENT,
)
def convert(source: str, to: str, out: str, **options_given: Any) -> None:
    """Convert annotated documents from one format to another.

    IN is a file, folder or zip file. The converted annotations are read back and compared with the originals.
    If the new format cannot hold something, the conversion fails where this would change an annotation;
    otherwise a note names what was left out.
    """
    from reidrisk.text.convert import convert as run
    from reidrisk.text.formats.reader import ReadSettings

    guard([Path(out)])
    reading = ReadSettings(annotator=options_given["annotator"], misaligned=options_given["misaligned"])
    conversion = run(source, to, out, format=options_given["given"], settings=reading)
    output.Output(None, quiet=options_given["quiet"]).say(conversion)


for other in (train, deidentify, attack):
    command.add_command(other)
