from __future__ import annotations

import gzip
import json
import shutil
import zipfile
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner
from pikepdf import Array, Dictionary, Name

import reidrisk as rr
from reidrisk.cli.document import command
from reidrisk.documents import search
from reidrisk.documents.findings.file import write_findings
from reidrisk.documents.pdf.covered import covered_words
from reidrisk.documents.verify import verify_document
from reidrisk.errors import (
    InvalidSetting,
    NothingToMeasure,
    ReidRiskError,
    UnmatchedDocuments,
    UnreadableFile,
)
from tests.documents.making import DAY, MAKERS, NUMBER, PERSON, found_in, pdf, txt
from tests.documents.pdf.building import line, one_page
from tests.documents.wrong import KINDS, PICTURES, SHOWN, VALUE, attached, png, zipped

READS = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")

BOX = "0 0 0 rg 50 690 300 25 re f\n"


@pytest.mark.parametrize("suffix", MAKERS)
def test_values_that_are_there_are_told_by_number(tmp_path: Path, suffix: str) -> None:
    path = MAKERS[suffix](tmp_path / f"csr{suffix}")
    done = verify_document(path, ["Nobody Else", PERSON, NUMBER.lower()])
    assert not done.acceptable
    assert {hit.value for hit in done.proof.hits} == {2, 3}
    shown = done.to_json() + repr(done)
    assert PERSON not in shown
    assert NUMBER.lower() not in shown.lower()
    assert verify_document(path, ["Nobody Else"]).acceptable


def test_values_come_from_lists_tables_and_findings(tmp_path: Path) -> None:
    path = pdf(tmp_path / "csr.pdf")
    (tmp_path / "values.txt").write_text(f"Nobody\n{DAY}\n\n{DAY.lower()}\n")
    (tmp_path / "adsl.csv").write_text(f"USUBJID,SEX\n{NUMBER},F\nDEMO-301-0999,M\n")
    write_findings(tmp_path / "findings.json", [found_in(path)], settings={})
    listed = verify_document(path, tmp_path / "values.txt")
    assert (listed.proof.values, next(hit.value for hit in listed.proof.hits)) == (2, 2)
    table = verify_document(path, tmp_path / "adsl.csv")
    assert (table.proof.values, table.skipped) == (2, 2)
    assert "2 values of fewer than 3 characters" in table.to_dict()["warnings"][0]
    by_places = verify_document(path, tmp_path / "findings.json", source=path)
    assert len({hit.value for hit in by_places.proof.hits}) == by_places.proof.values == 4


def test_a_box_over_words_removes_nothing(tmp_path: Path) -> None:
    path = one_page(tmp_path / "boxed.pdf", line(f"Patient {PERSON}") + BOX + line("Plain words", y=600))
    assert [(one.page, one.words) for one in covered_words(path)] == [(1, 3)]
    done = verify_document(path, ["Nobody Else"]).to_dict()
    assert done["acceptable"]
    assert "3 words can still be read under boxes" in done["warnings"][0]


def test_a_box_under_words_covers_nothing(tmp_path: Path) -> None:
    path = one_page(tmp_path / "plain.pdf", BOX + "1 1 1 rg\n" + line("White on black"))
    assert covered_words(path) == ()


@pytest.mark.parametrize("kind", ["Redact", "Square"])
def test_a_note_over_words_removes_nothing(tmp_path: Path, kind: str) -> None:
    def note(pdf: pikepdf.Pdf, page: pikepdf.Object) -> None:
        box = Dictionary(Type=Name.Annot, Subtype=Name(f"/{kind}"), Rect=Array([50, 690, 350, 715]))
        page["/Annots"] = Array([pdf.make_indirect(box)])

    path = one_page(tmp_path / "noted.pdf", line(f"Patient {PERSON}"), more=note)
    assert [(one.page, one.words) for one in covered_words(path)] == [(1, 3)]


