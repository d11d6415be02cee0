"""Patterns for phone numbers, email and web addresses, streets and postal codes."""

from __future__ import annotations

import ipaddress
import re

from reidrisk.detect.patterns.checks import nanp, plain
from reidrisk.detect.patterns.pattern import CERTAIN, IdentifierPattern, after, before, sure

_EXTENSION = r"(?:[ ,]{0,2}(?:x|ext\.?|extension)[ .:]{0,2}\d{1,6})?"
_CUE = re.compile(
    r"(?:phone|telephone|tel|cell|mobile|pager|beeper|call|calls|called|calling|contact|contacted|reach"
    r"|reached|ph|"
    r"number|text|texted|home|work|whatsapp|hotline|office|line)\W{0,4}(?:(?:at|on|is|no|number|him|her"
    r"|them)\W{1,3}){0,3}$"
)
_FAX = re.compile(r"fax(?:ed)?\W{0,4}(?:(?:at|to|on|is|no|number)\W{1,3}){0,3}$")
_DATE = re.compile(r"\d{1,2}([.-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)|(?:19|20)\d{2}[.-]\d{1,2}[.-]\d{1,2}(?!\d)")
_UNITS = re.compile(r"^[ -]?(?:mg|mcg|ml|g|kg|cm|mm|units?|iu|bpm|mmhg|%|x10|/|years?|days?|weeks?)")


def _nanp(match: re.Match[str]) -> float | None:
    digits = plain(match["number"])
    if nanp(digits):
        return 0.97
    return 0.93 if _CUE.search(before(match)) or _FAX.search(before(match)) else 0.8


def _bare(match: re.Match[str]) -> float | None:
    if not _CUE.search(before(match)) and not _FAX.search(before(match)):
        return None
    return 0.9 if nanp(plain(match[0])) else 0.7


def _local(match: re.Match[str]) -> float | None:
    if _CUE.search(before(match)) or _FAX.search(before(match)):
        return 0.93
    range_of_values = before(match, 1) == "(" and after(match, 1) == ")"
    if match[0][0] in "01" or range_of_values or _UNITS.search(after(match)):
        return 0.1
    return 0.6


def _check_grouped_digits(match: re.Match[str]) -> float | None:
    digits = plain(match[0])
    if not 7 <= len(digits) <= 13 or _UNITS.search(after(match)) or _DATE.match(match[0]):
        return None
    cued = _CUE.search(before(match)) or _FAX.search(before(match))
    if cued:
        return 0.93
    return 0.55 if digits[0] == "0" and len(digits) >= 9 else None


def _international(match: re.Match[str]) -> float | None:
    number = match["number"]
    if not 8 <= len(plain(number)) <= 15:
        return None
    if number[0] == "+":
        return 0.97
    if _CUE.search(before(match)) or _FAX.search(before(match)):
        return CERTAIN
    return 0.6 if number.isdigit() else 0.85  # many record numbers start with zeros


def _address(match: re.Match[str]) -> float | None:
    try:
        ipaddress.ip_address(match[0])
    except ValueError:
        return None
    return 0.97


def is_fax(text: str, start: int) -> bool:
    """Whether the words before say that the number is a fax number."""
    return _FAX.search(text[max(0, start - 32) : start].lower()) is not None


