"""CoNLL and BIO files: one token a line with its tag, rebuilt into a text or laid over one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import settled
from reidrisk.text.formats.conll_tags import check_tags, is_tag, runs
from reidrisk.text.formats.place import At, Place, misaligned, placed, shown, unreadable
from reidrisk.text.formats.plain_files import plain_texts
from reidrisk.text.formats.reader import BYTE_ORDER_MARK, ReadSettings, file_errors, load_text, with_suffix
from reidrisk.text.formats.source import SourceFile

SUFFIXES = (".conll", ".bio", ".iob", ".iob2", ".tsv")
DOCUMENT = "-DOCSTART-"
REBUILT = "the text was rebuilt from its tokens, with one space between them and one line a sentence"
_COMMENT = re.compile(r"#\s+newdoc(?:\s+id\s*=\s*(?P<id>.*?))?\s*")
_LOOKED_AT = 50
_SHAPE = "A line holds a token and, in its last column, its tag; an empty line ends a sentence."


class ConllReader:
    """Documents begin at -DOCSTART-. Where NAME.txt lies beside the file, offsets count in it."""

    name = "conll"
    title = "CoNLL or BIO: token and tag, 2 to 20 columns, tabs or spaces; IOB1, IOB2, BIOES, BILOU or IO"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Files with a usual suffix, and text files that belong to no other."""
        chosen = with_suffix(files, *SUFFIXES)
        stems = {path.stem for path in chosen}
        others = plain_texts([path for path in files if path.suffix.lower() not in SUFFIXES])
        return [*chosen, *(path for path in others if path.stem not in stems)]

    def recognises(self, path: SourceFile, head: bytes) -> bool:
        """Every line at the top has a tag in its last column; an empty text has no lines."""
        if path.suffix.lower() not in (*SUFFIXES, ".txt", ".conll2003", ""):
            return False
        lines = head[:20_000].decode("utf-8", "ignore").removeprefix(BYTE_ORDER_MARK).splitlines()
        whole = [
            line for line in lines[: _LOOKED_AT + 1][: len(lines) - (len(head) > 20_000)] if line.strip()
        ]
        tokens = [columns(line) for line in whole if not line.startswith(("#", DOCUMENT))]
        empty = path.suffix.lower() == ".conll" and not whole
        begun = any(line.startswith(DOCUMENT) for line in whole)
        return bool(empty or begun or tokens) and all(
            len(parts) > 1 and is_tag(parts[-1]) for parts in tokens
        )

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of the file: named as the file, with a number if there are several."""
        source = shown(path)
        table = _Table(source)
        for number, line in enumerate(load_text(path, settings).removeprefix(BYTE_ORDER_MARK).split("\n"), 1):
            with At(Place(source, number)):
                table.take(number, line.removesuffix("\r"))
        wrong = check_tags((line, tag) for found in table.documents for line, _, tag in found.tokens)
        if wrong:
            problem = "its tag has no prefix, although others in the file have"
            raise placed(unreadable(problem, hint=_SHAPE), Place(source, wrong))
        beside = path.with_suffix(".txt")
        with file_errors(beside):
            has_text = path.suffix.lower() != ".txt" and beside.exists()
        text = load_text(beside, settings) if has_text else None
        documents = table.finish()
        if text is not None and len(documents) != 1:
            problem = f"{shown(beside)} is one text, the file beside it has {len(documents)} documents"
            raise placed(unreadable(problem, hint="Give every document files of its own."), source)
        for number, found in enumerate(documents, 1):
            name = found.id or (shown(path.stem) if len(documents) == 1 else f"{shown(path.stem)}-{number}")
            yield found.document(name, source, text)


def columns(line: str) -> list[str]:
    """The columns of a line: tabs separate if there are any, else spaces."""
    return line.split("\t") if "\t" in line else line.split(" ")


@dataclass(slots=True)
class _Found:
    """The tokens of a document with their lines and tags; None ends a sentence."""

    id: str | None = None
    tokens: list[tuple[int, str, str]] = field(default_factory=list)
    sentences: set[int] = field(default_factory=set)
    """Numbers of tokens that begin a sentence."""

    def document(self, name: str, source: str, text: str | None) -> Document:
        """The document, over the given text or a rebuilt one."""
        place = Place(source, None, name)
        notes: tuple[str, ...] = ()
        if text is None:
            text, starts = self._rebuilt()
            notes = (REBUILT,)
        else:
            starts = self._aligned(text, place)
        with At(place):
            found = list(runs(tag for _, _, tag in self.tokens))
        annotations = []
        for number, run in enumerate(found, 1):
            with At(place.annotation(number)):
                kind = fields.annotation_type(run.type, "tag")
            end = starts[run.last] + len(self.tokens[run.last][1])
            annotations.append(Annotation(starts[run.first], end, kind))
        document = Document(name, tuple(annotations), text, source, notes)
        return settled(document, [None] * len(annotations))

    def _rebuilt(self) -> tuple[str, list[int]]:
        parts: list[str] = []
        starts, length = [], 0
        for number, (_, token, _) in enumerate(self.tokens):
            gap = "" if not number else "\n" if number in self.sentences else " "
            parts += (gap, token)
            starts.append(length + len(gap))
            length = starts[-1] + len(token)
        return "".join(parts), starts

    def _aligned(self, text: str, place: Place) -> list[int]:
        """Where the tokens stand; nothing but white space may lie between them."""
        starts, position = [], 0
        for line, token, _ in self.tokens:
            found = text.find(token, position)
            if found < 0 or text[position:found].strip():
                hint = "Check that file and text belong together; tokens are written as the text has them."
                problem = "the token does not follow in the text beside the file"
                raise placed(misaligned(problem, hint=hint), Place(place.source, line, place.document))
            starts.append(found)
            position = found + len(token)
        return starts


class _Table:
    """Takes the lines of a file."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.documents: list[_Found] = [_Found()]
        self._new_sentence = False

    def take(self, number: int, line: str) -> None:
        """A token, the end of a sentence, the begin of a document, or a comment."""
        current = self.documents[-1]
        if not line.strip():
            self._new_sentence = True
            return
        if line.startswith(DOCUMENT):
            self._begin(None)
            return
        parts = columns(line)
        if line.startswith("#") and not (len(parts) > 1 and is_tag(parts[-1])):
            match = _COMMENT.fullmatch(line)
            if match is not None:
                self._begin(match["id"])
            return
        token, tag = parts[0], parts[-1]
        if len(parts) < 2 or not token or token.isspace() or not tag or len(parts) > 20:
            raise unreadable("the line has no token or no tag", hint=_SHAPE)
        if self._new_sentence:
            current.sentences.add(len(current.tokens))
            self._new_sentence = False
        current.tokens.append((number, token, tag))

    def _begin(self, name: str | None) -> None:
        given = None if name is None else fields.document_id(name, "newdoc id")
        if self.documents[-1].tokens or self.documents[-1].id is not None or len(self.documents) > 1:
            self.documents.append(_Found(given))
        else:
            self.documents[-1].id = given
            self.documents.append(self.documents.pop())
        self._new_sentence = False

    def finish(self) -> list[_Found]:
        """The documents of the file."""
        return self.documents