def test_what_we_redact_has_nothing_under_its_boxes(tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf")
    file = rr.FindingsFile(1, {}, (found_in(source),))
    rr.anonymize_documents([source], tmp_path / "out", findings=file)
    out = tmp_path / "out" / "csr.pdf"
    assert verify_document(out, [PERSON, NUMBER, DAY]).acceptable
    assert covered_words(out) == ()


def test_refusals(tmp_path: Path) -> None:
    path = txt(tmp_path / "csr.txt")
    other = txt(tmp_path / "other.txt", "another text")
    write_findings(tmp_path / "findings.json", [found_in(path)], settings={})
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "short.csv").write_text("SEX\nF\n")
    cases: list[tuple[type[ReidRiskError], Path, Path, Path | None]] = [
        (InvalidSetting, path, tmp_path / "findings.json", None),
        (UnmatchedDocuments, path, tmp_path / "findings.json", other),
        (InvalidSetting, path, other, path),
        (NothingToMeasure, path, tmp_path / "short.csv", None),
        (UnreadableFile, tmp_path / "empty.txt", other, None),
        (UnreadableFile, tmp_path / "absent.pdf", other, None),
        (UnreadableFile, tmp_path / "short.csv", other, None),
    ]
    for error, document, values, source in cases:
        with pytest.raises(error, match="Hint"):
            verify_document(document, values, source=source)


def test_damaged_and_encrypted_files_prove_nothing(tmp_path: Path) -> None:
    whole = pdf(tmp_path / "csr.pdf")
    (tmp_path / "half.pdf").write_bytes(whole.read_bytes()[:400])
    with pikepdf.open(whole) as opened:
        opened.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="a", user="b"))
    for name in ("half.pdf", "locked.pdf"):
        with pytest.raises(ReidRiskError, match="Hint"):
            verify_document(tmp_path / name, [PERSON])


@pytest.mark.parametrize(
    "kind", [pytest.param(name, marks=READS if name in PICTURES else ()) for name in KINDS]
)
def test_a_wrongly_redacted_file_is_found_out(tmp_path: Path, kind: str) -> None:
    done = verify_document(KINDS[kind](tmp_path / "in.pdf"), ["Somebody Else", VALUE])
    assert {hit.value for hit in done.proof.hits} == {2}
    assert VALUE not in done.to_json() + repr(done)


