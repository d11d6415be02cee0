"""brat standoff: NAME.txt beside NAME.ann, or NAME.ann alone from a tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reidrisk.errors import UnreadableFile
from reidrisk.text.corpus import Document
from reidrisk.text.formats.align import settled
from reidrisk.text.formats.brat_lines import Standoff
from reidrisk.text.formats.place import At, Place, shown
from reidrisk.text.formats.reader import BYTE_ORDER_MARK, ReadSettings, file_errors, load_text, with_suffix
from reidrisk.text.formats.source import SourceFile

_PAIR_HINT = "Put NAME.ann beside NAME.txt; a document without identifiers has an empty NAME.ann."


class BratReader:
    """One document for each .ann file; its text is in the .txt file of the same name."""

    name = "brat"
    title = "brat standoff: a folder of NAME.txt and NAME.ann, or .ann files alone from a tool"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """The .ann files. A .txt file without one among them is a document that would be lost."""
        chosen = with_suffix(files, ".ann")
        stems = {path.stem for path in chosen}
        for path in with_suffix(files, ".txt") if chosen else []:
            if path.stem not in stems:
                raise UnreadableFile(f"{shown(path)} has no annotation file.", hint=_PAIR_HINT)
        return chosen

    def recognises(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the name says it all
        """An .ann file, or a .txt file with an .ann file beside it."""
        return path.suffix.lower() == ".ann" or (path.suffix == ".txt" and _beside(path, ".ann"))

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of an .ann file, named as its file."""
        if path.suffix == ".txt":
            if not _beside(path, ".ann"):
                raise UnreadableFile(f"{shown(path)} has no annotation file.", hint=_PAIR_HINT)
            path = path.with_suffix(".ann")
        source, name = shown(path), shown(path.stem)
        standoff = Standoff()
        # a line ends with \n only: a surface may hold any other separator that splitlines would cut at
        lines = load_text(path, settings).removeprefix(BYTE_ORDER_MARK).split("\n")
        for number, line in enumerate(lines, 1):
            with At(Place(source, number)):
                standoff.take(line.removesuffix("\r"))
        with At(Place(source, None, name)):
            annotations = standoff.annotations()
        # as it is in the file: every \r and a byte order mark count as characters
        text = load_text(path.with_suffix(".txt"), settings) if _beside(path, ".txt") else None
        yield settled(Document(name, annotations, text, source), standoff.surfaces)


def _beside(path: SourceFile, suffix: str) -> bool:
    other = path.with_suffix(suffix)
    with file_errors(other):
        return other.exists()
