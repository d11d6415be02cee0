"""Drawings that lie in the folder of an assessment: its reports need not draw them again.

A drawing is found by a hash of all that it follows from, and taken only if the folder's manifest knows it
and nothing but lines, areas and texts is in it. Whatever else lies there is drawn anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from reidrisk.assess.folder import read_manifest
from reidrisk.core.files import write_text
from reidrisk.report.charts.canvas import Chart

FOLDER = "charts"
DIGITS = 32
"""Of a hash, in a name; more than anybody can make collide."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The drawings of one assessment."""

    folder: Path
    hashes: dict[str, str]
    """By name, as the manifest lists them."""

    @classmethod
    def of(cls, folder: Path) -> Kept:
        """Those that the manifest lists; none without a manifest."""
        listed = (read_manifest(folder) or {}).get("files", [])
        return cls(folder, {str(entry.get("path")): str(entry.get("sha256")) for entry in listed})

    def find(self, chart: Chart) -> str | None:
        """The drawing of a chart as it was made."""
        name = name_of(chart)
        if name is None or name not in self.hashes:
            return None
        try:
            content = (self.folder / name).read_bytes()
            text = content.decode()
        except (OSError, UnicodeDecodeError):
            return None
        is_same = hashlib.sha256(content).hexdigest() == self.hashes[name]
        return text if is_same and is_harmless(text) else None


_IN_USE: ContextVar[Kept | None] = ContextVar("kept_drawings", default=None)


@contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """Take what was drawn from this folder; None: draw everything."""
    token = _IN_USE.set(None if folder is None else Kept.of(folder))
    try:
        yield
    finally:
        _IN_USE.reset(token)


def kept(chart: Chart) -> str | None:
    """The drawing of a chart, where one is kept."""
    found = _IN_USE.get()
    return None if found is None else found.find(chart)


def write_drawings(drawings: Iterable[tuple[Chart, str]], folder: Path) -> list[str]:
    """Keep drawings in a folder; their names in it."""
    made = {name: text for chart, text in drawings if text and (name := name_of(chart))}
    if made:
        (folder / FOLDER).mkdir(exist_ok=True)
    for name, text in made.items():
        write_text(folder / name, text)
    return sorted(made)


def name_of(chart: Chart) -> str | None:
    """Chart, and a hash of the data, of the code that draws them and of the library; None if unknown."""
    draw = chart.draw
    if not isinstance(draw, partial) or draw.args:
        return None
    said = [
        _code(),
        _library(),
        draw.func.__module__,
        draw.func.__qualname__,
        chart.height,
        sorted((name, repr(value)) for name, value in draw.keywords.items()),
    ]
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()[:DIGITS]
    return f"{FOLDER}/{chart.name}-{digest}.svg"


@lru_cache(maxsize=1)
def _code() -> str:
    """A hash of the modules that draw, and of their words."""
    room = Path(__file__).parent
    files = [*room.glob("*.py"), room.parent / "numbers.py", *(room.parent / "words").glob("*.yaml")]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _library() -> str:
    try:
        return version("matplotlib")
    except PackageNotFoundError:
        return ""


_HEAD = re.compile(r"<\?xml [^<>]*\?>\s*<!DOCTYPE svg [^<>\[\]]*>\s*")
_ABOUT = re.compile(r"<metadata>[^&]*?</metadata>", re.DOTALL)
_STYLE = '<style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style>'
_NAMES = "svg|defs|g|path|use|clipPath|rect|text|tspan"
_ATTRIBUTES = (
    "id|d|style|transform|x|y|width|height|viewBox|version|clip-path|fill|stroke|xmlns|xmlns:xlink|xlink:href"
)
_TAG = re.compile(rf"</(?:{_NAMES})>|<(?:{_NAMES})(?:\s+(?:{_ATTRIBUTES})=\"[^\"<>]*\")*\s*/?>")
_REFERENCE = re.compile(r'(?:xlink:href="|url\()(?!#)|@|expression|javascript', re.IGNORECASE)


def is_harmless(drawing: str) -> bool:
    """Whether nothing can run and nothing is fetched: a drawing goes into a page as it is.

    >>> is_harmless('<svg><g><path d="M 0 0"/></g></svg>'), is_harmless("<svg><script>1</script></svg>")
    (True, False)
    """
    body = _ABOUT.sub("", _HEAD.sub("", drawing, count=1), count=1).replace(_STYLE, "", 1)
    tags = _TAG.findall(body)
    return "<" not in _TAG.sub("", body) and not any(_REFERENCE.search(tag) for tag in tags)
