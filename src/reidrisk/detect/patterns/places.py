"""Addresses: streets, boxes, rooms and postal codes."""

from __future__ import annotations

import re

from reidrisk.detect.patterns.pattern import Pattern, after, before, sure

STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA"
    "|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|PR|AP|AE|AA"
)
_KIND = (
    r"(?:Street|Str|St|Avenue|Ave|Av|Road|Rd|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Terrace|Ter|Place"
    r"|Pl|Parkway|Pkwy|Way"
    r"|Circle|Cir|Highway|Hwy|Square|Sq|Trail|Trl|Crescent|Cres|Close|Alley|Plaza|Loop|Row|Expressway"
    r"|Turnpike|Pike|Route|Path"
    r"|Walk|Crossing|Ridge|Heights|Hill|Gardens|Grove|Point|Run|Manor|Mews|Broadway)"
)
_UNIT = r"(?:,? {0,2}(?:Apt|Apartment|Suite|Ste|Unit|Floor|Fl|#)[. ]{0,2}#?\w{1,6})?"
_STATE_BEFORE = re.compile(rf"(?:\b(?:{STATES})|[A-Z][a-z]{{3,12}}|U\.?S\.?A?)[,.]? {{1,2}}$")
_ZIP_CUE = re.compile(r"(?:zip|postal|post|postcode)(?: ?code)?\W{0,4}(?:of |is )?$")


def _zip(match: re.Match[str]) -> float | None:
    start = match.start()
    text = match.string[max(0, start - 18) : start]
    if re.search(rf"\b(?:{STATES})[,.]? {{1,2}}$", text) or _ZIP_CUE.search(before(match)):
        return 0.95
    if _STATE_BEFORE.search(text) and re.search(r", ?[\w. ]{0,16}$", text):
        return 0.8
    return 0.9 if len(match[0]) == 10 else None


def _coded(match: re.Match[str]) -> float | None:
    return 0.9 if " " in match[0] or _ZIP_CUE.search(before(match)) else 0.6


def _room(match: re.Match[str]) -> float | None:
    return None if re.match(r" ?(?:air|temperature|%)", after(match)) else 0.85


PATTERNS = (
    Pattern(
        "street",
        "STREET",
        "number",
        re.compile(
            rf"\d{{1,6}}(?:-?[A-Za-z])?,? (?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\.? )?"
            rf"(?:(?:\d{{1,3}}(?:st|nd|rd|th)|[A-Z][\w'’.-]{{0,20}}|de|la|del) ){{1,4}}{_KIND}\b\.?"
            rf"(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)?{_UNIT}"
        ),
        sure(0.95),
    ),
    Pattern("street", "STREET", "number", re.compile(rf"\d{{1,6}} Broadway\b{_UNIT}"), sure(0.9)),
    Pattern("zip", "ZIP", "number", re.compile(r"\d{5}(?:-\d{4})?(?![\w-]|[.,]\d)"), _zip),
    Pattern(
        "uk-postcode",
        "ZIP",
        "code",
        re.compile(
            r"(?:GIR ?0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKS-UW]|[A-HK-Y]\d[ABEHMNPRV-Y])"
            r" ?\d[ABD-HJLNP-UW-Z]{2})(?!\w)"
        ),
        _coded,
    ),
    Pattern(
        "canadian-postcode",
        "ZIP",
        "code",
        re.compile(r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d(?!\w)"),
        _coded,
    ),
)
