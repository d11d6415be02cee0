"""Ways to damage a file: bytes, numbers, words, JSON values, and pieces of other files."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

Files = dict[str, bytes]
Change = Callable[[bytes, list[bytes], random.Random], bytes]
ARCHIVES = (".docx", ".xlsx", ".zip")
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2.5, 10**30, float("nan")),
    *("", "\0", "\ud83d", "x" * 300),
    *([], [[]], {}, [0, 1], [0, 1, "X"]),
)
BITS = (
    *(b"\r", b"\n", b"\r\n", b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf", b'"', b"\t", b" ", b"\\ud83d"),
    *(b"9" * 5000, b"[" * 3000, b"<", b">", b"</", b"&x;", b"&#0;", b"<!DOCTYPE a>", b"]]>", b"||||"),
    *("😀".encode(), "e\u0301".encode(), "\u2028".encode(), "\u00a0".encode()),
    *(b"-DOCSTART-", b"O-X", b"<<A:", b">>"),
)
NUMBERS = (b"-1", b"0", b"1", b"2147483647", b"2147483648", b"99999999999999999999", b"1.5", b"1e999", b"007")


def changed(files: Files, corpus: list[Files], rng: random.Random) -> Files:
    """The files with one to four changes in one of them."""
    name = rng.choice(list(files))
    others = [data for case in rng.choices(corpus, k=3) for data in case.values()]
    data = files[name]
    if name.endswith(ARCHIVES) and rng.random() < 0.9:
        return files | {name: _in_archive(data, rng)}
    packed = name.endswith(".spacy") and rng.random() < 0.9
    if packed:
        data, others = _unpacked(data), [_unpacked(other) for other in others]
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(CHANGES)(data, others, rng)
    return files | {name: zlib.compress(data, 1) if packed else data[: 2**20]}


def _in_archive(data: bytes, rng: random.Random) -> bytes:
    """The archive with changes in one of its files; the archive itself stays readable."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {one.filename: archive.read(one) for one in archive.infolist()[:200]}
    except Exception:  # noqa: BLE001 - it was damaged before
        return _flip(data, [], rng)
    if not members:
        return data
    name = rng.choice(list(members))
    for _ in range(rng.randint(1, 4)):
        members[name] = rng.choice(CHANGES)(members[name], list(members.values()), rng)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member or "x", content[: 2**20])
    return made.getvalue()


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error:
        return data


def _flip(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def _cut(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.choice((1, 2, 5, 20, 100)) :]


def _truncate(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _insert(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(BITS) + data[place:]


def _repeat(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    piece = data[start : start + rng.choice((1, 4, 30, 300))]
    return data[:start] + piece * rng.choice((2, 3, 50, 20_000)) + data[start + len(piece) :]


def _splice(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _number(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    places = [match.span() for match in re.finditer(rb"[0-9]+", data)]
    if not places:
        return data
    start, end = rng.choice(places)
    near = str(int(data[start:end][:12]) + rng.choice((-2, -1, 1, 2))).encode()
    return b"".join((data[:start], rng.choice((near, near, *NUMBERS)), data[end:]))


def _word(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """One word of the file in the place of another."""
    places = [match.span() for match in re.finditer(rb"[%@\w-]+", data)]
    words = re.findall(rb"[%@\w-]+", rng.choice([data, *others]))
    if not places or not words:
        return data
    start, end = rng.choice(places)
    return b"".join((data[:start], rng.choice(words), data[end:]))


def _json(data: bytes, _: list[bytes], rng: random.Random) -> bytes:
    lines = data.splitlines() if rng.random() < 0.5 else [data]
    number = rng.randrange(len(lines)) if lines else 0
    try:
        lines[number] = json.dumps(_swapped(json.loads(lines[number].strip(b",")), rng)).encode()
    except (ValueError, RecursionError, IndexError):
        return data
    return b"\n".join(lines)


def _swapped(value: Any, rng: random.Random) -> Any:
    """The value with one odd thing inside, or one thing gone or twice."""
    if rng.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return rng.choice(ODD)
    result: Any = value.copy()
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    chance = rng.random()
    if chance < 0.1:
        del result[key]
    elif chance < 0.2 and isinstance(result, list):
        result.insert(key, value[key])
    else:
        result[key] = _swapped(value[key], rng)
    return result


CHANGES: tuple[Change, ...] = (_flip, _cut, _truncate, _insert, _repeat, _splice, _word)
CHANGES += (_number, _number, _json, _json)
