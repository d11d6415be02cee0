from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from reidrisk.report.documents.formulas import FORMULAS
from reidrisk.report.formula import Fraction, Name, Number, Over, power, row, sub


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_are_well_formed_on_a_page(name: str) -> None:
    root = ET.fromstring(f"<math>{FORMULAS[name].expression.mathml()}</math>")  # noqa: S314 - our own
    counts = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2}
    for element in root.iter():
        if element.tag in counts:
            assert len(element) == counts[element.tag]


def test_every_letter_of_the_words_stands_in_the_formula() -> None:
    for name, formula in FORMULAS.items():
        pieces = {element.text for element in ET.fromstring(f"<m>{formula.expression.mathml()}</m>").iter()}  # noqa: S314
        for letter in formula.letters:
            assert letter.name in pieces, (name, letter.name)


def test_typst_gets_signs_as_signs_and_words_upright() -> None:
    assert row("Pr", "(", "x", ")").typst() == r'upright("Pr") \( x \)'
    assert Fraction(Number("1"), Name("n")).typst() == "frac(1, n)"
    assert power("r", "m").typst() == "r^(m)"
    assert row(Over("∑", Name("j")), sub("f", "j")).typst() == "sum_(j) f_(j)"


def test_pages_get_signs_that_would_be_markup_as_text() -> None:
    assert row("a", "<", "b").mathml() == "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"
