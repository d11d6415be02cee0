"""The parts of a result as Markdown; special characters are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reidrisk.report.parts import Facts, Table

_MARKUP = re.compile(r"[\\`*\[\]<>|~&]")
_LOOSE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")


def escape_markdown(text: str) -> str:
    r"""The text with special characters escape_markdown; an underscore within a word is not special.

    >>> print(escape_markdown("length_of_stay"), escape_markdown("a|b <i> _x_"))
    length_of_stay a\|b \<i\> \_x\_
    """
    clean = "".join(letter if letter.isprintable() else "?" for letter in text)
    return _LOOSE_UNDERSCORE.sub(r"\\_", _MARKUP.sub(lambda found: f"\\{found.group()}", clean))


def table_text(table: Table) -> str:
    """A pipe table with its note."""
    heads = [escape_markdown(column.name) for column in table.columns]
    rules = ["---:" if column.is_number else "---" for column in table.columns]
    body = [[escape_markdown(cell.strip()) for cell in row] for row in table.rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules, *body)] if body else []
    parts = ["\n".join(lines), escape_markdown(table.note)]
    return "\n\n".join(part for part in parts if part)


def list_text(items: Iterable[str]) -> str:
    """One item per line."""
    return "\n".join(f"- {escape_markdown(item)}" for item in items)


def facts_text(facts: Facts) -> str:
    """One fact per line, with its meaning in parentheses."""
    return "\n".join(
        f"- **{escape_markdown(fact.name)}**: {escape_markdown(fact.value)}"
        + (f" ({escape_markdown(fact.meaning)})" if fact.meaning else "")
        for fact in facts.facts
    )
