"""Settings of detection, each declared once, and what counts as an identifier under each labeling scheme.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from reidrisk.core.settings import (
    SHARE,
    Choice,
    FileName,
    ListOf,
    Setting,
    TextSetting,
    YesNo,
    check_settings,
    record_settings,
)
from reidrisk.detect.finding import Finding

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

MODEL = Setting(
    "model",
    FileName(),
    "Model made by `reidrisk text train`, or none.",
    default_text="the English model",
    metavar="FILE",
    reads="name",
)
KNOWN = Setting(
    "known",
    FileName(),
    "Known values of the people, such as names: a table, a list, or JSON Lines.",
    metavar="FILE",
    reads="table",
)
TERMS = Setting(
    "terms",
    ListOf(FileName()),
    "File with your own terms to find, one per line.",
    metavar="FILE",
    reads="file",
)
PLUGIN = Setting(
    "plugin",
    TextSetting("list of: presidio, spacy:MODEL, command:ARGV or plugin:NAME"),
    "Other tools that also search, separated by semicolons: presidio, spacy:MODEL, command:ARGV or "
    "plugin:NAME.",
)
THRESHOLD = Setting(
    "threshold",
    SHARE,
    "Lowest confidence at which an identifier is marked. A lower value finds more, with more false alarms.",
    DEFAULT_THRESHOLD,
    metavar="P",
)
RULES = Setting(
    "rules",
    Choice(get_args(Rules)),
    "Patterns and dictionaries: all for English, only those valid in any language, or none.",
    default_text="english; universal with your own model",
)
SCHEME = Setting(
    "scheme",
    Choice(get_args(Scheme)),
    "What counts as an identifier: all ages, years and states (i2b2), or only the list of HIPAA Safe Harbor.",
    "i2b2",
)
CONSISTENCY = Setting(
    "consistency",
    YesNo(),
    "Whether a word that is a name once in a document is a name everywhere in it.",
    default=True,
)
DETECT_SETTINGS = (MODEL, KNOWN, TERMS, PLUGIN, THRESHOLD, RULES, SCHEME, CONSISTENCY)
CHANGEABLE_SETTINGS = (PLUGIN, RULES, SCHEME, CONSISTENCY)
"""Those that have no option of their own and are changed with `--set`."""


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
    """Other tools: `presidio`, `spacy:MODEL`, `command:ARGV`, `plugin:NAME`."""
    threshold: float = THRESHOLD.default
    rules: Rules | None = RULES.default
    """The default is English with the model of the package or no model, and universal with your own model."""
    scheme: Scheme = SCHEME.default
    consistency: bool = CONSISTENCY.default

    def __post_init__(self) -> None:
        chosen = (THRESHOLD, SCHEME) if self.rules is None else (THRESHOLD, SCHEME, RULES)
        check_settings(chosen, self)

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
            **record_settings((THRESHOLD, RULES, SCHEME, CONSISTENCY), self),
            "rules": self.rules_used,
        }
