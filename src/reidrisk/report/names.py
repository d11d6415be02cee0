"""Names from the data and from files, made to fit."""

from __future__ import annotations

import re
from pathlib import PurePath

from reidrisk.report.plain_text import printable, width_of
from reidrisk.report.traced import unmarked


def ends_of(name: str, most: int) -> str:
    """A name that fits, with its end too: long names of columns often begin alike. Wide letters count twice.

    >>> ends_of("date_of_first_diagnosis_2", 20), ends_of("sex", 20)
    ('date_of_first…osis_2', 'sex')
    """
    clean = printable(name)
    if width_of(clean) <= most:
        return clean
    end = ""
    for letter in reversed(clean):
        if width_of(letter + end) > most // 3:
            break
        end = letter + end
    start = ""
    for letter in clean:
        if width_of(start + letter + end) > most - 1:
            break
        start += letter
    return f"{start}…{end}"


PATH = re.compile(
    r"(?:/|[A-Za-z]:[\\/]|\\\\)[^\n]*[^\n/\\]|(?!10\.\d)[\w.\\/-]+[\\/][\w.-]+\.[A-Za-z]\w{0,7}"
)
"""An absolute path, or a relative one to a file."""


def file_name(text: str) -> str:
    """Only the last part of a text that is a path: readers of a report do not know the folders.

    >>> paths = ("/srv/ann/rx.csv", "data/rx.csv", "D:\\\\data\\\\rx.csv")
    >>> [file_name(text) for text in (*paths, "1/5", "10.1/j.x")]
    ['rx.csv', 'rx.csv', 'rx.csv', '1/5', '10.1/j.x']
    """
    return short_path(text) if PATH.fullmatch(unmarked(text)) else text


def short_path(path: str) -> str:
    """The last part of a path, whichever operating system wrote it."""
    return PurePath(path.replace("\\", "/")).name or path
