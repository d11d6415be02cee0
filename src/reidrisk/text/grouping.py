"""Group documents: by folder, by kind of document, by a field, or by a part of the id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import Literal

from reidrisk.core.user_pattern import UserPattern
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.text.corpus import Document

By = Literal["folder", "type", "field", "id"]
KIND_FIELDS = ("type", "doc_type", "document_type", "note_type", "kind")
"""Fields that state the kind of a document; the first one present counts."""
LONGEST = 60
_ENDING = re.compile(r"[\W_]*\d+$")
_HINT = "Give folder, type, field:NAME, or a regular expression with a group, such as '^(.+)-'."


@dataclass(frozen=True, slots=True)
class Grouping:
    """A rule that puts every document into one group."""

    by: By
    name: str = ""
    """The field, or the regular expression to search for in the id."""

    def __post_init__(self) -> None:
        if self.by not in ("folder", "type", "field", "id"):
            raise InvalidSetting(f"Documents cannot be grouped by {self.by!r}.", hint=_HINT)
        if (self.by in ("field", "id")) == (self.name == ""):
            raise InvalidSetting(
                "A grouping by field or by id needs a name or a pattern, and others must not have one.",
                hint=_HINT,
            )
        if self.by == "id":
            _compiled(self.name)

    @classmethod
    def parse(cls, text: str) -> Grouping:
        """From command-line text.

        >>> Grouping.parse("folder").by, Grouping.parse("column:ward").name, Grouping.parse("^([a-z]+)-").by
        ('folder', 'ward', 'id')
        """
        if text in ("folder", "type"):
            return cls("folder" if text == "folder" else "type")
        head, colon, rest = text.partition(":")
        if colon and head in ("field", "column"):
            return cls("field", rest)
        if colon and head == "id":
            return cls("id", rest)
        if "(" in text:
            return cls("id", text)
        raise InvalidSetting(f"Documents cannot be grouped by {text!r}.", hint=_HINT)

    @classmethod
    def parse_cluster(cls, text: str) -> Grouping:
        """The same for clusters, where a word alone is the name of a field.

        >>> Grouping.parse_cluster("author").name, Grouping.parse_cluster("^([a-z]+)-").by
        ('author', 'id')
        """
        known = text in ("folder", "type") or ":" in text or "(" in text
        return cls.parse(text) if known or not text else cls("field", text)

    def key_of(self, document: Document) -> str | None:
        """The group of a document, which is never shown; None if it has none."""
        if self.by == "folder":
            return folder_of(document)
        if self.by == "id":
            return _compiled(self.name).first(document.id)
        fields = dict(document.about)
        names = KIND_FIELDS if self.by == "type" else (self.name,)
        return next((fields[name] for name in names if fields.get(name)), None)

    def of(self, document: Document) -> str:
        """The group of a document; an error if it has none."""
        if self.by == "folder":
            return folder_of(document)
        if self.by == "id":
            return _shown(self._part_of_id(document), document)
        fields = dict(document.about)
        names = KIND_FIELDS if self.by == "type" else (self.name,)
        for name in names:
            if name in fields:
                return _shown(fields[name], document)
        raise BadData(
            f"{document.shown.capitalize()} has no field {' or '.join(names)}.",
            hint=f"Its fields are: {', '.join(fields) or 'none'}. {_HINT}",
        )

    def _part_of_id(self, document: Document) -> str:
        found = _compiled(self.name).first(document.id)
        if found is None:
            raise BadData(
                f"The pattern for groups does not match {document.shown}.",
                hint="It must match in every document id; its first group, or the whole match, is the group.",
            )
        return found

    def __str__(self) -> str:
        return f"{self.by}:{self.name}" if self.name else self.by


def _compiled(pattern: str) -> UserPattern:
    return UserPattern(pattern, "The pattern for groups", _HINT)


def folder_of(document: Document) -> str:
    """The folder in the id, as in nested corpora; otherwise the folder of the file."""
    name = document.id.replace("\\", "/")
    inside = str(PurePath(name).parent) if "/" in name else "."
    if inside not in (".", "/"):
        return inside
    return _name_of_folder(document.source.replace("\\", "/").rstrip("/").rpartition("/")[0])


@lru_cache(maxsize=256)
def _name_of_folder(path: str) -> str:
    """Most documents are in a few folders."""
    return PurePath(path).name or "."


def _shown(label: str, document: Document) -> str:
    """The name of a group; reports show it, so it must be short and printable."""
    if not label or len(label) > LONGEST or not label.isprintable():
        raise BadData(
            f"The group of {document.shown} has no usable name.",
            hint=f"Choose a field with short values on one line, at most {LONGEST} characters.",
        )
    return label


def stem_of(name: str) -> str:
    """An id without the digits at its end and the separators before them: likely the source.

    >>> stem_of("ward3-0012"), stem_of("note12"), stem_of("letter")
    ('ward3', 'note', 'letter')
    """
    return _ENDING.sub("", name)
