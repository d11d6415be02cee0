"""The answer key of the synthetic study, aligned with the text that a reader of documents returns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.documents.document import Block
from reidrisk.errors import BadData

RUNNING = re.compile(r"^Clinical Study Report DEMO-301\s+Confidential\s*|Final version\s+Page \d+ of \d+\s*$")
HYPHENS = "-\u00ad\u2010\x02"
"""Some were put in where a line ends: none is looked at."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A mention of the key at its place; the end of a page may cut it in two."""

    spans: tuple[tuple[str, int, int], ...]
    """Block, start and end."""
    kind: str
    variable: str | None
    subjects: tuple[int, ...]
    section: str | None

    @property
    def where(self) -> str:
        """What a failing test may show."""
        return f"{self.kind} {self.variable} in {self.section} at {self.spans}"


def read_key(path: Path) -> list[dict[str, Any]]:
    """Read the pieces of the answer key."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answers_in(key: Sequence[dict[str, Any]], blocks: Sequence[Block]) -> list[Answer]:
    """Every mention in a report: in its text, and in the bookmarks that repeat its headings."""
    pages = [block for block in blocks if block.name == "body" or block.name.startswith("page ")]
    besides = [block for block in blocks if block.name == "besides the pages"]
    headings = [piece for piece in key if piece["kind"] == "heading"]
    return aligned(key, pages) + (aligned(headings, besides) if besides else [])


def aligned(key: Sequence[dict[str, Any]], blocks: Sequence[Block]) -> list[Answer]:
    """Every mention at its place; pieces are looked for in their order, white space does not count."""
    stream = _Stream(key, blocks)
    found: list[Answer] = []
    for piece in key:
        found += stream.take(piece)
    return found


class _Stream:
    """The letters of all blocks in a row, without running titles and repeated heads of tables."""

    def __init__(self, key: Sequence[dict[str, Any]], blocks: Sequence[Block]) -> None:
        self.places: list[tuple[str, int]] = []
        letters: list[str] = []
        heads = _heads(key)
        for block in blocks:
            for at in _kept(block.text, heads):
                letters.append(block.text[at])
                self.places.append((block.name, at))
        self.text, self.at, self.slack = "".join(letters), 0, 400

    def take(self, piece: dict[str, Any]) -> list[Answer]:
        """The mentions of the next piece."""
        text = piece["text"]
        order = [at for at, letter in enumerate(text) if _counts(letter)]
        plain = "".join(text[at] for at in order)
        hit = self.text.find(plain, self.at, self.at + len(plain) + self.slack)
        if hit < 0:
            if piece["mentions"]:
                raise BadData(
                    f"Piece {piece['piece']} of the answer key is not in the document.",
                    hint="Answer key and documents belong together: write the study again.",
                )
            self.slack += len(plain)
            return []
        self.at, self.slack = hit + len(plain), 400
        spots = {at: hit + number for number, at in enumerate(order)}
        return [self._answer(piece, mention, spots) for mention in piece["mentions"]]

    def _answer(self, piece: dict[str, Any], mention: dict[str, Any], spots: dict[int, int]) -> Answer:
        letters = [spots[at] for at in range(mention["start"], mention["end"]) if at in spots]
        inside: dict[str, list[int]] = {}
        for block, at in (self.places[letter] for letter in letters):
            inside.setdefault(block, []).append(at)
        spans = tuple((block, min(places), max(places) + 1) for block, places in inside.items())
        return Answer(
            spans, mention["kind"], mention["variable"], tuple(mention["subjects"]), piece["section"]
        )


def _counts(letter: str) -> bool:
    return not letter.isspace() and letter not in HYPHENS


def _heads(key: Sequence[dict[str, Any]]) -> list[str]:
    """The head row of every table, without white space."""
    rows: list[str] = []
    before = ""
    for piece in key:
        if piece["kind"] == "head":
            rows = [*rows, ""] if before != "head" else rows
            rows[-1] += "".join(filter(_counts, piece["text"]))
        before = piece["kind"]
    return rows


def _kept(text: str, heads: Sequence[str]) -> list[int]:
    """Offsets of letters, without running titles and a head that a table repeats on a new page."""
    gone = {at for hit in RUNNING.finditer(text) for at in range(*hit.span())}
    kept = [at for at, letter in enumerate(text) if _counts(letter) and at not in gone]
    plain = "".join(text[at] for at in kept)
    repeated = max((len(head) for head in heads if plain.startswith(head)), default=0)
    return kept[repeated:]
