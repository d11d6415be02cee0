"""Check digits and ranges that show whether a number is valid."""

from __future__ import annotations

import re
from collections.abc import Callable

Proof = Callable[[str], bool]
Weigh = Callable[[re.Match[str]], float | None]
LETTERS_OF_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_NOT_ALNUM = re.compile(r"[\W_]+")
_VIN_VALUES = {
    **{str(digit): digit for digit in range(10)},
    **dict(zip("ABCDEFGH", range(1, 9), strict=True)),
    **dict(zip("JKLMN", range(1, 6), strict=True)),
    "P": 7,
    "R": 9,
    **dict(zip("STUVWXYZ", range(2, 10), strict=True)),
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def plain(value: str) -> str:
    """Letters and digits only, in capitals."""
    return _NOT_ALNUM.sub("", value).upper()


def luhn(digits: str) -> bool:
    """Payment cards, US NPI with its prefix, Canadian social insurance numbers.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0


def npi(digits: str) -> bool:
    """US national provider identifier: ten digits, Luhn after the prefix 80840.

    >>> npi("1234567893"), npi("1234567890")
    (True, False)
    """
    return len(digits) == 10 and digits[0] in "12" and luhn("80840" + digits)


def nhs(digits: str) -> bool:
    """NHS number of England and Wales: modulus 11.

    >>> nhs("9434765919"), nhs("9434765918")
    (True, False)
    """
    if len(digits) != 10:
        return False
    remainder = (
        11 - sum(int(digit) * weight for digit, weight in zip(digits, range(10, 1, -1), strict=False)) % 11
    )
    return remainder % 11 == int(digits[9])


def dni(value: str) -> bool:
    """Spanish DNI, or NIE with its first letter read as a digit.

    >>> dni("12345678Z"), dni("X1234567L"), dni("12345678A")
    (True, True, False)
    """
    number = value[:-1]
    if number[0] in "XYZ":
        number = str("XYZ".index(number[0])) + number[1:]
    return value[-1] == LETTERS_OF_DNI[int(number) % 23]


def dea(value: str) -> bool:
    """US DEA registration: two letters and seven digits, the last computed from the others.

    >>> dea("AB1234563"), dea("AB1234560")
    (True, False)
    """
    digits = [int(digit) for digit in value[2:]]
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def iban(value: str) -> bool:
    """International bank account number: modulus 97.

    >>> iban("GB82WEST12345698765432"), iban("GB82WEST12345698765431")
    (True, False)
    """
    rotated = value[4:] + value[:4]
    return int("".join(str(int(character, 36)) for character in rotated)) % 97 == 1


def vin(value: str) -> bool:
    """Vehicle identification number with its check digit.

    >>> vin("1M8GDM9AXKP042788"), vin("1M8GDM9A1KP042788")
    (True, False)
    """
    if len(value) != 17 or any(character not in _VIN_VALUES for character in value):
        return False
    total = sum(
        _VIN_VALUES[character] * weight for character, weight in zip(value, _VIN_WEIGHTS, strict=True)
    )
    return value[8] == "0123456789X"[total % 11]


def ssn(digits: str) -> bool:
    """US social security number: areas, groups and serials that are never issued are rejected.

    >>> ssn("123456789"), ssn("000456789"), ssn("123006789")
    (True, False, False)
    """
    return digits[:3] not in ("000", "666") and digits[3:5] != "00" and digits[5:] != "0000"


def nanp(digits: str) -> bool:
    """North American phone number: area code and exchange start with 2 to 9.

    >>> nanp("2125550123"), nanp("12125550123"), nanp("1125550123")
    (True, True, False)
    """
    if len(digits) == 11 and digits[0] == "1":
        digits = digits[1:]
    return len(digits) == 10 and digits[0] not in "01" and digits[3] not in "01"
