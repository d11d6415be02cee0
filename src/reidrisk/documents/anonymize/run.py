"""Anonymize a batch of documents; the result has counts, concerns and proofs, never text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.file_set import FileSet, now_at, together
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural
from reidrisk.documents.anonymize.one import Anonymized, anonymize_one
from reidrisk.documents.anonymize.plan import FATES, SAME, Rules
from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.detection.given import ValueCount
from reidrisk.documents.document import OpenDocument, PagedDocument, sha256_of
from reidrisk.documents.findings.file import FindingsFile, read_findings
from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.formats import document_paths, format_of, told
from reidrisk.documents.page_progress import PageProgress, Progress
from reidrisk.documents.review.opinions import Place, decided, judged
from reidrisk.documents.verify import GivenValues
from reidrisk.errors import (
    FailedPages,
    Interrupted,
    InvalidSetting,
    UnmatchedDocuments,
    UnreadableFile,
    UnwritableFile,
)

if TYPE_CHECKING:
    from reidrisk.detect.known.listed import ListedValues
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.study.study import Study

MOST_NUMBERS = 20
"""Numbers of values that a warning names."""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One document of a batch."""

    document: str
    done: Anonymized | None = None
    out: str | None = None
    sha256: str | None = None
    """Of what was written."""
    error: str | None = None
    """Why there is no output, in words."""
    hint: str | None = None


