"""The complete detector: it runs every part and combines their findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.detect.combine import IsCommon, combine, find_repeats, lower_unsupported
from reidrisk.detect.finding import Detector, Finding, find_in_each
from reidrisk.detect.patterns.find import PatternDetector
from reidrisk.detect.settings import SHIPPED_MODEL, DetectSettings, Scheme, is_identifier
from reidrisk.detect.terms import TermList
from reidrisk.errors import UnreadableFile

if TYPE_CHECKING:
    from reidrisk.detect.model.model import Model


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A model with the threshold that decides which words belong to its findings."""

    model: Model
    threshold: float

    def find(self, text: str) -> list[Finding]:
        """The findings of the model in one text."""
        return self.model.find(text, threshold=self.threshold)

    def find_many(self, texts: Sequence[str]) -> list[list[Finding]]:
        """The findings of the model in each of several texts."""
        return self.model.find_many(texts, threshold=self.threshold)


@dataclass(frozen=True, slots=True)
class CombinedDetector:
    """Runs every part and combines the findings: in order, without overlaps, above the threshold."""

    parts: tuple[Detector, ...]
    threshold: float
    model: Detector | None = None
    needs_support: bool = False
    """Whether a model finding that no rule supports gets a lower confidence: the rules know the language."""
    terms: TermList | None = None
    consistency: bool = True
    scheme: Scheme = "i2b2"
    is_common: IsCommon | None = None
    """Whether a word is too common to be taken for a name elsewhere in the document."""

    def find(self, text: str) -> list[Finding]:
        """The findings of one text."""
        return self.find_many((text,))[0]

    def find_many(self, texts: Sequence[str]) -> list[list[Finding]]:
        """The findings in each of several texts: the same as one by one, but faster for short texts."""
        by_part = [find_in_each(part, texts) for part in self.parts]
        modelled = [()] * len(texts) if self.model is None else find_in_each(self.model, texts)
        return [
            self._resolve(text, [one for part in by_part for one in part[place]], modelled[place])
            for place, text in enumerate(texts)
        ]

    def _resolve(self, text: str, findings: list[Finding], modelled: Sequence[Finding]) -> list[Finding]:
        """Combine what the rules and the model found in one text."""
        findings += lower_unsupported(modelled, findings) if self.needs_support else modelled
        if self.consistency:
            findings += find_repeats(text, self._combine(text, findings), is_common=self.is_common)
        return [one for one in self._combine(text, findings) if is_identifier(text, one, self.scheme)]

    def _combine(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        found = combine(findings, threshold=self.threshold)
        return found if self.terms is None else self.terms.without(text, found)


def build_detector(settings: DetectSettings | None = None) -> CombinedDetector:
    """Build the detector that the settings describe; each worker process builds its own."""
    settings = settings or DetectSettings()
    parts: list[Detector] = []
    is_common: IsCommon | None = None
    model: Detector | None = None
    if settings.rules_used != "none":
        parts.append(PatternDetector(universal=settings.rules_used == "universal"))
    if settings.rules_used == "english":
        from reidrisk.detect.dictionaries.find import DictionaryDetector
        from reidrisk.detect.dictionaries.lexicon import english

        parts.append(DictionaryDetector())
        is_common = english().is_common
    if settings.model is not None and (settings.model != SHIPPED_MODEL or SHIPPED_MODEL.exists()):
        model = _model(settings.model, settings.threshold)
    if settings.known is not None:
        from reidrisk.detect.known.index import KnownValues

        parts.append(KnownValues.read(settings.known))
    terms = TermList.read(settings.terms) if settings.terms else None
    parts += [terms] if terms is not None else []
    if settings.plugins:
        from reidrisk.detect.plugins import build_plugin

        parts += [build_plugin(name) for name in settings.plugins]
    return CombinedDetector(
        tuple(parts),
        settings.threshold,
        model=model,
        needs_support=settings.rules_used == "english",
        terms=terms,
        consistency=settings.consistency,
        scheme=settings.scheme,
        is_common=is_common,
    )


def _model(path: Path, threshold: float) -> Detector:
    if not path.is_file():
        raise UnreadableFile(
            f"The model {path.name!r} does not exist.",
            hint="Train one with: reidrisk text train CORPUS --out MODEL.",
        )
    from reidrisk.detect.model.file import load_model

    return ModelPart(load_model(path), threshold)
