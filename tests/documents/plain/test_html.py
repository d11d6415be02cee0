# ruff: noqa: E501 - a trap stays in one piece

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from reidrisk.documents.document import Change
from reidrisk.documents.plain.html import read_html, write_html
from reidrisk.documents.plain.proof import HTML_CONTENTS, HTML_TEXTS, as_it_is
from reidrisk.errors import UnreadableFile
from tests.documents.docx.secrets import Secrets
from tests.documents.docx.trap_parts import png
from tests.documents.searching import places_of

READERS = (*HTML_TEXTS, *HTML_CONTENTS, as_it_is)
SECRET = re.compile(r"Zq[a-z]{3}wyk\d{3}")


def _trap(path: Path) -> Secrets:
    see, hide = (secrets := Secrets()).see, secrets.hide
    split = see("split")
    entities = "".join(f"&#{ord(letter)};" for letter in see("entities"))
    picture = base64.b64encode(png(secrets)).decode()
    path.write_text(
        f"""<!DOCTYPE html><!-- {hide("comment")} --><html data-x="{hide("attribute of the root")}"><head>
<meta name="author" content="{hide("meta")}"><title>{see("title")}</title><base href="http://{hide("base")}/">
<style>/* {hide("comment in a style")} */ p::after {{ content: "{hide("content in a style")}" }}</style>
<script>var x = "{hide("script")}";</script><link rel="x" href="{hide("link")}"></head>
<body onload="f('{hide("handler")}')" id="{hide("id")}"><?pi {hide("instruction")}?>
<p class="a">One <b>{split[:5]}</b><i>{split[5:]}</i> two, {entities}.</p>
<table><tr><td>{see("cell")}</td><td>second</td></tr></table><p hidden>{see("hidden")}</p>
<a href="mailto:{see("address")}@x.org" title="{see("tooltip")}" data-id="{hide("data")}">mail</a>
<img alt="{see("alternative")}" src="data:image/png;base64,{picture}"><img src="data:text/plain,{hide("data address")}">
<iframe srcdoc="{hide("frame")}"></iframe><template>{hide("template")}</template><object>{hide("object")}</object>
<input type="hidden" name="{hide("name of a field")}" value="{see("value")}"><noscript>{hide("noscript")}</noscript>
<svg><title>{see("title of a drawing")}</title><text>{see("drawn")}</text></svg>
<a href="#{secrets.hidden["id"]}">up</a><select><option>{see("choice")}</option></select></body></html>""",
        encoding="utf-8",
    )
    return secrets


def test_nothing_survives(tmp_path: Path) -> None:
    path, out = tmp_path / "trap.html", tmp_path / "out.html"
    secrets = _trap(path)
    blocks = list(read_html(path))
    text = "\n".join(block.text for block in blocks)
    assert sorted(name for name, value in secrets.shown.items() if value not in text) == []
    assert sorted(name for name, value in secrets.hidden.items() if value in text) == []
    changes = [
        Change(block.name, found.start(), found.end())
        for block in blocks
        for found in SECRET.finditer(block.text)
    ]
    write_html(path, out, changes)
    wanted = secrets.shown | secrets.hidden
    left = {value for value, _ in places_of(out, list(wanted.values()), READERS)}
    assert sorted(name for name, value in wanted.items() if value in left) == []


def test_what_is_shown_stays_and_boxes_are_blue(tmp_path: Path) -> None:
    path, out = tmp_path / "in.html", tmp_path / "out.html"
    path.write_text("<p>Ann\n   Lee <b>is</b> 34, Ann.</p><p>Bob</p>", encoding="utf-8")
    (block,) = read_html(path)
    assert block.text == "Ann Lee is 34, Ann.\nBob"
    write_html(path, out, [Change("text", 0, 7), Change("text", 11, 13, new="30-39"), Change("text", 15, 18)])
    (after,) = read_html(out)
    assert after.text == "PPD is 30-39, PPD.\nBob"
    box = '<span style="background-color:#0000ff;color:#ffffff">PPD</span>'
    assert f"<p>{box} <b>is</b> 30-39, {box}.</p><p>Bob</p>" in out.read_text(encoding="utf-8")


def test_the_encoding_that_is_declared_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "in.html"
    path.write_bytes('<meta charset="iso-8859-2"><p>Łódź</p>'.encode("iso-8859-2"))
    assert next(read_html(path)).text == "Łódź"
    write_html(path, tmp_path / "out.html", [])
    assert "Łódź" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_links_within_the_document_still_lead_somewhere(tmp_path: Path) -> None:
    path, out = tmp_path / "in.html", tmp_path / "out.html"
    path.write_text('<a href="#ann">to</a><a name="ann">here</a>', encoding="utf-8")
    write_html(path, out, [])
    assert '<a href="#place1">to</a><a id="place1">here</a>' in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("data", [b"", b"   ", b"<!-- nothing -->", b"\xff\xd8\xff", b"<p>Zo\xeb</p>"])
def test_what_is_no_html_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "in.html"
    path.write_bytes(data)
    with pytest.raises(UnreadableFile):
        list(read_html(path))
    with pytest.raises(UnreadableFile):
        write_html(path, tmp_path / "out.html", [])
    assert not (tmp_path / "out.html").exists()
