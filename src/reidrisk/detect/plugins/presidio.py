"""Presidio's analyzer as a part of the detector."""

from __future__ import annotations

from reidrisk.detect.finding import Finding
from reidrisk.errors import MissingPackage

TYPES = {
    "PERSON": "NAME",
    "LOCATION": "LOCATION-OTHER",
    "DATE_TIME": "DATE",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IPADDR",
    "US_SSN": "SSN",
    "CREDIT_CARD": "ACCOUNT",
    "IBAN_CODE": "ACCOUNT",
    "US_BANK_NUMBER": "ACCOUNT",
    "US_DRIVER_LICENSE": "LICENSE",
    "MEDICAL_LICENSE": "LICENSE",
    "US_PASSPORT": "IDNUM",
    "UK_NHS": "HEALTHPLAN",
    "US_MBI": "HEALTHPLAN",
    "ORGANIZATION": "ORGANIZATION",
    "NRP": "OTHER",
    "AGE": "AGE",
}


class PresidioDetector:
    """Asks Presidio with its defaults for English."""

    def __init__(self) -> None:
        try:
            from presidio_analyzer import AnalyzerEngine
        except ImportError:
            raise MissingPackage(
                "The plug-in presidio needs the package presidio-analyzer.",
                hint="pip install presidio-analyzer, and a spaCy model for English.",
            ) from None
        self._engine = AnalyzerEngine()

    def find(self, text: str) -> list[Finding]:
        """What Presidio finds, under our names of types."""
        return [
            Finding(
                found.start,
                found.end,
                TYPES.get(found.entity_type, found.entity_type),
                min(found.score, 1.0),
                "presidio",
            )
            for found in self._engine.analyze(text, language="en")
            if found.start < found.end
        ]
