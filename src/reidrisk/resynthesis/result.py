"""The result of de-identifying texts: counts and settings, never text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.resynthesis.replace import DeidentifiedNote
from reidrisk.text.roles import default_roles


@dataclass
class ReplacementCounts:
    """Counts of replaced identifiers, updated text by text."""

    documents: int = 0
    empty: int = 0
    """Texts in which nothing was found."""
    characters: int = 0
    by_type: Counter[str] = field(default_factory=Counter)
    by_source: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, done: DeidentifiedNote) -> None:
        """Count one text."""
        self.documents += 1
        self.empty += not done.findings
        self.characters += len(text)
        self.by_type.update(one.type for one in done.findings)
        self.by_source.update(one.source for one in done.findings)

    def to_dict(self) -> dict[str, Any]:
        """The counts as JSON types, to be added to those of other texts."""
        return {
            "documents": self.documents,
            "empty": self.empty,
            "characters": self.characters,
            "by_type": dict(self.by_type),
            "by_source": dict(self.by_source),
        }

    def add_counts(self, other: Mapping[str, Any]) -> None:
        """Add the counts of other texts."""
        self.documents += other["documents"]
        self.empty += other["empty"]
        self.characters += other["characters"]
        self.by_type.update(other["by_type"])
        self.by_source.update(other["by_source"])


@dataclass(frozen=True)
class TextDeidentification(Result):
    """The result of replacing the identifiers in texts."""

    _main_table = "by_type"
    source: str
    out: str
    count: ReplacementCounts
    settings: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    resumed: int = 0
    """Texts that an earlier run wrote."""

    @property
    def acceptable(self) -> bool:
        """Always true: the texts were de-identified. `text evaluate` measures the remaining risk."""
        return True

    def to_dict(self) -> dict[str, Any]:
        """Everything that a report needs, as JSON types."""
        replaced = sum(self.count.by_type.values())
        findings = self._findings(replaced)
        return {
            "kind": "text_deidentification",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.settings),
            "seed": None,
            "versions": versions(),
            "source": self.source,
            "out": self.out,
            "mode": self.settings["mode"],
            "reasons": texts(findings),
            "holds": holds(findings),
            "warnings": list(self.warnings),
            "documents": self.count.documents,
            "documents_without_findings": self.count.empty,
            "characters": self.count.characters,
            "replaced": replaced,
            "resumed": self.resumed,
            "by_type": [
                {"type": kind, "role": _role(kind), "replaced": number}
                for kind, number in _most_first(self.count.by_type)
            ],
            "by_source": [
                {"source": source, "replaced": number} for source, number in _most_first(self.count.by_source)
            ],
        }

    def _findings(self, replaced: int) -> list[Reason]:
        count = plural(self.count.documents, "text")
        return [
            Reason(f"{plural(replaced, 'identifier')} replaced in {count}.", None),
            Reason(
                "This does not measure the risk, because we do not know what was missed. Measure it on a "
                "manually annotated sample with reidrisk text evaluate.",
                None,
            ),
        ]


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _role(kind: str) -> str | None:
    return default_roles().get(kind.upper(), (None, ""))[0]
