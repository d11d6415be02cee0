"""The role that a column seems to have, from its name and from patterns in its values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from reidrisk.core.reference_lists import name_words
from reidrisk.core.wording import plural
from reidrisk.engine.results import ColumnProfile, TextSearch
from reidrisk.tables.column_kinds import (
    ColumnKind,
    Confidence,
    NameMatch,
    Role,
    Unit,
    kind_named,
    kind_of_name,
    words_of,
)
from reidrisk.tables.inside import inside_rules

SAMPLE_ROWS = 100_000
"""Patterns are searched for in the first rows; distinct values and empty cells are counted in all rows."""
MOST = 0.8
"""Share of values that must match a pattern for it to describe the column."""
LONG, WORDY, SENTENCES = 0.3, 0.3, 0.1
"""Shares of values with eight words or more, with four words or more, and with the marks of a sentence."""
NEARLY_ALL, SOME = 0.95, 0.05
"""Shares of values that must look like postal codes, or like long numbers, in a column of an unknown kind."""
MANY_AREAS = 20
"""Number of distinct five-digit codes above which they may be postal codes."""
VARIED = 0.5
"""Share of distinct values above which long values are texts and not the labels of a list."""


@dataclass(frozen=True, slots=True)
class ValuePattern:
    """A pattern in the values of a column."""

    expression: str
    says: str
    kind: str
    """The kind of column that it indicates."""
    alone: bool = True
    """Whether it decides without the name; otherwise it only confirms the name."""
    least_distinct: float = 0.0
    """Share of distinct values that is needed for the pattern to count."""
    only: tuple[str, ...] = ()
    """Short expressions that every value with the pattern matches: it saves preparing the pattern."""


PATTERNS: dict[str, ValuePattern] = {
    "email": ValuePattern(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}", "e-mail addresses", "email"),
    "url": ValuePattern(r"(?i)https?://|\bwww\.", "web addresses", "url"),
    "ssn": ValuePattern(r"\b\d{3}-\d{2}-\d{4}\b", "US social security numbers", "social_security"),
    "phone": ValuePattern(
        r"^(\+\d{1,3}[ .-]?)?(\(\d{2,4}\) ?|\d{2,4}[ .-])\d{3,4}[ .-]\d{3,4}$|^\+\d{8,15}$",
        "telephone numbers",
        "phone",
    ),
    "ip": ValuePattern(r"^(\d{1,3}\.){3}\d{1,3}$", "IP addresses", "ip_address"),
    "person": ValuePattern(
        r"^\p{Lu}[\p{Ll}'’-]+,? (\p{Lu}\.? )?\p{Lu}[\p{Ll}'’-]+$",
        "names of people",
        "person_name",
        least_distinct=0.5,
        only=(r"\p{Lu}", " "),
    ),
    "canadian_postal": ValuePattern(
        r"^[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d$", "Canadian postal codes", "postal_code"
    ),
    "fsa": ValuePattern(r"^[A-Za-z]\d[A-Za-z]$", "forward sortation areas", "postal_code"),
    "uk_postal": ValuePattern(
        r"^[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}$", "British postal codes", "postal_code"
    ),
    "zip": ValuePattern(r"^\d{5}(-\d{4})?$", "five-digit postal codes", "postal_code", alone=False),
    "date": ValuePattern(
        r"^\d{4}-\d{2}(-\d{2}([T ].*)?)?$|^\d{1,2}[/.-]\d{1,2}[/.-](\d{4}|\d{2})( .*)?$"
        r"|^\d{1,2}[- ]?[A-Za-z]{3}[- ]?\d{4}|^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$",
        "dates",
        "event_date",
    ),
    "named_month": ValuePattern(
        r"^\p{L}{3,10}\.? \d{1,2},? \d{4}|^\d{1,2}\.?( de)? \p{L}{3,10}\.?( de)? \d{4}",
        "dates",
        "event_date",
        alone=False,
        only=(r" \d{4}", r"\pL{3}"),
    ),
    "year": ValuePattern(r"^(18|19|20)\d{2}$", "years", "event_year", alone=False),
    "icd10": ValuePattern(r"^[A-TV-Z]\d\d(\.?[0-9A-Za-z]{1,4})?$", "ICD-10 codes", "diagnosis"),
    "sex": ValuePattern(
        r"(?i)^(m|f|w|h|male|female|man|woman|homme|femme|mann|frau|hombre|mujer|weiblich|männlich)$",
        "the words or letters for sexes",
        "sex",
    ),
    "code": ValuePattern(
        r"^[A-Za-z]{0,4}[-. ]?(\d[-./ ]?){6,}[A-Za-z]?$", "long numbers", "coded_number", alone=False
    ),
    "numbered": ValuePattern(
        r"^[A-Za-z]{1,4}[-. ]?\d{4,}$", "letters with a number", "coded_number", alone=False
    ),
    "handle": ValuePattern(r"^@[\pL\d_.]{2,}$", "names of online accounts", "account", only=("^@",)),
    "free_text": ValuePattern(r"^(\S+\s+){7,}\S+", "eight words or more", "free_text", alone=False),
    "phrase": ValuePattern(r"^(\S+\s+){3,}\S+", "four words or more", "free_text", alone=False),
    "sentence": ValuePattern(
        r"(?s)[\p{L}\d)][.!?…]\s+\p{Lu}|\S\s+\S.*[\p{L})][.!?…]$",
        "sentences",
        "free_text",
        alone=False,
        only=(r"[.!?…](\s|$)", r"\s"),
    ),
}
LISTED, SOME_NAMES = "listed_name", 0.2
"""Share of values that are, or contain, names of people from which on a column likely holds names."""
COLORS = 10
"""Fewer distinct words may be colors, which many surnames are, too."""
PATTERNS[LISTED] = ValuePattern("", "common names of people", "person_name", alone=False)
PLACES = ("city", "county", "place", "region", "country")
"""Kinds of columns whose values may turn out to be postal codes."""
CONFIRMS = {
    "postal_code": ("canadian_postal", "fsa", "uk_postal", "zip"),
    "diagnosis": ("icd10",),
    "sex": ("sex",),
    "email": ("email",),
    "phone": ("phone",),
    "social_security": ("ssn",),
    "url": ("url",),
    "ip_address": ("ip",),
    "year_of_birth": ("year",),
    "event_year": ("year",),
}
"""Patterns by the kind of column that the name indicates; every kind of date is confirmed by `date`."""


def expressions() -> dict[str, TextSearch]:
    """Return the searches by name, for the engine: what values look like, and what is inside them."""
    whole = {
        name: TextSearch((pattern.expression,), only=pattern.only)
        for name, pattern in PATTERNS.items()
        if name != LISTED
    }
    whole[LISTED] = TextSearch((), only=(r"^\pL",), among=name_words())
    return whole | {name: rule.search for name, rule in inside_rules().items()}


def confirming_pattern(profile: ColumnProfile, kind: str, *, is_date: bool) -> str | None:
    """Find a pattern of most values that confirms what the name says."""
    names = CONFIRMS.get(kind, ()) + (("date",) if is_date else ())
    shares = [(profile.share(name), name) for name in names]
    share, name = max(shares, default=(0.0, ""))
    return name if share >= MOST else None


def deciding_pattern(profile: ColumnProfile) -> str | None:
    """Find the pattern that shows what a column is when its name does not."""
    if profile.shape != "text":
        return "date" if profile.shape == "whole number" and profile.share("date") >= MOST else None
    found = [
        name
        for name, pattern in PATTERNS.items()
        if pattern.alone and profile.share(name) >= MOST and profile.distinct_share >= pattern.least_distinct
    ]
    if "icd10" in found and (profile.share("numbered") >= MOST or _is_nearly_unique(profile)):
        found.remove("icd10")  # codes of diseases have a dot, fewer digits, or letters, and they repeat
    return max(found, key=profile.share, default=None)


def _mixed_pattern(profile: ColumnProfile) -> str | None:
    """Find dates in several styles, postal codes, or long numbers in a column whose name says nothing."""
    if profile.shape not in ("text", "whole number") or profile.filled < ENOUGH_ROWS:
        return None
    if profile.share("date") + profile.share("named_month") >= MOST:
        return "named_month"
    if profile.share(LISTED) >= SOME_NAMES and profile.distinct > COLORS:
        return LISTED
    if profile.share("zip") >= NEARLY_ALL and profile.distinct > MANY_AREAS:
        return "zip"
    if profile.share("numbered") >= NEARLY_ALL and profile.distinct > FEW:
        return "numbered"
    long = NEARLY_ALL if profile.shape == "whole number" else SOME
    return "code" if profile.share("code") >= long and profile.distinct > FEW else None


def free_text_pattern(profile: ColumnProfile) -> str | None:
    """Find what shows that a column contains free text: words per value, sentence marks, distinct values.

    Labels of a list may be long, too, but they repeat and do not end like sentences.
    """
    if profile.shape != "text" or profile.filled == 0:
        return None
    is_varied = profile.distinct_share >= VARIED
    if is_varied and profile.share("free_text") >= LONG:
        return "free_text"
    many = is_varied or profile.distinct > FEW
    if many and profile.share("phrase") >= WORDY and profile.share("sentence") >= SENTENCES:
        return "sentence"
    return None


def patterns_inside(profile: ColumnProfile) -> tuple[str, ...]:
    """Return patterns of direct identifiers that occur in some values of a text column."""
    if profile.shape != "text":
        return ()
    rules = inside_rules().items()
    return tuple(name for name, rule in rules if rule.is_direct and profile.patterns.get(name))


NEARLY_UNIQUE = 0.95
FEW = 50
"""Largest number of distinct values of a categorical text column."""
ENOUGH_ROWS = 20
"""With fewer rows than this, the number of distinct values shows nothing."""
WEAK = ("fsa", "icd10", "person", "url")
"""Patterns that other kinds of columns share."""
CONTAINED = ("email", "url", "ssn", "free_text")
"""Patterns that need not be the whole value."""


@dataclass(frozen=True, slots=True)
class ColumnSuggestion:
    """The suggested role of a column, how certain it is, and why."""

    profile: ColumnProfile
    role: Role
    confidence: Confidence
    reason: str
    kind: ColumnKind | None = None
    unit: Unit | None = None
    """What the column may identify rows of: a person, visit or record."""
    ambiguous_dates: tuple[str, ...] = ()
    """The formats in which its dates can be read, if there are several."""

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.profile.name

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types; no value of the column is included."""
        return {
            "column": self.name,
            "role": self.role,
            "confidence": self.confidence,
            "reason": self.reason,
            "kind": self.kind.key if self.kind else None,
            "unit_candidate": self.unit,
            "ambiguous_dates": list(self.ambiguous_dates),
            "type": self.profile.kind,
            "shape": self.profile.shape,
            "distinct": self.profile.distinct,
            "missing": self.profile.missing,
            "missing_share": self.profile.missing / self.profile.rows if self.profile.rows else None,
        }


