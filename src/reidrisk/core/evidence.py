"""How well each estimator and each rule of decision is known to be right, declared once.

A grade says what a figure rests on: a proof, a measured coverage, or the literature. A verdict is as strong
as the weakest rule that it needs. Thresholds have no grade: people choose them, and their reasons are
printed. The same holds for what people state about their data, such as the roles of columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Grade = Literal["proved", "simulated", "published"]
GRADES: tuple[Grade, ...] = ("proved", "simulated", "published")
"""The strongest first."""
MEANING: Mapping[Grade, str] = {
    "proved": "exact, or with a proof that was checked",
    "simulated": "coverage measured by simulation",
    "published": "taken from the literature",
}
UNCERTAINTY = "docs/concepts/uncertainty.md#how-often-is-the-limit-right"
SAMPLES = "docs/concepts/population-from-a-sample.md#how-accurate-is-it"


@dataclass(frozen=True, slots=True)
class EvidenceRule:
    """An estimator or a rule of decision, and what is known about it."""

    id: str
    what: str
    grade: Grade
    why: str
    source: str
    """Publications, or for a measured coverage the table in the documentation."""


_DECLARED = (
    EvidenceRule(
        "text.share_limit",
        "Limits of the share of documents at risk (a document is at risk or not)",
        "proved",
        "They are the limits of Clopper and Pearson, whose coverage follows from the binomial distribution.",
        "Clopper and Pearson 1934, Biometrika 26:404",
    ),
    EvidenceRule(
        "text.mean_limit",
        "Limits of the mean risk of documents (risks between 0 and 1, clusters, or strata)",
        "simulated",
        "The coverage was measured. The only proof that is known to us is a preprint that we did not check.",
        UNCERTAINTY,
    ),
    EvidenceRule(
        "text.gate",
        "Gates: whether a recall is high enough for recognition to count",
        "simulated",
        "The coverage of gates and limits together was measured.",
        UNCERTAINTY,
    ),
    EvidenceRule(
        "text.model",
        "Model of leaks in text (equations 20 and 21)",
        "published",
        "It assumes independent types and the same recall in all documents.",
        "Scaiano et al. 2016, doi:10.1016/j.jbi.2016.07.015",
    ),
    EvidenceRule(
        "text.recognition",
        "Recognition: the chance that a leaked value is told apart from a surrogate",
        "published",
        "You chose it from the literature or from an experiment of your own.",
        "Carrell et al. 2013, 2019 and 2020",
    ),
    EvidenceRule(
        "text.difference",
        "Intervals of differences between tools",
        "published",
        "Documents are resampled (bootstrap).",
        "Efron and Tibshirani 1993",
    ),
    EvidenceRule(
        "table.classes",
        "Sizes of equivalence classes and the risk of their records",
        "proved",
        "Every record is counted; the risk is one divided by the size of the class.",
        "El Emam et al. 2009, Can J Hosp Pharm 62(4):307",
    ),
    EvidenceRule(
        "table.population_counts",
        "Sizes of the classes in a population that was given",
        "proved",
        "Every person of the population is counted.",
        "Kniola 2016, PhUSE DH09",
    ),
    EvidenceRule(
        "table.sample",
        "Classes of a population estimated from a sample (calibrated copula)",
        "simulated",
        "Wrong acceptances and the coverage of the intervals were measured on known populations.",
        SAMPLES,
    ),
    EvidenceRule(
        "table.other_models",
        "Other estimators of unique people (Pitman, Zayatz, slide negative binomial, log-linear)",
        "published",
        "They are shown and do not decide.",
        "Hoshino 2001; Chen and Keller-McNulty 1998; Skinner and Shlomo 2008",
    ),
    EvidenceRule(
        "table.weights",
        "Risk of a record from survey weights",
        "published",
        "It is shown and does not decide: with weights, only classes that reach the cell size are accepted.",
        "Benedetti and Franconi 1998",
    ),
    EvidenceRule(
        "table.events",
        "People who fit a number of known events",
        "proved",
        "All sets of events are counted; where they were only sampled, nothing is accepted.",
        "docs/concepts/known-events.md",
    ),
    EvidenceRule(
        "relational.join",
        "People who fit a number of known events over several tables",
        "proved",
        "All sets of events are counted. Where people and sets were drawn, only what the tables prove alone "
        "is accepted.",
        "docs/concepts/linked-tables.md",
    ),
    EvidenceRule(
        "relational.drawn",
        "Share of people above the threshold, from people who were drawn",
        "proved",
        "Every set of events of a drawn person is counted; the limits are those of Clopper and Pearson.",
        "Clopper and Pearson 1934, Biometrika 26:404",
    ),
    EvidenceRule(
        "joint.leaks",
        "Risk of people if values leak from texts beside tables",
        "published",
        "The recall is taken to be the same in all texts. Where several values may leak, the worst is "
        "assumed.",
        "Scaiano et al. 2016, doi:10.1016/j.jbi.2016.07.015",
    ),
    EvidenceRule(
        "table.sensitive",
        "What a class reveals about sensitive values",
        "proved",
        "The values of every class are counted.",
        "Machanavajjhala et al. 2007; Li et al. 2007",
    ),
    EvidenceRule(
        "table.search",
        "Search for the generalization that loses the least",
        "proved",
        "Branch and bound ends only when no better node can be left; otherwise the result says so.",
        "El Emam et al. 2009, JAMIA 16(5):670",
    ),
    EvidenceRule(
        "table.suppression",
        "Fewest suppressed cells",
        "proved",
        "The result states a lower bound that was proved, and the gap to it.",
        "Aggarwal et al. 2005",
    ),
    EvidenceRule(
        "attack.rate",
        "Success rates of attacks, with those of their controls",
        "published",
        "An attack shows what it reached; a better one may exist.",
        "Giomi et al. 2023, PoPETs; Wilson 1927",
    ),
    EvidenceRule(
        "attack.linkage",
        "Expected matches of probabilistic linkage",
        "published",
        "It is shown and does not decide.",
        "Fellegi and Sunter 1969; Winkler 1989",
    ),
    EvidenceRule(
        "hipaa.safe_harbor",
        "The 18 identifiers of Safe Harbor",
        "published",
        "The list is the law's; patterns and names find them in columns and cells.",
        "45 CFR 164.514(b)(2)",
    ),
    EvidenceRule(
        "population.counts",
        "People who share all released fields, from counts",
        "proved",
        "Every person of the population is counted.",
        "Benitez and Malin 2010, doi:10.1136/jamia.2009.000026",
    ),
    EvidenceRule(
        "population.bins",
        "People who share a birth date, from ages",
        "published",
        "Birthdays are taken to be spread over the year as you stated.",
        "Benitez and Malin 2010, doi:10.1136/jamia.2009.000026",
    ),
    EvidenceRule(
        "population.fit",
        "Population fitted to published margins",
        "published",
        "Iterative proportional fitting; counts are labeled as modeled.",
        "Deming and Stephan 1940",
    ),
    EvidenceRule(
        "document.combination",
        "Risk through leaked and caught values together",
        "published",
        "The rule that combines them is the publication's, or the one you chose.",
        "Kumar and Sareen 2017, PhUSE; Scaiano et al. 2016, equation 8",
    ),
    EvidenceRule(
        "document.words",
        "Risk in words (low, moderate, high)",
        "published",
        "It is shown and does not decide.",
        "Kumar and Sareen 2017, PhUSE",
    ),
    EvidenceRule(
        "context.attempt",
        "Chance that somebody tries to re-identify people",
        "published",
        "From the tables of the context, or as you stated it.",
        "Information and Privacy Commissioner of Ontario 2016; Kniola 2016",
    ),
)
RULES: Mapping[str, EvidenceRule] = {one.id: one for one in _DECLARED}
"""By their ids."""

ResultDict = Mapping[str, Any]
Used = Iterator[tuple[str, bool]]
"""Ids of rules, and whether the verdict rests on them."""


def _text_role(result: ResultDict, role: str, *, settings: ResultDict, release: ResultDict) -> Used:
    """What the verdict on direct identifiers or on quasi-identifiers rests on."""
    found = result.get(role)
    if not found or found.get("value") is None:
        return
    gates = [one for one in result.get("gates") or () if one["role"] == role and one["applied"]]
    hidden = bool(gates) and not _is_one(release.get("recognition", 1))
    attempt = release.get("attempt", 1) if role == "quasi" else 1
    if found.get("interval") != "observed":
        yield "text.model", True
    else:
        parted = bool(result.get("clusters")) or bool(result.get("strata"))
        uncertain = isinstance(attempt, list | tuple) and len(set(attempt)) > 1
        yield ("text.mean_limit" if hidden or parted or uncertain else "text.share_limit"), True
        if found.get("model"):
            yield "text.model", False
    if hidden:
        if settings.get("gate") == "significant":
            yield "text.gate", True
        yield "text.recognition", True
    if not _is_one(attempt):
        yield "context.attempt", True


def _is_one(value: Any) -> bool:
    """Whether a probability is certain to be 1; it may be a number, three numbers, or one per type."""
    if isinstance(value, Mapping):
        return all(_is_one(one) for one in value.values())
    if isinstance(value, list | tuple):
        return all(_is_one(one) for one in value)
    return value is None or value in (1, 1.0)


def _text_risk(result: ResultDict) -> Used:
    settings = result["settings"]
    release = settings.get("release") or {}
    for role in ("direct", "quasi"):
        yield from _text_role(result, role, settings=settings, release=release)


def _text_comparison(result: ResultDict) -> Used:
    for one in result["tools"]:
        yield from _text_risk(one)
    yield "text.difference", False


def _table_risk(result: ResultDict) -> Used:
    estimate = result.get("population_estimate") or {}
    journalist = result.get("adversary") == "journalist"
    cell_size = (result.get("threshold") or {}).get("cell_size") or 0
    small = (result.get("smallest_class") or 0) < cell_size
    weighted = estimate.get("chosen") == "weights"
    sampled = journalist and bool(estimate) and small and not weighted
    counted = journalist and not estimate
    yield "table.classes", not (sampled or counted)
    if counted:
        yield "table.population_counts", True
    if estimate:
        yield "table.sample", sampled
        yield "table.other_models", False
    if weighted:
        yield "table.weights", False
    if result.get("longitudinal"):
        yield "table.events", True
    if result.get("attribute_disclosure"):
        yield "table.sensitive", True


def _table_deidentified(result: ResultDict) -> Used:
    after = result.get("after")
    if after:
        yield from _table_risk(after)
    if (result.get("lattice") or {}).get("nodes"):
        yield "table.search", not after
    if (result.get("solution") or {}).get("suppressed_cells") is not None:
        yield "table.suppression", False


def _table_attack(result: ResultDict) -> Used:
    yield "attack.rate", True
    if result.get("probabilistic_linkage"):
        yield "attack.linkage", False


def _relational_risk(result: ResultDict) -> Used:
    yield "relational.join", True
    rows = result.get("by_known") or ()
    if any(row.get("method") == "sampled" for row in rows):
        yield "relational.drawn", False
    if (result.get("journalist") or {}).get("highest") is not None:
        yield "table.population_counts", False


def _relational_deidentified(result: ResultDict) -> Used:
    yield from _relational_risk(result["after"])


def _relational_attack(_: ResultDict) -> Used:
    yield "relational.join", True


def _joint_risk(result: ResultDict) -> Used:
    yield "relational.join", True
    if (result.get("settings") or {}).get("leaks") == "model":
        yield "joint.leaks", True


def _population_risk(result: ResultDict) -> Used:
    fields = (result.get("policy") or {}).get("fields") or {}
    modeled = fields.get("birth") in ("month", "date")
    yield ("population.bins" if modeled else "population.counts"), True
    if (result.get("population") or {}).get("modelled"):
        yield "population.fit", True


def _population_comparison(result: ResultDict) -> Used:
    for one in result["risks"]:
        yield from _population_risk({"population": result.get("population"), **one})


def _document_tables(result: ResultDict) -> Used:
    yield "table.classes", True
    if (result.get("known") or {}).get("with_events"):
        yield "table.events", True


def _document_risk(result: ResultDict) -> Used:
    leak, text = result.get("leak"), (result.get("settings") or {}).get("text") or {}
    if leak:
        for role in ("direct", "quasi"):
            yield from _text_role(leak, role, settings=text, release=text.get("release") or {})
    if result.get("catch"):
        yield from _document_tables(result)
    if leak and result.get("combined"):
        yield "document.combination", True
    if result.get("qualitative"):
        yield "document.words", False


def _assessment(result: ResultDict) -> Used:
    for part in result["parts"]:
        yield from _judged_part(part)


def _judged_part(part: ResultDict) -> Used:
    """What a part's own result rests on, and the attempt where the context's rule counts it."""
    own = part.get("result")
    if own:
        yield from used_rules(own)
    if not _is_one((part.get("judged") or {}).get("attempt")):
        yield "context.attempt", True


def _table_hipaa(_: ResultDict) -> Used:
    yield "hipaa.safe_harbor", True


USED: Mapping[str, Callable[[ResultDict], Used]] = {
    "text_risk": _text_risk,
    "text_comparison": _text_comparison,
    "table_risk": _table_risk,
    "table_deidentified": _table_deidentified,
    "table_attack": _table_attack,
    "table_hipaa": _table_hipaa,
    "relational_risk": _relational_risk,
    "joint_risk": _joint_risk,
    "relational_attack": _relational_attack,
    "relational_deidentified": _relational_deidentified,
    "document_risk": _document_risk,
    "document_tables": _document_tables,
    "population_risk": _population_risk,
    "population_comparison": _population_comparison,
    "assessment": _assessment,
}
"""Which rules a result of each kind rests on."""
UNDECIDED_KINDS: Mapping[str, str] = {
    "text_sample": "plans how many documents to examine",
    "text_agreement": "compares annotators",
    "text_what_if": "is about a tool that nobody tested, and decides nothing",
    "text_deidentification": "replaces identifiers; the risk is measured elsewhere",
    "text_attack": "measures recognition, which is neither good nor bad on its own",
    "text_training": "trains a detector",
    "table_utility": "decides on usefulness, not on risk",
    "table_suggestion": "suggests roles of columns",
    "table_transformed": "changes a table without measuring its risk",
    "table_hierarchies": "shows hierarchies",
    "table_exploration": "compares combinations of levels and decides nothing",
    "table_classes": "lists classes; the risk is measured elsewhere",
    "population_explorer": "compares policies and decides nothing",
    "document_detection": "finds identifiers; the risk is measured elsewhere",
    "document_review": "compares reviewers",
    "document_anonymization": "writes documents and proves that values are gone, value by value",
    "document_proof": "searches for values",
    "relational_release": "writes tables and proves what was promised; the risk is measured elsewhere",
    "relational_proof": "checks written tables against what was promised",
    "relational_suggestion": "suggests keys, roles and treatments",
    "context_score": "scores a context without data",
    "validation": "checks the program, not data",
}
"""Kinds of results that decide nothing about a risk, and what they do."""


def used_rules(result: ResultDict) -> Used:
    """The rules of any result; none for kinds that decide nothing."""
    build = USED.get(str(result.get("kind")))
    if build is not None:
        yield from build(result)


def evidence_of(result: ResultDict) -> list[dict[str, Any]]:
    """Every rule that a result used, once; those that its verdict rests on first, the weakest first."""
    decided = result.get("acceptable") is not None and result.get("decided", True)
    return _told((name, decides and decided) for name, decides in used_rules(result))


def part_evidence(part: ResultDict) -> list[dict[str, Any]]:
    """The same for a part of an assessment."""
    return _told(_judged_part(part))


def _told(used: Iterable[tuple[str, bool]]) -> list[dict[str, Any]]:
    found: dict[str, bool] = {}
    for name, decides in used:
        found[name] = found.get(name, False) or decides
    rows = [
        {
            "rule": name,
            "what": RULES[name].what,
            "grade": RULES[name].grade,
            "decides": decides,
            "why": RULES[name].why,
            "source": RULES[name].source,
        }
        for name, decides in found.items()
    ]
    return sorted(rows, key=lambda row: (not row["decides"], -GRADES.index(row["grade"])))


def weakest_grade(evidence: Iterable[Mapping[str, Any]]) -> Grade | None:
    """The weakest grade that a verdict rests on; None if nothing was decided.

    >>> weakest_grade([{"grade": "proved", "decides": True}, {"grade": "published", "decides": False}])
    'proved'
    """
    grades = {row["grade"] for row in evidence if row["decides"]}
    return next((grade for grade in reversed(GRADES) if grade in grades), None)


def with_evidence(result: dict[str, Any]) -> dict[str, Any]:
    """A result that says what its verdict rests on; results that decide nothing stay as they are."""
    if result.get("kind") not in USED or "evidence" in result:
        return result
    evidence = evidence_of(result)
    return {**result, "evidence": evidence, "weakest_grade": weakest_grade(evidence)}


def evidence_sentence(result: ResultDict) -> str | None:
    """What the verdict rests on, in a sentence; None if the result does not say.

    >>> row = {"rule": "text.mean_limit", "grade": "simulated", "decides": True}
    >>> evidence_sentence({"weakest_grade": "simulated", "evidence": [row]})
    'Weakest evidence: simulated (coverage measured by simulation): mean limit.'
    """
    grade = result.get("weakest_grade")
    if grade is None:
        return None
    rows = [row for row in result.get("evidence") or () if row["decides"] and row["grade"] == grade]
    names = ", ".join(row["rule"].partition(".")[2].replace("_", " ") for row in rows)
    which = "" if grade == GRADES[0] or not names else f": {names}"
    return f"Weakest evidence: {grade} ({MEANING[grade]}){which}."
