"""How probabilities, counts and paths are written in messages and views."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10
from typing import Any
from unicodedata import category

NEARLY_ZERO = "nearly zero"
"""Instead of digits that no sample and no model can give."""


def probability(value: float) -> str:
    """Four decimals, or two significant digits for numbers too small for that, but no exponents.

    >>> [probability(p) for p in (0.2, 0.0384, 0.00055, 2.7e-09, 0.0)]
    ['0.2000', '0.0384', '0.00055', 'nearly zero', '0']
    """
    if value == 0:
        return f"{abs(value):.0f}"
    if abs(value) >= 0.00095:
        return f"{value:.4f}"
    if abs(value) < 1e-6:
        return NEARLY_ZERO
    return f"{value:.{1 - floor(log10(abs(value)))}f}"


def plural(number: int, noun: str) -> str:
    """A number followed by its noun, in the plural unless the number is 1.

    >>> plural(1, "document"), plural(2000, "document")
    ('1 document', '2,000 documents')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def path_text(path: object) -> str:
    """A path as text that can always be printed; file names may contain any bytes.

    >>> path_text("a\\udcff.csv")
    'a\\\\udcff.csv'
    """
    return str(path).encode("utf-8", "backslashreplace").decode()


def one_line(text: str) -> str:
    """A text that somebody else may have written, without line breaks and signs that a terminal obeys.

    >>> one_line("Ann\\nVERIFIED\\x1b[2J")
    'Ann?VERIFIED?[2J'
    """
    return "".join("?" if category(letter).startswith("C") else letter for letter in text)


def percent(share: float) -> str:
    """A share as a percentage for sentences.

    >>> [percent(share) for share in (0.18809, 0.0062, 0.0000034, 0, 1, 0.99997, 1e-90)]
    ['18.8 %', '0.62 %', '0.00034 %', '0 %', '100 %', '99.997 %', 'less than 0.000001 %']
    """
    value = 100 * share
    if value in (0, 100):
        return f"{value:.0f} %"
    if value > 99.9:
        return f"{value:.6f}".rstrip("0").rstrip(".") + " %"
    if value >= 0.995:
        return f"{value:.1f} %"
    return f"{two_digits(value)} %" if value >= 1e-6 else "less than 0.000001 %"


def two_digits(value: float) -> str:
    """A small number with two significant digits, and never with an exponent.

    >>> [two_digits(value) for value in (0.0000184, 0.00003, 0.62, 0.5)]
    ['0.000018', '0.00003', '0.62', '0.5']
    """
    if value >= 1e-4:
        return f"{value:.2g}"
    digits = 1 - floor(log10(value))
    # A last zero is left out by the format: reports mark figures as they are formatted.
    return f"{value:.{digits - (round(value, digits) == round(value, digits - 1))}f}"


ALMOST_ONE = 1 - 1e-9
"""A share times a number of people is rarely exactly 1."""
FEWER_THAN_ONE = "fewer than one"
"""An expected number of people below 1, whatever its digits."""


def people_expected(share: float, people: int, noun: str = "person") -> str:
    """The start of a sentence about a share of people; a number where the share says nothing to a reader.

    >>> [people_expected(share, 11_353_140) for share in (0.374, 1.8e-7, 1e-7, 1e-20, 0)]
    ['37.4 % are', 'about two people are', 'about one person is', 'fewer than one person is', 'nobody is']
    >>> people_expected(1e-20, 5, "record"), people_expected(0, 5, "record")
    ('fewer than one record is', 'no record is')
    """
    expected = share * people
    if share == 0:
        return "nobody is" if noun == "person" else f"no {noun} is"
    if expected < ALMOST_ONE:
        return f"{FEWER_THAN_ONE} {noun} is"
    if share >= 1e-6 or expected >= len(_FEW) - 0.5:
        return f"{percent(share)} are"
    number = round(expected)
    plural_noun = "people" if noun == "person" else f"{noun}s"
    return f"about {_FEW[number]} {f'{noun} is' if number == 1 else f'{plural_noun} are'}"


_FEW = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def many_times(ratio: float) -> str:
    """How many times one thing is another, in at most three digits from a million on.

    >>> [many_times(ratio) for ratio in (1.25, 229.4, 5172.4, 2122253, 3.9e9, 6e15)]
    ['1.25', '229', '5,172', '2.12 million', '3.9 billion', 'over a trillion']
    """
    if ratio >= 1e12:
        return "over a trillion"
    if ratio >= 1e6:
        return large_number(ratio)
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def large_number(value: float) -> str:
    """A number from a million on, in words that nobody takes for meters or milligrams.

    >>> [large_number(value) for value in (1e6, 3.5e6, 1e7, 2e9, 2e12)]
    ['1 million', '3.5 million', '10 million', '2 billion', '2 trillion']
    """
    for size, name in ((1e12, "trillion"), (1e9, "billion")):
        if value >= size:
            return f"{value / size:.3g} {name}"
    return f"{value / 1e6:.3g} million"


def needed_words(needed: Mapping[str, Any] | None) -> str:
    """How many documents would do to decide, as a sentence; empty if no number is known to do.

    >>> numbers = {"if_nothing_more_leaks": 130, "if_share_stays": None, "with_chance": 375, "chance": 0.9}
    >>> needed_words({"unit": "documents", "examined": 120, **numbers})[:70]
    'In total, 130 documents would do if nothing more leaks, and 375 with a'
    """
    if needed is None:
        return ""
    phrases = {
        "if_nothing_more_leaks": "if nothing more leaks",
        "if_share_stays": "if the share of leaks stays the same",
        "with_chance": f"with a probability of {100 * needed['chance']:.0f} %",
    }
    known = [(needed[name], words) for name, words in phrases.items() if needed[name] is not None]
    if not known:
        return ""
    (first, words), *rest = known
    parts = [f"{first:,} {needed['unit']} would do {words}", *(f"{number:,} {when}" for number, when in rest)]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return f"In total, {listed}; {needed['examined']:,} were examined."


UNDECIDED = "Too few documents to decide"


def undecided_words(needed: Mapping[str, Any] | None) -> str:
    """The headline of a result that is undecided, with the least number that would do.

    >>> numbers = {"if_nothing_more_leaks": 130, "with_chance": 375, "chance": 0.9}
    >>> undecided_words({"unit": "documents", **numbers})
    'Too few documents to decide: 130 would do if nothing more leaks, 375 with a probability of 90 %'
    """
    least = None if needed is None else needed["if_nothing_more_leaks"]
    if needed is None or least is None:
        return UNDECIDED
    unit = "" if needed["unit"] == "documents" else f" {needed['unit']}"
    words = f"{UNDECIDED}: {least:,}{unit} would do if nothing more leaks"
    if needed["with_chance"] is None:
        return words
    return f"{words}, {needed['with_chance']:,} with a probability of {100 * needed['chance']:.0f} %"
