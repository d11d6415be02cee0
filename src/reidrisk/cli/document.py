"""`reidrisk document`: find identifiers in study reports, review, redact or replace, release, and measure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from reidrisk.cli import options, output
from reidrisk.cli.document_review import review
from reidrisk.cli.help import (
    INPUT,
    LIMITS,
    METHOD,
    OUTPUT,
    RELEASE,
    CommandGroup,
    option,
    section,
)
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.options import (
    HTML,
    JSON,
    QUIET,
    SEED,
    SHOW_IDS,
    SILENT,
    THRESHOLD,
    input_file,
    settings_option,
)
from reidrisk.cli.overwriting import guard
from reidrisk.cli.text_options import (
    DETECTION_SETTINGS,
    DETECTION_THRESHOLD,
    MODEL,
    PROFILE,
    TERMS,
    detect_settings,
)

if TYPE_CHECKING:
    from reidrisk.context.release import Release
    from reidrisk.core.threshold import Threshold
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.study.study import Study

STUDY = "Study file (YAML), such as demo-output/study/study.yaml of `reidrisk demo`."
SCENARIOS = ("redacted", "replaced", "ipd", "ipd_mentioned", "qualitative")
CELL_SIZE = option(
    "--cell-size",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="from the study file",
    help="Smallest equivalence class you accept.",
)
KNOWN = option(
    "--known",
    type=click.IntRange(min=0, max=5),
    metavar="P",
    show_default="1",
    help="Events of a participant that an intruder knows. 0 needs --set known_reason=REASON.",
)
DETECT = option(
    "--detect", is_flag=True, help="With --values and no --study: also find what else may identify someone."
)


@click.group(name="document", cls=CommandGroup)
def command() -> None:
    """Find, review, redact and verify identifiers in study reports."""


@command.command()
@click.argument("documents", nargs=-1, type=InputPath())
@section(
    INPUT,
    input_file(
        "--study",
        "Study file (YAML), such as demo-output/study/study.yaml of `reidrisk demo`. Its data show which "
        "participants and values to look for.",
    ),
    input_file(
        "--values", "Values to look for: one per line, or a table. Without --study, only these are searched."
    ),
)
@section(
    METHOD,
    DETECT,
    MODEL,
    TERMS,
    DETECTION_THRESHOLD,
    settings_option("Change any other setting; see the guide."),
)
@section(
    OUTPUT,
    option("--out", required=True, type=click.Path(), metavar="FILE", help="Findings file to write (JSON)."),
    option("--show-text", is_flag=True, help="Include the text of the identifiers in the findings."),
    HTML,
    JSON,
    SHOW_IDS,
    SILENT,
)
def detect(documents: tuple[str, ...], **given: Any) -> None:
    """Find what identifies participants in DOCUMENTS.

    DOCUMENTS are PDF, DOCX, HTML, RTF or text files. With a study, this finds the ids, dates and values of
    its participants in all their forms, and assigns each finding to the participant whom the narrative, row
    or sentence is about. It also finds what identifies anyone else. If a document cannot be read, the others
    are still processed, and the exit code is 1.
    """
    from reidrisk.documents.detection.run import detect_documents
    from reidrisk.documents.verify import read_values

    _check_documents(documents, given)
    changes = options.pairs(given["changes"])
    for name in changes:
        if name not in DETECTION_SETTINGS:
            known = ", ".join(DETECTION_SETTINGS)
            raise click.UsageError(f"--set does not know {name}. It knows: {known}.")
    read = (*documents, given["study"], given["values"], given["model"], *given["terms"])
    output.check_targets(read, json=given["json"], html=given["html"], others={"--out": given["out"]})
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("pages") as progress:
        result = detect_documents(
            documents,
            study=_study(given["study"]),
            values=read_values(given["values"]).values if given["values"] else (),
            settings=_detector(given, changes),
            keep_text=given["show_text"],
            progress=progress,
        )
    result.write(given["out"])
    output.show_result(result, given, decides=False, files={"Findings": given["out"]})
    raise SystemExit(output.FAILURE if result.failed else output.ACCEPTABLE)


def _detector(given: dict[str, Any], changes: dict[str, str]) -> DetectSettings | None:
    """The detector; none for values alone, unless an option asks for it or says how it works."""
    about = ("model", "terms", "threshold", "changes")
    context = click.get_current_context()
    asked = given["detect"] or any(
        context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in about
    )
    alone = given["values"] and not given["study"]
    return None if alone and not asked else detect_settings(given | {"known": None}, changes)


command.add_command(review)


@command.command()
@click.argument("documents", nargs=-1, type=InputPath())
@section(
    INPUT,
    input_file("--study", f"{STUDY} It names data, documents, and replacement values."),
    input_file(
        "--findings",
        "Findings of `reidrisk document detect`, or a file of `reidrisk document review`. Then nothing is "
        "detected.",
    ),
    input_file(
        "--values",
        "Values to remove wherever they occur: one per line, or a table. Without --study, only these are "
        "removed.",
    ),
)
@section(
    METHOD,
    option(
        "--mode",
        type=click.Choice(("redact", "replace")),
        default="redact",
        show_default=True,
        help="Put a box in place of each identifier, or the value from the released data.",
    ),
    DETECT,
    option(
        "--per-page",
        is_flag=True,
        help="Leave out pages of a PDF that cannot be read or redacted, with an explanation in their place, "
        "instead of refusing the document.",
    ),
    settings_option("Change any other setting; see the guide."),
)
@section(
    OUTPUT,
    option(
        "--out", required=True, type=click.Path(), metavar="DIR", help="Folder for the anonymized documents."
    ),
    HTML,
    JSON,
    SHOW_IDS,
    SILENT,
)
def anonymize(documents: tuple[str, ...], **given: Any) -> None:
    """Redact or replace what identifies participants in DOCUMENTS.

    DOCUMENTS are PDF, DOCX, HTML, RTF or text files. Text is removed, not covered, and so are its traces in
    notes, bookmarks, properties and the edit history. Other programs then search each new file for what was
    removed. A file is written only if they find nothing. If a document cannot be anonymized, the others are
    still processed, and the exit code is 1.
    """
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.anonymize.run import anonymize_documents
    from reidrisk.documents.anonymize.settings import anonymize_settings
    from reidrisk.documents.verify import read_values

    _check_documents(documents, given)
    read = (*documents, given["study"], given["findings"], given["values"])
    output.check_targets(read, json=given["json"], html=given["html"])
    changes = options.pairs(given["changes"]) | ({"per_page": "yes"} if given["per_page"] else {})
    settings = anonymize_settings(given["mode"], changes)
    study = _study(given["study"])
    sources = documents or (() if study is None else study.document_paths())
    targets = {Path(given["out"]) / Path(source).name: Path(source) for source in sources}
    guard(target for target, source in targets.items() if target.resolve() != source.resolve())
    show = output.Output(given["json"], quiet=given["quiet"])
    with show.steps("pages") as progress:
        result = anonymize_documents(
            documents,
            given["out"],
            study=study,
            findings=given["findings"],
            values=read_values(given["values"]) if given["values"] else (),
            settings=settings,
            detect=DetectSettings() if given["detect"] else None,
            progress=progress,
        )
    output.show_result(result, given, decides=False, files={"Documents": given["out"]})
    raise SystemExit(output.FAILURE if result.failed else output.ACCEPTABLE)


def _check_documents(documents: tuple[str, ...], given: dict[str, Any]) -> None:
    if not documents and not given["study"]:
        raise click.UsageError("Name documents, or a study that lists its documents.")


def _study(path: str | None) -> Study | None:
    if path is None:
        return None
    from reidrisk.documents.study.read import read_study

    return read_study(path)


@command.command()
@click.argument("file", type=InputPath("file"))
@section(
    INPUT,
    input_file(
        "--values", "Values to search for: one per line, the cells of a table, or findings.", required=True
    ),
    option(
        "--source",
        type=InputPath("file"),
        metavar="DOCUMENT",
        help="The original document, if --values is a findings file.",
    ),
)
@section(
    METHOD,
    option(
        "--ocr",
        metavar="LANGUAGES",
        show_default="those that are installed",
        help="Languages in which Tesseract reads pictures, such as eng+deu; none: read no pictures.",
    ),
    option("--office", is_flag=True, help="Also search what LibreOffice reads in a DOCX file."),
)
@section(OUTPUT, HTML, JSON, SHOW_IDS, QUIET)
def verify(file: str, **given: Any) -> None:
    """Search FILE for values that must not be in it.

    This works for any redacted file, whoever redacted it. Several independent programs read the file. Its
    objects, streams, older versions and attachments are searched, and Tesseract reads its pictures. The
    result gives the number of a value, not the value. Words that are only covered by a box are reported, and
    so is everything that could not be searched. Exit code 3 if a value is found or a place was not searched.
    """
    from reidrisk.documents.verify import verify_document

    output.check_targets((file, given["values"], given["source"]), json=given["json"], html=given["html"])
    result = verify_document(
        file, given["values"], source=given["source"], office=given["office"], ocr=given["ocr"]
    )
    output.finish(result, given)


@command.command()
@section(
    INPUT,
    input_file("--study", STUDY, required=True),
    option(
        "--findings",
        type=InputPath("file"),
        metavar="FILE",
        show_default="detected again if needed",
        help="Findings of `reidrisk document detect`.",
    ),
    option(
        "--review",
        type=InputPath("file"),
        metavar="FILE",
        show_default="from the study file",
        help="Findings of which a sample was reviewed.",
    ),
)
@section(
    RELEASE,
    option(
        "--scenario", required=True, type=click.Choice(SCENARIOS), help="How the documents are published."
    ),
    option(
        "--recognition",
        multiple=True,
        metavar="P",
        help="Chance that an intruder can tell a leaked original from replacement values: P or TYPE=P. Needs "
        "--scenario replaced.",
    ),
)
@section(LIMITS, CELL_SIZE, THRESHOLD)
@section(
    METHOD,
    KNOWN,
    PROFILE,
    settings_option("Change combine, catch, given_catch or another setting; see the guide."),
    SEED,
)
@section(
    OUTPUT,
    option("--show-subjects", is_flag=True, help="Show participants by the number of their row in the data."),
    HTML,
    JSON,
    SHOW_IDS,
    QUIET,
)
def risk(study: str, **given: Any) -> None:
    """Measure the risk that remains in the documents of a study.

    Scenarios: redacted: everything found is removed, and only leaks count. replaced: everything found is
    replaced by values of the de-identified data. ipd and ipd_mentioned: the risk comes from the equivalence
    classes and events of all participants, or of those mentioned in the documents; leaks count unless a
    review covers every page. qualitative: the risk in words. Exit code 3 if the risk is too high, or if
    nobody reviewed the documents.
    """
    from reidrisk.documents.risk.run import document_risk
    from reidrisk.documents.risk.settings import document_settings

    output.check_targets((study, given["findings"], given["review"]), json=given["json"], html=given["html"])
    changes = _changes(given)
    if given["show_subjects"]:
        changes["show_subjects"] = True
    result = document_risk(
        study,
        given["scenario"],
        findings=given["findings"],
        review=given["review"],
        release=_release(given),
        threshold=_threshold(given),
        settings=document_settings(given["profile"], changes),
        seed=given["seed"],
    )
    output.finish(result, given)


def _changes(given: dict[str, Any]) -> dict[str, Any]:
    """Settings that were named, with the number of known events."""
    changes = options.pairs(given["changes"])
    return changes if given["known"] is None else {**changes, "known": given["known"]}


@command.command()
@section(INPUT, input_file("--study", STUDY, required=True))
@section(LIMITS, CELL_SIZE, THRESHOLD)
@section(METHOD, KNOWN, settings_option("Change known_reason."))
@section(
    OUTPUT,
    option("--out", required=True, type=click.Path(), metavar="DIR", help="New folder for the tables."),
    HTML,
    JSON,
    SHOW_IDS,
    QUIET,
)
def tables(study: str, **given: Any) -> None:
    """Write the released tables of a study, if their risk is acceptable.

    The rules of the study file are applied: ids get new values, dates are shifted, values are generalized.
    Dates of birth, names of sites and investigators, and what people typed are dropped. The folder also gets
    a codebook. Exit code 3, and nothing is written, if the risk is too high or if a variable would leave
    without being measured.
    """
    from reidrisk.documents.released_tables import release_tables
    from reidrisk.documents.risk.settings import document_settings

    output.check_targets((study,), json=given["json"], html=given["html"])
    settings = document_settings(options=_changes(given))
    result = release_tables(study, given["out"], threshold=_threshold(given), settings=settings)
    files = {"Tables": given["out"]} if result.acceptable else {}
    output.finish(result, given, files=files)


def _release(given: dict[str, Any]) -> Release | None:
    if not given["recognition"]:
        return None
    if given["scenario"] != "replaced":
        raise click.UsageError(
            "--recognition needs --scenario replaced: a redacted value is easy to recognize."
        )
    from reidrisk.context.recognition import Recognition
    from reidrisk.context.release import Release

    return Release.public("resynthesis", recognition=Recognition.parse(given["recognition"]))


def _threshold(given: dict[str, Any]) -> Threshold | None:
    if given["cell_size"] is not None and given["threshold"] is not None:
        raise click.UsageError("Give --cell-size or --threshold, not both.")
    return options.threshold(given)
