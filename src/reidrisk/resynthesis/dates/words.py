"""Names of months, weekdays, seasons and holidays in several languages."""

from __future__ import annotations

from functools import cache

_MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "jan feb mar apr may june july aug sept oct nov dec",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jan feb mär apr mai jun jul aug sep okt nov dez",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ene feb mar abr may jun jul ago sep oct nov dic",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
)
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "mon tue wed thu fri sat sun",
    "mon tues wed thurs fri sat sun",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lunes martes miércoles jueves viernes sábado domingo",
    "mo di mi do fr sa so",
)
_SEASONS = (
    "winter spring summer fall",
    "winter spring summer autumn",
    "hiver printemps été automne",
    "winter frühling sommer herbst",
    "invierno primavera verano otoño",
)
HOLIDAYS = (
    "new year's day",
    "valentine's day",
    "easter",
    "mother's day",
    "memorial day",
    "independence day",
    "labor day",
    "columbus day",
    "halloween",
    "thanksgiving",
    "christmas",
    "new year's eve",
)
CYCLES: dict[str, tuple[str, ...]] = {
    "month": _MONTHS,
    "weekday": _WEEKDAYS,
    "season": _SEASONS,
}


@cache
def _table(cycle: str) -> dict[str, tuple[int, tuple[str, ...]]]:
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for line in CYCLES[cycle]:
        names = tuple(line.split())
        for number, name in enumerate(names):
            found.setdefault(name, (number, names))
    return found


def place_of(cycle: str, word: str) -> int | None:
    """The number of a month, weekday or season, starting at 0; None for other words."""
    entry = _table(cycle).get(word.casefold())
    return None if entry is None else entry[0]


def write_like(cycle: str, like: str, number: int) -> str:
    """Another month, weekday or season in the language, length and case of a given word.

    >>> write_like("month", "SEPT", 9), write_like("month", "März", 4), write_like("weekday", "Tue", 6)
    ('OCT', 'Mai', 'Sun')
    """
    names = _table(cycle)[like.casefold()][1]
    return in_case_of(like, names[number % len(names)])


def in_case_of(like: str, word: str) -> str:
    """A word in the case of another word: upper case, lower case or capitalized."""
    if len(like) > 1 and like.isupper():
        return word.upper()
    if like[:1].isupper():
        return word[:1].upper() + word[1:]
    return word.lower() if like.islower() else word


def names_of(cycle: str) -> tuple[str, ...]:
    """Every name, longest first, for use in patterns."""
    return tuple(sorted(_table(cycle), key=lambda name: (-len(name), name)))
