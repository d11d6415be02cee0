"""All options of a text evaluation, with the values of the two profiles."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from math import isfinite
from typing import Any, Literal, get_args, get_origin, get_type_hints

from reidrisk.errors import InvalidSetting
from reidrisk.stats.counts import CountModel
from reidrisk.stats.gate import GateRule
from reidrisk.stats.leak import Mode
from reidrisk.stats.proportion import Method, Model
from reidrisk.text.values import DateOrder

Profile = Literal["recommended", "paper"]
Engine = Literal["exact", "sobol", "montecarlo", "bootstrap"]
IntervalKind = Literal["parameter", "per_document"]
PlugIn = Literal[Mode, "per_document"]


@dataclass(frozen=True, slots=True)
class TextSettings:
    """How the risk is computed. The defaults are the profile `recommended`."""

    profile: Profile = "recommended"
    engine: Engine = "exact"
    """How the equations are evaluated: grids, Sobol points, random draws, resampled documents."""
    uncertainty: Model = "jeffreys_modified"
    """Distribution of an observed proportion."""
    gate: GateRule = "significant"
    """When recognition may count."""
    gate_method: Method = "wilson"
    gate_level: float = 0.95
    direct_cutoff: float = 0.9
    quasi_cutoff: float = 0.7
    values: CountModel = "empirical"
    """Distribution of the number of distinct quasi-identifier values in a document."""
    repeats: CountModel = "empirical"
    """Distribution of the number of instances of a value."""
    interval: IntervalKind = "parameter"
    """Which interval decides for quasi-identifiers."""
    level: float = 0.95
    sided: Literal["two", "one"] = "two"
    mode: PlugIn = "continuous"
    """How the plug-in formula handles a fractional mean number of values, or uses each document's own."""
    needed: int = 2
    """Number of leaked quasi-identifier values that re-identify a patient; 1 for rare diseases."""
    independent_instances: bool = True
    denominator: Literal["all", "present"] = "all"
    """Mean values per document over all documents, or over those with any quasi-identifier."""
    recall_support: Literal["documents", "instances", "cluster"] = "documents"
    """What the uncertainty of the quasi-identifier recall is based on."""
    rate_uncertainty: Literal["none", "gamma"] = "none"
    """Whether the mean number of values is itself uncertain (with values=poisson)."""
    include_absent: bool = False
    """Whether a direct type that no document contains adds its prior."""
    benchmark_recall: float = 0.95
    benchmark_documents: int = 220
    benchmark_recognition: Literal["one", "same"] = "one"
    given_catch: float = 0.0
    """Probability of re-identification through what was caught; above 0 where values are generalized."""
    label: Literal["any_label", "same_label"] = "any_label"
    unit: Literal["all_tokens", "token_level"] = "all_tokens"
    """Whether the quasi-identifier recall counts instances or words."""
    distinct: Literal["entity", "value"] = "entity"
    """Whether entity ids, if there are any, or normalized texts distinguish values."""
    date_order: DateOrder = "mdy"
    share_method: Method = "jeffreys_modified"
    """Interval of the plain shares of documents with leaks."""
    plain_count: Literal["veto", "warn"] = "veto"
    """What to do if the plain share of leaking documents, without any model, already exceeds the limit."""
    unmatched: Literal["error", "allow"] = "error"
    """Documents on one side only: refuse, or count missing tool output as unmasked and ignore the rest."""
    ambiguous: Literal["conservative", "error"] = "conservative"
    """If a released text fits its original in several ways: masked only if all of them mask, or refuse."""
    survivors: Literal["word", "instance"] = "word"
    """In texts with surrogates, what must be replaced: every word of an identifier, or any word of it."""
    unevaluated: Literal["reject", "accept"] = "reject"
    """The verdict if the gold standard has no direct identifier, or no quasi-identifier."""
    draws: int = 65536
    resamples: int = 2000
    crosscheck: bool = True
    """Whether another engine checks the limits."""
    annotator: str = "first"
    max_megabytes: int = 128
    """Largest file that is read, for formats that must be loaded as a whole."""

    def __post_init__(self) -> None:
        for name, kind in _kinds().items():
            _check(name, kind, getattr(self, name))
        for name in ("gate_level", "level", "benchmark_recall"):
            if not 0.5 <= getattr(self, name) < 1:
                raise InvalidSetting(
                    f"{name} must be at least 0.5 and less than 1.", hint=f"For example {name}=0.95."
                )
        for name in ("direct_cutoff", "quasi_cutoff", "given_catch"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidSetting(
                    f"{name} must be a probability from 0 to 1.", hint=f"For example {name}=0.9."
                )
        for name, (least, most) in _RANGES.items():
            if not least <= getattr(self, name) <= most:
                raise InvalidSetting(
                    f"{name} must be between {least:,} and {most:,}.", hint="Leave it out for the default."
                )
        if self.repeats == "negative_binomial" or self.values in ("shifted_poisson", "zero_truncated"):
            raise InvalidSetting(
                "This distribution does not fit this count.",
                hint="values: poisson, fixed, empirical, negative_binomial; "
                "repeats: poisson, shifted_poisson, zero_truncated, fixed, empirical.",
            )
        if self.profile == "paper" and all(getattr(self, name) != value for name, value in PAPER.items()):
            raise InvalidSetting(
                "These are not the settings of the profile `paper`.", hint='Use text_settings("paper").'
            )
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
        return asdict(self)


_RANGES = {
    "needed": (1, 1000),
    "benchmark_documents": (1, 10**9),
    "draws": (2**10, 2**22),
    "resamples": (200, 10**6),
    "max_megabytes": (1, 10**5),
}

PAPER: dict[str, Any] = {
    "uncertainty": "normal_clip",
    "gate": "observed",
    "values": "poisson",
    "repeats": "poisson",
    "interval": "per_document",
    "share_method": "wilson",
    "plain_count": "warn",
}


def settings(profile: str = "recommended", options: dict[str, Any] | None = None) -> TextSettings:
    """The settings of a profile with some options changed; text is converted to the option's type."""
    if profile not in get_args(Profile):
        raise InvalidSetting.among("The profile", profile, get_args(Profile))
    chosen: dict[str, Any] = {"profile": profile} | (PAPER if profile == "paper" else {})
    for name, value in (options or {}).items():
        if name not in _kinds() or name == "profile":
            raise InvalidSetting.among("An option of a text evaluation", name, _kinds())
        chosen[name] = _read(name, value) if isinstance(value, str) else value
    return replace(TextSettings(), **chosen)


@lru_cache(maxsize=1)
def _kinds() -> dict[str, Any]:
    hints = get_type_hints(TextSettings)
    return {entry.name: hints[entry.name] for entry in fields(TextSettings)}


def _check(name: str, kind: Any, value: Any) -> None:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise InvalidSetting.among(f"{name}", str(value), get_args(kind))
        return
    allowed = (int, float) if kind is float else (kind,)
    wrong = not isinstance(value, allowed) or (kind is not bool and isinstance(value, bool))
    if wrong or (kind is float and not isfinite(value)):
        raise InvalidSetting(
            f"{name} takes {_NAMES[kind]}.", hint="The reference page of options lists the values of each."
        )


_NAMES = {int: "a whole number", float: "a number", bool: "yes or no", str: "a name"}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _read(name: str, text: str) -> Any:
    """Text converted to the option's type."""
    kind = _kinds()[name]
    try:
        if kind is bool:
            return _TRUTHS[text.casefold()]
        return kind(text) if kind in (int, float) else text
    except (KeyError, ValueError) as error:
        raise InvalidSetting(
            f"{name} takes {_NAMES[kind]}, not {text!r}.", hint="Give --set NAME=VALUE."
        ) from error
