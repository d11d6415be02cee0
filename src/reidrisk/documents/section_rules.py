"""Which rule holds for a section of a report."""

from __future__ import annotations

from collections.abc import Mapping


def section_rule(rules: Mapping[str, str], section: str | None, *, otherwise: str) -> str:
    """The rule for a section: its own, or that of the nearest section that holds it.

    >>> section_rule({"16": "redact", "16.2": "leave_out"}, "16.2.7", otherwise="replace")
    'leave_out'
    """
    number = section or ""
    while number:
        if number in rules:
            return rules[number]
        number = number.rpartition(".")[0]
    return otherwise