CONTACT_PATTERNS = (
    IdentifierPattern(
        "phone",
        "PHONE",
        "lead",
        re.compile(
            rf"(?P<number>(?:\+?1[ .-]?)?\(?\d{{3}}\)?[ .\-/]{{1,2}}\d{{3}}[ .\-]\d{{4}}){_EXTENSION}"
            r"(?![\w-])",
        ),
        _nanp,
        universal=True,
    ),
    IdentifierPattern("phone", "PHONE", "number", re.compile(r"\d{10,11}(?!\w)"), _bare, universal=True),
    IdentifierPattern(
        "phone",
        "PHONE",
        "number",
        re.compile(rf"\d{{3}}-\d{{4}}{_EXTENSION}(?![\w-])"),
        _local,
        universal=True,
    ),
    IdentifierPattern("phone", "PHONE", "code", re.compile(r"(?:x|ext\.?) ?\d{3,6}(?!\w)"), sure(0.85)),
    IdentifierPattern(
        "international-phone",
        "PHONE",
        "lead",
        re.compile(
            r"(?P<number>(?:\+|00)\d{1,3}[ .\-]?(?:\(0?\d{0,4}\)[ .\-]?)?\d{1,5}"
            r"(?:[ .\-]?\d{2,5}){1,4})(?!\w)"
        ),
        _international,
        universal=True,
    ),
    IdentifierPattern(
        "grouped-phone",
        "PHONE",
        "lead",
        re.compile(r"\(?\d{2,5}\)?(?:[ .\-]\d{2,4}){2,4}(?![\w-])"),
        _check_grouped_digits,
        universal=True,
    ),
    IdentifierPattern(
        "email",
        "EMAIL",
        "at",
        re.compile(r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}"),
        sure(0.99),
        universal=True,
    ),
    IdentifierPattern(
        "url",
        "URL",
        "link",
        re.compile(
            r"(?:https?|ftp)://[^\s<>\"']{1,500}[^\s<>\"'.,;:!?)\]]|www\.[^\s<>\"']{1,300}[^\s<>\"'.,;:!?)\]]"
        ),
        sure(0.98),
        universal=True,
    ),
    IdentifierPattern(
        "ip",
        "IPADDR",
        "number",
        re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?![\w.]{0,4}\d)"),
        _address,
        universal=True,
    ),
    IdentifierPattern(
        "ip6",
        "IPADDR",
        "number",
        re.compile(r"[0-9A-Fa-f]{0,4}(?::{1,2}[0-9A-Fa-f]{1,4}){3,8}(?![\w:])"),
        _address,
        universal=True,
    ),
    IdentifierPattern(
        "ip6",
        "IPADDR",
        "code",
        re.compile(r"[0-9A-Fa-f]{0,4}(?::{1,2}[0-9A-Fa-f]{1,4}){3,8}(?![\w:])"),
        _address,
        universal=True,
    ),
    IdentifierPattern(
        "mac",
        "DEVICE",
        "number",
        re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?![\w:-])"),
        sure(0.95),
        universal=True,
    ),
    IdentifierPattern(
        "mac",
        "DEVICE",
        "code",
        re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?![\w:-])"),
        sure(0.95),
        universal=True,
    ),
)


STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA"
    "|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|PR|AP|AE|AA"
)
STREET_KINDS = (
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


def _check_postal_code(match: re.Match[str]) -> float | None:
    return 0.9 if " " in match[0] or _ZIP_CUE.search(before(match)) else 0.6


def _room(match: re.Match[str]) -> float | None:
    return None if re.match(r" ?(?:air|temperature|%)", after(match)) else 0.85


PLACE_PATTERNS = (
    IdentifierPattern(
        "street",
        "STREET",
        "number",
        re.compile(
            rf"\d{{1,6}}(?:-?[A-Za-z])?,? (?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\.? )?"
            rf"(?:(?:\d{{1,3}}(?:st|nd|rd|th)|[A-Z][\w'’.-]{{0,20}}|de|la|del) ){{1,4}}{STREET_KINDS}\b\.?"
            rf"(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?)?{_UNIT}"
        ),
        sure(0.95),
    ),
    IdentifierPattern("street", "STREET", "number", re.compile(rf"\d{{1,6}} Broadway\b{_UNIT}"), sure(0.9)),
    IdentifierPattern("zip", "ZIP", "number", re.compile(r"\d{5}(?:-\d{4})?(?![\w-]|[.,]\d)"), _zip),
    IdentifierPattern(
        "uk-postcode",
        "ZIP",
        "code",
        re.compile(
            r"(?:GIR ?0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKS-UW]|[A-HK-Y]\d[ABEHMNPRV-Y])"
            r" ?\d[ABD-HJLNP-UW-Z]{2})(?!\w)"
        ),
        _check_postal_code,
    ),
    IdentifierPattern(
        "canadian-postcode",
        "ZIP",
        "code",
        re.compile(r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d(?!\w)"),
        _check_postal_code,
    ),
)
