"""Postal addresses: streets as several languages write them, and what follows a street in an address."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reidrisk.detect.dictionaries.lexicon import Lexicon, WordKind, section_words
from reidrisk.detect.dictionaries.runs import COUNTRIES, OPENERS, PARTICLES, STATES, TITLES
from reidrisk.detect.finding import Finding
from reidrisk.detect.patterns.contact import STREET_KINDS as KINDS


def _either(*sections: str) -> str:
    words = {word for section in sections for word in section_words(section)}
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


_LETTER = r"[^\W\d_]"
_UPPER = r"[^\W\d_a-zß-öø-ÿ]"
_LITTLE = "|".join(
    sorted(
        {particle.strip() for particle in PARTICLES} | {"aux", "des", "et", "les", "nad", "of", "sur", "the"}
    )
)
_CAPITAL = rf"{_UPPER}[\w'’.-]{{0,24}}"
_HOUSE = r"\d{1,5}(?:[/-]\d{1,4})?(?: ?[A-Za-z](?![\w'’]))?"
"""The number of a house."""
NUMBER = re.compile(rf"(?<![\w.,:/-]){_HOUSE}(?![\w%]|[.,:/-]\d)")
_HOUSE_AFTER = re.compile(rf" {_HOUSE}(?![\w%]|[.,:/-]\d)")
_NAME_BEFORE = re.compile(
    rf"(?<![\w'’-])(?P<name>(?:(?i:{_either('street-first')}) |{_CAPITAL}[ ,])"
    rf"(?:(?:{_CAPITAL}|(?:{_LETTER}{{3,14}} )?(?i:{_either('street-last')})|(?:{_LITTLE})),? ){{0,5}})$"
)
"""The words right before a number that may be the name of a street."""
KIND_FIRST = re.compile(
    rf",? (?:bis |ter )?(?i:{_either('street-first')}) "
    rf"(?:(?:{_LITTLE}) ){{0,3}}{_LETTER}[\w'’.-]{{1,24}}(?: (?:(?:{_LITTLE}) ){{0,2}}{_CAPITAL}){{0,3}}"
)
"""A street whose kind comes first, after the number of the house."""
_SIDE = r"(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)(?!\w))?\.?"
_NAMES = rf",? (?:(?:{_CAPITAL}|\d{{1,3}}(?:st|nd|rd|th)) ){{1,4}}"
ENGLISH_STREET = re.compile(rf"{_NAMES}(?:{KINDS})(?![\w'’-])(?: (?:{KINDS})(?!\w))?{_SIDE}")
"""An English street, after the number of the house."""
PLACED_STREET = re.compile(
    rf"{_NAMES}(?:{_either('street-places').title()})(?![\w'’-])(?: (?:{KINDS})(?!\w))?{_SIDE}"
)
"""A name and a word that makes it a street, after the number of the house."""
_FIRST = section_words("street-first")
_LAST = section_words("street-last")
_UNITS = frozenset(word.rstrip(".") for word in section_words("unit-words"))
_BOXES = frozenset(("apartado", "box", "casilla", "postboks", "postbox", "postbus", "postfach"))
_JOINED = tuple(sorted(section_words("street-joined")))
_CUE = re.compile(
    r"(?:(?:live[sd]?|living|reside[sd]?|residing|located|stays?|staying|home|house|office|station|shop|store"
    r"|clinic|restaurant|enter|moved|based|off|meet|met|arrived|delivered|sent|ship|send|mail|return)"
    r" (?:\w{1,10} ){0,2}(?:at|on|in|to|is at|is on|of)"
    r"|address(?:es)?(?: \w{1,10}){0,3}(?: is| to| with| as)?|(?:side|corner) of|corner from)"
    r"[:\s]{1,6}(?:\d{1,6},? )?$",
    re.IGNORECASE,
)
"""Words before an address."""
_EARLIER_NUMBER = re.compile(r"(?<![\w.,:/-])#?\d{1,6}[A-Za-z]?,? $")
_MONTH = re.compile(r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?$")
_LOOK_BACK = 80
_SHORTEST_STREET, _SHORTEST_CODE = 6, 4


@dataclass(frozen=True, slots=True)
class _Street:
    start: int
    end: int
    confidence: float
    """0 if what follows must show that it is an address."""


def find_addresses(text: str, lexicon: Lexicon) -> list[Finding]:
    """Streets with the numbers, towns, codes and countries that belong to their address."""
    found = list(_military(text))
    found += _outside(_numbered(text, lexicon), found)
    found += _outside(_corners(text, lexicon), found)
    found += _outside(_named_streets(text, lexicon), found)
    return found


def _outside(findings: Iterable[Finding], others: list[Finding]) -> list[Finding]:
    """The findings that do not lie within one of the others."""
    spans = sorted((other.start, other.end) for other in others)
    starts = [start for start, _ in spans]
    places = ((one, bisect_right(starts, one.start) - 1) for one in findings)
    return [one for one, place in places if place < 0 or spans[place][1] < one.end]


def _numbered(text: str, lexicon: Lexicon) -> Iterator[Finding]:
    """Streets with a number, and what follows them."""
    done = last = 0
    for match in NUMBER.finditer(text):
        if match.start() < done:
            continue
        street = _street(text, match, (done, max(done, last)), lexicon)
        rest = [] if street is None else list(_rest(text, street.end, lexicon))
        last = match.end()
        if street is not None and (street.confidence or _shows_address(rest)):
            yield Finding(street.start, street.end, "STREET", street.confidence or 0.6, "dictionary:street")
            yield from rest
            done = max((finding.end for finding in rest), default=street.end)


def _shows_address(rest: list[Finding]) -> bool:
    kinds = {finding.type for finding in rest}
    return "ROOM" in kinds or "COUNTRY" in kinds or ("ZIP" in kinds and "CITY" in kinds)


def _street(text: str, number: re.Match[str], ends: tuple[int, int], lexicon: Lexicon) -> _Street | None:
    """The street that a number belongs to, before or after its name.

    `ends` are those of the last address and of the number before.
    """
    done, last = ends
    at = number.end()
    after = ENGLISH_STREET.match(text, at) or KIND_FIRST.match(text, at) or PLACED_STREET.match(text, at)
    if after is not None and (after.re is ENGLISH_STREET or not _is_plain(after[0], lexicon)):
        end = after.end()
        house = _HOUSE_AFTER.match(text, end)
        return _Street(_earlier(text, number.start(), done), house.end() if house else end, 0.85)
    base = max(last, number.start() - _LOOK_BACK)
    before = _NAME_BEFORE.search(text, base, number.start())
    return None if before is None else _street_before(text, before, number, lexicon)


def _street_before(
    text: str, before: re.Match[str], number: re.Match[str], lexicon: Lexicon
) -> _Street | None:
    """A street whose number comes last, as in most countries of Europe and Latin America."""
    start, words = before.start(), before["name"].replace(",", " ").split()
    while words and _only_leads(words[0], lexicon):
        leading, *words = words
        start = text.index(words[0], start + len(leading)) if words else start
    if not words or _MONTH.match(words[-1]) or words[-1].lower().rstrip(".") in _UNITS:
        return None
    numbered = _earlier(text, start, 0)
    end = number.end() + (text[number.end() : number.end() + 1] == "." and words[-1].lower() in _LAST)
    if _names_street(words, lexicon):
        return _Street(numbered, end, 0.85)
    if _is_plain(" ".join(words), lexicon):
        return None
    cued = numbered < start or _CUE.search(text, max(0, start - 60), start) is not None
    return _Street(numbered, end, 0.6 if cued and not lexicon.is_common(words[-1]) else 0.0)


def _names_street(words: list[str], lexicon: Lexicon) -> bool:
    """Whether one of the words says that it is a street."""
    low = [word.lower() for word in words]
    if low[-1] in _BOXES or (low[0] in _FIRST and len(low) > 1) or (low[-1] in _LAST and len(low) > 1):
        return True
    joined = (word for word in low if word.endswith(_JOINED) and len(word) > _SHORTEST_STREET)
    return any(not lexicon.is_common(word) for word in joined)


def _only_leads(word: str, lexicon: Lexicon) -> bool:
    """Whether a word only starts a sentence or is a title, so that the street starts after it."""
    low = word.lower().rstrip(".")
    if low in _FIRST or word.lower() in _FIRST:
        return False
    return low in OPENERS or low in TITLES or bool(lexicon.kinds(low) & WordKind.CLINICAL)


def _is_plain(words: str, lexicon: Lexicon) -> bool:
    """Whether all words are common or medical, so that they are no name of a street."""
    named = [word for word in re.findall(rf"{_LETTER}{{2,}}", words) if word.lower() not in _FIRST]
    return all(lexicon.is_common(word) for word in named)


def _earlier(text: str, start: int, done: int) -> int:
    """Where an earlier number starts: that of a flat, or one before the name of the street."""
    match = _EARLIER_NUMBER.search(text, max(done, start - 9), start)
    return start if match is None else match.start()


GAP = re.compile(
    r"(?:[,;.]?[ \t]{1,4}|,)(?![ \t])"
    r"|[,.]?[ \t]{0,4}\r?\n(?:[ \t]{0,4}\r?\n)?[ \t]{0,12}(?:[?>*|]{1,3} {0,2})?,? {0,2}"
)
"""What separates the parts of an address."""
_UNIT = re.compile(
    rf"(?i:{_either('unit-words')})(?:\. ?| |\.? ?#)#?\d{{1,5}}[A-Za-z]?(?!\w)|#\d{{1,5}}(?!\w)"
)
_ZIP = re.compile(
    r"\d{5}(?:-\d{3,4})?(?!\w)|\d{4} ?[A-Z]{2}(?!\w)|\d{3} \d{2}(?!\w)|\d{2}-\d{3}(?!\w)|\d{4}-\d{3}(?!\w)"
    r"|[A-Z]{1,2}-?\d{4,5}(?!\w)|[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}(?!\w)|[A-Z]\d[A-Z] ?\d[A-Z]\d(?!\w)"
    r"|\d{6}(?!\w)|\d{3,4}(?![\w%]|[.,]\d)"
)
_STATE = re.compile(r"\(?(?:[A-Z]{2,3}|nan|null|None)\)?(?![\w'’])")
"""A state by its letters, or a field that was empty."""
_TOWN_WORD = rf"(?:(?:St|Ste|Sta|Mt|Ft|Sv|Sw)\. )?{_UPPER}[\w'’-]{{0,24}}"
_TOWN_LINK = rf"(?:(?:an|am|im|in|les|lès|na|ob|on|op|pod|pri|sous|u|upon|{_LITTLE}) ){{1,2}}"
TOWN = re.compile(
    rf"{_TOWN_WORD}(?:[ -]{_TOWN_LINK}{_TOWN_WORD}|-{_TOWN_WORD}| \({_TOWN_WORD}\)"
    rf"|[ ][a-zß-öø-ÿ]{{4,14}}(?=\s*\n))?(?: {_TOWN_WORD}){{0,2}}"
)
_END = re.compile(r"[ \t]{0,4}(?:[,;.?!)]|\r?\n|$)|[ \t]\d")
_LAND = re.compile(rf"(?:[Tt]he )?{_UPPER}\w+(?: (?:of |and |& )?{_UPPER}\w+){{0,3}}")
_BRACKET = re.compile(r" \([^\W\d_]{3,20}\)")
_MOST_PARTS = 9
_NO_TOWNS = OPENERS | TITLES | section_words("street-ends")


def _rest(text: str, end: int, lexicon: Lexicon) -> Iterator[Finding]:
    """The parts of an address after its street, in any order, as far as they are convincing."""
    kept: list[Finding] = []
    for _ in range(_MOST_PARTS):
        gap = GAP.match(text, end)
        if gap is None:
            break
        part = _part(text, gap, kept, lexicon)
        if part is None:
            break
        kept.append(part)
        end = part.end
    yield from kept


def _part(text: str, gap: re.Match[str], kept: list[Finding], lexicon: Lexicon) -> Finding | None:
    """One part of an address; after a period only the number of a flat."""
    start = gap.end()
    unit = _UNIT.match(text, start)
    if unit is not None:
        return Finding(start, unit.end(), "ROOM", 0.85, "dictionary:address")
    if "." in gap[0] and "\n" not in gap[0]:
        return None
    country = _country(text, start, lexicon)
    if country is not None:
        bracket = _BRACKET.match(text, country)
        country = country if bracket is None else bracket.end()
        return Finding(start, country, "COUNTRY", 0.85, "dictionary:address")
    kinds = {finding.type for finding in kept}
    code = _ZIP.match(text, start)
    if (
        code is not None
        and "ZIP" not in kinds
        and (kinds & {"CITY", "STATE", "COUNTRY"} or _town_follows(text, code))
    ):
        return Finding(start, code.end(), "ZIP", 0.8, "dictionary:address")
    state = _STATE.match(text, start)
    if state is not None and "CITY" in kinds and "STATE" not in kinds and _END.match(text, state.end()):
        return Finding(start, state.end(), "STATE", 0.6, "dictionary:address")
    towns = sum(finding.type == "CITY" for finding in kept)
    complete = towns > 1 or (towns and kinds & {"ZIP", "COUNTRY"})
    return None if complete else _town(text, gap, lexicon, again=towns > 0)


def _town_follows(text: str, code: re.Match[str]) -> bool:
    """Whether the code of a town comes before its name."""
    after = code.end()
    return len(code[0]) > 3 and text[after : after + 1] == " " and text[after + 1 : after + 2].isupper()


def _country(text: str, start: int, lexicon: Lexicon) -> int | None:
    """Where the name of a country or state ends, of up to four words."""
    match = _LAND.match(text, start)
    if match is None:
        return None
    words = match[0].split(" ")
    for size in range(len(words), 0, -1):
        name = " ".join(words[:size]).lower()
        if name in lexicon.countries or name in COUNTRIES or name in STATES:
            return start + len(name)
    return None


def _town(text: str, gap: re.Match[str], lexicon: Lexicon, *, again: bool) -> Finding | None:
    """The name of a town, known or not, that fills its place in the address; or of a region after it."""
    match = TOWN.match(text, gap.end())
    if match is None:
        return None
    words = match[0].split()
    if words[0].lower().rstrip(".") in _NO_TOWNS or text[match.end() : match.end() + 1] == ":":
        return None
    followed = _is_followed(text, match.end(), lexicon)
    known = match[0].lower() in lexicon.towns or words[0].lower() in lexicon.towns
    if again or not known:
        plain = all(lexicon.is_common(word) for word in words)
        if not followed and (again or plain or (not gap[0].isspace() and not _END.match(text, match.end()))):
            return None
    return Finding(match.start(), match.end(), "CITY", 0.7, "dictionary:address")


def _is_followed(text: str, end: int, lexicon: Lexicon) -> bool:
    """Whether a code or a country comes next, perhaps after a state."""
    for _ in range(2):
        gap = GAP.match(text, end)
        if gap is None:
            return False
        code = _ZIP.match(text, gap.end())
        if (code is not None and len(code[0]) >= _SHORTEST_CODE) or _country(text, gap.end(), lexicon):
            return True
        state = _STATE.match(text, gap.end())
        if state is None:
            return False
        end = state.end()
    return False


CORNER = re.compile(
    rf"(?i:(?:the )?(?:corner|intersection) of )(?=[\w\"])(?P<first>[^\n,;?!]{{2,60}}?) (?:and|&) "
    rf"(?P<second>(?:\d{{1,5}} )?{_CAPITAL}"
    rf"(?: (?:(?:{_LITTLE}) ){{0,2}}(?:{_CAPITAL}|\d{{1,5}}(?!\w))){{0,4}})"
)

NAMED_STREET = re.compile(
    rf"(?<![\w-])(?P<name>(?:{_CAPITAL} ){{1,3}})"
    r"(?:Street|Avenue|Road|Boulevard|Lane|Drive|Highway|Parkway)(?!\w)"
)


def _named_streets(text: str, lexicon: Lexicon) -> Iterator[Finding]:
    """A street without a number."""
    for match in NAMED_STREET.finditer(text):
        words = match["name"].split()
        while words and (_only_leads(words[0], lexicon) or words[0].endswith(".")):
            words = words[1:]
        if words and not all(lexicon.is_common(word) for word in words):
            start = match.start() + match[0].index(words[0])
            yield Finding(start, match.end(), "STREET", 0.6, "dictionary:street")


def _corners(text: str, lexicon: Lexicon) -> Iterator[Finding]:
    """A place named by two streets."""
    if "orner of " not in text and "ntersection of " not in text:
        return
    for match in CORNER.finditer(text):
        if not _is_plain(match["first"] + " " + match["second"], lexicon):
            yield Finding(match.start(), match.end(), "STREET", 0.7, "dictionary:corner")


MILITARY = re.compile(
    r"(?<!\w)(?:(?:PSC|CMR|Unit) \d{1,6}(?:,? Box \d{1,6})?|US(?:S|NS|NV|CGC) [^\W\d_][\w'’-]{1,30})"
    r"(?:,? |,?\s{0,3}\n\s{0,8})[ADF]PO,? A[AEP](?: \d{5}(?:-\d{4})?)?(?!\w)",
    re.IGNORECASE,
)
_POST = re.compile(r"(?i:po )")


def _military(text: str) -> Iterator[Finding]:
    """An address of the armed forces of the United States."""
    if _POST.search(text):
        for match in MILITARY.finditer(text):
            yield Finding(match.start(), match.end(), "STREET", 0.95, "dictionary:military")
