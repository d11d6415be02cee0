"""Which kind of source lies at a path."""

from __future__ import annotations

from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.resynthesis.corpus import delimited, parquet
from reidrisk.resynthesis.corpus.delimited import DelimitedTable
from reidrisk.resynthesis.corpus.json_lines import JsonLines
from reidrisk.resynthesis.corpus.note import Source, SourceOptions
from reidrisk.resynthesis.corpus.parquet import ParquetTable
from reidrisk.resynthesis.corpus.plain_text import TextFile, TextFolder
from reidrisk.text.formats.reader import file_errors
from reidrisk.text.formats.strict_json import LINE_SUFFIXES


def open_source(path: Path, options: SourceOptions) -> Source:
    """A text file, a folder of them, a table or JSON lines; the suffix decides."""
    with file_errors(path):
        folder, single = path.is_dir(), path.is_file()
    if not (folder or single):
        raise UnreadableFile(f"{path_text(path)} is no file and no folder.", hint="Check the path.")
    suffix = path.suffix.lower()
    if single and suffix in delimited.SUFFIXES:
        return DelimitedTable(path, options)
    if single and suffix in parquet.SUFFIXES:
        return ParquetTable(path, options)
    if single and suffix in LINE_SUFFIXES:
        return JsonLines(path, options)
    if options.columns:
        raise InvalidSetting(
            f"{path_text(path)} is no table and has no columns.", hint="Leave out --column for text files."
        )
    return TextFolder(path, options) if folder else TextFile(path, options)
