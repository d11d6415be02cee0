"""CoNLL and BIO files: one token and its tag per line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import (
    ErrorsAt,
    Location,
    display_path,
    locate_error,
    make_numbered,
    misaligned,
    unreadable,
)
from reidrisk.text.formats.reader import (
    BYTE_ORDER_MARK,
    ReadSettings,
    SourceFile,
    file_errors,
    load_text,
    plain_texts,
    with_suffix,
)
from reidrisk.text.formats.spans import span_of

OUTSIDE = "O"
_PREFIXED = re.compile(r"([BIOESLUMW])-(\S+)")
_STARTS, _ENDS = frozenset("BSUW"), frozenset("ESLUW")


SUFFIXES = (".conll", ".bio", ".iob", ".iob2", ".tsv")
DOCUMENT = "-DOCSTART-"
REBUILT = "the text was rebuilt from its tokens, with one space between them and one line per sentence"
_COMMENT = re.compile(r"#\s+newdoc(?:\s+id\s*=(?P<id>.*))?\s*")
_CHECKED_LINES = 50
_MOST_COLUMNS = 20
_SHAPE = "A line has a token and, in its last column, its tag; an empty line ends a sentence."


class ConllReader:
    """Documents start at -DOCSTART-. If NAME.txt is beside the file, offsets refer to it."""

    name = "conll"
    title = "CoNLL or BIO: token and tag, 2 to 20 columns, tabs or spaces; IOB1, IOB2, BIOES, BILOU or IO"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Files with a usual suffix, and text files that do not belong to another file."""
        chosen = with_suffix(files, *SUFFIXES)
        stems = {path.stem for path in chosen}
        others = plain_texts([path for path in files if path.suffix.lower() not in SUFFIXES])
        return [*chosen, *(path for path in others if path.stem not in stems)]

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether every line at the top has a tag in its last column; an empty text has no lines."""
        if path.suffix.lower() not in (*SUFFIXES, ".txt", ".conll2003", ""):
            return False
        lines = head[:20_000].decode("utf-8", "ignore").removeprefix(BYTE_ORDER_MARK).splitlines()
        whole = [
            line for line in lines[: _CHECKED_LINES + 1][: len(lines) - (len(head) > 20_000)] if line.strip()
        ]
        tokens = [columns(line) for line in whole if not line.startswith(("#", DOCUMENT))]
        empty = path.suffix.lower() == ".conll" and not whole
        begun = any(line.startswith(DOCUMENT) for line in whole)
        return bool(empty or begun or tokens) and all(
            len(parts) > 1 and is_tag(parts[-1]) for parts in tokens
        )

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of the file, named like the file, with a number if there are several."""
        source = display_path(path)
        table = _ConllLines()
        lines = load_text(path, settings).removeprefix(BYTE_ORDER_MARK).split("\n")
        number = 0
        try:
            for number, line in enumerate(lines, 1):
                table.take(number, line)
        except BadData as error:
            raise locate_error(error, Location(source, number)) from None
        _check_tags(table.documents, source)
        beside = path.with_suffix(".txt")
        with file_errors(beside):
            has_text = path.suffix.lower() != ".txt" and beside.exists()
        text = load_text(beside, settings) if has_text else None
        documents = table.documents
        if text is not None and len(documents) != 1:
            problem = (
                f"{display_path(beside)} is one text, but the file beside it has {len(documents)} documents"
            )
            raise locate_error(unreadable(problem, hint="Give every document its own files."), source)
        for number, found in enumerate(documents, 1):
            name = found.id or (
                display_path(path.stem) if len(documents) == 1 else f"{display_path(path.stem)}-{number}"
            )
            yield found.document(name, source, text)


def _check_tags(documents: list[_ConllDocument], source: str) -> None:
    bare = bare_tags({tag for found in documents for _, _, tag in found.tokens})
    if bare:
        line = next(line for found in documents for line, _, tag in found.tokens if tag in bare)
        problem = "its tag has no prefix, although other tags in the file do"
        raise locate_error(unreadable(problem, hint=_SHAPE), Location(source, line))


def columns(line: str) -> list[str]:
    """The columns of a line: separated by tabs if there are any, otherwise by spaces."""
    return line.split("\t") if "\t" in line else line.split(" ")


