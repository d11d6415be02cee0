"""Formulas as trees, written once and set in every medium."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Protocol


class Expression(Protocol):
    """A piece of a formula."""

    def mathml(self) -> str:
        """For a page."""
        ...

    def typst(self) -> str:
        """For a PDF."""
        ...


@dataclass(frozen=True, slots=True)
class Name:
    """A letter, or the name of a function or a quantity."""

    text: str

    def mathml(self) -> str:
        """MathML sets words upright and single letters in italics."""
        return f"<mi>{escape(self.text)}</mi>"

    def typst(self) -> str:
        """Words are upright, single letters in italics."""
        return self.text if len(self.text) == 1 else f'upright("{self.text}")'


@dataclass(frozen=True, slots=True)
class Number:
    """Digits."""

    text: str

    def mathml(self) -> str:
        """For a page."""
        return f"<mn>{escape(self.text)}</mn>"

    def typst(self) -> str:
        """For a PDF."""
        return self.text


@dataclass(frozen=True, slots=True)
class Sign:
    """An operator, a relation or a bracket."""

    text: str

    def mathml(self) -> str:
        """For a page."""
        return f"<mo>{escape(self.text)}</mo>"

    def typst(self) -> str:
        """Quoted where the sign would mean something else."""
        return {"(": "\\(", ")": "\\)", ",": "\\,", "|": "\\|"}.get(self.text, self.text)


@dataclass(frozen=True, slots=True)
class Row:
    """Pieces next to each other."""

    parts: tuple[Expression, ...]

    def mathml(self) -> str:
        """For a page."""
        return f"<mrow>{''.join(part.mathml() for part in self.parts)}</mrow>"

    def typst(self) -> str:
        """For a PDF."""
        return " ".join(part.typst() for part in self.parts)


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction."""

    above: Expression
    below: Expression

    def mathml(self) -> str:
        """For a page."""
        return f"<mfrac>{_one(self.above)}{_one(self.below)}</mfrac>"

    def typst(self) -> str:
        """For a PDF."""
        return f"frac({self.above.typst()}, {self.below.typst()})"


@dataclass(frozen=True, slots=True)
class Script:
    """A small piece below or above the line."""

    base: Expression
    below: Expression | None = None
    above: Expression | None = None

    def mathml(self) -> str:
        """For a page."""
        if self.below and self.above:
            return f"<msubsup>{_one(self.base)}{_one(self.below)}{_one(self.above)}</msubsup>"
        tag, script = ("msub", self.below) if self.below else ("msup", self.above)
        return f"<{tag}>{_one(self.base)}{_one(script) if script else ''}</{tag}>"

    def typst(self) -> str:
        """For a PDF."""
        below = f"_({self.below.typst()})" if self.below else ""
        above = f"^({self.above.typst()})" if self.above else ""
        return f"{self.base.typst()}{below}{above}"


@dataclass(frozen=True, slots=True)
class Over:
    """A sum, a product or a maximum with what it runs over."""

    sign: str
    below: Expression

    def mathml(self) -> str:
        """For a page."""
        return f"<munder><mo>{escape(self.sign)}</mo>{_one(self.below)}</munder>"

    def typst(self) -> str:
        """For a PDF."""
        name = {"∑": "sum", "∏": "product", "max": "max", "min": "min"}[self.sign]
        return f"{name}_({self.below.typst()})"


def _one(part: Expression) -> str:
    """MathML scripts and fractions take single elements."""
    return part.mathml()


def row(*parts: Expression | str) -> Row:
    """Build a formula from pieces, letters and signs.

    >>> row("1", "−", "r").typst()
    '1 − r'
    """
    return Row(tuple(_piece(part) if isinstance(part, str) else part for part in parts))


def _piece(text: str) -> Expression:
    if text.replace(".", "").isdigit():
        return Number(text)
    return Name(text) if text[0].isalpha() else Sign(text)


def sub(base: str, below: str) -> Script:
    """A letter with an index."""
    return Script(Name(base), _piece(below))


def power(base: Expression | str, above: Expression | str) -> Script:
    """A piece to the power of another."""
    return Script(
        _piece(base) if isinstance(base, str) else base,
        above=_piece(above) if isinstance(above, str) else above,
    )
