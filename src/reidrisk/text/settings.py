"""The settings of a text evaluation, each declared once, with the values of the two profiles.

Options of the command line, `--set NAME=VALUE`, the form of a release file, the reference page and what a
result records follow from these declarations. This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from reidrisk.core.setting_values import check_values, read_changes
from reidrisk.core.settings import (
    SHARE,
    AnyOf,
    Choice,
    MappingOf,
    NumberSetting,
    Setting,
    TextSetting,
    WholeNumber,
    YesNo,
    record_settings,
)
from reidrisk.errors import InvalidSetting
from reidrisk.stats.choices import GateRule, Method, Mode, Model
from reidrisk.text.corpus import Misaligned
from reidrisk.text.values import DateOrder

Profile = Literal["recommended", "paper"]
Engine = Literal["exact", "sobol", "montecarlo", "bootstrap"]
ValueModel = Literal["poisson", "fixed", "empirical", "negative_binomial"]
RepeatModel = Literal["poisson", "shifted_poisson", "zero_truncated", "fixed", "empirical"]
IntervalKind = Literal["parameter", "per_document"]
DecidingInterval = Literal[IntervalKind, "observed"]
LimitKind = Literal["observed", "model"]
ClusterWeight = Literal["size", "equal"]
Sided = Literal["two", "one"]
PlugIn = Literal[Mode, "per_document"]
Denominator = Literal["all", "present"]
RecallSupport = Literal["documents", "instances", "cluster"]
RateUncertainty = Literal["none", "gamma"]
BenchmarkRecognition = Literal["one", "same"]
LabelRule = Literal["any_label", "same_label"]
RecallUnit = Literal["all_tokens", "token_level"]
Distinct = Literal["entity", "value"]
PlainCount = Literal["veto", "warn"]
Unmatched = Literal["error", "allow"]
Ambiguous = Literal["conservative", "error"]
Survivors = Literal["word", "instance"]
Unevaluated = Literal["reject", "accept"]

SUM_TOLERANCE = 1e-6
CONFIDENCE = NumberSetting(0.5, 1, below=True)
"""A confidence level."""

PROFILE = Setting(
    "profile",
    Choice(get_args(Profile)),
    "Default settings: our recommendation, or those of the published method.",
    "recommended",
)
LIMIT = Setting(
    "limit",
    Choice(get_args(LimitKind)),
    "Limits that decide. observed: those of the observed risk per document, which hold without a model; "
    "model: those of equations 20 and 21.",
    "observed",
)
CLUSTER_WEIGHT = Setting(
    "cluster_weight",
    Choice(get_args(ClusterWeight)),
    "Whether a cluster counts by its number of documents, or every cluster the same. Use equal only if the "
    "size of a cluster has nothing to do with leaks.",
    "size",
)
CLUSTER_MAX = Setting(
    "cluster_max",
    WholeNumber(1, 10**9),
    "Number of documents in the largest cluster that will be released, if it is larger than all clusters in "
    "the sample.",
    default_text="the largest cluster in the sample",
)
STRATA = Setting(
    "strata",
    TextSetting("folder, type, field:NAME, or a pattern"),
    "Strata of the sample, each shown with its own limits: folder, type, field:NAME, or a pattern with one "
    "group.",
    default_text="none",
)
RELEASE_SHARES = Setting(
    "release_shares",
    AnyOf((TextSetting("NAME=0.9,NAME=0.1"), MappingOf(SHARE))),
    "Share of each stratum in the release, if it differs from its share in the sample. Needs `strata`.",
    default_text="as in the sample",
)
ENGINE = Setting(
    "engine",
    Choice(get_args(Engine)),
    "How the risk is computed: on grids, with Sobol points, with random draws, or by resampling documents.",
    "exact",
)
UNCERTAINTY = Setting(
    "uncertainty",
    Choice(get_args(Model)),
    "Distribution for the uncertainty of an observed proportion.",
    "jeffreys_modified",
)
GATE = Setting("gate", Choice(get_args(GateRule)), "When recognition below 1 may be used.", "significant")
GATE_METHOD = Setting(
    "gate_method",
    Choice(get_args(Method)),
    "With `limit` model: interval used to test whether a recall is significantly above the cutoff.",
    "wilson",
)
GATE_LEVEL = Setting("gate_level", CONFIDENCE, "Confidence level of the interval of `gate_method`.", 0.95)
DIRECT_CUTOFF = Setting("direct_cutoff", SHARE, "Recall at which the gate of a direct type opens.", 0.9)
QUASI_CUTOFF = Setting(
    "quasi_cutoff", SHARE, "Recall at which the common gate of all quasi-identifiers opens.", 0.7
)
VALUES = Setting(
    "values",
    Choice(get_args(ValueModel)),
    "Distribution of the number of distinct quasi-identifier values per document.",
    "empirical",
)
REPEATS = Setting(
    "repeats",
    Choice(get_args(RepeatModel)),
    "Distribution of the number of instances per value.",
    "empirical",
)
INTERVAL = Setting(
    "interval",
    Choice(get_args(IntervalKind)),
    "With `limit` model: interval that decides whether the quasi-identifier risk is acceptable.",
    "parameter",
)
LEVEL = Setting("level", CONFIDENCE, "Confidence level of the intervals.", 0.95)
SIDED = Setting("sided", Choice(get_args(Sided)), "Two-sided or one-sided intervals.", "two")
MODE = Setting(
    "mode",
    Choice((*get_args(Mode), "per_document")),
    "How the plug-in formula treats a fractional mean number of values, or whether it uses the number "
    "of each document.",
    "continuous",
)
NEEDED = Setting(
    "needed",
    WholeNumber(1, 1000),
    "Number of leaked quasi-identifier values that re-identify a person. Use 1 for rare diseases.",
    2,
)
INDEPENDENT_INSTANCES = Setting(
    "independent_instances", YesNo(), "Whether instances of a value leak independently.", default=True
)
DENOMINATOR = Setting(
    "denominator",
    Choice(get_args(Denominator)),
    "Whether means are over all documents or only those with quasi-identifiers.",
    "all",
)
RECALL_SUPPORT = Setting(
    "recall_support",
    Choice(get_args(RecallSupport)),
    "Sample size for the uncertainty of quasi-identifier recall.",
    "documents",
)
RATE_UNCERTAINTY = Setting(
    "rate_uncertainty",
    Choice(get_args(RateUncertainty)),
    "Whether the mean number of values is treated as uncertain. Needs `values` poisson.",
    "none",
)
INCLUDE_ABSENT = Setting(
    "include_absent",
    YesNo(),
    "Whether a direct type that no document contains contributes its prior.",
    default=False,
)
BENCHMARK_RECALL = Setting("benchmark_recall", CONFIDENCE, "Recall of the benchmark tool.", 0.95)
BENCHMARK_DOCUMENTS = Setting(
    "benchmark_documents", WholeNumber(1, 10**9), "Number of documents behind the benchmark.", 220
)
BENCHMARK_RECOGNITION = Setting(
    "benchmark_recognition",
    Choice(get_args(BenchmarkRecognition)),
    "Recognition used for the benchmark: 1, or that of the release.",
    "one",
)
GIVEN_CATCH = Setting(
    "given_catch",
    SHARE,
    "Probability of re-identification through quasi-identifiers that were caught. Above 0 where values are "
    "generalized.",
    0.0,
)
LABEL = Setting(
    "label",
    Choice(get_args(LabelRule)),
    "Whether a masked identifier counts only with the correct label.",
    "any_label",
)
UNIT = Setting(
    "unit",
    Choice(get_args(RecallUnit)),
    "Whether quasi-identifier recall counts instances or words.",
    "all_tokens",
)
DISTINCT = Setting(
    "distinct",
    Choice(get_args(Distinct)),
    "How values are told apart: by entity ID, if there are any, or by normalized text.",
    "entity",
)
DATE_ORDER = Setting(
    "date_order",
    Choice(get_args(DateOrder)),
    "Order of day and month in ambiguous dates such as 03/04/2019.",
    "mdy",
)
SHARE_METHOD = Setting(
    "share_method",
    Choice(get_args(Method)),
    "Interval for the observed share of documents with leaks.",
    "jeffreys_modified",
)
PLAIN_COUNT = Setting(
    "plain_count",
    Choice(get_args(PlainCount)),
    "With `limit` model: verdict if the observed number of documents with leaks is already too high.",
    "veto",
)
UNMATCHED = Setting(
    "unmatched",
    Choice(get_args(Unmatched)),
    "How to treat documents that only the gold standard or only the tool has. error: refuse; allow: "
    "what the tool lacks is not masked, and the rest is ignored.",
    "error",
)
MISALIGNED = Setting(
    "misaligned",
    Choice(get_args(Misaligned)),
    "What to do with annotations that do not fit their text: refuse the corpus, skip them, or search for "
    "their text nearby. A skipped annotation of the gold standard counts as a leak; one of a tool masks "
    "nothing.",
    "refuse",
)
AMBIGUOUS = Setting(
    "ambiguous",
    Choice(get_args(Ambiguous)),
    "How to treat places where a released text matches its original in several ways. conservative: "
    "masked only if all of them mask; error: refuse.",
    "conservative",
)
SURVIVORS = Setting(
    "survivors",
    Choice(get_args(Survivors)),
    "Whether every word of an identifier, or any word, must be replaced in texts with surrogates.",
    "word",
)
UNEVALUATED = Setting(
    "unevaluated",
    Choice(get_args(Unevaluated)),
    "Verdict if there are no direct identifiers, or no quasi-identifiers.",
    "reject",
)
DRAWS = Setting("draws", WholeNumber(2**10, 2**22), "Number of random or Sobol points.", 65536)
RESAMPLES = Setting("resamples", WholeNumber(200, 10**6), "Number of bootstrap resamples.", 2000)
CROSSCHECK = Setting("crosscheck", YesNo(), "Whether a second engine checks the upper limits.", default=True)
ANNOTATOR = Setting(
    "annotator",
    TextSetting("name"),
    "Annotator whose annotations are used if there are several.",
    "first",
    metavar="NAME",
)
MAX_MEGABYTES = Setting(
    "max_megabytes", WholeNumber(1, 10**5), "Largest file that is read as a whole, in megabytes.", 128
)
TEXT_SETTINGS = (
    PROFILE,
    LIMIT,
    CLUSTER_WEIGHT,
    CLUSTER_MAX,
    STRATA,
    RELEASE_SHARES,
    ENGINE,
    UNCERTAINTY,
    GATE,
    GATE_METHOD,
    GATE_LEVEL,
    DIRECT_CUTOFF,
    QUASI_CUTOFF,
    VALUES,
    REPEATS,
    INTERVAL,
    LEVEL,
    SIDED,
    MODE,
    NEEDED,
    INDEPENDENT_INSTANCES,
    DENOMINATOR,
    RECALL_SUPPORT,
    RATE_UNCERTAINTY,
    INCLUDE_ABSENT,
    BENCHMARK_RECALL,
    BENCHMARK_DOCUMENTS,
    BENCHMARK_RECOGNITION,
    GIVEN_CATCH,
    LABEL,
    UNIT,
    DISTINCT,
    DATE_ORDER,
    SHARE_METHOD,
    PLAIN_COUNT,
    UNMATCHED,
    MISALIGNED,
    AMBIGUOUS,
    SURVIVORS,
    UNEVALUATED,
    DRAWS,
    RESAMPLES,
    CROSSCHECK,
    ANNOTATOR,
    MAX_MEGABYTES,
)
"""What `TextSettings` holds under the same names, in the order in which results record it."""

PAPER: Mapping[str, Any] = {
    "limit": "model",
    "uncertainty": "normal_clip",
    "gate": "observed",
    "values": "poisson",
    "repeats": "poisson",
    "interval": "per_document",
    "share_method": "wilson",
    "plain_count": "warn",
}
"""What the profile `paper` changes."""


@dataclass(frozen=True, slots=True)
class TextSettings:
    """How the risk is computed: the value of each setting, by name. Defaults are those of `recommended`."""

    profile: Profile = PROFILE.default
    limit: LimitKind = LIMIT.default
    cluster_weight: ClusterWeight = CLUSTER_WEIGHT.default
    cluster_max: int | None = CLUSTER_MAX.default
    strata: str | None = STRATA.default
    release_shares: Mapping[str, float] | None = RELEASE_SHARES.default
    engine: Engine = ENGINE.default
    uncertainty: Model = UNCERTAINTY.default
    gate: GateRule = GATE.default
    gate_method: Method = GATE_METHOD.default
    gate_level: float = GATE_LEVEL.default
    direct_cutoff: float = DIRECT_CUTOFF.default
    quasi_cutoff: float = QUASI_CUTOFF.default
    values: ValueModel = VALUES.default
    repeats: RepeatModel = REPEATS.default
    interval: IntervalKind = INTERVAL.default
    level: float = LEVEL.default
    sided: Sided = SIDED.default
    mode: PlugIn = MODE.default
    needed: int = NEEDED.default
    independent_instances: bool = INDEPENDENT_INSTANCES.default
    denominator: Denominator = DENOMINATOR.default
    recall_support: RecallSupport = RECALL_SUPPORT.default
    rate_uncertainty: RateUncertainty = RATE_UNCERTAINTY.default
    include_absent: bool = INCLUDE_ABSENT.default
    benchmark_recall: float = BENCHMARK_RECALL.default
    benchmark_documents: int = BENCHMARK_DOCUMENTS.default
    benchmark_recognition: BenchmarkRecognition = BENCHMARK_RECOGNITION.default
    given_catch: float = GIVEN_CATCH.default
    label: LabelRule = LABEL.default
    unit: RecallUnit = UNIT.default
    distinct: Distinct = DISTINCT.default
    date_order: DateOrder = DATE_ORDER.default
    share_method: Method = SHARE_METHOD.default
    plain_count: PlainCount = PLAIN_COUNT.default
    unmatched: Unmatched = UNMATCHED.default
    misaligned: Misaligned = MISALIGNED.default
    ambiguous: Ambiguous = AMBIGUOUS.default
    survivors: Survivors = SURVIVORS.default
    unevaluated: Unevaluated = UNEVALUATED.default
    draws: int = DRAWS.default
    resamples: int = RESAMPLES.default
    crosscheck: bool = CROSSCHECK.default
    annotator: str = ANNOTATOR.default
    max_megabytes: int = MAX_MEGABYTES.default

    def __post_init__(self) -> None:
        check_values(TEXT_SETTINGS, self)
        if self.profile == "paper" and all(getattr(self, name) != value for name, value in PAPER.items()):
            raise InvalidSetting(
                "These are not the settings of the profile `paper`.", hint='Use text_settings("paper").'
            )
        if self.limit == "observed" and self.gate == "draw":
            raise InvalidSetting(
                "The gate rule draw needs the limits of the model.",
                hint="Set limit=model too, or use another rule.",
            )
        check_shares(self.release_shares, self.strata)
        if self.engine == "bootstrap" and self.include_absent:
            raise InvalidSetting(
                "The bootstrap engine cannot use a prior for absent types.",
                hint="Leave include_absent out, or use another engine.",
            )
        if self.recall_support == "cluster" and self.unit == "token_level":
            raise InvalidSetting(
                "Clusters are counted in instances, not in words.",
                hint="Use unit=all_tokens with recall_support=cluster.",
            )
        if self.rate_uncertainty == "gamma" and self.values != "poisson":
            raise InvalidSetting(
                "rate_uncertainty=gamma works only with values=poisson.", hint="Set values=poisson too."
            )

    @property
    def levels(self) -> tuple[float, float]:
        """The probabilities of the lower and the upper limit."""
        tail = (1 - self.level) / 2 if self.sided == "two" else 1 - self.level
        return tail, 1 - tail

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return record_settings(TEXT_SETTINGS, self)


def check_shares(shares: Mapping[str, float] | None, strata: str | None) -> None:
    """Refuse shares without strata, and shares that are negative or do not sum to 1."""
    if shares is None:
        return
    if strata is None:
        raise InvalidSetting(
            "Shares of the release are given, but no strata.", hint="Set strata too, such as strata=folder."
        )
    if any(share <= 0 for share in shares.values()) or abs(sum(shares.values()) - 1) > SUM_TOLERANCE:
        raise InvalidSetting(
            f"The shares of the strata sum to {sum(shares.values()):g}, or some are not above 0.",
            hint="Give the share of every stratum in the release; together they are 1.",
        )


def read_shares(given: Any) -> Mapping[str, float] | None:
    """Shares from a mapping, or from the text NAME=0.9,NAME=0.1.

    >>> read_shares("notes=0.9,letters=0.1")
    {'notes': 0.9, 'letters': 0.1}
    """
    if not isinstance(given, str):
        return None if given is None else {str(name): float(share) for name, share in given.items()}
    try:
        pairs = [part.rpartition("=") for part in given.split(",") if part.strip()]
        return {name.strip(): float(share) for name, _, share in pairs}
    except ValueError:
        raise InvalidSetting(
            "The setting release_shares takes NAME=SHARE, separated by commas.",
            hint="For example release_shares=notes=0.9,letters=0.1",
        ) from None


def settings(profile: str = "recommended", options: Mapping[str, Any] | None = None) -> TextSettings:
    """The settings of a profile with some options changed; text is converted to the option's type.

    >>> from reidrisk import text_settings
    >>> text_settings("paper", {"gate": "significant"}).gate
    'significant'
    """
    if profile not in get_args(Profile):
        raise InvalidSetting.among("The profile", profile, get_args(Profile))
    chosen: dict[str, Any] = {"profile": profile} | (dict(PAPER) if profile == "paper" else {})
    own = (one for one in TEXT_SETTINGS if one != PROFILE)
    changes = read_changes(own, options or {}, what="An option of a text evaluation")
    if RELEASE_SHARES.name in changes:
        changes[RELEASE_SHARES.name] = read_shares(changes[RELEASE_SHARES.name])
    return replace(TextSettings(), **(chosen | changes))
