"""Patterns for dates and ages."""

from __future__ import annotations

import re

from reidrisk.detect.patterns.pattern import IdentifierPattern, after, before

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


def _check_years_old(match: re.Match[str]) -> float | None:
    value = match["value"]
    if value.isdigit() and int(value) > 125:
        return None
    if value.isdigit() and int(value) > 89:
        return 0.97
    return 0.9


def _check_age(match: re.Match[str]) -> float | None:
    return 0.9 if int(match["value"]) <= 125 else None


def _after_a_name(match: re.Match[str]) -> float | None:
    near = match.string[max(0, match.start() - 24) : match.start()]
    return _check_age(match) if _NAMED.search(near) else None


def _at(match: re.Match[str]) -> float | None:
    is_age = _HAPPENED.search(before(match)) or (
        _AT.search(before(match)) and _PERSON.match(match.string, match.end())
    )
    return 0.8 if is_age and int(match["value"]) <= 125 else None


def _sex(match: re.Match[str]) -> float | None:
    return None if _MANY.search(before(match)) else 0.75


def _decade(_: re.Match[str]) -> float | None:
    return 0.7


AGE_PATTERNS = (
    IdentifierPattern("age", "AGE", "number", re.compile(rf"(?P<value>\d{{1,3}}){_OLD}"), _check_years_old),
    IdentifierPattern(
        "age",
        "AGE",
        "age",
        re.compile(
            r"(?:[Aa]ge|AGE|[Aa]ged|[Aa]ges)\W{0,3}(?:of |is |was |about |around |approximately )?"
            r"(?P<value>\d{1,3})(?![\w%/:-]|\.\d)"
        ),
        _check_age,
    ),
    IdentifierPattern(
        "age-sex", "AGE", "number", re.compile(r"(?P<value>\d{1,2}) ?(?:[MF]|y[MF])\b(?![/'’-])"), _sex
    ),
    IdentifierPattern(
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
    IdentifierPattern(
        "age-apposition",
        "AGE",
        "number",
        re.compile(r"(?P<value>\d{1,3})(?=, (?:is|was|has|had|who|seen|presents|presented|came)\b)"),
        _after_a_name,
    ),
    IdentifierPattern("age-event", "AGE", "number", re.compile(r"(?P<value>\d{1,3})(?=[.,;](?!\d))"), _at),
    IdentifierPattern(
        "age-spelled", "AGE", "age", re.compile(rf"(?P<value>(?i:{SPELLED})){_OLD}"), _check_years_old
    ),
)


_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH = (
    r"(?:[Jj]an(?:uary)?|JAN(?:UARY)?|[Ff]eb(?:ruary)?|FEB(?:RUARY)?|[Mm]ar(?:ch)?|MAR(?:CH)?"
    r"|[Aa]pr(?:il)?|APR(?:IL)?"
    r"|[Mm]ay|MAY|[Jj]une?|JUNE?|[Jj]uly?|JULY?|[Aa]ug(?:ust)?|AUG(?:UST)?|[Ss]ept?(?:ember)?|SEPT?(?:EMBER)?"
    r"|[Oo]ct(?:ober)?|OCT(?:OBER)?|[Nn]ov(?:ember)?|NOV(?:EMBER)?|[Dd]ec(?:ember)?|DEC(?:EMBER)?)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_ORDINAL = rf"{_DAY} ?(?:st|nd|rd|th|ST|ND|RD|TH)?"
_YEAR = r"(?:1[89]|20)\d{2}"
_SHORT_YEAR = r"(?:'\d{2}|’\d{2})"
_WEEKDAY = (
    r"(?:[Mm]on|[Tt]ues?|[Ww]ed(?:nes)?|[Tt]hu(?:r|rs)?|[Ff]ri|[Ss]at(?:ur)?|[Ss]un)(?:day)?"
    r"|MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY"
)
_TIME = (
    r"(?:[ T,]{1,2}(?:at )?\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?(?: ?[AaPp]\.?[Mm]\.?)?"
    r"(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_HOLIDAY = (
    r"(?:Christmas(?: Eve| Day)?|Thanksgiving(?: Day)?|Easter(?: Sunday| Monday)?|New Year(?:'s"
    r"|’s)?(?: Eve| Day)?|Halloween"
    r"|Valentine(?:'s|’s)? Day|Memorial Day|Labor Day|Independence Day|Fourth of July|Mother(?:'s|’s) Day"
    r"|Father(?:'s|’s) Day|Veterans Day|Hanukkah|Passover|Ramadan|Boxing Day|Good Friday|Yom Kippur|Diwali)"
)
_SEASON = r"(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter)"
_WHEN = re.compile(
    r"\b(?:in|since|until|till|through|thru|during|by|from|before|after|around|of|last|this|next|early"
    r"|mid|late|to|and|between"
    r"|on|dated?|seen|visit|back in|born|dob|admitted|discharged|circa|year|ca|early-|mid-|late-)\W{0,3}$"
)
_ON = re.compile(
    r"\b(?:on|since|until|till|through|thru|by|from|before|after|dated?|visit|seen|admitted|discharged"
    r"|dob|born|scheduled"
    r"|due|performed|done|exp|expires|start|end|ended|started|given|signed|received|between|and)\W{0,3}$"
)
_NOT_A_YEAR = re.compile(
    r"^(?: ?(?:mg|mcg|ml|units?|iu|kcal|calories|steps|patients|people|cells|copies|g\b|kg|%|meters|m\b"
    r"|guidelines?|criteria"
    r"|classification|update|edition|version|consensus|recommendations?|statement|dollars)|,\d|\.\d|/\d"
    r"|-\d|:\d)"
)


def _valid(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]


def _numeric(match: re.Match[str]) -> float | None:
    first, second = int(match["first"]), int(match["second"])
    if not (_valid(first, second) or _valid(second, first)):
        return None
    if len(match["year"]) == 4:
        return 0.98
    if match["sep"] == "/":
        return 0.95
    return 0.9 if _ON.search(before(match)) else 0.75


def _iso(match: re.Match[str]) -> float | None:
    return 0.98 if _valid(int(match["month"]), int(match["day"])) else None


def _check_joined_date(match: re.Match[str]) -> float | None:
    if not _valid(int(match["month"]), int(match["day"])):
        return None
    return 0.8 if _ON.search(before(match)) else 0.6


def _partial(match: re.Match[str]) -> float | None:
    first, second = int(match["first"]), int(match["second"])
    if not (_valid(first, second) or _valid(second, first)) or not _ON.search(before(match)):
        return None
    return None if _NOT_A_YEAR.search(after(match)) else 0.75


def _month_year(match: re.Match[str]) -> float | None:
    return 0.9 if 1 <= int(match["month"]) <= 12 else None


def _year(match: re.Match[str]) -> float | None:
    if _NOT_A_YEAR.search(after(match)) or not 1890 <= int(match["value"]) <= 2060:
        return None
    return 0.6 if _WHEN.search(before(match)) else 0.3


def _day_and_month(match: re.Match[str]) -> float | None:
    has_year = re.search(r"\d{4}|['’]\d\d", match[0]) is not None
    if has_year:
        return 0.98
    word = match["month"].lower()
    if word in ("may", "march", "mar", "sat", "sun") and not _WHEN.search(before(match)):
        return 0.8 if match["month"][0].isupper() else None
    return 0.93 if match["month"][0].isupper() else 0.75


def _month_alone(match: re.Match[str]) -> float | None:
    word = match["month"]
    if len(word) < 4 and word.lower() != "may":
        return None
    if not _WHEN.search(before(match)):
        return 0.3 if word.lower() not in ("may", "march") and word[0].isupper() else None
    return 0.85 if word[0].isupper() else 0.4


def _season(match: re.Match[str]) -> float | None:
    return 0.9 if match["year"] else None


def _holiday(match: re.Match[str]) -> float | None:
    return 0.9 if match["year"] else 0.4


def _weekday(match: re.Match[str]) -> float | None:
    return 0.15 if match[0].endswith(("day", "DAY")) else None


def _sure(_: re.Match[str]) -> float | None:
    return 0.96


DATE_PATTERNS = (
    IdentifierPattern(
        "date",
        "DATE",
        "number",
        re.compile(
            r"(?P<first>\d{1,2})(?P<sep>[/.-])(?P<second>\d{1,2})(?P=sep)(?P<year>(?:1[89]|20)\d{2}|\d{2})"
            r"(?![\w/-])"
        ),
        _numeric,
        universal=True,
    ),
    IdentifierPattern(
        "iso-date",
        "DATE",
        "number",
        re.compile(r"(?:1[89]|20)\d{2}[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})" + _TIME + r"(?!\w)"),
        _iso,
        universal=True,
    ),
    IdentifierPattern(
        "joined-date",
        "DATE",
        "number",
        re.compile(r"(?:19|20)\d{2}(?P<month>\d{2})(?P<day>\d{2})(?!\w)"),
        _check_joined_date,
        universal=True,
    ),
    IdentifierPattern(
        "partial-date",
        "DATE",
        "number",
        re.compile(r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})(?![\w/.%-]| ?(?:mg|strength|mm|cm|pain))"),
        _partial,
    ),
    IdentifierPattern(
        "month-year",
        "DATE",
        "number",
        re.compile(r"(?P<month>\d{1,2})[/-](?:19|20)\d{2}(?![\w/-])"),
        _month_year,
        universal=True,
    ),
    IdentifierPattern(
        "year", "DATE", "number", re.compile(r"(?P<value>(?:1[89]|20)\d{2})(?:s\b)?(?!\w)"), _year
    ),
    IdentifierPattern("quarter", "DATE", "code", re.compile(rf"Q[1-4] ?(?:of )?{_YEAR}(?!\w)"), _sure),
    IdentifierPattern(
        "day-month",
        "DATE",
        "number",
        re.compile(
            rf"{_ORDINAL}(?:[ -]?(?:to|and|through|[-–]) ?{_ORDINAL})?[ \-./]{{0,2}}"
            rf"(?:day )?(?:of )?(?:de )?(?P<month>{_MONTH})(?![A-Za-z])\.?"
            rf"(?:[ \-.,/]{{0,2}}(?:of )?(?:{_YEAR}(?!\d)|{_SHORT_YEAR}|(?<=[-/])\d{{2}}(?!\w)))?"
        ),
        _day_and_month,
    ),
    IdentifierPattern(
        "month-day",
        "DATE",
        "word",
        re.compile(
            rf"(?:(?:{_WEEKDAY})\.?,? {{0,2}})?(?P<month>{_MONTH})(?![A-Za-z])\.?[ \-]{{0,2}}(?:the )?"
            rf"{_ORDINAL}(?![\d%:]|\.\d)"
            rf"(?:[ ]?(?:to|and|through|[-–]) ?(?:{_MONTH} )?{_ORDINAL}(?!\d))?"
            rf"(?:(?:,| ,|-|/|\.)? {{0,2}}(?:of )?(?:{_YEAR}(?!\d)|{_SHORT_YEAR}))?"
        ),
        _day_and_month,
    ),
    IdentifierPattern(
        "month-year",
        "DATE",
        "word",
        re.compile(
            rf"(?P<month>{_MONTH})(?![A-Za-z])\.?(?:[ ,\-/]{{0,3}}(?:of )?(?:{_YEAR}(?!\d)|{_SHORT_YEAR}))"
        ),
        _sure,
    ),
    IdentifierPattern("month", "DATE", "word", re.compile(rf"(?P<month>{_MONTH})(?![A-Za-z])"), _month_alone),
    IdentifierPattern(
        "weekday-date",
        "DATE",
        "word",
        re.compile(rf"(?:{_WEEKDAY})\b\.?,? (?:the )?{_ORDINAL}(?: of)? {_MONTH}\b(?:,? {_YEAR})?"),
        _sure,
    ),
    IdentifierPattern("weekday", "DATE", "word", re.compile(rf"(?:{_WEEKDAY})\b"), _weekday),
    IdentifierPattern(
        "season", "DATE", "word", re.compile(rf"{_SEASON}\b(?P<year>(?: of|,)? {_YEAR}(?!\d))?"), _season
    ),
    IdentifierPattern(
        "holiday", "DATE", "word", re.compile(rf"{_HOLIDAY}(?P<year>(?: of|,)? {_YEAR}(?!\d))?"), _holiday
    ),
)
