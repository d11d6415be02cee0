"""Formulas as equations that a word processor can edit (OMML)."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from reidrisk.report.formula import Expression, Fraction, Name, Number, Over, Row, Script, Sign
from reidrisk.report.word.markup import element, w


def equation(expression: Expression) -> ET.Element:
    """An equation on a line of its own."""
    return element("m:oMathPara", element("m:oMath", *_pieces(expression)))


def _pieces(expression: Expression) -> list[ET.Element]:
    match expression:
        case Row(parts):
            return [piece for part in parts for piece in _pieces(part)]
        case Fraction(above, below):
            return [element("m:f", _of("num", above), _of("den", below))]
        case Script():
            return [_script(expression)]
        case Over(sign, below):
            return [element("m:limLow", element("m:e", _letters(sign, is_upright=True)), _of("lim", below))]
        case Name(text):
            return [_letters(text, is_upright=len(text) > 1)]
        case Number(text) | Sign(text):
            return [_letters(text, is_upright=True)]
    raise TypeError(f"A formula has a piece of an unknown kind: {type(expression).__name__}.")


def _script(given: Script) -> ET.Element:
    base = _of("e", given.base)
    if given.below is not None and given.above is not None:
        return element("m:sSubSup", base, _of("sub", given.below), _of("sup", given.above))
    if given.below is not None:
        return element("m:sSub", base, _of("sub", given.below))
    return element("m:sSup", base, *([] if given.above is None else [_of("sup", given.above)]))


def _of(name: str, expression: Expression) -> ET.Element:
    return element(f"m:{name}", *_pieces(expression))


def _letters(text: str, *, is_upright: bool) -> ET.Element:
    """Words, digits and signs are upright; single letters are in italics."""
    look = element("m:rPr", element("m:sty", m_val="p")) if is_upright else None
    font = w("rPr", w("rFonts", ascii="Cambria Math", hAnsi="Cambria Math"))
    return element("m:r", look, font, element("m:t", text=text))
