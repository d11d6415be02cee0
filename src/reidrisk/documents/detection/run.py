"""Finds in many documents what identifies participants; the result has counts, never text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural
from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.detection.detect import Searcher, search_document
from reidrisk.documents.findings.file import write_findings
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.formats import document_paths, told
from reidrisk.documents.page_progress import PageProgress, Progress
from reidrisk.documents.study.study import Study
from reidrisk.errors import Interrupted, InvalidSetting
from reidrisk.text.roles import default_roles


@dataclass(frozen=True, slots=True)
class DetectedDocument:
    """One document of a batch."""

    document: str
    found: DocumentFindings | None = None
    error: str | None = None
    """Why it could not be read, in words."""
    hint: str | None = None


@dataclass(frozen=True)
class DocumentDetection(Result):
    """Findings in documents."""

    _main_table = "by_type"
    rows: tuple[DetectedDocument, ...]
    settings: Mapping[str, Any]
    participants: int | None = None
    """Of the study; None without one."""
    notes: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What stands at the findings, by their names, if it was to be kept; no dictionary or view has it."""

    def write(self, path: str | Path) -> None:
        """Write the findings to a file, for review and anonymization."""
        write_findings(path, self.documents, settings=self.settings, texts=self.texts)

    @property
    def acceptable(self) -> bool:
        """Whether every document was read; the risk is measured elsewhere."""
        return not self.failed

    @property
    def failed(self) -> int:
        """Documents that could not be read."""
        return sum(row.found is None for row in self.rows)

    @property
    def documents(self) -> tuple[DocumentFindings, ...]:
        """The findings of every document that could be read."""
        return tuple(row.found for row in self.rows if row.found is not None)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no text, no participant."""
        found = [one for document in self.documents for one in document.findings]
        reasons = self._reasons(len(found))
        return {
            "kind": "document_detection",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.settings),
            "seed": None,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "warnings": self._warnings(),
            "documents": [_row_told(row) for row in self.rows],
            "findings": len(found),
            "participants": self.participants,
            "mentioned": len(_people(found)),
            "by_type": [{**row, "role": _role(row["name"])} for row in _tally(found, lambda one: one.type)],
            "by_variable": _tally(found, lambda one: one.variable or ""),
            "by_section": _tally(found, lambda one: one.section or ""),
            "by_source": _tally(found, lambda one: one.source),
        }

    def _reasons(self, findings: int) -> list[Reason]:
        read = len(self.rows) - self.failed
        found = f"{plural(findings, 'finding')} in {read:,} of {plural(len(self.rows), 'document')}."
        risk = (
            "This does not measure the risk, because it does not show which identifiers were missed. "
            "Review a sample of pages with reidrisk document review, then run reidrisk document risk."
        )
        return [Reason(found, self.acceptable), Reason(risk, None)]

    def _warnings(self) -> list[str]:
        errors = [f"{row.document}: {row.error} {row.hint}".strip() for row in self.rows if row.error]
        concerns = [f"{one.document}: {concern}" for one in self.documents for concern in one.concerns]
        return [*errors, *self.notes, *concerns]


def _row_told(row: DetectedDocument) -> dict[str, Any]:
    if row.found is None:
        return {"document": row.document, "read": False, "error": row.error, "hint": row.hint}
    return {
        "document": row.document,
        "read": True,
        "sha256": row.found.sha256,
        "blocks": len(row.found.blocks),
        "findings": len(row.found.findings),
        "attributed": sum(bool(one.subjects) for one in row.found.findings),
        "mentioned": len(_people(row.found.findings)),
        "concerns": list(row.found.concerns),
    }


def _people(findings: Iterable[DocumentFinding]) -> set[int]:
    return {subject for one in findings for subject in one.subjects}


def _tally(findings: Iterable[DocumentFinding], name: Any) -> list[dict[str, Any]]:
    counted: Counter[str] = Counter()
    people: dict[str, set[int]] = {}
    for one in findings:
        counted[name(one)] += 1
        people.setdefault(name(one), set()).update(one.subjects)
    ordered = sorted(counted, key=_order)
    return [{"name": key, "findings": counted[key], "mentioned": len(people[key])} for key in ordered]


def _order(name: str) -> tuple[Any, ...]:
    """Sections by their numbers, everything else by name."""
    parts = name.split(".")
    return (0, *(int(part) for part in parts)) if all(map(str.isdecimal, parts)) else (1, name)


def _role(kind: str) -> str | None:
    return default_roles().get(kind.upper(), (None, ""))[0]


def detect_documents(
    documents: Sequence[str | Path] = (),
    *,
    study: Study | None = None,
    values: Sequence[str] = (),
    settings: DetectSettings | None = None,
    keep_text: bool = False,
    progress: Progress | None = None,
) -> DocumentDetection:
    """Find in documents, or in those that a study names, what identifies participants or anybody.

    Values without a study are all that is searched, unless `settings` say how to detect more. The result
    writes findings to a file for review and anonymization; with `keep_text` also what stands there.
    `progress` is called with the document and the pages that are done and to do.
    """
    listed = list(documents) or ([] if study is None else list(study.document_paths()))
    paths = document_paths(listed)
    if not paths:
        raise InvalidSetting("There is no document.", hint="Name documents, or a study that does.")
    searcher = Searcher.of(study, values, settings)
    texts: dict[str, str] | None = {} if keep_text else None
    rows = []
    pages = PageProgress.of(paths, progress)
    for path in paths:
        with pages.document(path):
            rows.append(_row(path, searcher, texts))
    is_detecting = searcher.general is not None
    about = {
        **((settings or DetectSettings()).to_dict() if is_detecting else {}),
        "study": None if study is None else study.name,
        "values": len(values),
        "detect": is_detecting,
    }
    people = None if study is None else len(study.data)
    return DocumentDetection(tuple(rows), about, people, _notes(study), texts or {})


def _row(path: Path, searcher: Searcher, texts: dict[str, str] | None) -> DetectedDocument:
    name = path_text(path.name)

    def keep(one: DocumentFinding, text: str) -> None:
        if texts is not None:
            texts[one.name_in(path.name)] = text

    try:
        return DetectedDocument(name, search_document(path, searcher, told=keep))
    except Interrupted:
        raise
    except Exception as error:  # noqa: BLE001 - one document does not stop the others
        said = told(error)
        return DetectedDocument(name, error=said.problem, hint=said.hint)


def _notes(study: Study | None) -> tuple[str, ...]:
    if study is None:
        return ()
    roles = study.roles
    proposed = (
        f"Roles of variables are proposed from their CDISC names: quasi-identifiers {', '.join(roles.quasi)}"
        f"; direct {', '.join(roles.direct) or 'none'}; dates {', '.join(roles.dates) or 'none'}."
    )
    return (*study.data.notes, *((proposed,) if study.is_proposed else ()))
