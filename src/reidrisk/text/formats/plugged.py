"""A reader of a plug-in, whose errors show no data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.core.plugins import check_parts, load_plugin, plugin_errors
from reidrisk.errors import BadData
from reidrisk.text.corpus import Document
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.reader import AnnotationReader, ReadSettings, SourceFile

_HINT = "Ask the author of the plug-in; docs/guides/plug-ins.md says what it must give."


class PluggedReader:
    """Reads by an `AnnotationReader` of another package."""

    def __init__(self, given: str) -> None:
        reader = load_plugin("readers", given)
        check_parts(given, reader, "title", "choose", "recognizes", "read")
        self._reader: AnnotationReader = reader
        self.name = given
        self.title = str(reader.title)

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """The files of a folder that it would read."""
        with plugin_errors(self.name):
            return list(self._reader.choose(files))

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether it says that the file is its own."""
        with plugin_errors(self.name):
            return bool(self._reader.recognizes(path, head))

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of a file; their annotations are checked like those of our own readers."""
        with plugin_errors(self.name):
            found: Any = iter(self._reader.read(path, settings))
        while True:
            with plugin_errors(self.name):
                document = next(found, None)
            if document is None:
                return
            if not isinstance(document, Document):
                raise BadData(f"{self.name} gave something that is not a document.", hint=_HINT)
            is_checked = bool(document.misfits or document.surfaces)
            yield document if is_checked else check_fit(document, [None] * len(document.annotations))
