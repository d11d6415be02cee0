"""The whole detector: every part looks, and one answer comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.detect.combine import IsCommon, combine, find_repeats, lower_unsupported
from reidrisk.detect.finding import Detector, Finding, find_in_each
from reidrisk.detect.patterns.find import PatternDetector
from reidrisk.detect.plugins.named import build_plugin
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
        """What the model finds."""
        return self.model.find(text, threshold=self.threshold)

    def find_many(self, texts: Sequence[str]) -> list[list[Finding]]:
        """What the model finds in each."""
        return self.model.find_many(texts, threshold=self.threshold)


@dataclass(frozen=True, slots=True)
class CombinedDetector:
    """Asks every part and combines what they found: in order, without overlaps, above the threshold."""

    parts: tuple[Detector, ...]
    threshold: float
    model: Detector | None = None
    judged: bool = False
    """Whether the rules know the language well enough that their silence speaks against the model."""
    terms: TermList | None = None
    consistency: bool = True
    scheme: Scheme = "i2b2"
    is_common: IsCommon | None = None
    """Whether a word is too usual to be taken for a name elsewhere in the document."""

    def find(self, text: str) -> list[Finding]:
        """The findings of one text."""
        return self.find_many((text,))[0]

    def find_many(self, texts: Sequence[str]) -> list[list[Finding]]:
        """The findings of each of several texts: the same as one by one, and faster if they are short."""
        told = [find_in_each(part, texts) for part in self.parts]
        modelled = [()] * len(texts) if self.model is None else find_in_each(self.model, texts)
        return [
            self._settled(text, [one for part in told for one in part[place]], modelled[place])
            for place, text in enumerate(texts)
        ]

    def _settled(self, text: str, findings: list[Finding], modelled: Sequence[Finding]) -> list[Finding]:
        """One answer of what the rules and the model found in a text."""
        findings += lower_unsupported(modelled, findings) if self.judged else modelled
        if self.consistency:
            findings += find_repeats(text, self._combined(text, findings), is_common=self.is_common)
        return [one for one in self._combined(text, findings) if is_identifier(text, one, self.scheme)]

    def _combined(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        found = combine(findings, threshold=self.threshold)
        return found if self.terms is None else self.terms.without(text, found)


def build_detector(settings: DetectSettings | None = None) -> CombinedDetector:
    """Make the detector that the settings describe; worker processes get the settings and make their own."""
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
    parts += [build_plugin(name) for name in settings.plugins]
    return CombinedDetector(
        tuple(parts),
        settings.threshold,
        model=model,
        judged=settings.rules_used == "english",
        terms=terms,
        consistency=settings.consistency,
        scheme=settings.scheme,
        is_common=is_common,
    )


def _model(path: Path, threshold: float) -> Detector:
    if not path.is_file():
        raise UnreadableFile(
            f"The model {path.name!r} does not exist.",
            hint="Make one with: reidrisk text train CORPUS --out MODEL.",
        )
    from reidrisk.detect.model import load_model

    return ModelPart(load_model(path), threshold)
