"""What values look like: patterns that the engine counts, and what each says of a column."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.engine.profile import ColumnProfile

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
