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
    forms = (
        (_NUMBER, "TRY_CAST(t AS DOUBLE)"),
        (_PLAIN, f"mean_if_ordered({_part(_PLAIN, 1)}, {_part(_PLAIN, 2)})"),
        (_MASK, _masked()),
        (_BRACKETS, f"mean_if_ordered({_part(_BRACKETS, 1)}, {_part(_BRACKETS, 2)})"),
        (_BELOW, _part(_BELOW, 1)),
        (_ABOVE, _part(_ABOVE, 1)),
    )
    cases = " ".join(f"WHEN regexp_full_match(t, {literal(form)}) THEN {found}" for form, found in forms)
    plain = "trim(replace(replace(translate(CAST(x AS VARCHAR), '–—−≤≥', '---{}'), '{', '<='), '}', '>='))"
    return (
        f"CREATE MACRO {place}.mean_if_ordered(low, high) AS CASE WHEN low <= high THEN (low + high) / 2 END",
        f"CREATE MACRO {place}.finite(n) AS CASE WHEN isfinite(n) THEN n END",
        f"CREATE MACRO {place}.middle_of_text(t) AS CASE {cases} END",
        f"CREATE MACRO {place}.middle(x) AS CASE WHEN typeof(x) <> 'VARCHAR' "
        f"THEN finite(TRY_CAST(CAST(x AS VARCHAR) AS DOUBLE)) ELSE middle_of_text({plain}) END",
    )


def _masked() -> str:
    unit = f"pow(10, length(regexp_extract(t, {literal(_MASK)}, 2)))"
    return f"{_part(_MASK, 1)} * {unit} + ({unit} - 1) / 2"


def _part(form: str, nth: int) -> str:
    """One of the numbers that a text of this form has; the expression is a constant, compiled once."""
    return f"TRY_CAST(regexp_extract(t, {literal(f'^(?:{form})$')}, {nth}) AS DOUBLE)"
