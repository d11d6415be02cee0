"""From what a reviewer writes to a decision: ids of findings, places, and texts to look for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.findings.review import Action, Decision
from reidrisk.errors import InvalidSetting

_ADDED = re.compile(r"(?P<document>.+):(?P<block>[^:]+):(?P<start>\d+)-(?P<end>\d+):(?P<type>[^:]+)")


@dataclass(frozen=True, slots=True)
class Known:
    """The findings that decisions can name, and texts of blocks where they are at hand."""

    file: FindingsFile
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict, repr=False)
    """Document and block -> text."""
    _places: dict[str, tuple[str, str, int, int]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for one in self.file.documents:
            self._places.update(
                {found.name_in(one.document): (one.document, *found.place) for found in one.findings}
            )
        for review in self.file.reviews:
            for decision in review.decisions:
                self._places.setdefault(name_of(decision), (decision.document, *decision.place))

    def on(self, name: str, action: Action, kind: str | None = None) -> Decision:
        """A decision on a finding that is named by its id."""
        if name not in self._places:
            raise InvalidSetting(
                "An id is that of no finding.", hint="Ids stand in the file of findings and in sheets."
            )
        return Decision(*self._places[name], action, kind)

    def added(self, text: str) -> Decision:
        """A place DOC:BLOCK:START-END:TYPE that nobody had found."""
        said = _ADDED.fullmatch(text)
        if said is None:
            raise InvalidSetting(
                "A place to add is none.",
                hint="Write DOCUMENT:BLOCK:START-END:TYPE, such as csr.pdf:page 3:120-128:DATE.",
            )
        return self.at(said["document"], said["block"], int(said["start"]), int(said["end"]), said["type"])

    def at(self, document: str, block: str, start: int, end: int, kind: str) -> Decision:
        """A place that nobody had found, by its offsets."""
        self.require(document, block)
        text = self.texts.get((document, block))
        if text is not None and (end > len(text) or not text[start:end].strip()):
            raise InvalidSetting(
                f"A place to add in {block} of {document} holds no text.",
                hint=f"Offsets count characters of the block from 0; this one has {len(text):,}.",
            )
        return Decision(document, block, start, end, "add", kind)

    def written(self, document: str, block: str, text: str, kind: str) -> list[Decision]:
        """Every place of a block at which a text stands, as whole words."""
        self.require(document, block)
        whole = self.texts.get((document, block))
        if whole is None:
            raise InvalidSetting(
                f"A place to add in {block} of {document} has a text and no offsets.",
                hint="Name the document, so that the text can be looked for: --source DOCUMENT.",
            )
        pattern = r"\s+".join(re.escape(part) for part in text.split())
        found = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", whole)]
        if not found:
            raise InvalidSetting(
                f"A text to add does not stand in {block} of {document}.",
                hint="Write it as it stands there; line ends count as spaces.",
            )
        return [Decision(document, block, start, end, "add", kind) for start, end in found]

    def require(self, document: str, block: str) -> None:
        """Refuse a block that is not there."""
        own = self.file.document(document)
        if own is None:
            raise InvalidSetting.among("A document", document, [one.document for one in self.file.documents])
        if block not in own.blocks:
            raise InvalidSetting(
                f"{document} has no block {block!r}.",
                hint=f"Blocks are named as in the findings, from {own.blocks[0]!r} to {own.blocks[-1]!r}."
                if own.blocks
                else "It has none at all.",
            )

    def seen(self, text: str) -> tuple[str, str]:
        """A block DOC:BLOCK that was read as a whole."""
        document, _, block = text.rpartition(":")
        self.require(document, block)
        return document, block


def name_of(decision: Decision) -> str:
    """The id of the place of a decision: that which a finding there has."""
    return DocumentFinding(*decision.place, "OTHER", 1.0, "reviewer").name_in(decision.document)


def without_doubles(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Decisions each once; two on one place are refused."""
    found: dict[tuple[str, str, int, int], Decision] = {}
    for one in decisions:
        place = (one.document, *one.place)
        if found.setdefault(place, one) != one:
            raise InvalidSetting(
                f"There are two decisions on one place in {one.block} of {one.document}.",
                hint="Decide once: accept, reject, retype or add.",
            )
    return tuple(found.values())
