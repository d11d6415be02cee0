"""Commands in messages, which people paste as they are: words are quoted for the shell of this system."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable

_PLAIN = re.compile(r"[\w.,:=\\/@+-]+", re.ASCII)
"""Words that neither cmd nor PowerShell changes."""


def shell_word(word: object) -> str:
    """One word, quoted if it needs to be.

    >>> shell_word("file.csv")
    'file.csv'
    """
    text = str(word).encode("utf-8", "backslashreplace").decode()
    if sys.platform != "win32":
        return shlex.quote(text)
    if _PLAIN.fullmatch(text):
        return text
    inner = re.sub(r'(\\*)"', r'\1\1\\"', text)
    ending = re.sub(r"(\\+)$", r"\1\1", inner)
    return f'"{ending}"'


def shell_words(words: Iterable[object]) -> str:
    """A command, or its options."""
    return " ".join(map(shell_word, words))


def pip_install(*extras: str) -> str:
    """How to install extras; double quotes are understood by every shell.

    >>> pip_install("report", "tables")
    'pip install "reidrisk[report,tables]"'
    """
    return f'pip install "reidrisk[{",".join(extras)}]"'
