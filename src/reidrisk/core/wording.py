"""How probabilities, counts and paths are written in messages and views."""

from __future__ import annotations

from math import floor, log10


def probability(value: float) -> str:
    """Four decimals, or two significant digits for numbers too small for that.

    >>> [probability(p) for p in (0.2, 0.0384, 0.00055, 2.7e-09, 0.0)]
    ['0.2000', '0.0384', '0.00055', '2.7e-09', '0']
    """
    if value == 0:
        return "0"
    if abs(value) >= 0.00095:
        return f"{value:.4f}"
    if abs(value) < 1e-6:
        return f"{value:.1e}"
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


def percent(share: float) -> str:
    """A share as a percentage for sentences.

    >>> [percent(share) for share in (0.18809, 0.0062, 0.0000034, 0, 1, 0.99997, 1e-90)]
    ['18.8 %', '0.62 %', '0.00034 %', '0 %', '100 %', '99.997 %', 'less than 1e-10 %']
    """
    value = 100 * share
    if value in (0, 100):
        return f"{value:.0f} %"
    if value > 99.9:
        return f"{value:.6f}".rstrip("0").rstrip(".") + " %"
    if value >= 0.995:
        return f"{value:.1f} %"
    return f"{value:.2g} %" if value >= 1e-10 else "less than 1e-10 %"
