"""May this health data be released? Measure the risk of re-identification, and decide.

The public names, nothing else. They are imported when first used, so that `import reidrisk`
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reidrisk.context.recognition import Recognition
    from reidrisk.context.release import Release
    from reidrisk.core.classes import ClassSizes
    from reidrisk.core.derived import Derived
    from reidrisk.core.estimate import Estimate
    from reidrisk.core.schema import Schema
    from reidrisk.core.threshold import Threshold
    from reidrisk.errors import ReidRiskError
    from reidrisk.report.page import write_page
    from reidrisk.stats.uncertain import Beta, Triangular
    from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout, NamedSolution
    from reidrisk.tables.deidentify.result import Deidentified
    from reidrisk.tables.deidentify.run import deidentify
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.hierarchy.preview import preview_hierarchies
    from reidrisk.tables.hierarchy.read import read_hierarchies
    from reidrisk.tables.hipaa import HipaaCheck
    from reidrisk.tables.hipaa_check import hipaa_check
    from reidrisk.tables.rare import RareCodes
    from reidrisk.tables.result import TableRisk
    from reidrisk.tables.risk import table_risk
    from reidrisk.tables.suggest import suggest_roles
    from reidrisk.tables.suggestion import Suggestion
    from reidrisk.text.corpus import Annotation, Corpus, Document
    from reidrisk.text.evaluate import TextFiles, evaluate_text
    from reidrisk.text.read import read_documents
    from reidrisk.text.result import TextRisk
    from reidrisk.text.roles import TypeMap
    from reidrisk.text.settings import TextSettings
    from reidrisk.text.settings import settings as text_settings
    from reidrisk.text.tally import Counting
    from reidrisk.text.words import IgnoredWords

_HOMES = {
    "Annotation": "text.corpus",
    "Beta": "stats.uncertain",
    "ClassSizes": "core.classes",
    "Corpus": "text.corpus",
    "Counting": "text.tally",
    "Deidentified": "tables.deidentify.result",
    "DeidentifyOptions": "tables.deidentify.options",
    "Derived": "core.derived",
    "Document": "text.corpus",
    "Estimate": "core.estimate",
    "Hierarchy": "tables.hierarchy.hierarchy",
    "HipaaCheck": "tables.hipaa",
    "IgnoredWords": "text.words",
    "Layout": "tables.deidentify.options",
    "NamedSolution": "tables.deidentify.options",
    "RareCodes": "tables.rare",
    "Recognition": "context.recognition",
    "ReidRiskError": "errors",
    "Release": "context.release",
    "Schema": "core.schema",
    "Suggestion": "tables.suggestion",
    "TableRisk": "tables.result",
    "TextFiles": "text.evaluate",
    "TextRisk": "text.result",
    "TextSettings": "text.settings",
    "Threshold": "core.threshold",
    "Triangular": "stats.uncertain",
    "TypeMap": "text.roles",
    "deidentify": "tables.deidentify.run",
    "evaluate_text": "text.evaluate",
    "hipaa_check": "tables.hipaa_check",
    "preview_hierarchies": "tables.hierarchy.preview",
    "read_documents": "text.read",
    "read_hierarchies": "tables.hierarchy.read",
    "suggest_roles": "tables.suggest",
    "table_risk": "tables.risk",
    "text_settings": "text.settings",
    "write_page": "report.page",
}

__all__ = [
    "Annotation",
    "Beta",
    "ClassSizes",
    "Corpus",
    "Counting",
    "Deidentified",
    "DeidentifyOptions",
    "Derived",
    "Document",
    "Estimate",
    "Hierarchy",
    "HipaaCheck",
    "IgnoredWords",
    "Layout",
    "NamedSolution",
    "RareCodes",
    "Recognition",
    "ReidRiskError",
    "Release",
    "Schema",
    "Suggestion",
    "TableRisk",
    "TextFiles",
    "TextRisk",
    "TextSettings",
    "Threshold",
    "Triangular",
    "TypeMap",
    "deidentify",
    "evaluate_text",
    "hipaa_check",
    "preview_hierarchies",
    "read_documents",
    "read_hierarchies",
    "suggest_roles",
    "table_risk",
    "text_settings",
    "write_page",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("reidrisk.core.about").own_version()
    if name not in _HOMES:
        raise AttributeError(f"module 'reidrisk' has no attribute {name!r}")
    own_name = "settings" if name == "text_settings" else name
    return getattr(import_module(f"reidrisk.{_HOMES[name]}"), own_name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
