"""Stored drawings in the folder of an assessment, which its reports reuse.

The file name of a drawing contains a hash of everything that it depends on. It is reused only if the list of
reports of the folder has it and it contains nothing but lines, areas and text. Otherwise it is drawn again.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from reidrisk.report.charts.canvas import Chart

FOLDER = "charts"
DIGITS = 32
"""Length of the hash in a file name; enough to make collisions practically impossible."""
_REPORT = Path(__file__).parents[1]
SHARED = (
    _REPORT / "names.py",
    _REPORT / "numbers.py",
    _REPORT / "parts.py",
    _REPORT / "plain_text.py",
    _REPORT / "traced.py",
    _REPORT.parent / "core/audience.py",
    _REPORT.parent / "core/wording.py",
    _REPORT.parent / "errors.py",
)
"""Files outside this package that its modules use to draw."""


@dataclass(frozen=True, slots=True)
class StoredDrawings:
    """The drawings in the folder of one assessment."""

    folder: Path
    hashes: dict[str, str]
    """SHA-256 by file name, from the list of reports."""

    @classmethod
    def of(cls, folder: Path) -> StoredDrawings:
        """Return the drawings that the list of reports names; none without a list."""
        from reidrisk.assess.manifest import read_reports  # slow to load, and most pages have no assessment

        listed = (read_reports(folder) or {}).get("files", [])
        return cls(folder, {entry["path"]: entry["sha256"] for entry in listed})

    def find(self, chart: Chart) -> str | None:
        """Return the stored drawing of a chart; None if there is none, or if it was changed."""
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


_IN_USE: ContextVar[StoredDrawings | None] = ContextVar("stored_drawings", default=None)


@contextmanager
def drawings_from(folder: Path | None) -> Iterator[None]:
    """Reuse the drawings of this folder within the context; with None, draw everything."""
    token = _IN_USE.set(None if folder is None else StoredDrawings.of(folder))
    try:
        yield
    finally:
        _IN_USE.reset(token)


def stored_drawing(chart: Chart) -> str | None:
    """Return the drawing of a chart from the folder in use; None if there is none."""
    drawings = _IN_USE.get()
    return None if drawings is None else drawings.find(chart)


def name_of(chart: Chart) -> str | None:
    """Return the file name of a drawing; None if the data that it depends on cannot be told.

    It contains a hash of the data, the code that draws them and the version of matplotlib.
    """
    draw = chart.draw
    if not isinstance(draw, partial) or draw.args:
        return None
    parts = [
        _hash_of_code(draw.func.__module__),
        _library(),
        draw.func.__module__,
        draw.func.__qualname__,
        chart.height,
        sorted((name, repr(value)) for name, value in draw.keywords.items()),
    ]
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:DIGITS]
    return f"{FOLDER}/{chart.name}-{digest}.svg"


def code_files(module: str) -> set[Path]:
    """Return all files whose code can change what a function of this module draws."""
    return {*Path(__file__).parent.glob("*.py"), *SHARED, *_file_of(module)}


def _file_of(module: str) -> list[Path]:
    path = getattr(sys.modules.get(module), "__file__", None)
    return [] if path is None else [Path(path)]


@lru_cache(maxsize=32)
def _hash_of_code(module: str) -> str:
    digest = hashlib.sha256()
    for path in sorted(code_files(module)):
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
    """Whether a drawing can be put into a page as it is: it cannot run code or load anything.

    >>> is_harmless('<svg><g><path d="M 0 0"/></g></svg>'), is_harmless("<svg><script>1</script></svg>")
    (True, False)
    """
    body = _ABOUT.sub("", _HEAD.sub("", drawing, count=1), count=1).replace(_STYLE, "", 1)
    tags = _TAG.findall(body)
    return "<" not in _TAG.sub("", body) and not any(_REFERENCE.search(tag) for tag in tags)
