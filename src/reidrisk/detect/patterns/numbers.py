"""Patterns for national and medical numbers with check digits, and for other numbers that look like ids."""

from __future__ import annotations

import re

from reidrisk.detect.patterns import checks
from reidrisk.detect.patterns.pattern import IdentifierPattern, after, before

_HAS_CUE = re.compile(
    r"(?:ssn|social|security|nhs|npi|dni|nie|nif|card|visa|account|dea|medicare|mbi|vin)\b.{0,20}$"
)
_UNITS = re.compile(
    r"^[ -]?(?:mg|mcg|µg|ug|ml|dl|l|g|kg|lb|lbs|cm|mm|units?|iu|bpm|mmhg|%|cells|copies|x ?10|per|/"
    r"|years?|days?|weeks?|months?"
    r"|patients|people|persons|women|men|children|participants|subjects|adults|steps|kcal|calories"
    r"|dollars|usd)\b"
)
_TRIAL = re.compile(r"(?:trial|nct|pmid|doi|isbn|icd|cpt|loinc|snomed|version|guideline|study)\W{0,3}$")


def _ssn(match: re.Match[str]) -> float | None:
    digits = checks.plain(match[0])
    if _HAS_CUE.search(before(match)):
        return 0.97
    return 0.93 if checks.ssn(digits) else 0.75


def _odd_groups(match: re.Match[str]) -> float | None:  # noqa: ARG001 - the form is enough
    return 0.8


def _nhs(match: re.Match[str]) -> float | None:
    if not checks.nhs(checks.plain(match[0])):
        return None
    return 0.97 if _HAS_CUE.search(before(match)) else 0.85


def _card(match: re.Match[str]) -> float | None:
    digits = checks.plain(match[0])
    return 0.95 if 12 <= len(digits) <= 19 and checks.luhn(digits) else None


def _npi(match: re.Match[str]) -> float | None:
    return 0.9 if checks.npi(match[0]) else None


def _passing(check: checks.Proof, confidence: float) -> checks.Weigh:
    return lambda match: confidence if check(checks.plain(match[0])) else None


def _long(match: re.Match[str]) -> float | None:
    if _UNITS.search(after(match)) or _TRIAL.search(before(match)):
        return None
    if match[0].endswith("00"):
        return 0.1  # more likely a count
    return 0.8 if len(match[0]) >= 7 else 0.45


def _check_letters_and_digits(match: re.Match[str]) -> float | None:
    value = match[0]
    if value.upper().startswith(("NCT", "ICD", "PMID", "COVID", "CPT", "DOI")) or _UNITS.search(after(match)):
        return None
    digits = sum(character.isdigit() for character in value)
    return 0.85 if digits >= 4 else 0.6


def _check_mixed_code(match: re.Match[str]) -> float | None:
    value = match[0]
    digits = sum(character.isdigit() for character in value)
    letters = sum(character.isalpha() for character in value)
    if digits < 4 or not letters or value.upper().startswith(("NCT", "ICD", "PMID", "COVID")):
        return None
    return 0.62 if not _UNITS.search(after(match)) else None


_DNI, _VIN = _passing(checks.dni, 0.95), _passing(checks.vin, 0.95)
_SEVENTEEN = r"[A-HJ-NPR-Z0-9]{17}(?!\w)"
PATTERNS = (
    IdentifierPattern(
        "ssn", "SSN", "number", re.compile(r"\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])"), _ssn, universal=True
    ),
    IdentifierPattern(
        "number-groups", "IDNUM", "number", re.compile(r"\d{2,4}-\d{2,4}-\d{2,6}(?![\w-])"), _odd_groups
    ),
    IdentifierPattern(
        "nhs", "HEALTHPLAN", "number", re.compile(r"\d{3}[ -]?\d{3}[ -]?\d{4}(?![\w-])"), _nhs, universal=True
    ),
    IdentifierPattern(
        "card", "ACCOUNT", "number", re.compile(r"\d(?:[ -]?\d){11,18}(?![\w-])"), _card, universal=True
    ),
    IdentifierPattern("npi", "LICENSE", "number", re.compile(r"[12]\d{9}(?!\w)"), _npi),
    IdentifierPattern("dni", "IDNUM", "number", re.compile(r"\d{8}-?[A-Za-z](?!\w)"), _DNI, universal=True),
    IdentifierPattern(
        "nie", "IDNUM", "code", re.compile(r"[XYZxyz]-?\d{7}-?[A-Za-z](?!\w)"), _DNI, universal=True
    ),
    IdentifierPattern(
        "dea", "LICENSE", "code", re.compile(r"[A-Za-z]{2}\d{7}(?!\w)"), _passing(checks.dea, 0.9)
    ),
    IdentifierPattern(
        "mbi",
        "HEALTHPLAN",
        "number",
        re.compile(
            r"[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?"
            r"[AC-HJKMNP-RT-Y]{2}\d{2}(?!\w)"
        ),
        lambda _: 0.95,
    ),
    IdentifierPattern(
        "iban",
        "ACCOUNT",
        "code",
        re.compile(r"[A-Za-z]{2}\d{2}(?:[A-Za-z0-9]{11,30}|(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,3})?)(?!\w)"),
        _passing(checks.iban, 0.97),
        universal=True,
    ),
    IdentifierPattern("vin", "VEHICLE", "number", re.compile(_SEVENTEEN), _VIN, universal=True),
    IdentifierPattern("vin", "VEHICLE", "code", re.compile(_SEVENTEEN), _VIN, universal=True),
    IdentifierPattern(
        "lettered-number",
        "IDNUM",
        "code",
        re.compile(r"[A-Z]{1,6}[-#/]\d{3,12}(?:-[A-Z0-9]{1,8})?(?![\w-])"),
        _check_letters_and_digits,
    ),
    IdentifierPattern(
        "lettered-number",
        "IDNUM",
        "number",
        re.compile(r"\d{4,10}-[A-Z]{1,4}(?![\w-])"),
        _check_letters_and_digits,
    ),
    IdentifierPattern(
        "mixed-number",
        "IDNUM",
        "code",
        re.compile(r"[A-Z]{1,6}\d[A-Z0-9-]{3,20}(?![\w-])"),
        _check_mixed_code,
    ),
    IdentifierPattern(
        "mixed-number",
        "IDNUM",
        "number",
        re.compile(r"\d{2,8}[A-Z][A-Z0-9-]{2,16}(?![\w-])"),
        _check_mixed_code,
    ),
    IdentifierPattern(
        "long-number", "IDNUM", "number", re.compile(r"\d{6,20}(?![\w.,-]?\d|\w)"), _long, universal=True
    ),
)
