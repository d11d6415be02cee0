"""The many ways in which reports write one value."""

from __future__ import annotations

from datetime import date

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
    """A whole date; no writing leaves open which number is the month.

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
    """A date of which the day is unknown.

    >>> month_writings("2014-06")
    ('June 2014', 'Jun 2014', '2014-06', 'JUN2014')
    """
    year, month = iso.split("-")
    name = _MONTHS[int(month) - 1]
    return f"{name} {year}", f"{name[:3]} {year}", iso, f"{name[:3].upper()}{year}"


def iso_writings(iso: str) -> tuple[str, ...]:
    """A date of ISO 8601, whole or partial."""
    if len(iso) == 4:
        return (iso,)
    return month_writings(iso) if len(iso) == 7 else day_writings(date.fromisoformat(iso))


def spelled(number: int) -> str:
    """A number below a hundred in words.

    >>> spelled(54), spelled(60), spelled(19)
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
