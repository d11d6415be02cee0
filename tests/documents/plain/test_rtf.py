# ruff: noqa: E501 - a trap stays in one piece

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.documents.document import Block, Change
from reidrisk.documents.plain.proof import RTF_CONTENTS, RTF_TEXTS, as_it_is
from reidrisk.documents.plain.rtf import read_rtf, write_rtf
from reidrisk.errors import UnreadableFile
from tests.documents.docx.secrets import Secrets
from tests.documents.searching import places_of

SECRET = re.compile(r"Zq[a-z]{3}wyk\d{3}")


def _blocks(tmp_path: Path, rtf: str) -> dict[str, str]:
    (tmp_path / "in.rtf").write_bytes(rtf.encode("latin-1"))
    return {block.name: block.text for block in read_rtf(tmp_path / "in.rtf")}


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (r"{\rtf1 John {\b Mc}Kay\par 34}", "John McKay\n34"),
        (r"{\rtf1\ansi\ansicpg1250 \'a3\'f3d\'9f}", "Łódź"),
        (r"{\rtf1\uc1 Zo\u235?, \u-10179?\u-8704?}", "Zoë, 😀"),
        (r"{\rtf1\uc0 Zo\u235 !}", "Zoë!"),
        (r"{\rtf1{\fonttbl{\f0 A;}{\f1\fcharset238 B;}}\f1 \'b3{\f0\'b3}\f1\'b3}", "ł³ł"),
        (r"{\rtf1 a\tab b\line c\cell d\row e\~f\_g\-h}", "a\tb\nc\td\ne\u00a0f-gh"),
        (r"{\rtf1\{x\}\\}", "{x}\\"),
        (r"{\rtf1 a{\deleted gone}b\deleted gone\deleted0 c}", "abc"),
        (r"{\rtf1{\field{\*\fldinst SECRET}{\fldrslt shown}}}", "shown"),
        ("{\\rtf1 {\\pict\\bin4 }}{{}b}", "b"),
    ],
)
def test_the_text_is_read(tmp_path: Path, rtf: str, text: str) -> None:
    assert _blocks(tmp_path, rtf)["body"].endswith(text)


def test_headers_footers_and_notes_are_blocks(tmp_path: Path) -> None:
    rtf = r"{\rtf1{\header Top\par}{\footer Bottom}Text{\footnote Note}.}"
    assert _blocks(tmp_path, rtf) == {
        "header": "Top\n\n", "footer": "Bottom\n", "body": "Text.", "footnotes": "Note\n"
    }  # fmt: skip


def test_nothing_survives(tmp_path: Path) -> None:
    see, hide = (secrets := Secrets()).see, secrets.hide
    spelled = "".join(f"\\'{ord(letter):02x}" for letter in see("codes"))
    path = tmp_path / "trap.rtf"
    path.write_text(
        f"{{\\rtf1{{\\info{{\\author {hide('author')}}}{{\\title {hide('title')}}}}}"
        f"{{\\*\\userprops {hide('property')}}}{{\\stylesheet{{\\s1 {hide('style')};}}}}{{\\header {see('header')}}}"
        f"{{\\*\\bkmkstart {hide('bookmark')}}}{{\\pict {hide('picture').encode().hex()}}}{spelled}\\par "
        f"{{\\v {see('hidden')}}}{{\\deleted {hide('deleted')}}}{{\\*\\annotation {hide('comment')}}}"
        f"{{\\field{{\\*\\fldinst {hide('code')}}}{{\\fldrslt {see('result')}}}}}"
        f"{{\\shp{{\\*\\shpinst{{\\shptxt {see('text box')}}}}}}}{{\\object{{\\*\\objdata {hide('object')}}}}}}}",
        encoding="latin-1",
    )
    blocks = list(read_rtf(path))
    text = "\n".join(block.text for block in blocks)
    assert sorted(name for name, value in secrets.shown.items() if value not in text) == []
    changes = [
        Change(block.name, found.start(), found.end())
        for block in blocks
        for found in SECRET.finditer(block.text)
    ]
    out = tmp_path / "out.rtf"
    written = write_rtf(path, out, changes)
    wanted = secrets.shown | secrets.hidden
    left = {
        value for value, _ in places_of(out, list(wanted.values()), (*RTF_TEXTS, *RTF_CONTENTS, as_it_is))
    }
    assert sorted(name for name, value in wanted.items() if value in left) == []
    assert "written anew" in written.notes[0]


@settings(max_examples=25)
@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1).filter(str.strip))
def test_what_is_written_is_read_again(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "in.rtf", Path(folder) / "out.rtf"
        path.write_bytes(b"{\\rtf1 X}")
        write_rtf(path, out, [Change("body", 0, 1, new=f"{text}\tend")])
        (block,) = read_rtf(out)
        assert block == Block("body", f"{text}\tend")


@pytest.mark.parametrize("data", [b"", b"text", b"{\\rtf1 {cut", b"%PDF-"])
def test_what_is_no_rtf_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "in.rtf"
    path.write_bytes(data)
    with pytest.raises(UnreadableFile):
        list(read_rtf(path))
