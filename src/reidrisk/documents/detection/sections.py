"""Sections of a report by the headings of ICH E3, whatever stands in its list of contents."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TITLES: dict[str, str] = {
    "1": r"title",
    "2": r"synopsis",
    "3": r"contents",
    "4": r"abbreviation|definition",
    "5": r"ethic",
    "6": r"investigator|administrat",
    "7": r"introduction",
    "8": r"objective",
    "9": r"plan|method|design",
    "10": r"patient|subject|participant|population|disposition",
    "11": r"efficacy",
    "12": r"safety",
    "13": r"discussion|conclusion",
    "14": r"tables|figures|graphs",
    "15": r"reference",
    "16": r"appendi",
}
"""Words that the main headings of the guideline have."""
_UNNUMBERED = {
    "synopsis": "2",
    "ethics": "5",
    "introduction": "7",
    "study objectives": "8",
    "investigational plan": "9",
    "study patients": "10",
    "study subjects": "10",
    "study participants": "10",
    "efficacy evaluation": "11",
    "safety evaluation": "12",
    "discussion and overall conclusions": "13",
    "reference list": "15",
    "appendices": "16",
}
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,5})\.?\s+(?P<title>[A-Z(\"'].*)")
_LEADERS = re.compile(r"\.{3,}|(?:\. ){3,}|…|\t\s*\d{1,4}$")
_DEPTH = 3
"""Numbers of the guideline have three parts."""
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading by its number."""

    number: tuple[int, ...]

    @property
    def section(self) -> str:
        """The section of the guideline that it opens or belongs to."""
        return ".".join(str(part) for part in self.number[:_DEPTH])


def heading_of(line: str) -> Heading | None:
    """The heading that a line looks like; entries of a list of contents have dots or a page behind them."""
    text = line.strip().lstrip("#").strip()
    if not text or len(text) > _LONGEST or _LEADERS.search(text):
        return None
    match = _NUMBERED.fullmatch(text)
    if match is None:
        number = _UNNUMBERED.get(text.casefold())
        return None if number is None else Heading((int(number),))
    parts = tuple(int(part) for part in match["number"].split("."))
    if not 1 <= parts[0] <= 16 or match["title"].endswith((".", ";", ",")) or "\t" in match["title"]:
        return None
    if len(parts) == 1 and not re.search(TITLES[str(parts[0])], match["title"].casefold()):
        return None
    return Heading(parts)


@dataclass(slots=True)
class Sections:
    """Follows the headings of one document."""

    section: str | None = None
    _last: tuple[int, ...] = ()
    _seen: set[tuple[int, ...]] = field(default_factory=set)

    def heading(self, line: str, following: str) -> Heading | None:
        """The heading that a line is here, if it is one; `following` is the next line."""
        found = heading_of(line)
        if found is None or _is_entry(found, heading_of(following)):
            return None
        again = found.number in self._seen and found.number[0] <= self._last[0]
        return found if again or found.number > self._last else None

    def open(self, heading: Heading) -> None:
        """Go on behind a heading."""
        self._seen.add(heading.number)
        self._last = heading.number
        self.section = heading.section


def _is_entry(found: Heading, after: Heading | None) -> bool:
    """Whether a heading follows at once that is not below this one, as in a list of contents."""
    return after is not None and after.number[: len(found.number)] != found.number
