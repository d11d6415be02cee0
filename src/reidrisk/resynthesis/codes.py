"""Surrogates for numbers and codes: a keyed permutation of all codes of the same form."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from math import prod

from reidrisk.resynthesis.keyed_draw import KeyedDraw

CHUNK = 24
"""Characters permuted at once; longer codes are split into pieces."""
BLOCK = 32
"""Letters of other scripts are swapped with neighbors in the Unicode table, in blocks of this size."""
DIGITS, UPPER, LOWER = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
Accepts = Callable[[str], bool]


@lru_cache(maxsize=4096)
def alphabet_of(sign: str) -> str:
    """The characters that may replace one: digits for a digit, letters of the same case for a letter."""
    for alphabet in (DIGITS, UPPER, LOWER):
        if sign in alphabet:
            return alphabet
    if not sign.isalnum():
        return sign
    first = ord(sign) // BLOCK * BLOCK
    kind = unicodedata.category(sign)
    return "".join(
        chr(code) for code in range(first, first + BLOCK) if unicodedata.category(chr(code)) == kind
    )


def permute_code(keyed: KeyedDraw, code: str, *names: str | int) -> str:
    """Another code of the same form: same length, digits and letters in the same places, the rest unchanged.

    Two codes of one form never get the same surrogate. A number without a leading 0 stays without one.
    """
    pieces = [code[at : at + CHUNK] for at in range(0, len(code), CHUNK)]
    return "".join(_piece(keyed, piece, number, *names) for number, piece in enumerate(pieces))


def _piece(keyed: KeyedDraw, code: str, *names: str | int) -> str:
    alphabets = [alphabet_of(sign) for sign in code]
    size = prod(len(alphabet) for alphabet in alphabets)
    if size == 1:
        return code
    form = "".join(alphabet[0] for alphabet in alphabets)
    value = 0
    for sign, alphabet in zip(code, alphabets, strict=True):
        value = value * len(alphabet) + alphabet.index(sign)
    zero = _leads_with_zero(code)
    while True:  # ends, because the permutation cycles back to the code itself
        value = keyed.permute(value, size, "code", form, *names)
        new = _spell(value, alphabets)
        if zero or not _leads_with_zero(new):
            return new


def _leads_with_zero(code: str) -> bool:
    first = next((sign for sign in code if sign.isalnum()), "")
    return first == "0"


def _spell(value: int, alphabets: list[str]) -> str:
    signs = []
    for alphabet in reversed(alphabets):
        value, at = divmod(value, len(alphabet))
        signs.append(alphabet[at])
    return "".join(reversed(signs))


def surrogate_code(
    keyed: KeyedDraw, code: str, kind: str, *, accepts: Accepts, tries: int = 300
) -> str | None:
    """The first accepted code of the same form; None if there is none.

    If the original has a valid check digit, so does the surrogate, as long as one of the tries produces it.
    """
    checks = [check for check in CHECKS if check(code)]
    found: str | None = None
    for names in keyed.tries(tries, "code of", kind):
        new = permute_code(keyed, code, *names)
        if new != code and accepts(new):
            if all(check(new) for check in checks):
                return new
            found = found or new
    return found


def _luhn(code: str) -> bool:
    """Luhn check: credit cards, US provider numbers, Canadian and Swedish personal numbers."""
    digits = [int(sign) for sign in code if sign in DIGITS]
    if len(digits) < 8:
        return False
    doubled = [2 * digit - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _modulus_11(code: str) -> bool:
    """UK NHS numbers."""
    digits = [int(sign) for sign in code if sign in DIGITS]
    if len(digits) != 10 or any(sign.isalpha() for sign in code):
        return False
    weighted = sum(weight * digit for weight, digit in zip(range(10, 1, -1), digits, strict=False))
    return (11 - weighted % 11) % 11 == digits[9]


def _letter_23(code: str) -> bool:
    """Spanish DNI and NIE numbers."""
    plain = code.replace("-", "").replace(" ", "").upper()
    if len(plain) != 9 or not plain[1:8].isdigit() or plain[0] not in f"{DIGITS}XYZ":
        return False
    number = int(f"{'XYZ'.find(plain[0]) if plain[0] in 'XYZ' else plain[0]}{plain[1:8]}")
    return plain[8] == "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]


def _social_security(code: str) -> bool:
    """US social security numbers that can have been issued."""
    digits = "".join(sign for sign in code if sign in DIGITS)
    if len(digits) != 9 or any(sign.isalpha() for sign in code):
        return False
    return (
        digits[:3] not in ("000", "666") and digits[0] != "9" and digits[3:5] != "00" and digits[5:] != "0000"
    )


def _internet_address(code: str) -> bool:
    """IPv4 addresses: four numbers below 256."""
    parts = code.split(".")
    return len(parts) == 4 and all(part.isdecimal() and int(part) < 256 for part in parts)


CHECKS: tuple[Accepts, ...] = (_luhn, _modulus_11, _letter_23, _social_security, _internet_address)
