"""A surrogate for each finding, depending on its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reidrisk.resynthesis import places
from reidrisk.resynthesis.codes import surrogate_code
from reidrisk.resynthesis.dates.shift import DateShift, date_offset
from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.names import NameBook, new_name
from reidrisk.resynthesis.places import new_word
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.vocabulary import FIRST, SURNAME, name_lists, word_list

SurrogateKind = Literal[
    "name", "date", "age", "code", "phone", "mail", "user", "address", "town", "state", "country", "zip",
    "organization", "profession", "words",
]  # fmt: skip
_TYPES: dict[SurrogateKind, str] = {
    "name": "NAME PATIENT DOCTOR PERSON NAME_PATIENT NAME_DOCTOR NAME_RELATIVE NAME_EXT NAME_OTHER "
    "NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO HCPNAME PTNAME PTNAMEINITIAL RELATIVEPROXYNAME",
    "date": "DATE DATETIME DATE_TIME FECHAS DATEYEAR DOB",
    "age": "AGE EDAD_SUJETO_ASISTENCIA",
    "phone": "PHONE FAX PHONE_NUMBER FAX_NUMBER CONTACT_PHONE CONTACT_FAX NUMERO_TELEFONO NUMERO_FAX",
    "mail": "EMAIL URL EMAIL_ADDRESS WEB_URL DOMAIN_NAME CONTACT_EMAIL CONTACT_URL CORREO_ELECTRONICO "
    "URL_WEB",
    "user": "USERNAME NAME_USERNAME",
    "address": "STREET LOCATION_STREET STREET_ADDRESS CALLE",
    "town": "CITY LOCATION_CITY LOCATION LOC GPE TERRITORIO LOCATION-OTHER LOCATION_OTHER "
    "GEOGRAPHIC_LOCATION",
    "state": "STATE LOCATION_STATE",
    "country": "COUNTRY LOCATION_COUNTRY PAIS",
    "zip": "ZIP LOCATION_ZIP ZIP_CODE",
    "organization": "HOSPITAL ORGANIZATION DEPARTMENT ROOM ORG LOCATION_HOSPITAL LOCATION_ORGANIZATION "
    "INSTITUCION CENTRO_SALUD",
    "profession": "PROFESSION PROFESION",
    "code": "SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM IPADDR ID CODE US_SSN "
    "IP_ADDRESS MAC_ADDRESS CREDIT_CARD IBAN_CODE CONTACT",
}


@lru_cache(maxsize=4096)
def kind_of(type_: str) -> SurrogateKind:
    """The kind of a type in the public schemes; unknown types are guessed from their name.

    >>> kind_of("PATIENT"), kind_of("FECHAS"), kind_of("US_SSN"), kind_of("PET")
    ('name', 'date', 'code', 'words')
    """
    upper = type_.upper()
    for kind, types in _TYPES.items():
        if upper in types.split():
            return kind
    return "code" if any(part in upper for part in ("NUMBER", "NUMERO", "ID_", "_ID", "IDENTIF")) else "words"


FILLER = "X"
"""Replacement for a value without any letter or digit that could change."""


@dataclass(frozen=True, slots=True)
class FoundValue:
    """The type and text of a finding."""

    type: str
    text: str

    def __repr__(self) -> str:
        return f"FoundValue({self.type!r}, …)"


class Surrogates:
    """The surrogates of one document of one person. They do not depend on other documents."""

    def __init__(
        self, values: Iterable[FoundValue], person: str, *, draw: Draw, settings: ResynthesisSettings
    ) -> None:
        found = list(values)
        self._settings = settings
        self._draw = draw.within(person if settings.names == "person" else "")
        self._book = NameBook((one.text for one in found if kind_of(one.type) == "name"), self._draw)
        dates = [one.text for one in found if kind_of(one.type) == "date"]
        offset = date_offset(person, draw.keyed, settings.date_days, keep_weekday=settings.keep_weekday)
        self._dates = DateShift(offset, dates, settings)
        self._years = years_of(person, draw.keyed, settings)
        self._make = self._makers()

    def of(self, value: FoundValue) -> str:
        """The surrogate of a value; never the value itself."""
        new = self._make[kind_of(value.type)](value.text)
        if new is not None and plain(new) != plain(value.text):
            return new
        return self._draw.code(value.text, value.type) or FILLER * len(value.text)

    def _makers(self) -> dict[SurrogateKind, Callable[[str], str | None]]:
        draw, book, settings = self._draw, self._book, self._settings
        near = settings.places == "region"
        return {
            "name": book.surrogate,
            "date": self._dates.move,
            "age": lambda text: move_age(text, self._years, settings),
            "phone": lambda text: phone(text, draw),
            "mail": lambda text: mail(text, draw, book),
            "user": lambda text: user(text, draw, book),
            "zip": lambda text: postal_code(text, draw, near=near),
            "state": lambda text: places.state(text, draw, near=near),
            "country": lambda text: places.country(text, draw, near=near),
            "town": lambda text: places.town(text, draw, near=near),
            "address": lambda text: places.street(text, draw),
            "organization": lambda text: places.organization(text, draw),
            "profession": lambda text: places.profession(text, draw),
            "code": lambda text: draw.code(text, "code"),
            "words": self._by_look,
        }

    def _by_look(self, text: str) -> str | None:
        """For unknown types: dates are shifted, numbers are replaced as codes, words as words."""
        if any(sign.isdigit() for sign in text):
            return self._dates.move(text) or self._draw.code(text, "code")
        return places.other(text, self._draw)


_UNITS = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_SPELLED = {word: number for number, word in enumerate(_UNITS)} | {
    f"{ten}{join}{unit}" if unit else ten: 20 + 10 * at + number
    for at, ten in enumerate(_TENS)
    for number, unit in enumerate(["", *_UNITS[1:10]])
    for join in ("-", " ")
}
_AGE = re.compile(
    r"(?<!\d)\d{1,3}(?!\d)|\b(?:" + "|".join(sorted(_SPELLED, key=len, reverse=True)) + r")\b", re.IGNORECASE
)
_ADULT = 18


def years_of(person: str, keyed: KeyedDraw, settings: ResynthesisSettings) -> int:
    """The number of years by which the person's ages shift; never 0."""
    drawn = keyed.below(2 * settings.age_years, "age", person) - settings.age_years
    return drawn if drawn < 0 else drawn + 1