def suggest_role(profile: ColumnProfile) -> ColumnSuggestion:
    """Suggest the role of a column: by name first, then by pattern, then by the number of distinct values."""
    match, text = kind_of_name(profile.name), free_text_pattern(profile)
    if text and (match is None or match.kind.role != "direct identifier"):
        found = _by_pattern(profile, text)
    elif match is not None:
        found = _by_name(profile, match)
    elif pattern := deciding_pattern(profile) or _mixed_pattern(profile):
        found = _by_pattern(profile, pattern)
    else:
        found = _by_numbers(profile)
    return _without_information(profile, found) or _with_patterns_inside(profile, found)


def share_text(share: float) -> str:
    """Write a share as a percentage.

    >>> share_text(0.998), share_text(1.0), share_text(0.0004)
    ('99.8 %', '100 %', '0.04 %')
    """
    return f"{100 * share:.3g} %"


def _by_name(profile: ColumnProfile, match: NameMatch) -> ColumnSuggestion:
    kind = match.kind
    reason = f'the name says "{match.phrase}": {kind.says}'
    if kind.key in PLACES and (postal := confirming_pattern(profile, "postal_code", is_date=False)):
        kind = kind_named("postal_code")
        return ColumnSuggestion(
            profile, kind.role, "certain", f"{reason}; but {_pattern_text(profile, postal)}", kind
        )
    if other := _by_values(profile, kind, reason):
        return other
    sure: Confidence = kind.sure
    pattern = confirming_pattern(profile, kind.key, is_date=kind.check == "date")
    is_date = kind.check == "date" and (profile.shape == "date" or pattern == "date")
    if pattern:
        reason += f"; {_pattern_text(profile, pattern)}"
    elif is_date:
        reason += "; its values are dates"
    if pattern or is_date:
        sure = "certain" if sure == "likely" else sure
    elif kind.check == "date" and not _may_be_date(profile):
        return ColumnSuggestion(
            profile, "quasi-identifier", "possible", f"{reason}; but its values are not dates", None
        )
    if kind.role == "text" and _is_short_list(profile):
        return ColumnSuggestion(
            profile, "quasi-identifier", "possible", f"{reason}; but it has few distinct values", None
        )
    if kind.unit == "record" and profile.filled >= ENOUGH_ROWS and profile.distinct <= FEW:
        return ColumnSuggestion(
            profile, "other", "possible", f"{reason}; but only {plural(profile.distinct, 'distinct value')}"
        )
    if kind.unit:
        reason += f"; {plural(profile.distinct, 'distinct value')} in {plural(profile.filled, 'row')}"
    return ColumnSuggestion(profile, kind.role, sure, reason, kind, kind.unit)