@pytest.mark.parametrize("kind", KINDS)
def test_without_tesseract_what_was_not_searched_is_named(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = KINDS[kind](tmp_path / "in.pdf")
    monkeypatch.setenv("PATH", str(tmp_path))
    done = verify_document(path, ["Somebody Else", VALUE])
    assert not done.acceptable
    if kind in PICTURES:
        assert done.proof.holds
        assert [one.why for one in done.not_searched] == ["Tesseract is not installed"]
        assert "could not be searched" in done.to_dict()["reasons"][1]
    else:
        assert {hit.value for hit in done.proof.hits} == {2}


def test_the_command_names_what_it_did_not_search(tmp_path: Path) -> None:
    path = KINDS["figure"](tmp_path / "in.pdf")
    (tmp_path / "v.txt").write_text("Somebody Else\n")
    given = ["verify", str(path), "--values", str(tmp_path / "v.txt"), "--ocr", "none"]
    shown = CliRunner().invoke(command, given)
    assert shown.exit_code == 3
    assert "NOT FULLY SEARCHED" in shown.output
    assert "picture 1, page 1" in shown.output
    told = json.loads(CliRunner().invoke(command, [*given, "--json", "-"]).output)
    assert told["not_searched"] == [{"where": "picture 1, page 1", "why": "pictures were not to be read"}]
    assert (told["acceptable"], told["holds"]) == (False, True)


def locked(path: Path) -> bytes:
    with pikepdf.open(pdf(path)) as opened:
        opened.save(path.with_suffix(".locked"), encryption=pikepdf.Encryption(owner="a", user="b"))
    return path.with_suffix(".locked").read_bytes()


def test_what_nobody_can_open_is_not_searched(tmp_path: Path) -> None:
    def why(data: bytes) -> list[str]:
        done = verify_document(attached(tmp_path / "in.pdf", data), [VALUE], ocr="none")
        assert not done.acceptable
        assert all(one.where.startswith("attachment 1") for one in done.not_searched)
        return [one.why for one in done.not_searched]

    password = bytearray(zipped("a.txt", b"plain"))
    password[6] |= 1
    at = password.index(b"PK\x01\x02")
    password[at + 8] |= 1
    assert why(bytes(password)) == ["it needs a password"]
    assert why(locked(tmp_path / "a.pdf")) == ["it needs a password"]
    assert why(b"PK\x03\x04 torn") == ["it cannot be read"]
    assert why(b"7z\xbc\xaf\x27\x1c" + bytes(40)) == ["a 7-Zip archive: only its plain letters were searched"]
    assert why(bytes(range(250))) == ["an unknown kind of file: only its plain letters were searched"]
    deep = b"plain"
    for _ in range(7):
        deep = gzip.compress(deep)
    assert why(deep) == ["more than 5 files within each other"]


def test_letters_in_an_unknown_file_are_found(tmp_path: Path) -> None:
    data = bytes(range(32)) + SHOWN.encode("utf-16-le") + bytes(3)
    done = verify_document(attached(tmp_path / "in.pdf", data), [VALUE])
    assert "attachment 1" in {hit.where for hit in done.proof.hits}
    assert len(done.not_searched) == 1


def test_names_of_packed_files_are_not_shown(tmp_path: Path) -> None:
    done = verify_document(attached(tmp_path / "in.pdf", zipped(f"{VALUE}.xml", b"<a>b</a>")), [VALUE])
    assert not done.proof.holds
    assert VALUE not in done.to_json()
    torn = verify_document(
        attached(tmp_path / "in.pdf", zipped(f"{VALUE}.bin", bytes(range(99)))), ["Nobody"]
    )
    assert [one.where for one in torn.not_searched] == ["attachment 1: file 1"]
    assert VALUE not in torn.to_json()


def test_a_clean_attachment_and_a_tiny_picture_are_searched(tmp_path: Path) -> None:
    from tests.documents.wrong import stream

    def add(pdf: pikepdf.Pdf, page: pikepdf.Object) -> None:
        from PIL import Image

        pdf.attachments["a"] = zipped("a.txt", b"plain words")
        page.Resources.XObject = Dictionary(Im=stream(pdf, Image.new("L", (20, 20), 0)))

    path = one_page(tmp_path / "in.pdf", line("Nothing.") + "q 9 0 0 9 50 50 cm /Im Do Q", more=add)
    done = verify_document(path, [VALUE], ocr="none")
    assert done.acceptable
    assert (done.files, done.not_searched) == (2, ())


def test_pictures_in_html_and_rtf_are_named(tmp_path: Path) -> None:
    import base64

    data = png(SHOWN)
    page, text = tmp_path / "a.html", tmp_path / "a.rtf"
    page.write_text(f'<p>x</p><img src="data:image/png;base64,{base64.b64encode(data).decode()}">')
    text.write_text("{\\rtf1 x {\\pict\\pngblip\n" + data.hex() + "}}")
    for path in (page, text):
        done = verify_document(path, [VALUE], ocr="none")
        assert [one.where for one in done.not_searched] == ["embedded file 1"]


@READS
def test_pictures_have_a_limit_and_tesseract_its_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = KINDS["picture_in_a_word_document"](tmp_path / "in.pdf")
    with pytest.raises(InvalidSetting, match="no language 'xyz'"):
        verify_document(path, [VALUE], ocr="eng+xyz")
    assert verify_document(path, [VALUE], ocr="eng").to_dict()["settings"]["ocr"] == "eng"
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("word/media/image2.png", png("Another"))
        archive.writestr("word/media/image3.png", png("Another")[:99])
    torn = verify_document(path, ["Nobody"])
    assert [(one.where, one.why) for one in torn.not_searched] == [
        ("word/media/image3.png", "the picture cannot be decoded")
    ]
    monkeypatch.setattr(search, "MOST_PICTURES", 1)
    done = verify_document(path, [VALUE])
    assert done.pictures == 1
    assert [one.why for one in done.not_searched] == ["only the first 1 pictures were read"] * 2


def test_a_tesseract_that_fails_has_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tesseract"
    program.write_text('#!/bin/sh\n[ "$1" = --list-langs ] && printf "List\\neng\\n" && exit 0\nexit 1\n')
    program.chmod(0o755)
    path = KINDS["figure"](tmp_path / "in.pdf")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    done = verify_document(path, [VALUE])
    assert [one.why for one in done.not_searched] == ["Tesseract cannot read it"]