def move_age(value: str, years: int, settings: ResynthesisSettings) -> str | None:
    """The value with its ages shifted; None if it contains no age.

    Children stay children and adults stay adults; nobody becomes older than the top age.

    >>> move_age("seventy-two", 2, ResynthesisSettings()), move_age("94-year-old", 2, ResynthesisSettings())
    ('seventy-four', '87-year-old')
    """
    text, count = _AGE.subn(lambda match: _shift(match[0], years, settings), value)
    return text if count else None


def _shift(text: str, years: int, settings: ResynthesisSettings) -> str:
    age = int(text) if text.isdigit() else _SPELLED[text.casefold()]
    new = _new_age(age, years, settings)
    if text.isdigit():
        return f"{new:0{len(text) if text.startswith('0') else 1}d}"
    words = _in_words(new)
    return in_case_of(text, words if "-" in text or " " not in text else words.replace("-", " "))


def _new_age(age: int, years: int, settings: ResynthesisSettings) -> int:
    if age > settings.age_top:
        return settings.age_top - abs(years)
    for new in (age + years, age - years):
        same_stage = (new < _ADULT) == (age < _ADULT)
        if 0 < new <= settings.age_top and same_stage:
            return new
    return age + 1 if age + 1 <= settings.age_top else age - 1


def _in_words(number: int) -> str:
    if number < len(_UNITS):
        return _UNITS[number]
    ten, unit = divmod(number, 10)
    if ten - 2 >= len(_TENS):
        return str(number)
    return f"{_TENS[ten - 2]}-{_UNITS[unit]}" if unit else _TENS[ten - 2]


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
