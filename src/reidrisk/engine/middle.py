"""The SQL macro `middle`: what a generalized number stands for, so that one query fits both tables."""

from __future__ import annotations

from reidrisk.engine.names import literal

_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_MASK = r"(\d+)(\*+)"
_BRACKETS = rf"[\[\](]\s*({_NUMBER})\s*(?:,|;|\.\.|-|\bto\b)\s*({_NUMBER})\s*[\[\])]"
_PLAIN = rf"({_NUMBER})\s*(?:-|\.\.|to|/)\s*({_NUMBER})"
_BELOW = rf"(?:<=?|>=?)\s*({_NUMBER})"
_ABOVE = rf"({_NUMBER})\s*\+"


def macros(place: str) -> tuple[str, ...]:
    """The statements that make it in an attached database: 20-29 is 24.5, 90+ is 90, * is nothing."""
    return (
        f"CREATE MACRO {place}.written_number(t, form, nth) AS "
        "TRY_CAST(regexp_extract(t, '^(?:' || form || ')$', nth) AS DOUBLE)",
        f"CREATE MACRO {place}.mean_if_ordered(low, high) AS CASE WHEN low <= high THEN (low + high) / 2 END",
        f"CREATE MACRO {place}.middle_of_text(t) AS CASE "
        f"WHEN regexp_full_match(t, {literal(_NUMBER)}) THEN TRY_CAST(t AS DOUBLE) "
        f"WHEN regexp_full_match(t, {literal(_MASK)}) THEN {_masked()} "
        f"WHEN regexp_full_match(t, {literal(_BRACKETS)}) THEN {_between(_BRACKETS)} "
        f"WHEN regexp_full_match(t, {literal(_PLAIN)}) THEN {_between(_PLAIN)} "
        f"WHEN regexp_full_match(t, {literal(_BELOW)}) THEN written_number(t, {literal(_BELOW)}, 1) "
        f"WHEN regexp_full_match(t, {literal(_ABOVE)}) THEN written_number(t, {literal(_ABOVE)}, 1) END",
        f"CREATE MACRO {place}.middle(x) AS "
        "middle_of_text(trim(replace(translate(CAST(x AS VARCHAR), '–—−≤≥', '---{}'), '{', '<=')"
        ".replace('}', '>=')))",
    )


def _masked() -> str:
    unit = f"pow(10, length(regexp_extract(t, {literal(_MASK)}, 2)))"
    return f"written_number(t, {literal(_MASK)}, 1) * {unit} + ({unit} - 1) / 2"


def _between(form: str) -> str:
    low, high = (f"written_number(t, {literal(form)}, {nth})" for nth in (1, 2))
    return f"mean_if_ordered({low}, {high})"
