"""A spaCy pipeline as a part of the detector."""

from __future__ import annotations

from reidrisk.detect.finding import Finding
from reidrisk.errors import InvalidSetting, MissingPackage

TYPES = {
    "PERSON": "NAME",
    "PER": "NAME",
    "GPE": "CITY",
    "LOC": "LOCATION-OTHER",
    "FAC": "LOCATION-OTHER",
    "ORG": "ORGANIZATION",
    "DATE": "DATE",
    "TIME": "DATE",
    "NORP": "OTHER",
}
CONFIDENCE = 0.7
"""spaCy gives no confidence: about the share of its entities that identify in clinical text."""


class SpacyDetector:
    """Asks the entity recogniser of an installed spaCy model."""

    def __init__(self, model: str) -> None:
        if not model:
            raise InvalidSetting(
                "The plug-in `spacy:` names no model.", hint="Write, for example, spacy:en_core_web_sm."
            )
        try:
            import spacy
        except ImportError:
            raise MissingPackage(
                "The plug-in spacy needs the package spacy.", hint="pip install spacy"
            ) from None
        try:
            self._pipeline = spacy.load(model)
        except OSError:
            raise MissingPackage(
                f"The spaCy model {model!r} is not installed.", hint=f"python -m spacy download {model}"
            ) from None

    def find(self, text: str) -> list[Finding]:
        """Entities that can identify, under our names of types; amounts and the like are left out."""
        return [
            Finding(
                entity.start_char,
                entity.end_char,
                TYPES.get(entity.label_, entity.label_),
                CONFIDENCE,
                "spacy",
            )
            for entity in self._pipeline(text).ents
            if entity.label_
            not in (
                "CARDINAL",
                "ORDINAL",
                "QUANTITY",
                "MONEY",
                "PERCENT",
                "PRODUCT",
                "LANGUAGE",
                "LAW",
                "WORK_OF_ART",
                "EVENT",
            )
        ]
