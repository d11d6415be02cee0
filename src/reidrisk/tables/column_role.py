"""The role that a column seems to have, from its name and from patterns in its values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.engine.profile import ColumnProfile
from reidrisk.tables.column_kinds import (
    ColumnKind,
    Confidence,
    NameMatch,
    Role,
    Unit,
    kind_named,
    kind_of_name,
)

SAMPLE_ROWS = 100_000
"""Patterns are sought in the first rows; distinct values and empty cells are counted in all."""
MOST = 0.8
"""Share of values from which a pattern describes a column."""
FREE_TEXT = 0.3


@dataclass(frozen=True, slots=True)
class Pattern:
    """A form that values can have."""

    expression: str
    says: str
    kind: str
    """The kind of column it is a sign of."""
    alone: bool = True
    """Whether it tells without the name; otherwise it only confirms one."""
    least_distinct: float = 0.0
    """How much values must differ for the sign to count."""
    any_counts: bool = False
    """A single such value matters, whatever the others are."""


PATTERNS: dict[str, Pattern] = {
    "email": Pattern(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}", "e-mail addresses", "email", any_counts=True),
    "url": Pattern(r"(?i)https?://|\bwww\.", "web addresses", "url", any_counts=True),
    "ssn": Pattern(
        r"\b\d{3}-\d{2}-\d{4}\b", "US social security numbers", "social_security", any_counts=True
    ),
    "phone": Pattern(
        r"^(\+\d{1,3}[ .-]?)?(\(\d{2,4}\) ?|\d{2,4}[ .-])\d{3,4}[ .-]\d{3,4}$|^\+\d{8,15}$",
        "telephone numbers",
        "phone",
        any_counts=True,
    ),
    "ip": Pattern(r"^(\d{1,3}\.){3}\d{1,3}$", "IP addresses", "ip_address", any_counts=True),
    "person": Pattern(
        r"^\p{Lu}[\p{Ll}'’-]+,? (\p{Lu}\.? )?\p{Lu}[\p{Ll}'’-]+$",
        "names of people",
        "person_name",
        least_distinct=0.5,
    ),
    "canadian_postal": Pattern(
        r"^[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d$", "Canadian postal codes", "postal_code"
    ),
    "fsa": Pattern(r"^[A-Za-z]\d[A-Za-z]$", "forward sortation areas", "postal_code"),
    "uk_postal": Pattern(
        r"^[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}$", "British postal codes", "postal_code"
    ),
    "zip": Pattern(r"^\d{5}(-\d{4})?$", "five-digit postal codes", "postal_code", alone=False),
    "date": Pattern(
        r"^\d{4}-\d{2}(-\d{2}([T ].*)?)?$|^\d{1,2}[/.-]\d{1,2}[/.-](\d{4}|\d{2})( .*)?$"
        r"|^\d{1,2}[- ]?[A-Za-z]{3}[- ]?\d{4}|^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$",
        "dates",
        "event_date",
    ),
    "year": Pattern(r"^(18|19|20)\d{2}$", "years", "event_year", alone=False),
    "icd10": Pattern(r"^[A-TV-Z]\d\d(\.?[0-9A-Za-z]{1,4})?$", "ICD-10 codes", "diagnosis"),
    "sex": Pattern(
        r"(?i)^(m|f|w|h|male|female|man|woman|homme|femme|mann|frau|hombre|mujer|weiblich|männlich)$",
        "the words or letters for sexes",
        "sex",
    ),
    "free_text": Pattern(r"^(\S+\s+){7,}\S+", "sentences", "free_text"),
}
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
"""Patterns by the kind of column that a name told; dates are confirmed by `date` wherever they occur."""


def expressions() -> dict[str, str]:
    """The regular expressions by name, for the engine."""
    return {name: pattern.expression for name, pattern in PATTERNS.items()}


def confirming(profile: ColumnProfile, kind: str, *, is_date: bool) -> str | None:
    """The pattern by which most values agree with what the name says."""
    names = CONFIRMS.get(kind, ()) + (("date",) if is_date else ())
    shares = [(profile.share(name), name) for name in names]
    share, name = max(shares, default=(0.0, ""))
    return name if share >= MOST else None


def telling(profile: ColumnProfile) -> str | None:
    """The pattern that tells what a column is when its name does not."""
    if profile.shape != "text":
        return "date" if profile.shape == "whole number" and profile.share("date") >= MOST else None
    found = [
        name
        for name, pattern in PATTERNS.items()
        if pattern.alone
        and profile.share(name) >= (FREE_TEXT if name == "free_text" else MOST)
        and profile.distinct_share >= pattern.least_distinct
    ]
    return max(found, key=profile.share, default=None)


def strewn(profile: ColumnProfile) -> tuple[str, ...]:
    """Patterns of direct identifiers that occur at all in a text."""
    if profile.shape != "text":
        return ()
    return tuple(
        name for name, pattern in PATTERNS.items() if pattern.any_counts and profile.patterns.get(name)
    )


NEARLY_UNIQUE = 0.95
FEW = 50
"""Distinct values up to which a text is a category."""
ENOUGH_ROWS = 20
"""Below this many rows, different values say nothing."""
WEAK = ("fsa", "icd10", "person", "free_text", "url")
"""Patterns that other things have as well."""


@dataclass(frozen=True, slots=True)
class ColumnSuggestion:
    """What a column seems to be, how sure that is, and why."""

    profile: ColumnProfile
    role: Role
    confidence: Confidence
    reason: str
    kind: ColumnKind | None = None
    unit: Unit | None = None
    """It may say which rows are one person, visit or record."""

    @property
    def name(self) -> str:
        """The column."""
        return self.profile.name

    def to_dict(self) -> dict[str, Any]:
        """As JSON types; no value of the column is among them."""
        return {
            "column": self.name,
            "role": self.role,
            "confidence": self.confidence,
            "reason": self.reason,
            "kind": self.kind.key if self.kind else None,
            "unit_candidate": self.unit,
            "type": self.profile.type,
            "shape": self.profile.shape,
            "distinct": self.profile.distinct,
            "missing": self.profile.missing,
            "missing_share": self.profile.missing / self.profile.rows if self.profile.rows else None,
        }


def suggested(profile: ColumnProfile) -> ColumnSuggestion:
    """The role of a column: by name first, then by pattern, then by the number of distinct values."""
    match = kind_of_name(profile.name)
    if match is not None:
        found = _by_name(profile, match)
    elif pattern := telling(profile):
        found = _by_pattern(profile, pattern)
    else:
        found = _by_numbers(profile)
    return _says_nothing(profile, found) or _with_strewn(profile, found)


def share_text(share: float) -> str:
    """A share in words of a reason.

    >>> share_text(0.998), share_text(1.0), share_text(0.0004)
    ('99.8 %', '100 %', '0.04 %')
    """
    return f"{100 * share:.3g} %"


def _by_name(profile: ColumnProfile, match: NameMatch) -> ColumnSuggestion:
    kind = match.kind
    reason = f'the name says "{match.phrase}": {kind.says}'
    sure: Confidence = kind.sure
    pattern = confirming(profile, kind.key, is_date=kind.check == "date")
    if pattern:
        reason += f"; {_seen(profile, pattern)}"
        sure = "certain" if sure == "likely" else sure
    elif kind.check == "date" and profile.shape == "date":
        reason += "; its values are dates"
        sure = "certain" if sure == "likely" else sure
    elif kind.check == "date" and not _may_be_date(profile):
        return ColumnSuggestion(
            profile, "quasi-identifier", "possible", f"{reason}; but its values are no dates", None
        )
    if kind.unit == "record" and profile.filled >= ENOUGH_ROWS and profile.distinct <= FEW:
        return ColumnSuggestion(
            profile, "other", "possible", f"{reason}; but only {plural(profile.distinct, 'distinct value')}"
        )
    if kind.unit:
        reason += f"; {plural(profile.distinct, 'distinct value')} in {plural(profile.filled, 'row')}"
    return ColumnSuggestion(profile, kind.role, sure, reason, kind, kind.unit)


def _by_pattern(profile: ColumnProfile, pattern: str) -> ColumnSuggestion:
    kind = kind_named(PATTERNS[pattern].kind)
    sure: Confidence = "possible" if pattern in WEAK else "likely"
    return ColumnSuggestion(profile, kind.role, sure, _seen(profile, pattern), kind, kind.unit)


def _by_numbers(profile: ColumnProfile) -> ColumnSuggestion:
    different = f"{share_text(profile.distinct_share)} of its values are unique"
    codes = profile.shape in ("text", "whole number")
    if profile.shape == "date":
        kind = kind_named("event_date")
        return ColumnSuggestion(profile, kind.role, "likely", "its values are dates", kind)
    if codes and profile.filled >= ENOUGH_ROWS and profile.distinct_share >= NEARLY_UNIQUE:
        kind = kind_named("record_number")
        role: Role = "direct identifier" if profile.shape == "text" else "unit candidate"
        return ColumnSuggestion(
            profile, role, "possible", f"{different}: a number, a code or a name", kind, "record"
        )
    if profile.shape == "text" and 2 < profile.distinct <= FEW:
        return ColumnSuggestion(
            profile,
            "quasi-identifier",
            "possible",
            f"few distinct values ({profile.distinct:,}); could somebody outside know it?",
        )
    return ColumnSuggestion(profile, "other", "possible", "neither its name nor its values tell")


def _says_nothing(profile: ColumnProfile, found: ColumnSuggestion) -> ColumnSuggestion | None:
    """A column of one value tells nobody apart; one that names people is reported all the same."""
    if profile.filled == 0:
        return replace(found, role="other", confidence="certain", reason="it has no values", unit=None)
    alike = profile.distinct == 1 and profile.missing == 0 and profile.rows > 1
    if alike and found.role != "direct identifier":
        reason = f"the same value in every row, which tells nobody apart ({found.reason})"
        return replace(found, role="other", confidence="likely", reason=reason, unit=None)
    return None


def _with_strewn(profile: ColumnProfile, found: ColumnSuggestion) -> ColumnSuggestion:
    """Identifiers in some of the values, whatever the column is."""
    own = found.kind.key if found.kind else None
    inside = [name for name in strewn(profile) if PATTERNS[name].kind != own]
    if not inside or found.role == "direct identifier":
        return found
    reason = "; ".join([found.reason, *(_seen(profile, name) for name in inside)])
    if own in (None, "free_text"):
        return replace(found, role="direct identifier", confidence="possible", reason=reason)
    return replace(found, reason=reason)


def _may_be_date(profile: ColumnProfile) -> bool:
    if profile.shape in ("date", "number", "whole number"):
        return True
    return profile.shape == "text" and (profile.share("date") > 0 or profile.share("year") > 0)


def _seen(profile: ColumnProfile, pattern: str) -> str:
    share, says = profile.share(pattern), PATTERNS[pattern].says
    form = "hold" if PATTERNS[pattern].any_counts or pattern == "free_text" else "look like"
    return f"{share_text(share)} of the values {form} {says}"
