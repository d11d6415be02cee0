"""Color on a terminal; none in a pipe, with NO_COLOR set, or on a terminal that has none."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

import click

_VERDICT = re.compile(r"\A(?:NOT )?VERIFIED|(?<=\n\n)(?! )[^\n]+")
_YES = re.compile(r"^ +\[ok\]|\AVERIFIED", re.MULTILINE)
_MARKS = {"[ok]": "green", "[no]": "red"}
_MARK = re.compile(r"^( +)(\[ok\]|\[no\])", re.MULTILINE)
_ERROR = re.compile(r"^Error:", re.MULTILINE)


def has_color(stream: TextIO) -> bool:
    """Whether to write color codes to this stream (see https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def bold(text: str) -> str:
    """A heading on standard output."""
    return click.style(text, bold=True) if has_color(sys.stdout) else text


def color_result(text: str, *, acceptable: bool | None) -> str:
    """A result on standard output: its verdict line in green or red, and the marks of its reasons.

    The verdict is the first line after the title, or the first word of a verification. It is bold, without a
    color, if nothing was decided: `acceptable` is None, or no reason is marked [ok].
    """
    if not has_color(sys.stdout):
        return text
    color = "red" if acceptable is False else "green" if acceptable and _YES.search(text) else None
    text = _VERDICT.sub(lambda line: click.style(line[0], fg=color, bold=True), text, count=1)
    return _MARK.sub(lambda mark: mark[1] + click.style(mark[2], fg=_MARKS[mark[2]]), text)


def color_error(text: str) -> str:
    """A message on standard error, with the word Error in red."""
    return _ERROR.sub(click.style("Error:", fg="red", bold=True), text) if has_color(sys.stderr) else text
