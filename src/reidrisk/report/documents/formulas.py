"""The equations behind the figures, with what their letters mean and where they are from."""

from __future__ import annotations

from reidrisk.report.document import Formula
from reidrisk.report.formula import Expression, Fraction, Name, Number, Over, power, row, sub
from reidrisk.report.parts import Fact
from reidrisk.report.words.book import phrases

_ONE = Number("1")
EXPRESSIONS: dict[str, Expression] = {
    "overall": row(
        "Pr", "(", "reid", ")", "=", "Pr", "(", "reid", "|", "attempt", ")", "×", "Pr", "(", "attempt", ")"
    ),
    "context": row(
        *("Pr", "(", "attempt", ")", "=", "max", "(", "d", ",", "1", "−"),
        *(power(row("(", "1", "−", "p", ")"), "m"), ",", "b", ")"),
    ),
    "direct": row(
        *("D", "=", "A", "(", "1", "−", Over("∏", Name("i")), "(", "1", "−", sub("g", "i"), sub("w", "i")),
        *("(", "1", "−", sub("r", "i"), ")", ")", ")"),
    ),
    "quasi": row(
        *("Q", "=", "A", "Pr", "(", "X", "≥", "t", ")", ",", "X", "∼", "Binomial", "(", "n", ",", "g"),
        *("(", "1", "−", power("r", "m"), ")", ")"),
    ),
    "combined": row("R", "=", "c", "+", "Q", "(", "1", "−", "c", ")"),
    "limits": row(sub("D", "high"), "≤", sub("B", "high"), ",", sub("Q", "high"), "≤", "τ"),
    "highest": row(
        *(sub("R", "max"), "=", Fraction(_ONE, row(Over("min", Name("j")), sub("f", "j")))),
        *("≤", Fraction(_ONE, Name("k"))),
    ),
    "average": row(
        *(sub("R", "mean"), "=", Fraction(_ONE, Name("n")), Over("∑", Name("j")), sub("f", "j")),
        *("×", Fraction(_ONE, sub("f", "j")), "=", Fraction(Name("J"), Name("n"))),
    ),
    "loss": row(
        *(Over("min", Name("l")), "L", "(", "l", ")", ",", Over("min", Name("j")), sub("f", "j"), "≥", "k"),
        *(",", "s", "≤", sub("s", "max")),
    ),
    "bins": row(
        *(sub("h", "g"), "=", Over("∑", row("i", "≤", "g")), "i", "b", "Pr", "(", "X", "=", "i", ")", ","),
        *("X", "∼", "Binomial", "(", "n", ",", Fraction(_ONE, Name("b")), ")"),
    ),
    "total": row(
        *("T", "=", "b", "(", "1", "−", power(row("(", "1", "−", Fraction(_ONE, Name("b")), ")"), "n"), ")"),
    ),
}
"""By the name of their words."""
LETTERS = "letters."


def formula(name: str) -> Formula:
    """An equation with its words."""
    words = phrases(f"formula.{name}")
    letters = tuple(
        Fact(key.removeprefix(LETTERS), text) for key, text in words.items() if key.startswith(LETTERS)
    )
    return Formula(words["title"], EXPRESSIONS[name], words["spoken"], letters, words["source"])
