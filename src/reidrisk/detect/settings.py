"""Settings of detection, and what counts as an identifier under each labeling scheme."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from reidrisk.detect.finding import Finding
from reidrisk.errors import InvalidSetting

Scheme = Literal["i2b2", "hipaa"]
_OLD = re.compile(r"9\ds?|1\d\d|(?i:ninet(?:y|ies)|hundred)")
_YEAR = re.compile(r"(?:(?i:spring|summer|autumn|fall|winter)(?: of)?,? )?(?:1[89]|20)\d\ds?")
_ALLOWED = frozenset(("STATE", "COUNTRY", "PROFESSION"))


def is_identifier(text: str, finding: Finding, scheme: Scheme) -> bool:
    """Whether a finding is an identifier under a scheme.

    Under 45 CFR 164.514(b)(2), ages up to 89, years alone, states, countries and professions may stay.
    """
    if scheme == "i2b2":
        return True
    if finding.type == "AGE":
        return _OLD.match(text, finding.start, finding.end) is not None
    if finding.type == "DATE":
        return _YEAR.fullmatch(text, finding.start, finding.end) is None
    return finding.type not in _ALLOWED


SHIPPED_MODEL = Path(__file__).parent / "data" / "english.model"
"""The model for English clinical text that comes with the package."""
DEFAULT_THRESHOLD = 0.2
"""Mask words with at least this probability: one leaked word weighs as much as four words masked wrongly."""
Rules = Literal["english", "universal", "none"]


@dataclass(frozen=True, slots=True)
class DetectSettings:
    """Which parts search for identifiers, and how confident they must be."""

    model: Path | None = SHIPPED_MODEL
    """A model file written by `reidrisk text train`; None for no model."""
    known: Path | None = None
    """A table or list of known values of the people in the texts."""
    terms: tuple[Path, ...] = ()
    """Term lists: terms that are always found, and after `never:` terms that never are."""
    plugins: tuple[str, ...] = ()
    """Other tools: `presidio`, `spacy:MODEL`, `command:ARGV`."""
    threshold: float = DEFAULT_THRESHOLD
    """Findings below this confidence are left out. A lower threshold finds more but is wrong more often."""
    rules: Rules | None = None
    """Patterns and dictionaries: all for English, only those valid in any language, or none.
    The default is English with the model of the package or no model, and universal with your own model."""
    scheme: Scheme = "i2b2"
    """What counts as an identifier: all ages, years and states (i2b2), or only HIPAA Safe Harbor's list."""
    consistency: bool = True
    """Whether a word that is a name once in a document is a name everywhere in it."""

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise InvalidSetting(
                f"The confidence threshold {self.threshold} is not between 0 and 1.",
                hint=f"Use a number from 0 (find more) to 1 (be sure). The default is {DEFAULT_THRESHOLD}.",
            )
        if self.rules is not None and self.rules not in get_args(Rules):
            raise InvalidSetting.among("A set of rules", self.rules, get_args(Rules))
        if self.scheme not in get_args(Scheme):
            raise InvalidSetting.among("A scheme", self.scheme, get_args(Scheme))

    @property
    def rules_used(self) -> Rules:
        """The rules in use: those chosen, or the default for the model."""
        if self.rules is not None:
            return self.rules
        return "english" if self.model in (None, SHIPPED_MODEL) else "universal"

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types; files by name, without their folders."""
        return {
            "model": "shipped" if self.model == SHIPPED_MODEL else self.model and self.model.name,
            "known": self.known and self.known.name,
            "terms": [path.name for path in self.terms],
            "plugins": list(self.plugins),
            "threshold": self.threshold,
            "rules": self.rules_used,
            "scheme": self.scheme,
            "consistency": self.consistency,
        }
