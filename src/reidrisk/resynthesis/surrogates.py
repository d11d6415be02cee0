"""A surrogate for each finding, depending on its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reidrisk.resynthesis import contacts, places
from reidrisk.resynthesis.ages import move_age, years_of
from reidrisk.resynthesis.dates.shift import DateShift, offset_of
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.names import NameBook
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.settings import ResynthesisSettings

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
        offset = offset_of(person, draw.keyed, draw.real, settings)
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
            "phone": lambda text: contacts.phone(text, draw),
            "mail": lambda text: contacts.mail(text, draw, book),
            "user": lambda text: contacts.user(text, draw, book),
            "zip": lambda text: contacts.postal_code(text, draw, near=near),
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
