"""Read the letters in pictures with Tesseract, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import Any

from reidrisk.documents.proof.texts import Unread
from reidrisk.errors import InvalidSetting

NARROWEST, LOWEST = 32, 10
"""Pixels: smaller pictures have no room for a word."""
NO_PICTURES = "none"
"""What a user says who wants no pictures to be read."""
_HELPERS = ("osd", "equ")
"""Data of Tesseract that are no languages."""
_MOST_LANGUAGES = 8
_LONGEST = 180
"""Seconds for one picture."""
_SMALL, _LARGE = 700, 4000
"""Pixels: lower pictures are enlarged, higher ones made smaller."""
_FEW = 12
"""A picture with fewer words is read a second time: its words may stand anywhere."""


@dataclass(frozen=True, slots=True)
class FoundPicture:
    """A picture in a file, or a page as it is shown."""

    where: str
    load: Callable[[], Any] = field(repr=False)
    """Gives the picture as Pillow has it; raises whatever it likes if it cannot be shown."""
    is_part: bool = False
    """Whether another picture shows it too, such as its page."""


@dataclass(frozen=True)
class Ocr:
    """Tesseract with its languages."""

    program: str
    languages: tuple[str, ...]

    @cached_property
    def _variables(self) -> dict[str, str]:
        return {**os.environ, "OMP_THREAD_LIMIT": "1"}

    def read(self, picture: bytes) -> str:
        """The text of a picture (PNG)."""
        text = self._run(picture, "3")
        if isinstance(text, Unread) or len(text.split()) >= _FEW:
            return text
        return f"{text}\n{self._run(picture, '11')}"

    def _run(self, picture: bytes, mode: str) -> str:
        command = [self.program, "stdin", "stdout", "-l", "+".join(self.languages), "--psm", mode]
        try:
            done = subprocess.run(  # noqa: S603
                command,
                input=picture,
                capture_output=True,
                check=False,
                timeout=_LONGEST,
                env=self._variables,
            )
        except subprocess.TimeoutExpired:
            return Unread("Tesseract did not finish")
        if done.returncode:
            return Unread("Tesseract cannot read it")
        return done.stdout.decode("utf-8", "replace")

    def read_all(self, pictures: Iterable[FoundPicture]) -> Iterator[tuple[str, str]]:
        """Where each picture is, and its text; on all cores. Pictures are loaded one after the other."""
        workers = os.cpu_count() or 1
        waiting: deque[tuple[str, str | Future[str]]] = deque()
        source = iter(pictures)
        with ThreadPoolExecutor(workers) as pool:
            while True:
                for picture in islice(source, 2 * workers - len(waiting)):
                    data = _png(picture)
                    waiting.append(
                        (
                            picture.where,
                            Unread(data) if isinstance(data, str) else pool.submit(self.read, data),
                        )
                    )
                if not waiting:
                    return
                where, text = waiting.popleft()
                yield where, text if isinstance(text, str) else text.result()


def _png(picture: FoundPicture) -> bytes | str:
    """A picture in a size that Tesseract likes, or why there is none."""
    from PIL import Image

    try:
        image = picture.load()
        if image.mode in ("RGBA", "LA", "P", "PA"):
            shown = image.convert("RGBA")
            image = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown)
        gray = image.convert("L")
        higher = max(gray.size)
        factor = min(3.0, _SMALL / higher) if higher < _SMALL else _LARGE / higher if higher > _LARGE else 1.0
        if factor != 1.0:
            gray = gray.resize((max(1, int(gray.width * factor)), max(1, int(gray.height * factor))))
        data = BytesIO()
        gray.save(data, "PNG")
        return data.getvalue()
    except Exception:  # noqa: BLE001 - pictures of others may be broken in any way
        return "the picture cannot be decoded"


def find_ocr(asked: str | None) -> Ocr | None:
    """Tesseract with the languages that were asked for, such as `eng+deu`, or with those that are installed.

    None where it is not installed or not wanted.
    """
    program = shutil.which("tesseract")
    if asked == NO_PICTURES:
        return None
    installed = _installed(program) if program else ()
    if asked is None:
        ordered = sorted(installed, key=lambda name: (name != "eng", name))
        return Ocr(program, tuple(ordered[:_MOST_LANGUAGES])) if program and ordered else None
    if program is None:
        return None
    wanted = tuple(dict.fromkeys(asked.split("+")))
    missing = [name for name in wanted if name not in installed]
    if missing:
        raise InvalidSetting(
            f"Tesseract has no language {missing[0]!r}.",
            hint=f"Installed: {', '.join(sorted(installed)) or 'none'}.",
        )
    return Ocr(program, wanted)


def _installed(program: str) -> tuple[str, ...]:
    done = subprocess.run([program, "--list-langs"], capture_output=True, check=False)  # noqa: S603
    lines = done.stdout.decode("utf-8", "replace").splitlines()[1:]
    return tuple(line.strip() for line in lines if line.strip() and line.strip() not in _HELPERS)
