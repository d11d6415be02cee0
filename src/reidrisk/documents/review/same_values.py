"""Findings that have the same value: a decision about one of them can be made about all of them."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.words import unbroken


class SameValues:
    """Ids of findings by type and text. Texts are compared without line breaks and without case."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[str, str]] = {}
        self._ids: dict[tuple[str, str], list[str]] = {}

    def add(self, document: str, findings: Iterable[DocumentFinding], text: str) -> None:
        """Take in the findings of a block with its text."""
        for one in findings:
            name = one.name_in(document)
            if name in self._values:
                continue
            value = (one.type, unbroken(text[one.start : one.end]).casefold())
            self._values[name] = value
            self._ids.setdefault(value, []).append(name)

    def of(self, name: str) -> tuple[str, ...]:
        """All findings with the value of this one, itself included; it alone if its text was not taken in."""
        value = self._values.get(name)
        return (name,) if value is None else tuple(self._ids[value])
