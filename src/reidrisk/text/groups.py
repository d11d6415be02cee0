"""Count groups of documents on their own, beside the whole."""

from __future__ import annotations

from dataclasses import replace

from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evidence import Evidence
from reidrisk.text.result import DocumentGroup
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting, Tally

MOST = 200
"""Groups; with more, hardly any has enough documents."""


class GroupTallies:
    """One tally a group; none where no grouping was asked for."""

    def __init__(self, counting: Counting, settings: TextSettings) -> None:
        self._counting = counting
        # Groups are small and many: the second engine checks the whole only.
        self._settings = replace(settings, crosscheck=False)
        self._tallies: dict[str, Tally] = {}
        self._sizes: dict[str, int] = {}

    def add(self, document: Document, marks: tuple[Annotation, ...]) -> None:
        """Count a document in its group."""
        if self._counting.by is None:
            return
        name = self._counting.by.of(document)
        if name not in self._tallies and len(self._tallies) == MOST:
            raise InvalidSetting(
                f"There are more than {MOST} groups of documents.",
                hint="Choose a coarser grouping: a folder, a ward, a year.",
            )
        tally = self._tallies.setdefault(name, Tally(self._counting, self._settings))
        tally.add(document, marks)
        self._sizes[name] = self._sizes.get(name, 0) + 1

    def assessed(
        self, release: Release, threshold: Threshold, provenance: Provenance
    ) -> tuple[DocumentGroup, ...]:
        """The risk of every group, by name."""
        found = []
        for name, tally in sorted(self._tallies.items()):
            try:
                evidence = tally.finish()
            except NothingToMeasure:
                found.append(DocumentGroup(name, self._sizes[name], None))
                continue
            own = _known(release, evidence)
            risk = assess(evidence, own, threshold, self._settings, provenance=provenance)
            found.append(DocumentGroup(name, evidence.documents, risk))
        return tuple(found)


def _known(release: Release, evidence: Evidence) -> Release:
    """The release without recognitions of types that these documents do not hold."""
    held = {kind.type for kind in evidence.types}
    own = {kind: value for kind, value in release.recognition.by_type.items() if kind in held}
    return replace(release, recognition=replace(release.recognition, by_type=own))