@dataclass(frozen=True)
class DocumentAnonymization(Result):
    """Documents redacted or replaced."""

    _main_table = "by_type"
    rows: tuple[DocumentRow, ...]
    settings: Mapping[str, Any]
    numbers: tuple[int, ...] = ()
    """The number of each given value in its list."""

    @property
    def acceptable(self) -> bool:
        """Whether every document was written and proved; the risk that is left is measured elsewhere."""
        return not self.failed

    @property
    def failed(self) -> int:
        """Documents without output."""
        return sum(row.done is None for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no text, no participant."""
        planned = [one for row in self.rows if row.done is not None for one in row.done.planned]
        fates = Counter(one.fate for one in planned)
        reasons = self._reasons(len(planned))
        return {
            "kind": "document_anonymization",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.settings),
            "seed": None,
            "versions": versions(),
            "mode": self.settings["mode"],
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "warnings": self._warnings(),
            "documents": [_row_told(row, self.numbers) for row in self.rows],
            "values": _values_told(self._counted(), self.numbers),
            "findings": len(planned),
            "fates": {fate: fates[fate] for fate in FATES},
            "same_values": sum(one.finding.source == SAME for one in planned),
            "by_type": _tally((one.finding.type, one.fate) for one in planned),
            "by_section": _tally((one.finding.section or "", one.fate) for one in planned),
        }

    def _reasons(self, findings: int) -> list[Reason]:
        written = len(self.rows) - self.failed
        found = f"{written:,} of {plural(len(self.rows), 'document')} written, {plural(findings, 'finding')}."
        reasons = [Reason(found, self.acceptable)]
        if written:
            proved = "Other programs searched for every value that was removed or given, and found none."
            reasons.append(Reason(proved, None))
        risk = (
            "This does not measure the risk, because it does not show which identifiers were missed. "
            "To measure the risk, run reidrisk document risk."
        )
        return [*reasons, Reason(risk, None)]

    def _warnings(self) -> list[str]:
        errors = [f"{row.document}: {row.error} {row.hint}".strip() for row in self.rows if row.error]
        concerns = [
            f"{row.document}: {concern}"
            for row in self.rows
            if row.done is not None
            for concern in (*row.done.outcome.concerns, *row.done.proof.notes)
        ]
        return errors + concerns + self._value_warnings()

    def _counted(self) -> list[ValueCount]:
        """What became of each given value in all documents that were written."""
        done = [row.done.values for row in self.rows if row.done is not None]
        return [
            ValueCount(own[0].number, sum(one.found for one in own), sum(one.removed for one in own))
            for own in zip(*done, strict=True)
        ]

    def _value_warnings(self) -> list[str]:
        counted = self._counted()
        missing = [self.numbers[one.number - 1] for one in counted if not one.found]
        left = [self.numbers[one.number - 1] for one in counted if one.removed < one.found]
        of = f"of {plural(len(counted), 'value')}"
        said = []
        if missing:
            which = f"{_numbered(missing)} of the list"
            said.append(f"{len(missing):,} {of} never found: {which}. Check the spelling.")
        if left:
            which = f"{_numbered(left)} of the list"
            why = "A rule of a section, or the released data, keep them."
            said.append(f"{len(left):,} {of} not removed everywhere: {which}. {why}")
        return said


def _numbered(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:MOST_NUMBERS])
    more = f" and {len(numbers) - MOST_NUMBERS:,} more" if len(numbers) > MOST_NUMBERS else ""
    return f"{'number' if len(numbers) == 1 else 'numbers'} {shown}{more}"


def _values_told(counted: Iterable[ValueCount], numbers: Sequence[int]) -> list[dict[str, int]]:
    return [
        {"value_number": numbers[one.number - 1], "found": one.found, "removed": one.removed}
        for one in counted
    ]


def _row_told(row: DocumentRow, numbers: Sequence[int]) -> dict[str, Any]:
    about = {"document": row.document, "out": row.out, "sha256": row.sha256}
    if row.done is None:
        return about | {"written": False, "error": row.error, "hint": row.hint}
    fates = Counter(one.fate for one in row.done.planned)
    return about | {
        "written": True,
        "blocks": row.done.outcome.blocks,
        "findings": len(row.done.planned),
        "changes": row.done.outcome.changes,
        "lines_left_out": row.done.lines,
        "left_out": list(row.done.outcome.left_out),
        "fates": {fate: fates[fate] for fate in FATES},
        "concerns": [*row.done.outcome.concerns, *row.done.proof.notes],
        "proof": {
            "holds": row.done.proof.holds,
            "values": row.done.proof.values,
            "given": row.done.proof.given,
            "places": row.done.proof.places,
            "values_kept": row.done.kept,
        },
        "values": _values_told(row.done.values, numbers),
    }


def _tally(pairs: Any) -> list[dict[str, Any]]:
    counted: dict[str, Counter[str]] = {}
    for name, fate in pairs:
        counted.setdefault(name, Counter())[fate] += 1
    return [
        {"name": name, "findings": own.total(), **{fate: own[fate] for fate in FATES}}
        for name, own in sorted(counted.items(), key=lambda pair: _order(pair[0]))
    ]


def _order(name: str) -> tuple[Any, ...]:
    """Sections by their numbers, everything else by name."""
    parts = name.split(".")
    return (0, *(int(part) for part in parts)) if all(map(str.isdecimal, parts)) else (1, name)


@dataclass(frozen=True, slots=True)
class Found:
    """Where findings come from: a file, or the detector."""

    file: FindingsFile | None = None
    detect: Callable[[OpenDocument], DocumentFindings] | None = field(default=None, repr=False)
    values: ListedValues | None = field(default=None, repr=False)
    numbers: tuple[int, ...] = ()
    """The number of each value in its list."""
    is_detecting: bool = False
    """Whether more than given values is searched."""

    def in_file(self, path: Path, settings: AnonymizeSettings) -> tuple[DocumentFindings, list[Place]] | None:
        """What the file has of a document as reviewers left it, and the places that they left."""
        if self.file is None:
            return None
        own = self._own(self.file, path)
        kept = decided(own, self.file.reviews, rule=settings.rule)
        places = {one.place for one in kept.findings}
        left = [one.place for one in judged(own, self.file.reviews) if one.place not in places]
        return kept, left

    def detected(self, document: OpenDocument) -> tuple[DocumentFindings, list[Place]]:
        """What the detector finds in a document; nobody left a place."""
        assert self.detect is not None  # noqa: S101 - it is there if the file is not
        return self.detect(document), []

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
    values: Sequence[str] | GivenValues = (),
    settings: AnonymizeSettings | None = None,
    detect: DetectSettings | None = None,
    progress: Progress | None = None,
) -> DocumentAnonymization:
    """Write every document without what identifies participants into a folder, and prove that it is gone.

    Findings come from a file, reviewed or not, or are made from the data of the study and the values. Values
    without a study are all that goes, unless `detect` says how to find more. A document that cannot be done
    is told in the result; the others go on. `progress` is called with the document and the pages that are
    done and to do.
    """
    own = settings or AnonymizeSettings()
    rules = _rules(own, study)
    paths = document_paths(list(documents) or ([] if study is None else list(study.document_paths())))
    if not paths:
        raise InvalidSetting("There is no document.", hint="Name documents, or a study that does.")
    given = values if isinstance(values, GivenValues) else GivenValues.of(values)
    found = replace(_found(findings, study, given.values, detect), numbers=given.numbers)
    rows = []
    with together() as files:  # the new documents appear together
        folder = _folder(Path(out), paths, files)
        pages = PageProgress.of(paths, progress)
        for path in paths:
            with pages.document(path):
                rows.append(_row(path, folder / path.name, found, rules))
    about = {
        "study": None if study is None else study.name,
        "findings": path_text(findings) if isinstance(findings, str | Path) else findings is not None,
        "values": len(given),
        "detect": found.is_detecting,
    }
    told_settings = {**own.to_dict(), "sections": dict(rules.sections), **about}
    return DocumentAnonymization(tuple(rows), told_settings, given.numbers)


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
    from reidrisk.documents.detection.detect import Searcher, search_document

    searcher = Searcher.of(study, values, detect)

    def search(document: OpenDocument) -> DocumentFindings:
        return search_document(document.path, searcher, blocks=document.blocks)

    return Found(None, search, searcher.values, is_detecting=searcher.general is not None)


def _row(path: Path, out: Path, found: Found, rules: Rules) -> DocumentRow:
    try:
        done = _anonymized(path, out, found, rules)
        return DocumentRow(path_text(path.name), done, path_text(out), sha256_of(now_at(out)))
    except (UnwritableFile, MemoryError, Interrupted):  # what would stop the other documents, too
        raise
    except Exception as error:  # noqa: BLE001 - one document does not stop the others
        said = told(error)
        return DocumentRow(path_text(path.name), error=said.problem, hint=said.hint)


def _anonymized(path: Path, out: Path, found: Found, rules: Rules) -> Anonymized:
    """One document.

    If other readers still see values on some pages, it is tried again with the places where they see them;
    and if pages may be left out, without those that cannot be released.
    """
    own, known = format_of(path), found.in_file(path, rules.settings)
    without: dict[str, str] = {}
    wanted: dict[int, tuple[str, ...]] = {}
    while True:
        try:
            with own.opened(path) as document:
                seen = document.seen_by_others(wanted) if isinstance(document, PagedDocument) else []
                findings, left = known or found.detected(document)
                return anonymize_one(
                    document,
                    out,
                    findings,
                    rules,
                    leave=left,
                    values=found.values,
                    numbers=found.numbers,
                    without=without,
                    seen=seen,
                )
        except FailedPages as failed:
            if failed.left.keys() - wanted.keys():
                wanted |= failed.left
                continue
            more = {f"page {number}": failed.why for number in failed.pages}
            if not rules.settings.per_page or more.keys() <= without.keys():
                raise
            without |= more


def _folder(out: Path, paths: Sequence[Path], files: FileSet) -> Path:
    """The folder for the documents; what an interrupted run left there goes, what a whole one left stays."""
    if out.is_dir():
        files.visit(out.resolve())
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
        files.make_folder(out, parents=False)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(
            f"{path_text(out)} cannot be made: {reason}.", hint="Check the folder above it."
        ) from None
    return out
