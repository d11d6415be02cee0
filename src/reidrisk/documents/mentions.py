"""Who is mentioned in documents, and with which variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reidrisk.documents.findings.finding import DocumentFindings


def mentions(findings: DocumentFindings | Iterable[DocumentFindings]) -> Mapping[int, frozenset[str]]:
    """The variables of the study's data that appear of each participant, in one document or in all.

    Participants are known by the number of their row; those of whom nothing appears are left out.
    """
    documents = [findings] if isinstance(findings, DocumentFindings) else findings
    found: dict[int, set[str]] = {}
    for document in documents:
        for one in document.findings:
            for subject in one.subjects:
                found.setdefault(subject, set()).update(() if one.variable is None else (one.variable,))
    return {subject: frozenset(variables) for subject, variables in sorted(found.items())}
