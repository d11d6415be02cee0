"""How the synthetic report writes about a participant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta

import numpy as np

from reidrisk.demo.entity import pick
from reidrisk.demo.study.cohort import COUNTRIES, RACES, Event, Participant, TrialIllness
from reidrisk.demo.study.elements import IdentifierKind, MarkedValue, Part

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def day_writings(day: date) -> tuple[str, ...]:
    """Written forms of a complete date; all of them show clearly which number is the month.

    >>> day_writings(date(2019, 3, 2))[:3]
    ('02MAR2019', '2 March 2019', '02-Mar-2019')
    """
    month = _MONTHS[day.month - 1]
    return (
        f"{day.day:02d}{month[:3].upper()}{day.year}",
        f"{day.day} {month} {day.year}",
        f"{day.day:02d}-{month[:3]}-{day.year}",
        day.isoformat(),
        f"{month} {day.day}, {day.year}",
        f"{day.day:02d} {month[:3]} {day.year}",
    )


def month_writings(iso: str) -> tuple[str, ...]:
    """Written forms of a date without a day.

    >>> month_writings("2014-06")
    ('June 2014', 'Jun 2014', '2014-06', 'JUN2014')
    """
    year, month = iso.split("-")
    name = _MONTHS[int(month) - 1]
    return f"{name} {year}", f"{name[:3]} {year}", iso, f"{name[:3].upper()}{year}"


def iso_writings(iso: str) -> tuple[str, ...]:
    """Written forms of an ISO 8601 date, complete or partial."""
    if len(iso) == 4:
        return (iso,)
    return month_writings(iso) if len(iso) == 7 else day_writings(date.fromisoformat(iso))


def spell_number(number: int) -> str:
    """A number below a hundred in words.

    >>> spell_number(54), spell_number(60), spell_number(19)
    ('fifty-four', 'sixty', 'nineteen')
    """
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")


def article(number: int) -> str:
    """The article before a number.

    >>> article(81), article(18), article(54)
    ('an', 'an', 'a')
    """
    return "an" if number in (8, 11, 18) or 80 <= number <= 89 else "a"


_NOUNS = {"F": ("woman", "female"), "M": ("man", "male")}
_WORDS = {"F": ("Female", "F"), "M": ("Male", "M")}


class Voice(Mapping[str, Part]):
    """Values of template fields such as `{id}`, `{age}`, `{onset}` for one participant, event and illness.

    `{trap}` is the same number as the age, but with another meaning, such as a dose.
    """

    def __init__(
        self,
        one: Participant,
        *,
        rng: np.random.Generator,
        event: Event | None = None,
        illness: TrialIllness | None = None,
    ) -> None:
        self.one, self._rng = one, rng
        self._event, self._illness = event, illness
        self._parts = _PLAIN | (_EVENT if event else {}) | (_HISTORY if illness else {})

    def __getitem__(self, name: str) -> Part:
        return self._parts[name](self)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def mark(self, text: str, kind: IdentifierKind, variable: str | None) -> MarkedValue:
        """A marked value of this participant."""
        return MarkedValue(text, kind, variable, (self.one.row,))

    def day(self, day: date, variable: str | None) -> MarkedValue:
        """A date in one of its written forms."""
        return self.mark(pick(day_writings(day), rng=self._rng), "date", variable)

    def dtc(self, iso: str, variable: str) -> MarkedValue:
        """An ISO 8601 date, complete or partial, in one of its written forms."""
        return self.mark(pick(iso_writings(iso), rng=self._rng), "date", variable)

    def one_of(self, texts: tuple[str, ...], variable: str) -> MarkedValue:
        """A quasi-identifier in one of its written forms."""
        return self.mark(pick(texts, rng=self._rng), "quasi", variable)

    @property
    def event(self) -> Event:
        """The event that the text is about."""
        assert self._event is not None  # noqa: S101 - fields of events are only offered with one
        return self._event

    @property
    def illness(self) -> TrialIllness:
        """The illness that the text is about."""
        assert self._illness is not None  # noqa: S101 - as above
        return self._illness

    def years(self) -> MarkedValue:
        """The age as a number, sometimes in words."""
        return self.one_of((str(self.one.age),) * 4 + (spell_number(self.one.age),), "AGE")


def _number(voice: Voice) -> Part:
    return voice.mark(voice.one.subject, "id", "SUBJID")


def _tail(voice: Voice) -> Part:
    return voice.mark(f"{voice.one.site.number}-{voice.one.subject}", "id", "USUBJID")


def _age_phrase(voice: Voice) -> Part:
    return f"{article(voice.one.age)} ", voice.years(), "-year-old"


def _scan(voice: Voice) -> Part:
    """A day that is in the report but not in the data."""
    return voice.day(voice.event.start + timedelta(days=1), None)


def _initials(voice: Voice) -> Part:
    plain = voice.one.initials
    return voice.mark(pick((plain, ".".join(plain) + "."), rng=voice._rng), "id", "SUBJINIT")


def _term(voice: Voice) -> Part:
    verbatim = voice.event.verbatim
    text = verbatim if verbatim[:2].isupper() else verbatim[0].lower() + verbatim[1:]
    return voice.mark(text, "event", "AETERM")


def _end_of_event(voice: Voice) -> Part:
    end = voice.event.end
    return (
        "the event was ongoing at the last contact"
        if end is None
        else ("the event had resolved by ", voice.day(end, "AEENDTC"))
    )


_PLAIN: dict[str, Callable[[Voice], Part]] = {
    "id": lambda voice: voice.mark(voice.one.name, "id", "USUBJID"),
    "number": _number,
    "tail": _tail,
    "initials": _initials,
    "age": lambda voice: voice.mark(str(voice.one.age), "quasi", "AGE"),
    "years": Voice.years,
    "old": _age_phrase,
    "person": lambda voice: voice.one_of(_NOUNS[voice.one.sex], "SEX"),
    "sex": lambda voice: voice.one_of(_WORDS[voice.one.sex][:1], "SEX"),
    "s": lambda voice: voice.mark(voice.one.sex, "quasi", "SEX"),
    "race": lambda voice: voice.one_of(RACES[voice.one.race], "RACE"),
    "r": lambda voice: voice.mark(voice.one.race, "quasi", "RACE"),
    "country": lambda voice: voice.one_of(COUNTRIES[voice.one.site.country], "COUNTRY"),
    "code": lambda voice: voice.mark(voice.one.site.country, "quasi", "COUNTRY"),
    "site": lambda voice: voice.mark(voice.one.site.number, "quasi", "SITEID"),
    "hospital": lambda voice: voice.mark(voice.one.site.name, "id", "SITENAM"),
    "birth": lambda voice: voice.dtc(voice.one.birth, "BRTHDTC"),
    "first_dose": lambda voice: voice.day(voice.one.first_dose, "RFSTDTC"),
    "last_dose": lambda voice: voice.day(voice.one.last_dose, "RFENDTC"),
    "death": lambda voice: voice.day(voice.one.death or voice.one.last_dose, "DTHDTC"),
    "trap": lambda voice: str(voice.one.age),
    "arm": lambda voice: voice.one.arm,
}
_EVENT: dict[str, Callable[[Voice], Part]] = {
    "event": _term,
    "coded": lambda voice: voice.mark(voice.event.trouble.term, "event", "AEDECOD"),
    "onset": lambda voice: voice.day(voice.event.start, "AESTDTC"),
    "ended": _end_of_event,
    "scan": _scan,
    "stop": lambda voice: voice.day(voice.event.end, "AEENDTC") if voice.event.end else "Ongoing",
    "day": lambda voice: str((voice.event.start - voice.one.first_dose).days + 1),
    "gap": lambda voice: str(((voice.one.death or voice.event.start) - voice.event.start).days),
    "bottle": lambda voice: str(int(voice._rng.integers(100, 999))),
    "severity": lambda voice: voice.event.severity.lower(),
}
_HISTORY: dict[str, Callable[[Voice], Part]] = {
    "illness": lambda voice: voice.mark(
        voice.illness.verbatim[0].lower() + voice.illness.verbatim[1:], "event", "MHTERM"
    ),
    "known": lambda voice: voice.mark(voice.illness.term, "event", "MHDECOD"),
    "since": lambda voice: voice.dtc(voice.illness.start, "MHSTDTC"),
}
