"""What was found in documents: counts by document, type, variable and section, never text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.documents.findings.file import write_findings
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
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
            "documents": [_row(row) for row in self.rows],
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


def _row(row: DetectedDocument) -> dict[str, Any]:
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