@dataclass(slots=True)
class _ConllDocument:
    """The tokens of a document, with their line numbers and tags."""

    id: str | None = None
    tokens: list[tuple[int, str, str]] = field(default_factory=list)
    sentences: set[int] = field(default_factory=set)
    """Indexes of tokens that start a sentence."""

    def document(self, name: str, source: str, text: str | None) -> Document:
        """The document, with the given text or a rebuilt one."""
        place = Location(source, None, name)
        notes: tuple[str, ...] = ()
        if text is None:
            text, starts = self._rebuilt()
            notes = (REBUILT,)
        else:
            starts = self._aligned(text, place)
        with ErrorsAt(place):
            found = list(tag_runs([tag for _, _, tag in self.tokens]))

        def annotation(run: TagRun) -> Annotation:
            end = starts[run.last] + len(self.tokens[run.last][1])
            return span_of(starts[run.first], end, run.type, "tag")

        annotations = make_numbered(found, place, annotation)
        document = Document(name, tuple(annotations), text, source, notes)
        return check_fit(document, [None] * len(annotations))

    def _rebuilt(self) -> tuple[str, list[int]]:
        parts: list[str] = []
        starts, length = [], 0
        for number, (_, token, _) in enumerate(self.tokens):
            gap = "" if not number else "\n" if number in self.sentences else " "
            parts += (gap, token)
            starts.append(length + len(gap))
            length = starts[-1] + len(token)
        return "".join(parts), starts

    def _aligned(self, text: str, place: Location) -> list[int]:
        """The positions of the tokens; only white space may be between them."""
        starts, position = [], 0
        for line, token, _ in self.tokens:
            found = text.find(token, position)
            if found != position and (found < 0 or not text[position:found].isspace()):
                hint = "Check that file and text belong together; tokens must be written as in the text."
                problem = "the token is not next in the text beside the file"
                raise locate_error(
                    misaligned(problem, hint=hint), Location(place.source, line, place.document)
                )
            starts.append(found)
            position = found + len(token)
        return starts


class _ConllLines:
    """Collects the lines of a file."""

    def __init__(self) -> None:
        self.documents: list[_ConllDocument] = [_ConllDocument()]
        self._new_sentence = False
        self._begun = False

    def take(self, number: int, line: str) -> None:
        """Read a line: a token, the end of a sentence, the start of a document, or a comment."""
        line = line.removesuffix("\r")
        if not line or line.isspace():
            self._new_sentence = True
            return
        parts = columns(line)
        if line[0] in "#-" and self._is_special(line, parts):
            return
        token, tag = parts[0], parts[-1]
        if not (1 < len(parts) <= _MOST_COLUMNS and token and tag) or token.isspace():
            raise unreadable("the line has no token or no tag", hint=_SHAPE)
        current = self.documents[-1]
        if self._new_sentence:
            current.sentences.add(len(current.tokens))
            self._new_sentence = False
        current.tokens.append((number, token, tag))

    def _is_special(self, line: str, parts: list[str]) -> bool:
        """Whether the line starts a document or is a comment; tokens may start with the same characters."""
        if line.startswith(DOCUMENT):
            self._begin(None)
            return True
        if line[0] == "-" or (len(parts) > 1 and is_tag(parts[-1])):
            return False
        match = _COMMENT.fullmatch(line)
        if match is not None:
            self._begin(None if match["id"] is None else match["id"].strip())
        return True

    def _begin(self, name: str | None) -> None:
        given = None if name is None else fields.document_id(name, "newdoc id")
        first = self.documents[0]
        if len(self.documents) == 1 and not first.tokens and not self._begun:
            first.id = given
        else:
            self.documents.append(_ConllDocument(given))
        self._begun = True
        self._new_sentence = False


class TagRun(NamedTuple):
    """Tokens `first` to `last` (inclusive) of one entity."""

    first: int
    last: int
    type: str


def is_tag(word: str) -> bool:
    """Whether a column looks like a tag with a prefix, or is O."""
    return word == OUTSIDE or _PREFIXED.fullmatch(word) is not None


def tag_runs(tags: Iterable[str]) -> Iterator[TagRun]:
    """The entities of a sequence of tags, in any dialect: IOB1, IOB2, BIOES, BILOU, BMEWO, IO, types alone.

    An entity starts where its tag says so, where the previous token has another type, or after an end. This
    is correct in every dialect, because they differ only in what they leave implicit.
    """
    first, kind, number = 0, None, -1
    for number, tag in enumerate(tags):
        prefix, own = _parts(tag)
        if kind is not None and (own != kind or prefix in _STARTS):
            yield TagRun(first, number - 1, kind)
            kind = None
        if own is not None and kind is None:
            first, kind = number, own
        if kind is not None and prefix in _ENDS:
            yield TagRun(first, number, kind)
            kind = None
    if kind is not None:
        yield TagRun(first, number, kind)


def bare_tags(tags: set[str]) -> set[str]:
    """Tags without a prefix, if others have one."""
    inside = tags - {OUTSIDE}
    bare = {tag for tag in inside if _PREFIXED.fullmatch(tag) is None}
    return bare if len(bare) < len(inside) else set()


@lru_cache(maxsize=1024)
def _parts(tag: str) -> tuple[str, str | None]:
    if tag == OUTSIDE:
        return "", None
    match = _PREFIXED.fullmatch(tag)
    if match is None:
        return "I", tag
    if match[1] == OUTSIDE:
        raise unreadable("a tag starts with O-", hint="Outside of entities the tag is just O.")
    return match[1], match[2]
