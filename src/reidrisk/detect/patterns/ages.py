"""Ages: the number is marked, not the words around it."""

from __future__ import annotations

import re

from reidrisk.detect.patterns.pattern import Pattern, before

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety"
SPELLED = (
    rf"(?:(?:a |one )?hundred(?:[ -](?:and )?(?:{_ONES}|{_TEENS}))?|(?:{_TENS})(?:[ -](?:{_ONES}))?"
    rf"|{_TEENS}|{_ONES})"
)
_UNIT = r"(?:years?|yrs?|y|months?|mos?|weeks?|wks?|days?)"
_OLD = (
    rf"(?:[ -]{{0,2}}{_UNIT}[ -]{{0,2}}(?:old|of age|o\b)|[ -]?y[/.]?o\b|[ -]?yo[MFmf]\b"
    r"|[ -]?(?:yrs?|years?) (?:male|female|man|woman|boy|girl)\b)"
)
_MANY = re.compile(
    r"(?:over|under|above|below|than|least|older|younger|between|for|past|last|the|within|after|every"
    r"|previous)\W{1,2}$"
)

_NAMED = re.compile(r"[A-ZÀ-Þ][\w'’-]{1,20}, $")
_AT = re.compile(r"(?:^|[\s.])[Aa]t $")
_PERSON = re.compile(r", (?:he|she|they)\b")
_HAPPENED = re.compile(r"(?:died|attack|stroke|cancer|diagnosed|diagnosis|onset|menarche|menopause) at $")


def _old(match: re.Match[str]) -> float | None:
    value = match["value"]
    if value.isdigit() and int(value) > 125:
        return None
    if value.isdigit() and int(value) > 89:
        return 0.97
    return 0.9


def _aged(match: re.Match[str]) -> float | None:
    return 0.9 if int(match["value"]) <= 125 else None


def _after_a_name(match: re.Match[str]) -> float | None:
    near = match.string[max(0, match.start() - 24) : match.start()]
    return _aged(match) if _NAMED.search(near) else None


def _at(match: re.Match[str]) -> float | None:
    told = _HAPPENED.search(before(match)) or (
        _AT.search(before(match)) and _PERSON.match(match.string, match.end())
    )
    return 0.8 if told and int(match["value"]) <= 125 else None


def _sex(match: re.Match[str]) -> float | None:
    return None if _MANY.search(before(match)) else 0.75


def _decade(_: re.Match[str]) -> float | None:
    return 0.7


PATTERNS = (
    Pattern("age", "AGE", "number", re.compile(rf"(?P<value>\d{{1,3}}){_OLD}"), _old),
    Pattern(
        "age",
        "AGE",
        "age",
        re.compile(
            r"(?:[Aa]ge|AGE|[Aa]ged|[Aa]ges)\W{0,3}(?:of |is |was |about |around |approximately )?"
            r"(?P<value>\d{1,3})(?![\w%/:-]|\.\d)"
        ),
        _aged,
    ),
    Pattern("age-sex", "AGE", "number", re.compile(r"(?P<value>\d{1,2}) ?(?:[MF]|y[MF])\b(?![/'’-])"), _sex),
    Pattern(
        "age-decade",
        "AGE",
        "age",
        re.compile(
            r"(?:his|her|their|my) (?:early |mid |late |early-|mid-|late-)?"
            r"(?P<value>\d0['’]?s|teens|twenties|thirties|forties|fifties|sixties|seventies|eighties"
            r"|nineties)\b"
        ),
        _decade,
    ),
    Pattern(
        "age-apposition",
        "AGE",
        "number",
        re.compile(r"(?P<value>\d{1,3})(?=, (?:is|was|has|had|who|seen|presents|presented|came)\b)"),
        _after_a_name,
    ),
    Pattern("age-event", "AGE", "number", re.compile(r"(?P<value>\d{1,3})(?=[.,;](?!\d))"), _at),
    Pattern("age-spelled", "AGE", "age", re.compile(rf"(?P<value>(?i:{SPELLED})){_OLD}"), _old),
)
