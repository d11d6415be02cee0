"""The rules by which a value and a text are compared."""

from __future__ import annotations

import pytest

from reidrisk.core.matching import can_be_cut, fold, fold_in_place, stands_alone


def _is_in(value: str, text: str) -> bool:
    low, plain = fold(text), fold(value)
    places = [at for at in range(len(low)) if low.startswith(plain, at)]
    return any(stands_alone(low, at, at + len(plain)) for at in places)


SAME = {
    "ligature": ("Griffith", "Mr Gri\ufb03th came"),
    "full width": ("321-A", "no \uff13\uff12\uff11\uff0d\uff21."),
    "accent, decomposed": ("Renée", "RENE\u0301E"),
    "sharp s": ("Straße", "STRASSE 5"),
    "soft hyphen": ("Kennedy", "Kenn\u00adedy"),
    "zero width": ("Kennedy", "\u200bKen\u200cnedy\u2060"),
    "presentation forms": ("محمد", "\ufee3\ufea4\ufee4\ufeaa"),
    "vowel signs": ("محمد", "مُحَمَّد"),
    "dash": ("A-1", "a\u20131"),
    "apostrophe": ("O'Brien", "O\u2019Brien"),
    "underscore": ("321", "scan_321_b"),
    "footnote": ("Kennedy", "Kennedy1,2"),
    "unit": ("321", "321mg"),
    "Chinese": ("王小明", "患者王小明于"),
    "Japanese": ("田中太郎", "患者は田中太郎です"),
    "Korean particle": ("김철수", "김철수는"),
    "Korean, decomposed": ("김철수", "\u1100\u1175\u11b7\u110e\u1165\u11af\u1109\u116e"),
    "Thai": ("สมชาย", "คุณสมชายมา"),
    "Arabic particle": ("محمد", "ذهبنا لمحمد"),
    "Arabic particles": ("علي", "وبعلي"),
    "Hebrew particle": ("דוד", "נתן לדוד"),
    "number beside Han": ("321", "号321号"),
}
OTHER = {
    "longer number": ("321", "43215"),
    "longer word": ("Ann", "Anna"),
    "inside a word": ("Ann", "banner"),
    "Korean syllable": ("김처", "김철수"),
    "Japanese sound": ("カ", "\uff76\uff9e"),
    "short Arabic word": ("علي", "عليه"),
    "Arabic letters that are no particle": ("حسن", "تحسن"),
}


@pytest.mark.parametrize("case", SAME)
def test_same_value(case: str) -> None:
    assert _is_in(*SAME[case])


@pytest.mark.parametrize("case", OTHER)
def test_other_value(case: str) -> None:
    assert not _is_in(*OTHER[case])


def test_offsets_lead_back() -> None:
    text = "x\u200bGri\ufb03th 김"
    low, offsets = fold_in_place(text)
    assert len(low) == len(offsets)
    assert low == fold(text)
    assert text[offsets[low.index("griffith")] : offsets[low.index("th") + 1] + 1] == "Gri\ufb03th"


def test_short_values_are_not_cut() -> None:
    assert [can_be_cut(value) for value in ("123456", "1234567", "anna", "annas", "田中")] == [
        False,
        True,
        False,
        True,
        True,
    ]
