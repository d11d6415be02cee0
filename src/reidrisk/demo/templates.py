"""Sentence templates, parsed once and indexed by kind of note and by part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from reidrisk.demo.fillers import TOPICS
from reidrisk.demo.plan import DISCHARGE, HISTORY, PROGRESS, SOCIAL_WORK
from reidrisk.demo.sentences import ACTIONS, HEADER, STORY

LETTERS = {SOCIAL_WORK: "s", HISTORY: "h", PROGRESS: "p", DISCHARGE: "d"}
_PARTS = (
    "patient kin attending consultant nurse worker pcp visit past future dob leave mrn account encounter "
    "member docid accession unitphone homephone clinicphone kinphone pharmacyphone fax street otherstreet "
    "city othercity state otherstate zip country age onset facility agency pharmacy employer"
)
PARTS = frozenset(_PARTS.split())
OPENING = "open"
_LINE = re.compile(r"(?P<section>\w+) (?P<kinds>[shpd]+)(?P<again>\*?)(?: @(?P<group>\w+))?: (?P<text>.+)")
_SLOT = re.compile(r"\{(\w+)(?:([:.])(\w+))?\}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A gap in a sentence."""

    name: str
    form: str = ""
    """The form of an identifier; empty for its usual ones."""
    fact: str = ""
    """A word about an identifier, which is not itself one."""

    @property
    def marked(self) -> bool:
        """Whether what is filled in belongs to the gold standard."""
        return self.name in PARTS and not self.fact


Pieces = tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """One sentence: text and slots in turn."""

    section: str
    kinds: str
    wordings: tuple[Pieces, ...]
    """Alternatives with the same slots for identifiers; most sentences have one."""
    group: str | None
    again: bool
    rank: int
    """Its place in the list, which is the order of lines and sentences in a section."""
    needs: Mapping[str, int]
    """How many mentions of each part it uses up."""

    @property
    def exclusive(self) -> str | None:
        """What no other sentence of the note may share; openings compete within a section."""
        return f"{self.group} {self.section}" if self.group else None


@cache
def pieces_of(text: str) -> Pieces:
    """Take a sentence apart.

    >>> pieces_of("Seen by Dr. {pcp:last}.")
    ('Seen by Dr. ', Slot(name='pcp', form='last', fact=''), '.')
    """
    pieces: list[str | Slot] = []
    end = 0
    for found in _SLOT.finditer(text):
        pieces += [text[end : found.start()]] if found.start() > end else []
        name, mark, rest = found.groups()
        pieces.append(Slot(name, form=rest if mark == ":" else "", fact=rest if mark == "." else ""))
        end = found.end()
    return (*pieces, text[end:]) if end < len(text) else tuple(pieces)


def _parsed(block: str) -> Iterator[Template]:
    for rank, line in enumerate(block.strip().splitlines()):
        found = _LINE.fullmatch(line)
        if found is None:  # only the blank lines between the blocks
            continue
        wordings = tuple(pieces_of(text) for text in found["text"].split(" // "))
        slots = [piece for piece in wordings[0] if isinstance(piece, Slot)]
        yield Template(
            section=found["section"],
            kinds=found["kinds"],
            wordings=wordings,
            group=found["group"],
            again=bool(found["again"]),
            rank=rank,
            needs=Counter(slot.name for slot in slots if slot.marked),
        )


@cache
def sentences_for(kind: str) -> Mapping[str, tuple[Template, ...]]:
    """The sentences with identifiers of a kind of note, by each part that they mention."""
    suited = [each for each in _parsed(HEADER + STORY + ACTIONS) if LETTERS[kind] in each.kinds]
    return {part: tuple(each for each in suited if part in each.needs) for part in PARTS}


@cache
def fillers_for(kind: str) -> tuple[Template, ...]:
    """The sentences without identifiers of a kind of note."""
    return tuple(each for each in _parsed(TOPICS) if LETTERS[kind] in each.kinds)
