"""What was done to documents: counts, concerns and proofs, never text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.documents.anonymize.one import Anonymized
from reidrisk.documents.anonymize.plan import FATES
from reidrisk.documents.anonymize.same import SAME


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

    rows: tuple[DocumentRow, ...]
    settings: Mapping[str, Any]

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
            "documents": [_row(row) for row in self.rows],
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
            proved = "Other programs searched for every removed value and found none."
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
            for concern in row.done.outcome.concerns
        ]
        return errors + concerns


def _row(row: DocumentRow) -> dict[str, Any]:
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
        "fates": {fate: fates[fate] for fate in FATES},
        "concerns": list(row.done.outcome.concerns),
        "proof": {
            "holds": row.done.proof.holds,
            "values": row.done.proof.values,
            "places": row.done.proof.places,
            "values_kept": row.done.kept,
        },
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
