"""Surrogates for phone numbers, email and web addresses, user names and postal codes."""

from __future__ import annotations

import re

from reidrisk.resynthesis.codes import surrogate_code
from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.names import NameBook, new_name
from reidrisk.resynthesis.places import new_word
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.vocabulary import FIRST, SURNAME, name_lists, word_list

_RUN = re.compile(r"[^\W\d_]+|\d+")
_LONGEST_SHORT = 2
"""Up to this many letters are initials or endings, not words."""
_KEPT = word_list(
    "http https www com org net edu gov mil int info biz html htm php index mailto ftp de uk fr es"
)
_PROVIDERS = word_list("gmail yahoo hotmail outlook aol icloud live msn comcast protonmail googlemail")
_NORTH_AMERICAN = re.compile(
    r"(?P<code>\+?1[\s.-]{0,2})?\(?[2-9]\d\d\)?[\s./-]{0,3}[2-9]\d\d[\s.-]{0,2}\d{4}"
)
_COUNTRY = re.compile(r"\+\d{1,2}|00\d{2}(?=\D{0,3}(?:\d\D{0,2}){7})|0(?=\d)")


def phone(value: str, draw: Draw) -> str:
    """A phone number of the same form: country code and leading zeros stay, area codes stay valid."""
    american = _NORTH_AMERICAN.match(value.strip())
    head = (american["code"] or "") if american else (_COUNTRY.match(value) or [""])[0]
    start = value.find(head) + len(head) if head else 0
    digits = "".join(sign for sign in value[start:] if sign.isdigit())
    if not digits:
        return draw.code(value, "phone") or value

    def accepts(new: str) -> bool:
        possible = not american or (new[0] in "23456789" and new[3] in "23456789" and new[1:3] != "11")
        return possible and draw.is_new(_fill_digits(value, start, new))

    new = surrogate_code(draw.keyed, digits, f"phone {draw.scope}", accepts=accepts)
    return _fill_digits(value, start, new or draw.code(digits, "phone") or digits)


def _fill_digits(value: str, start: int, digits: str) -> str:
    """The value with new digits and the same other characters."""
    rest = iter(digits)
    return value[:start] + "".join(next(rest, sign) if sign.isdigit() else sign for sign in value[start:])


def mail(value: str, draw: Draw, book: NameBook) -> str:
    """An email or web address: names match the document's surrogates, providers and endings stay."""
    local, at, domain = value.rpartition("@")
    if at:
        return _replace_words(local, draw, book) + at + _domain(domain, draw)
    return _domain(value, draw)


def user(value: str, draw: Draw, book: NameBook) -> str:
    """A user name: names in it match the document's surrogate names."""
    return _replace_words(value, draw, book)


def _replace_words(value: str, draw: Draw, book: NameBook) -> str:
    def new(match: re.Match[str]) -> str:
        word = match[0]
        if word.isdigit():
            return draw.code(word, "digits") or word
        if len(word) <= _LONGEST_SHORT:
            return draw.code(word, "letters") or word
        role = book.role_of(word) or (FIRST if name_lists().home(word, FIRST)[2] else SURNAME)
        return in_case_of(
            word, plain(new_name(word, role, draw)).replace(" ", "").replace("'", "").replace("-", "")
        )

    return _RUN.sub(new, value)


def _domain(value: str, draw: Draw) -> str:
    def new(match: re.Match[str]) -> str:
        word = match[0]
        if word.isdigit():
            return draw.code(word, "digits") or word
        if word.casefold() in _KEPT or word.casefold() in _PROVIDERS or len(word) <= _LONGEST_SHORT:
            return word
        return in_case_of(word, new_word(word, draw, "head"))

    return _RUN.sub(new, value)


def postal_code(value: str, draw: Draw, *, near: bool) -> str:
    """Another postal code; if `near`, the first character, which is the region, stays."""
    stay = 1 if near and len(value) > 2 else 0
    new = surrogate_code(
        draw.keyed,
        value[stay:],
        f"zip {value[:stay]} {draw.scope}",
        accepts=lambda one: draw.is_new(value[:stay] + one),
    )
    return value[:stay] + (new or draw.code(value[stay:], "zip") or value[stay:])
