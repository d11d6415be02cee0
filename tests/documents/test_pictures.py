from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.pictures import BLANK, stripped


def _segment(marker: int, data: bytes) -> bytes:
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data


def test_a_jpeg_keeps_its_picture_and_nothing_else() -> None:
    first = _segment(0xE0, b"JFIF\0data")
    scan = _segment(0xDA, b"\x01\x01") + b"pixels\xff\x00more\xff\xd0rest"
    second = _segment(0xC4, b"table") + _segment(0xDA, b"\x02") + b"finer"
    notes = _segment(0xE1, b"Exif\0\0secret") + _segment(0xFE, b"secret") + _segment(0xED, b"secret")
    small = _segment(0xE0, b"JFXX\0secret")
    data = b"\xff\xd8" + first + notes + small + scan + second + b"\xff\xd9" + b"secret\xff\xd9"
    assert stripped(data) == b"\xff\xd8" + first + scan + second + b"\xff\xd9"


def test_a_gif_keeps_its_pictures_and_how_often_they_are_shown() -> None:
    head = b"GIF89a\x01\0\x01\0\x80\0\0" + bytes(6)
    loop = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    picture = b"\x21\xf9\x04\0\0\0\0\0" + b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0"
    note = b"\x21\xfe\x06secret\0" + b"\x21\xff\x0bXMP DataXMP\x06secret\0"
    assert stripped(head + loop + note + picture + b";secret") == head + loop + picture + b";"


def test_a_png_keeps_its_picture() -> None:
    note = b"tEXtAuthor\0secret"
    chunk = struct.pack(">I", len(note) - 4) + note + struct.pack(">I", zlib.crc32(note))
    assert stripped(BLANK[:33] + chunk + BLANK[33:] + b"secret") == BLANK


@pytest.mark.parametrize("data", [b"", b"BM...", b"II*\0"])
def test_other_pictures_stay_as_they_are(data: bytes) -> None:
    assert stripped(data) == data


@given(st.sampled_from([b"\xff\xd8\xff", b"GIF89a", BLANK[:8]]), st.binary(max_size=60))
def test_damaged_pictures_do_no_harm(head: bytes, rest: bytes) -> None:
    assert isinstance(stripped(head + rest), bytes)
