"""The reports in the folder of an assessment: drawn, drawn again to verify them, and drawn with signatures.

Report and annex, each as a page and a PDF, show the root hash and the signatures, so that neither can cover
them. They follow from files that the root hash covers: `verify` draws them again and compares every byte.
`reports.json` lists their hashes. A Word document is made for editing and is not kept here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from reidrisk.assess.kind import Progress
from reidrisk.assess.manifest import (
    REPORTS,
    SIGNATURES,
    content_entries,
    json_text,
    manifest_bytes,
    parse_manifest,
    read_reports,
    root_of,
)
from reidrisk.assess.release_file import read_release
from reidrisk.assess.repeated import ReportSource
from reidrisk.assess.result import ASSESSMENT, Assessment
from reidrisk.assess.run import assess
from reidrisk.assess.signature import (
    ElectronicSignature,
    Signer,
    make_signature,
    read_signatures,
    write_signature,
)
from reidrisk.assess.verify import Anchors, Verification, verify_folder
from reidrisk.core.about import installed
from reidrisk.core.audience import INTERNAL
from reidrisk.core.file_set import clear_left, now_at, together
from reidrisk.core.files import write_bytes, write_text
from reidrisk.core.key import GIVEN_KEY, read_signing_key
from reidrisk.core.regular_files import read_regular
from reidrisk.core.signing_key import SigningKey
from reidrisk.core.stopping import Stop, check_stop, stoppable
from reidrisk.core.trail import Recorder, is_recording, recorded
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, MissingPackage
from reidrisk.report.charts.drawings import drawings_from, name_of
from reidrisk.report.charts.svg import draw_missing, plain_svg
from reidrisk.report.codebook import codebook_text
from reidrisk.report.document import ReportDocument
from reidrisk.report.writing import TEMPLATES, USUAL_FORMATS, document_of, draw_files

PACKAGES = ("jinja2", "matplotlib", "typst")
"""Their versions can change a byte of a report."""
CODEBOOK = ".codebook.md"
REPORTING = "reports"
"""The step of progress while reports are drawn."""
MOST_BYTES = 2**30


@dataclass(frozen=True, slots=True)
class ReportedAssessment:
    """An assessment, and the reports that were written with it."""

    assessment: Assessment
    folder: Path
    reports: tuple[str, ...] = ()
    """The names of the reports in the folder."""
    missing: MissingPackage | None = None
    """Why no report was written."""


def assess_and_report(  # noqa: PLR0913 - as `assess`
    release: str | Path,
    out: str | Path,
    *,
    previous: str | Path | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    threads: int | None = None,
    allow_outside: bool = False,
) -> ReportedAssessment:
    """Assess a release, and write report, annex, charts and codebooks; all files appear together.

    The arguments are those of `assess`. Without the packages for reports, the assessment is written alone.
    """
    folder = Path(out)
    recorder = None if is_recording() else Recorder("rr.assess", inputs=(Path(release).resolve(),))
    with recorded(recorder) if recorder else nullcontext(), stoppable(stop), together():
        done = assess(
            release,
            out=folder,
            previous=previous,
            progress=progress,
            stop=stop,
            threads=threads,
            allow_outside=allow_outside,
        )
        if progress is not None:
            progress("", REPORTING, 0, 0)
        try:
            made = tuple(write_reports(folder, now=now_at(folder)))
        except MissingPackage as error:
            return ReportedAssessment(done, folder, missing=error)
        check_stop()
    return ReportedAssessment(done, folder, made)


def written_tables(release: str | Path, *, allow_outside: bool = False) -> tuple[Path, ...]:
    """The tables that the parts of a release may write, and their codebooks; hashes guard folders."""
    parts = read_release(release, allow_outside=allow_outside).parts
    writers = [part.writer() for part in parts]
    outs = [one.out for one in writers if one is not None and one.out is not None and not one.writes_folder]
    return tuple(path for out in outs for path in (out, out.with_suffix(CODEBOOK)))


def write_reports(folder: str | Path, *, now: Path | None = None) -> list[str]:
    """Write report, annex, charts and codebooks of an assessment; returns the names of the reports.

    `now` is where the files of the folder are until they appear in it. Without the packages for reports, only
    the codebooks are written, and MissingPackage is raised.
    """
    place = Path(folder)
    source = _source(now or place, has_pages=True)
    below = place / parse_manifest(manifest_bytes(now or place))["release"]["folder"]
    for path, text in _codebooks(source).items():
        write_text(below / path, text)
    try:
        drawn = draw_reports(source)
    except MissingPackage:
        if source.outputs:
            write_text((now or place) / REPORTS, json_text(_listing(source, {})))
        raise
    _write_drawn(now or place, drawn)
    return [name for name in drawn if "/" not in name and name != REPORTS]


def _write_drawn(place: Path, drawn: Mapping[str, bytes]) -> None:
    """Write the drawn files, which appear together."""
    with together() as files:
        for name, content in drawn.items():
            files.make_folder((place / name).parent)
            write_bytes(place / name, content)


def _source(place: Path, *, has_pages: bool) -> ReportSource:
    """What the reports of a folder are drawn from."""
    data = manifest_bytes(place)
    assessment = json.loads(read_regular(place / ASSESSMENT, most=MOST_BYTES))
    signatures = [one.to_dict() for one in read_signatures(place)]
    outputs = parse_manifest(data)["outputs"]
    return ReportSource(assessment, root_of(data), signatures, outputs, has_pages=has_pages)


def draw_reports(source: ReportSource) -> dict[str, bytes]:
    """Every file of the reports, and the list of them as the last one; nothing stored is used."""
    drawn: dict[str, bytes] = {}
    if source.has_pages:
        case = {**source.assessment, "root": source.root, "signatures": list(source.signatures)}
        with drawings_from(None):
            drawn = {**_charts(case), **draw_files(document_of(case), USUAL_FORMATS)}
    return {**drawn, REPORTS: json_text(_listing(source, drawn)).encode()}


def _charts(case: Mapping[str, Any]) -> dict[str, bytes]:
    """The charts of all templates, which other reports of the folder reuse."""
    charts = {
        name: chart
        for template in TEMPLATES
        for document in _with_annex(document_of(case, template=template))
        for chart in document.charts
        if chart.draw is not None and (name := name_of(chart)) is not None
    }
    draw_missing(charts.values())
    return {name: plain_svg(chart).encode() for name, chart in charts.items()}


def _with_annex(document: ReportDocument) -> list[ReportDocument]:
    return [document] if document.annex is None else [document, document.annex]


def _listing(source: ReportSource, drawn: Mapping[str, bytes]) -> dict[str, Any]:
    """The content of `reports.json`."""
    books = [
        {"part": entry["part"], "path": path, "sha256": hashlib.sha256(text.encode()).hexdigest()}
        for entry, (path, text) in zip(_with_codebooks(source), _codebooks(source).items(), strict=True)
    ]
    return {
        "kind": "reports",
        "audience": INTERNAL,
        "root": source.root,
        "versions": {name: installed(name) or "missing" for name in PACKAGES},
        "files": content_entries(drawn),
        "codebooks": books,
    }


def _with_codebooks(source: ReportSource) -> list[Mapping[str, Any]]:
    """The tables that were released; a folder of linked tables has its own description in it."""
    kinds = {part["name"]: part["kind"] for part in source.assessment["parts"]}
    return [entry for entry in source.outputs if kinds[entry["part"]] != "relational"]


def _codebooks(source: ReportSource) -> dict[str, str]:
    """The codebook of every released table, by its path from the folder of the release file."""
    results = {part["name"]: part["result"] for part in source.assessment["parts"]}
    return {
        str(PurePosixPath(entry["path"]).with_suffix(CODEBOOK)): codebook_text(results[entry["part"]])
        for entry in _with_codebooks(source)
    }


def verify(  # noqa: PLR0913 - what, against what, how
    folder: str | Path,
    *,
    trusted: str | Path | None = None,
    root: str | None = None,
    quick: bool = False,
    folder_only: bool = False,
    progress: Progress | None = None,
    threads: int | None = None,
    allow_outside: bool = False,
) -> Verification:
    """Whether an assessment comes out again as it is, and who signed it.

    It is run again, its reports are drawn again, and everything is compared; with `quick`, only hashes are.
    With `folder_only`, only the hashes of the folder are, as for a copy without the inputs.
    `trusted` is a file or folder of public keys. `root` is a root hash that you wrote down elsewhere. Without
    both, an assessment is at best consistent with itself.
    """
    if threads is not None and threads < 1:
        raise InvalidSetting(f"The number of threads is {threads}.", hint="Use 1 or more.")
    anchors = Anchors.of(trusted, root)
    return verify_folder(
        folder,
        draw_reports,
        anchors,
        quick=quick,
        folder_only=folder_only,
        progress=progress,
        threads=threads or 1,
        allow_outside=allow_outside,
    )


def sign(
    folder: str | Path,
    *,
    name: str,
    role: str,
    meaning: str,
    key: str | Path | bytes,
    passphrase: str | None = None,
) -> ElectronicSignature:
    """Sign an assessment: bind name, role, meaning and time to its root hash and to earlier signatures.

    `role` is preparer, reviewer or approver; `key` is a private key that `new_key` wrote, as a file or as its
    content. The files are compared with their hashes first. Reports in the folder are drawn again with the
    signature.
    """
    place, signer = Path(folder), Signer(name, role, meaning)
    where = GIVEN_KEY if isinstance(key, bytes) else path_text(key)
    private = SigningKey.of(read_signing_key(key), passphrase, place=where)
    _clear_killed(place)
    checked = verify(place, quick=True)
    if not checked.holds:
        raise BadData(
            f"{path_text(place)} is not consistent and cannot be signed: {checked.differences[0]}",
            hint="Run `reidrisk verify` to see every difference.",
        )
    if is_recording():
        return _signed(place, signer, private)
    with recorded(Recorder("rr.sign", name=name)):
        return _signed(place, signer, private)


def _clear_killed(place: Path) -> None:
    """What killed runs left is no difference."""
    for folder in [place, *(one for one in place.glob("**/") if not one.name.startswith("."))]:
        if folder.is_dir():
            clear_left(folder)
    with suppress(OSError):
        (place / SIGNATURES).rmdir()  # if it is empty


def _signed(place: Path, signer: Signer, key: SigningKey) -> ElectronicSignature:
    """Draw the reports with the new signature before anything is written."""
    made, listed = make_signature(place, signer, key), read_reports(place)
    drawn: dict[str, bytes] = {}
    if listed is not None:
        source = _source(place, has_pages=bool(listed["files"]))
        drawn = draw_reports(replace(source, signatures=[*source.signatures, made.to_dict()]))
    with together():
        write_signature(place, made)
        _write_drawn(place, drawn)
    return made
