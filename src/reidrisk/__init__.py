"""May this health data be released? Measure the risk of re-identification, and decide.

The public names, nothing else. They are imported when first used, so that `import reidrisk`
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reidrisk.assess.drafting import draft_release
    from reidrisk.assess.result import Assessment
    from reidrisk.assess.run import assess
    from reidrisk.assess.signature import ElectronicSignature
    from reidrisk.assess.verify import Verification
    from reidrisk.context.context import Context, read_context
    from reidrisk.context.qualitative import qualitative_risk
    from reidrisk.context.recognition import Recognition
    from reidrisk.context.release import Release
    from reidrisk.context.score import ContextScore, score_context
    from reidrisk.core.classes import ClassSizes
    from reidrisk.core.estimate import Estimate
    from reidrisk.core.key import new_key
    from reidrisk.core.limits import Limits
    from reidrisk.core.reading import TableReading
    from reidrisk.core.schema import Derived, Schema
    from reidrisk.core.threshold import Threshold
    from reidrisk.core.trail import Trail, read_trail
    from reidrisk.detect.detector import build_detector
    from reidrisk.detect.finding import Finding
    from reidrisk.detect.model.file import load_model
    from reidrisk.detect.model.settings import TrainSettings
    from reidrisk.detect.model.training import TextTraining, train_text
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.anonymize.run import DocumentAnonymization, anonymize_documents
    from reidrisk.documents.anonymize.settings import AnonymizeSettings
    from reidrisk.documents.detection.detect import detect_document
    from reidrisk.documents.detection.run import DocumentDetection, detect_documents
    from reidrisk.documents.findings.file import FindingsFile, read_findings, write_findings
    from reidrisk.documents.findings.finding import mentions
    from reidrisk.documents.released_tables import StudyTables, release_tables
    from reidrisk.documents.review.run import DocumentReview, ReviewOptions, review_documents
    from reidrisk.documents.risk.run import DocumentRisk, document_risk
    from reidrisk.documents.risk.settings import DocumentSettings, document_settings
    from reidrisk.documents.study.read import read_study
    from reidrisk.documents.study.recall import DirectRecall, QuasiRecall, RecallFigures
    from reidrisk.documents.study.schema import StudySchema
    from reidrisk.documents.study.study import ReleasedTables, ReleaseRules, Study
    from reidrisk.documents.verify import DocumentProof, verify_document
    from reidrisk.errors import ReidRiskError
    from reidrisk.population.attacker import GENERAL, Attacker, read_attacker
    from reidrisk.population.compare import PopulationComparison, compare_policies
    from reidrisk.population.dates import BirthDates, read_birth_dates
    from reidrisk.population.explore import PopulationExplorer, explore_policies
    from reidrisk.population.fetch import fetch_population
    from reidrisk.population.fit import FitSettings, fit_population
    from reidrisk.population.options import PopulationOptions
    from reidrisk.population.people import Population
    from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy, read_policy
    from reidrisk.population.read import read_population
    from reidrisk.population.results import PopulationRisk
    from reidrisk.population.risk import population_risk
    from reidrisk.population.voters import VoterLists, read_voter_lists, voter_lists
    from reidrisk.population.write import write_population
    from reidrisk.relational.attack import RelationalAttack
    from reidrisk.relational.config import RelationalConfig, read_relational
    from reidrisk.relational.database import Database
    from reidrisk.relational.protected import ProtectedRelease
    from reidrisk.relational.release import RelationalRelease
    from reidrisk.relational.risk import RelationalRisk, relational_risk
    from reidrisk.relational.run import (
        attack_relational,
        deidentify_relational,
        protect_relational,
        suggest_relational,
        verify_relational,
    )
    from reidrisk.relational.suggest import RelationalSuggestion
    from reidrisk.relational.verify import RelationalProof
    from reidrisk.report.assessment_folder import sign, verify
    from reidrisk.report.page import write_page
    from reidrisk.report.schemas import result_schema
    from reidrisk.report.writing import write_report
    from reidrisk.resynthesis.attack.result import TextAttack
    from reidrisk.resynthesis.attack.run import attack_text
    from reidrisk.resynthesis.attack.settings import AttackSettings
    from reidrisk.resynthesis.cells import cell_cleaner
    from reidrisk.resynthesis.corpus.note import SourceOptions
    from reidrisk.resynthesis.replace import OffsetMap
    from reidrisk.resynthesis.result import TextDeidentification
    from reidrisk.resynthesis.run import RunOptions, deidentify_text
    from reidrisk.resynthesis.settings import ResynthesisSettings
    from reidrisk.resynthesis.single import deidentify_note
    from reidrisk.stats.disclosure.limits import SensitiveLimits
    from reidrisk.stats.uncertain import Beta, Triangular
    from reidrisk.tables.attack.plan import AttackPlan
    from reidrisk.tables.attack.run import TableAttack, attack_table
    from reidrisk.tables.classes import (
        CountedClasses,
        RiskyClasses,
        count_classes,
        explain_class,
        risky_classes,
    )
    from reidrisk.tables.deidentify.explored import TableExploration
    from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout, NamedSolution
    from reidrisk.tables.deidentify.profile import LatticeProfile, read_lattice_profile
    from reidrisk.tables.deidentify.result import Deidentified
    from reidrisk.tables.deidentify.run import deidentify
    from reidrisk.tables.events import EventKnowledge
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy, read_hierarchies
    from reidrisk.tables.hierarchy.preview import CountedValues, count_values, preview_hierarchies
    from reidrisk.tables.hipaa import HipaaCheck, hipaa_check
    from reidrisk.tables.rare import RareCodes
    from reidrisk.tables.result import TableRisk
    from reidrisk.tables.risk import table_risk
    from reidrisk.tables.sampling import Sampling
    from reidrisk.tables.suggest import Suggestion, suggest_roles
    from reidrisk.tables.transform.run import TableTransformed, transform_table
    from reidrisk.tables.utility.plan import UtilityModel, UtilityPlan
    from reidrisk.tables.utility.run import TableUtility, table_utility
    from reidrisk.text.agree import agree_annotators
    from reidrisk.text.agreement import TextAgreement
    from reidrisk.text.compare import TextComparison, compare_risks, compare_tools
    from reidrisk.text.convert import Conversion
    from reidrisk.text.convert import convert as convert_text
    from reidrisk.text.corpus import Annotation, Corpus, Document
    from reidrisk.text.counts_file import evaluate_counts
    from reidrisk.text.evaluate import TextFiles, evaluate_text
    from reidrisk.text.grouping import Grouping
    from reidrisk.text.leaks import Leak, LeakList, write_leaks
    from reidrisk.text.matching import IgnoredWords
    from reidrisk.text.read import read_documents
    from reidrisk.text.result import TextRisk
    from reidrisk.text.roles import TypeMap
    from reidrisk.text.sample import TextSample, Wanted, sample_documents
    from reidrisk.text.scenario import TextWhatIf, text_what_if, write_text_evidence
    from reidrisk.text.settings import TextSettings
    from reidrisk.text.settings import settings as text_settings
    from reidrisk.text.tally import Counting
    from reidrisk.validate.run import Performed, Validation, validate

_HOMES = {
    "Annotation": "text.corpus",
    "AnonymizeSettings": "documents.anonymize.settings",
    "Assessment": "assess.result",
    "AttackPlan": "tables.attack.plan",
    "AttackSettings": "resynthesis.attack.settings",
    "Attacker": "population.attacker",
    "Beta": "stats.uncertain",
    "BirthDates": "population.dates",
    "ClassSizes": "core.classes",
    "Context": "context.context",
    "ContextScore": "context.score",
    "Conversion": "text.convert",
    "Corpus": "text.corpus",
    "CountedClasses": "tables.classes",
    "CountedValues": "tables.hierarchy.preview",
    "Counting": "text.tally",
    "Database": "relational.database",
    "Deidentified": "tables.deidentify.result",
    "DeidentifyOptions": "tables.deidentify.options",
    "Derived": "core.schema",
    "DetectSettings": "detect.settings",
    "DirectRecall": "documents.study.recall",
    "Document": "text.corpus",
    "DocumentAnonymization": "documents.anonymize.run",
    "DocumentDetection": "documents.detection.run",
    "DocumentProof": "documents.verify",
    "DocumentReview": "documents.review.run",
    "DocumentRisk": "documents.risk.run",
    "DocumentSettings": "documents.risk.settings",
    "ElectronicSignature": "assess.signature",
    "Estimate": "core.estimate",
    "EventKnowledge": "tables.events",
    "Finding": "detect.finding",
    "FindingsFile": "documents.findings.file",
    "FitSettings": "population.fit",
    "GENERAL": "population.attacker",
    "Grouping": "text.grouping",
    "Hierarchy": "tables.hierarchy.hierarchy",
    "HipaaCheck": "tables.hipaa",
    "IgnoredWords": "text.matching",
    "LIMITED_DATASET": "population.policy",
    "LatticeProfile": "tables.deidentify.profile",
    "Layout": "tables.deidentify.options",
    "Leak": "text.leaks",
    "LeakList": "text.leaks",
    "Limits": "core.limits",
    "NamedSolution": "tables.deidentify.options",
    "OffsetMap": "resynthesis.replace",
    "Performed": "validate.run",
    "Policy": "population.policy",
    "Population": "population.people",
    "PopulationComparison": "population.compare",
    "PopulationExplorer": "population.explore",
    "PopulationOptions": "population.options",
    "PopulationRisk": "population.results",
    "ProtectedRelease": "relational.protected",
    "QuasiRecall": "documents.study.recall",
    "RareCodes": "tables.rare",
    "RecallFigures": "documents.study.recall",
    "Recognition": "context.recognition",
    "ReidRiskError": "errors",
    "RelationalAttack": "relational.attack",
    "RelationalConfig": "relational.config",
    "RelationalProof": "relational.verify",
    "RelationalRelease": "relational.release",
    "RelationalRisk": "relational.risk",
    "RelationalSuggestion": "relational.suggest",
    "Release": "context.release",
    "ReleaseRules": "documents.study.study",
    "ReleasedTables": "documents.study.study",
    "ResynthesisSettings": "resynthesis.settings",
    "ReviewOptions": "documents.review.run",
    "RiskyClasses": "tables.classes",
    "RunOptions": "resynthesis.run",
    "SAFE_HARBOR": "population.policy",
    "Sampling": "tables.sampling",
    "Schema": "core.schema",
    "SecretLimits": "stats.disclosure.limits",
    "SensitiveLimits": "stats.disclosure.limits",
    "SourceOptions": "resynthesis.corpus.note",
    "Study": "documents.study.study",
    "StudySchema": "documents.study.schema",
    "StudyTables": "documents.released_tables",
    "Suggestion": "tables.suggest",
    "TableAttack": "tables.attack.run",
    "TableExploration": "tables.deidentify.explored",
    "TableReading": "core.reading",
    "TableRisk": "tables.result",
    "TableTransformed": "tables.transform.run",
    "TableUtility": "tables.utility.run",
    "TextAgreement": "text.agreement",
    "TextAttack": "resynthesis.attack.result",
    "TextComparison": "text.compare",
    "TextDeidentification": "resynthesis.result",
    "TextFiles": "text.evaluate",
    "TextRisk": "text.result",
    "TextSample": "text.sample",
    "TextSettings": "text.settings",
    "TextTraining": "detect.model.training",
    "TextWhatIf": "text.scenario",
    "Threshold": "core.threshold",
    "Trail": "core.trail",
    "TrainSettings": "detect.model.settings",
    "Triangular": "stats.uncertain",
    "TypeMap": "text.roles",
    "UtilityModel": "tables.utility.plan",
    "UtilityPlan": "tables.utility.plan",
    "Validation": "validate.run",
    "Verification": "assess.verify",
    "VoterLists": "population.voters",
    "Wanted": "text.sample",
    "agree_annotators": "text.agree",
    "anonymize_documents": "documents.anonymize.run",
    "assess": "assess.run",
    "attack_relational": "relational.run",
    "attack_table": "tables.attack.run",
    "attack_text": "resynthesis.attack.run",
    "build_detector": "detect.detector",
    "cell_cleaner": "resynthesis.cells",
    "compare_policies": "population.compare",
    "compare_risks": "text.compare",
    "compare_tools": "text.compare",
    "convert_text": "text.convert",
    "count_classes": "tables.classes",
    "count_values": "tables.hierarchy.preview",
    "deidentify": "tables.deidentify.run",
    "deidentify_note": "resynthesis.single",
    "deidentify_relational": "relational.run",
    "deidentify_text": "resynthesis.run",
    "detect_document": "documents.detection.detect",
    "detect_documents": "documents.detection.run",
    "document_risk": "documents.risk.run",
    "document_settings": "documents.risk.settings",
    "draft_release": "assess.drafting",
    "evaluate_counts": "text.counts_file",
    "evaluate_text": "text.evaluate",
    "explain_class": "tables.classes",
    "explore_policies": "population.explore",
    "fetch_population": "population.fetch",
    "fit_population": "population.fit",
    "hipaa_check": "tables.hipaa",
    "load_model": "detect.model.file",
    "mentions": "documents.findings.finding",
    "new_key": "core.key",
    "population_risk": "population.risk",
    "preview_hierarchies": "tables.hierarchy.preview",
    "protect_relational": "relational.run",
    "qualitative_risk": "context.qualitative",
    "read_attacker": "population.attacker",
    "read_birth_dates": "population.dates",
    "read_context": "context.context",
    "read_documents": "text.read",
    "read_findings": "documents.findings.file",
    "read_hierarchies": "tables.hierarchy.hierarchy",
    "read_lattice_profile": "tables.deidentify.profile",
    "read_policy": "population.policy",
    "read_population": "population.read",
    "read_relational": "relational.config",
    "read_study": "documents.study.read",
    "read_trail": "core.trail",
    "read_voter_lists": "population.voters",
    "relational_risk": "relational.risk",
    "release_tables": "documents.released_tables",
    "result_schema": "report.schemas",
    "review_documents": "documents.review.run",
    "risky_classes": "tables.classes",
    "sample_documents": "text.sample",
    "score_context": "context.score",
    "sign": "report.assessment_folder",
    "suggest_relational": "relational.run",
    "suggest_roles": "tables.suggest",
    "table_risk": "tables.risk",
    "table_utility": "tables.utility.run",
    "text_settings": "text.settings",
    "text_what_if": "text.scenario",
    "train_text": "detect.model.training",
    "transform_table": "tables.transform.run",
    "validate": "validate.run",
    "verify": "report.assessment_folder",
    "verify_document": "documents.verify",
    "verify_relational": "relational.run",
    "voter_lists": "population.voters",
    "write_findings": "documents.findings.file",
    "write_leaks": "text.leaks",
    "write_page": "report.page",
    "write_population": "population.write",
    "write_report": "report.writing",
    "write_text_evidence": "text.scenario",
}

__all__ = [  # noqa: RUF022 - constants stand in the alphabet like all others
    "Annotation",
    "AnonymizeSettings",
    "Assessment",
    "AttackPlan",
    "AttackSettings",
    "Attacker",
    "Beta",
    "BirthDates",
    "ClassSizes",
    "Context",
    "ContextScore",
    "Conversion",
    "Corpus",
    "CountedClasses",
    "CountedValues",
    "Counting",
    "Database",
    "Deidentified",
    "DeidentifyOptions",
    "Derived",
    "DetectSettings",
    "DirectRecall",
    "Document",
    "DocumentAnonymization",
    "DocumentDetection",
    "DocumentProof",
    "DocumentReview",
    "DocumentRisk",
    "DocumentSettings",
    "ElectronicSignature",
    "Estimate",
    "EventKnowledge",
    "Finding",
    "FindingsFile",
    "FitSettings",
    "GENERAL",
    "Grouping",
    "Hierarchy",
    "HipaaCheck",
    "IgnoredWords",
    "LIMITED_DATASET",
    "LatticeProfile",
    "Layout",
    "Leak",
    "LeakList",
    "Limits",
    "NamedSolution",
    "OffsetMap",
    "Performed",
    "Policy",
    "Population",
    "PopulationComparison",
    "PopulationExplorer",
    "PopulationOptions",
    "PopulationRisk",
    "ProtectedRelease",
    "QuasiRecall",
    "RareCodes",
    "RecallFigures",
    "Recognition",
    "ReidRiskError",
    "RelationalAttack",
    "RelationalConfig",
    "RelationalProof",
    "RelationalRelease",
    "RelationalRisk",
    "RelationalSuggestion",
    "Release",
    "ReleaseRules",
    "ReleasedTables",
    "ResynthesisSettings",
    "ReviewOptions",
    "RiskyClasses",
    "RunOptions",
    "SAFE_HARBOR",
    "Sampling",
    "Schema",
    "SecretLimits",
    "SensitiveLimits",
    "SourceOptions",
    "Study",
    "StudySchema",
    "StudyTables",
    "Suggestion",
    "TableAttack",
    "TableExploration",
    "TableReading",
    "TableRisk",
    "TableTransformed",
    "TableUtility",
    "TextAgreement",
    "TextAttack",
    "TextComparison",
    "TextDeidentification",
    "TextFiles",
    "TextRisk",
    "TextSample",
    "TextSettings",
    "TextTraining",
    "TextWhatIf",
    "Threshold",
    "Trail",
    "TrainSettings",
    "Triangular",
    "TypeMap",
    "UtilityModel",
    "UtilityPlan",
    "Validation",
    "Verification",
    "VoterLists",
    "Wanted",
    "agree_annotators",
    "anonymize_documents",
    "assess",
    "attack_relational",
    "attack_table",
    "attack_text",
    "build_detector",
    "cell_cleaner",
    "compare_policies",
    "compare_risks",
    "compare_tools",
    "convert_text",
    "count_classes",
    "count_values",
    "deidentify",
    "deidentify_note",
    "deidentify_relational",
    "deidentify_text",
    "detect_document",
    "detect_documents",
    "document_risk",
    "document_settings",
    "draft_release",
    "evaluate_counts",
    "evaluate_text",
    "explain_class",
    "explore_policies",
    "fetch_population",
    "fit_population",
    "hipaa_check",
    "load_model",
    "mentions",
    "new_key",
    "population_risk",
    "preview_hierarchies",
    "protect_relational",
    "qualitative_risk",
    "read_attacker",
    "read_birth_dates",
    "read_context",
    "read_documents",
    "read_findings",
    "read_hierarchies",
    "read_lattice_profile",
    "read_policy",
    "read_population",
    "read_relational",
    "read_study",
    "read_trail",
    "read_voter_lists",
    "relational_risk",
    "release_tables",
    "result_schema",
    "review_documents",
    "risky_classes",
    "sample_documents",
    "score_context",
    "sign",
    "suggest_relational",
    "suggest_roles",
    "table_risk",
    "table_utility",
    "text_settings",
    "text_what_if",
    "train_text",
    "transform_table",
    "validate",
    "verify",
    "verify_document",
    "verify_relational",
    "voter_lists",
    "write_findings",
    "write_leaks",
    "write_page",
    "write_population",
    "write_report",
    "write_text_evidence",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("reidrisk.core.about").own_version()
    if name not in _HOMES:
        raise AttributeError(f"module 'reidrisk' has no attribute {name!r}")
    own_name = {"text_settings": "settings", "convert_text": "convert"}.get(name, name)
    return getattr(import_module(f"reidrisk.{_HOMES[name]}"), own_name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
