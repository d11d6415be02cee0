"""Every value of one document gets its surrogate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reidrisk.resynthesis import contacts, places
from reidrisk.resynthesis.ages import move_age, years_of
from reidrisk.resynthesis.dates.shift import DateShift, offset_of
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.kinds import Kind, kind_of
from reidrisk.resynthesis.names import NameBook
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.settings import ResynthesisSettings

FILLER = "X"
"""For a value without any letter or digit that could change."""


@dataclass(frozen=True, slots=True)
class Value:
    """What was found: its type and its text."""

    type: str
    text: str

    def __repr__(self) -> str:
        return f"Value({self.type!r}, …)"


class Surrogates:
    """The surrogates of one document of one person. Nothing in other documents changes them."""

    def __init__(
        self, values: Iterable[Value], person: str, *, draw: Draw, settings: ResynthesisSettings
    ) -> None:
        found = list(values)
        self._settings = settings
        self._draw = draw.within(person if settings.names == "person" else "")
        self._book = NameBook((one.text for one in found if kind_of(one.type) == "name"), self._draw)
        dates = [one.text for one in found if kind_of(one.type) == "date"]
        offset = offset_of(person, draw.secret, draw.real, settings)
        self._dates = DateShift(offset, dates, settings)
        self._years = years_of(person, draw.secret, settings)
        self._make = self._makers()

    def of(self, value: Value) -> str:
        """The surrogate, which is never the value itself."""
        new = self._make[kind_of(value.type)](value.text)
        if new is not None and plain(new) != plain(value.text):
            return new
        return self._draw.code(value.text, value.type) or FILLER * len(value.text)

    def _makers(self) -> dict[Kind, Callable[[str], str | None]]:
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
            "words": self._judged,
        }

    def _judged(self, text: str) -> str | None:
        """A type of the user's own: what looks like a date moves, numbers are codes, words are words."""
        if any(sign.isdigit() for sign in text):
            return self._dates.move(text) or self._draw.code(text, "code")
        return places.other(text, self._draw)
