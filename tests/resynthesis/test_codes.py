from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.resynthesis.codes import CHECKS, permute_code, surrogate_code
from reidrisk.resynthesis.keyed_draw import KeyedDraw

KEYED = KeyedDraw(b"a key of thirty-two bytes, for us")
LUHN, NHS, DNI, SSN, IP = CHECKS


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 400), st.text(max_size=4))
def test_a_permutation_takes_no_place_twice(size: int, name: str) -> None:
    assert sorted(KEYED.permute(value, size, name) for value in range(size)) == list(range(size))


def test_codes_of_one_form_never_become_the_same() -> None:
    codes = [f"A{number:03d}" for number in range(1000)]
    assert len({permute_code(KEYED, code, "x") for code in codes}) == 1000
    numbers = [str(number) for number in range(100, 1000)]
    assert {permute_code(KEYED, number, "x") for number in numbers} == set(numbers)


@settings(max_examples=60, deadline=None)
@given(st.from_regex(r"[A-Za-z0-9 ./-]{1,60}", fullmatch=True))
def test_the_form_stays(code: str) -> None:
    new = permute_code(KEYED, code, "x")
    assert len(new) == len(code)
    for old, sign in zip(code, new, strict=True):
        assert (old.isdigit(), old.isupper(), old.islower()) == (
            sign.isdigit(),
            sign.isupper(),
            sign.islower(),
        )
        assert old.isalnum() or old == sign


def test_check_digits_still_hold() -> None:
    for check, code in (
        (LUHN, "4532015112830366"),
        (NHS, "943 476 5919"),
        (DNI, "12345678Z"),
        (SSN, "219-09-9999"),
        (IP, "192.168.1.10"),
    ):
        assert check(code)
        new = surrogate_code(KEYED, code, "code", accepts=lambda _: True)
        assert new is not None
        assert new != code
        assert check(new)
    assert not any(check("000-12-3456") for check in (SSN, NHS, DNI, IP))


def test_what_cannot_change_is_said_to() -> None:
    assert surrogate_code(KEYED, "--", "code", accepts=lambda _: True) is None
    assert surrogate_code(KEYED, "7", "code", accepts=lambda _: False) is None
    assert "…" in repr(KEYED)