def _by_values(profile: ColumnProfile, kind: ColumnKind, reason: str) -> ColumnSuggestion | None:
    """Suggest another role if the values show that a column is about the thing, not the thing itself.

    `condition_start_date` contains dates and `condition_id` numbers of records, not diagnoses.
    """
    if kind.strong or kind.unit or kind.check:
        return None
    if profile.shape == "date" or (profile.shape == "text" and profile.share("date") >= MOST):
        dates = kind_named("event_date")
        return ColumnSuggestion(profile, dates.role, "likely", f"{reason}; but its values are dates", dates)
    if words_of(profile.name)[-1:] == ("id",) and _is_nearly_unique(profile):
        numbers = kind_named("record_number")
        unique = f"{share_text(profile.distinct_share)} of its values are unique"
        return ColumnSuggestion(profile, numbers.role, "likely", f"{reason}; but {unique}", numbers)
    return None


def _is_nearly_unique(profile: ColumnProfile) -> bool:
    codes = profile.shape in ("text", "whole number")
    return codes and profile.filled >= ENOUGH_ROWS and profile.distinct_share >= NEARLY_UNIQUE


def _by_pattern(profile: ColumnProfile, pattern: str) -> ColumnSuggestion:
    kind = kind_named(PATTERNS[pattern].kind)
    sure: Confidence = "possible" if pattern in WEAK else "likely"
    return ColumnSuggestion(profile, kind.role, sure, _pattern_text(profile, pattern), kind, kind.unit)


