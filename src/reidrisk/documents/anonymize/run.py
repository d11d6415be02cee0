"""Anonymize a batch of documents."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.wording import path_text
from reidrisk.documents.anonymize.one import anonymize_one
from reidrisk.documents.anonymize.plan import Rules
from reidrisk.documents.anonymize.result import DocumentAnonymization, DocumentRow
from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.batch import document_paths, told
from reidrisk.documents.digest import sha256_of
from reidrisk.documents.findings.file import FindingsFile, read_findings
from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.kinds import kind_of
from reidrisk.documents.review.decided import decided
from reidrisk.documents.review.opinions import Place, judged
from reidrisk.errors import InvalidSetting, UnmatchedDocuments, UnreadableFile

if TYPE_CHECKING:
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.study.study import Study

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Found:
    """Where findings come from: a file, or the detector."""

    file: FindingsFile | None = None
    detect: Callable[[Path], DocumentFindings] | None = field(default=None, repr=False)

    def of(self, path: Path, settings: AnonymizeSettings) -> tuple[DocumentFindings, list[Place]]:
        """The findings of a document as reviewers left them, and the places that they left."""
        if self.file is None:
            assert self.detect is not None  # noqa: S101 - one of the two is there
            return self.detect(path), []
        kind_of(path)
        own = self._own(self.file, path)
        kept = decided(own, self.file.reviews, rule=settings.rule)
        places = {one.place for one in kept.findings}
        left = [one.place for one in judged(own, self.file.reviews) if one.place not in places]
        return kept, left

    @staticmethod
    def _own(file: FindingsFile, path: Path) -> DocumentFindings:
        own = file.document(path.name)
        if own is None:
            raise UnmatchedDocuments(
                f"The findings do not name {path_text(path.name)}.",
                hint="Detect in all documents that are to be anonymized.",
            )
        if own.sha256 != sha256_of(path):
            raise UnmatchedDocuments(
                f"{path_text(path.name)} is not the file that findings were made from.",
                hint="It was changed since: detect again.",
            )
        return own


def anonymize_documents(  # noqa: PLR0913 - what, where to, whose, how
    documents: Iterable[str | Path] = (),
    out: str | Path = "anonymized",
    *,
    study: Study | None = None,
    findings: str | Path | FindingsFile | None = None,
    values: Sequence[str] = (),
    settings: AnonymizeSettings | None = None,
    detect: DetectSettings | None = None,
    progress: Progress | None = None,
) -> DocumentAnonymization:
    """Write every document without what identifies participants into a folder, and prove that it is gone.

    Findings come from a file, reviewed or not, or are made from the data of the study and the values. A
    document that cannot be done is told in the result; the others go on.
    """
    own = settings or AnonymizeSettings()
    rules = _rules(own, study)
    paths = document_paths(list(documents) or ([] if study is None else list(study.document_paths())))
    if not paths:
        raise InvalidSetting("There is no document.", hint="Name documents, or a study that does.")
    found = _found(findings, study, values, detect)
    folder = _folder(Path(out), paths)
    rows = []
    for number, path in enumerate(paths):
        if progress is not None:
            progress(path.name, number, len(paths))
        rows.append(_row(path, folder / path.name, found, rules))
    about = {
        "study": None if study is None else study.name,
        "findings": path_text(findings) if isinstance(findings, str | Path) else findings is not None,
        "values": len(values),
    }
    return DocumentAnonymization(tuple(rows), {**own.to_dict(), "sections": dict(rules.sections), **about})


def _rules(settings: AnonymizeSettings, study: Study | None) -> Rules:
    """What the settings and the study say."""
    released = None if study is None else study.released
    sections = {} if study is None else dict(study.sections)
    if released is None and "replace" in (settings.mode, *sections.values()):
        raise InvalidSetting(
            "Nothing says what stands instead of the values.",
            hint="Give a study whose file has a part `deidentified`, or redact.",
        )
    return Rules(settings, sections, released)


def _found(
    findings: str | Path | FindingsFile | None,
    study: Study | None,
    values: Sequence[str],
    detect: DetectSettings | None,
) -> Found:
    if findings is not None:
        if values or detect is not None:
            raise InvalidSetting(
                "Findings are given: nothing is detected.", hint="Leave out values and detector settings."
            )
        return Found(findings if isinstance(findings, FindingsFile) else read_findings(findings))
    if study is None and not values and detect is None:
        raise InvalidSetting(
            "Nothing says what identifies anybody.", hint="Give --findings, --study or --values."
        )
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.detection.detect import Searcher, search_document

    searcher = Searcher.of(study, values, detect or DetectSettings())
    return Found(None, lambda path: search_document(path, searcher))


def _row(path: Path, out: Path, found: Found, rules: Rules) -> DocumentRow:
    try:
        findings, left = found.of(path, rules.settings)
        done = anonymize_one(path, out, findings, rules, leave=left)
        return DocumentRow(path_text(path.name), done, path_text(out), sha256_of(out))
    except Exception as error:  # noqa: BLE001 - one document does not stop the others
        said = told(error)
        return DocumentRow(path_text(path.name), error=said.problem, hint=said.hint)


def _folder(out: Path, paths: Sequence[Path]) -> Path:
    """The folder for the documents; what an interrupted run left there goes, what a whole one left stays."""
    if any(path.resolve().parent == out.resolve() for path in paths):
        raise InvalidSetting(
            f"{path_text(out)} holds a document that is read.", hint="Name another folder: inputs stay."
        )
    for path in paths:
        if (out / path.name).exists():
            raise InvalidSetting(
                f"{path_text(out / path.name)} is there already.", hint="Name another folder, or remove it."
            )
    try:
        out.mkdir(exist_ok=True)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(
            f"{path_text(out)} cannot be made: {reason}.", hint="Check the folder above it."
        ) from error
    for path in paths:
        for part in out.glob(f".{glob_escaped(path.name)}.*.part"):
            shutil.rmtree(part, ignore_errors=True)
    return out


def glob_escaped(name: str) -> str:
    """A file name that means only itself in a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
