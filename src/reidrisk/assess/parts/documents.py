"""A documents part: what was found in clinical documents is counted once, the risk follows in any context."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.parts.part import Part, Work
from reidrisk.assess.parts.text import recognition_of
from reidrisk.context.release import Release
from reidrisk.context.score import ContextScore
from reidrisk.core.wording import path_text
from reidrisk.documents.risk.measure import LEAKING, measure_documents
from reidrisk.documents.risk.settings import DocumentSettings, Scenario, document_settings
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.rules import ReleasedTables
from reidrisk.documents.study.study import Study


class DocumentsPart(Part):
    """Data of a trial's participants, its documents, and how they are published."""

    kind: ClassVar[str] = "documents"

    @property
    def study_file(self) -> Path:
        """Where the study is described."""
        return Path(self.path(str(self.given["study"])))

    @cached_property
    def study(self) -> Study:
        """The study; no data are read for it."""
        return read_study(self.study_file)

    @property
    def scenario(self) -> Scenario:
        """How the documents are published."""
        found: Scenario = self.given["scenario"]
        return found

    @property
    def settings(self) -> DocumentSettings:
        """How the risk is computed."""
        said = dict(self.given.get("settings") or {})
        return document_settings(str(said.pop("profile", "recommended")), said)

    def release(self, score: ContextScore) -> Release | None:
        """What is done to what was caught, in a context; None where leaks do not count."""
        if self.scenario not in LEAKING:
            return None
        if self.scenario == "redacted":
            return score.release("redaction")
        return score.release("resynthesis", recognition_of(self.given.get("recognition")))

    def sources(self) -> tuple[str, ...]:
        """The study, its data, findings and reviews; the documents where they are read for them."""
        named = [str(self.given[name]) for name in ("study", "findings", "review") if self.given.get(name)]
        if not self.study_file.is_file():
            return tuple(named)
        study = self.study
        inside = list(study.tables.values())
        if isinstance(study.deidentified, ReleasedTables):
            inside += [*study.deidentified.tables.values(), study.deidentified.link]
        if self.scenario in LEAKING and study.review is not None and not self.given.get("review"):
            inside.append(study.review)
        if not self.given.get("findings") and self._detects:
            inside += study.document_paths()
        return tuple(dict.fromkeys([*named, *map(self._seen_from_here, inside)]))

    @property
    def _detects(self) -> bool:
        mentions = self.scenario == "replaced" and self.settings.catch == "mentioned"
        return mentions or self.scenario == "ipd_mentioned"

    def _seen_from_here(self, path: Path) -> str:
        return path_text(os.path.relpath(path, self.folder))

    def counted(self) -> Mapping[str, Any]:
        """Everything that is said: the study is read as a whole."""
        names = ("study", "scenario", "findings", "review")
        return {**{name: self.given.get(name) for name in names}, "settings": self.settings.to_dict()}

    def measure(self, work: Work) -> dict[str, Any]:  # noqa: ARG002 - nothing here is drawn by chance
        """Count classes, mentions and leaks; nothing of a text and nobody's row is kept."""
        found, review = (
            None if self.given.get(name) is None else self.path(str(self.given[name]))
            for name in ("findings", "review")
        )
        measured = measure_documents(
            self.study, self.scenario, findings=found, review=review, settings=self.settings
        )
        return measured.to_dict()