def _by_numbers(profile: ColumnProfile) -> ColumnSuggestion:
    different = f"{share_text(profile.distinct_share)} of its values are unique"
    if profile.shape == "date":
        kind = kind_named("event_date")
        return ColumnSuggestion(profile, kind.role, "likely", "its values are dates", kind)
    if _is_nearly_unique(profile):
        kind = kind_named("record_number")
        is_text = profile.shape == "text"
        role: Role = "direct identifier" if is_text else "unit candidate"
        sure: Confidence = "likely" if is_text else "possible"
        return ColumnSuggestion(
            profile, role, sure, f"{different}: a number, a code or a name", kind, "record"
        )
    if profile.shape == "text" and 2 < profile.distinct <= FEW:
        return ColumnSuggestion(
            profile,
            "quasi-identifier",
            "possible",
            f"few distinct values ({profile.distinct:,}); could an outsider know it?",
        )
    return ColumnSuggestion(profile, "other", "possible", "neither its name nor its values show what it is")


def _without_information(profile: ColumnProfile, found: ColumnSuggestion) -> ColumnSuggestion | None:
    """A column with one value distinguishes nobody; a direct identifier is still reported."""
    if profile.filled == 0:
        return replace(found, role="other", confidence="certain", reason="it has no values", unit=None)
    alike = profile.distinct == 1 and profile.missing == 0 and profile.rows > 1
    if alike and found.role != "direct identifier":
        reason = f"the same value in every row, which distinguishes nobody ({found.reason})"
        return replace(found, role="other", confidence="likely", reason=reason, unit=None)
    return None


def _with_patterns_inside(profile: ColumnProfile, found: ColumnSuggestion) -> ColumnSuggestion:
    """Add direct identifiers that occur in some values, whatever the column is."""
    own = found.kind.key if found.kind else None
    inside = [name for name in patterns_inside(profile) if inside_rules()[name].kind != own]
    if not inside or found.role == "direct identifier":
        return found
    reason = "; ".join([found.reason, *(_inside_text(profile, name) for name in inside)])
    is_sure = any(
        inside_rules()[name].sure != "possible" or profile.share(name) >= SOME_NAMES for name in inside
    )
    if found.role == "text":
        return replace(found, confidence="certain" if is_sure else found.confidence, reason=reason)
    if is_sure:
        return replace(found, role="direct identifier", confidence="likely", reason=reason, unit=None)
    if found.role == "other":
        return replace(found, role="direct identifier", confidence="possible", reason=reason, unit=None)
    return replace(found, reason=reason)


def _is_short_list(profile: ColumnProfile) -> bool:
    """Whether a column has few values, each in many rows, and none of several words."""
    few = profile.filled >= ENOUGH_ROWS and profile.distinct <= min(FEW, profile.filled / ENOUGH_ROWS * 2)
    return few and profile.share("phrase") == 0


def _may_be_date(profile: ColumnProfile) -> bool:
    if profile.shape in ("date", "number", "whole number"):
        return True
    forms = ("date", "year", "named_month")
    return profile.shape == "text" and any(profile.share(form) > 0 for form in forms)


def _pattern_text(profile: ColumnProfile, pattern: str) -> str:
    share, says = profile.share(pattern), PATTERNS[pattern].says
    contains = pattern in CONTAINED or PATTERNS[pattern].kind == "free_text"
    form = "contain" if contains else "look like"
    return f"{share_text(share)} of the values {form} {says}"


def _inside_text(profile: ColumnProfile, rule: str) -> str:
    return f"{share_text(profile.share(rule))} of the values contain {inside_rules()[rule].says}"
