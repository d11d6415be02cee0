from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.document import Reader
from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.proof import _between_streams
from reidrisk.documents.proof.needles import Needles, counted, forms
from reidrisk.documents.proof.prove import prove
from reidrisk.documents.proof.texts import Unread
from reidrisk.documents.words import alternatives
from reidrisk.errors import FailedCheck
from tests.documents.docx.building import SPACES, Made, paragraph
from tests.documents.pdf.building import line, one_page, pages

NAME = "Jan Kowalski"


def test_a_value_on_the_page_is_found_by_every_reader(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line(f"Subject {NAME} was seen."))
    proof = prove_document(source, ["Nowak", NAME])
    assert not proof.holds
    assert {hit.value for hit in proof.hits} == {2}
    where = " ".join(hit.where for hit in proof.hits)
    assert "PDFium" in where
    assert "pdfminer" in where
    assert proof.to_dict()["hits"][0]["value"] == 2


def test_no_value_is_ever_shown(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line(f"Subject {NAME} was seen."))
    proof = prove_document(source, [NAME])
    with pytest.raises(FailedCheck, match=r"number 1 in page 1 \(PDFium\)") as refused:
        proof.require()
    with pytest.raises(FailedCheck, match="value 1") as removed:
        prove_document(source, [NAME], given=0).require()
    for said in (str(refused.value), str(removed.value), repr(proof), str(proof.to_dict())):
        assert "Kowalski" not in said


def test_a_clean_file_is_proved(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Subject was seen."))
    proof = prove_document(source, [NAME])
    assert proof.holds
    proof.require()


@pytest.mark.parametrize(
    "text",
    [
        "(JAN KOWALSKI) Tj",
        "(Jan) Tj 0 -14 Td (Kowalski) Tj",
        "(Jan Kowal-) Tj 0 -14 Td (ski) Tj",
        "[(K) -300 (o) -300 (w) -300 (a) -300 (l) -300 (s) -300 (k) -300 (i)] TJ",
        "[(Ja) 30 (n K) -20 (owal) 10 (ski)] TJ",
    ],
)
def test_spellings_are_found(tmp_path: Path, text: str) -> None:
    source = one_page(tmp_path / "in.pdf", f"BT /F1 12 Tf 60 700 Td {text} ET")
    assert not prove_document(source, [NAME, "Kowalski"]).holds


HIDDEN: dict[str, Callable[[pikepdf.Pdf], tuple[str, Any]]] = {
    "a string": lambda _: ("/X", pikepdf.Dictionary(Title=NAME)),
    "sixteen bits": lambda _: ("/X", pikepdf.String("\u0141 " + NAME)),
    "a name": lambda _: ("/X", pikepdf.Name("/JanKowalski")),
    "a key": lambda _: ("/JanKowalski", True),
    "a stream": lambda pdf: ("/X", pdf.make_stream(NAME.encode())),
    "a wide stream": lambda pdf: ("/X", pdf.make_stream(NAME.encode("utf-16-be"))),
    "hexadecimal": lambda pdf: ("/X", pdf.make_stream(b"<4A616E204B6F77616C736B69> Tj")),
    "pieces": lambda pdf: ("/X", pdf.make_stream(b"[(Jan K) 20 (ow\\141lski)] TJ")),
}


@pytest.mark.parametrize("where", HIDDEN)
def test_hidden_values_are_found(tmp_path: Path, where: str) -> None:
    def hide(pdf: pikepdf.Pdf, page: Any) -> None:
        name, entry = HIDDEN[where](pdf)
        pdf.Root[name] = entry

    source = one_page(tmp_path / "in.pdf", line("Nothing."), more=hide)
    assert not prove_document(source, [NAME]).holds


def test_values_that_other_places_say_too_are_counted(tmp_path: Path) -> None:
    source = pages(tmp_path / "in.pdf", [line("A dose of 24 mg."), line("Again 24 mg.")])
    assert prove_document(source, ["24"], kept={"24": 2}).holds
    assert not prove_document(source, ["24"], kept={"24": 1}).holds
    assert not prove_document(source, ["24"]).holds


def test_short_values_count_as_whole_words_only(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Annual dose 2024 of Anna."))
    assert prove_document(source, ["Ann", "24", "20"]).holds


def test_people_may_be_called_what_pdf_calls_its_parts(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Nothing."))
    assert prove_document(source, ["Page", "Lang", "Parent", "Encoding", "Helvetica"]).holds
    source = one_page(tmp_path / "in.pdf", line("Mr Page and Parent."))
    assert {hit.value for hit in prove_document(source, ["Page", "Lang", "Parent"]).hits} == {1, 3}


def test_a_coordinate_is_no_identifier(tmp_path: Path) -> None:
    drawn = "q 1 0 0 1 284.0806 66 cm Q [-1976 (a)] TJ " + line("Subject 1234 was seen.")
    source = one_page(tmp_path / "in.pdf", drawn)
    assert prove_document(source, ["0806", "1976", "284"]).holds
    hidden = one_page(tmp_path / "hidden.pdf", drawn + " % 0806\n/P <</ActualText (1976)>> BDC EMC")
    assert {hit.value for hit in prove_document(hidden, ["0806", "1976", "284", "1234"]).hits} == {1, 2, 4}


def test_texts_that_stand_for_others_are_found(tmp_path: Path) -> None:
    wide = NAME.encode("utf-16-be").hex()
    drawn = f"/Span <</ActualText <feff{wide}>>> BDC BT /F1 9 Tf (Somebody) Tj ET EMC"
    assert not prove_document(one_page(tmp_path / "in.pdf", drawn), [NAME]).holds
    plain = f"/Span <</Alt ({NAME})>> BDC BT /F1 9 Tf (Somebody) Tj ET EMC"
    assert not prove_document(one_page(tmp_path / "in.pdf", plain), [NAME]).holds


def test_an_operator_is_nobody_s_initials(tmp_path: Path) -> None:
    drawn = "/P <</MCID 0>> BDC " + line("Subject BMC was seen.") + " EMC"
    proof = prove_document(one_page(tmp_path / "in.pdf", drawn), ["BDC", "EMC", "BMC"])
    assert {hit.value for hit in proof.hits} == {3}


def test_the_place_of_an_object_is_no_name_in_hexadecimal(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Subject 1234 was seen."))
    with source.open("ab") as file:
        file.write(b"\n% 0000474357 00000 n\n% " + NAME.encode().hex().encode() + b"\n")
    assert {hit.value for hit in prove_document(source, ["GCW", NAME]).hits} == {2}


def test_what_is_no_pdf_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "in.pdf"
    path.write_bytes(b"Once upon a time")
    with pytest.raises(FailedCheck, match="nothing is proved"):
        prove_document(path, [NAME])


def reader(name: str, texts: dict[int, str | None], *, crash: bool = False) -> Reader:
    def read(_: Path) -> Iterator[tuple[str, str]]:
        for number, text in texts.items():
            yield f"page {number} ({name})", Unread("no") if text is None else text
        if crash:
            raise RuntimeError("quotes the document")

    read.__name__ = f"by_{name}"
    return read


def test_one_program_that_fails_on_a_page_does_not_stop_the_others(tmp_path: Path) -> None:
    path = one_page(tmp_path / "in.pdf", line("Nothing."))
    good = reader("good", {1: "one", 2: "two"}), reader("fine", {1: "one", 2: "two"})
    limps = reader("limps", {1: "one", 2: None})
    proof = prove(path, [NAME], texts=[*good, limps], contents=())
    assert proof.holds
    assert proof.notes == ("limps cannot read page 2: other programs did.",)
    falls = reader("falls", {1: "one"}, crash=True)
    assert "cannot read the file" in prove(path, [NAME], texts=[*good, falls], contents=()).notes[0]
    for others in ([limps, good[0]], [falls, good[0]]):
        with pytest.raises(FailedCheck, match=r"page 2 of in.pdf cannot be read by (limps|falls)"):
            prove(path, [NAME], texts=others, contents=())
    assert not prove(path, ["one"], texts=[*good, falls], contents=()).holds


@pytest.mark.parametrize("program", ["pdfium", "pdfminer", "poppler"])
def test_each_reader_of_pdf_names_the_page_that_it_cannot_read(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pages(tmp_path / "in.pdf", [line("One."), line("Two.")])
    if program == "poppler":
        (tmp_path / "pdftotext").write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / "pdftotext").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        named = "Poppler cannot read the file"
    elif program == "pdfium":
        import pypdfium2

        def fail(*_: Any) -> None:
            raise pypdfium2.PdfiumError("no")

        monkeypatch.setattr(pypdfium2.PdfPage, "get_textpage", fail)
        named = "PDFium cannot read page 1, page 2"
    else:
        from pdfminer.pdfinterp import PDFPageInterpreter

        def stumble(_: Any, page: Any) -> None:
            raise AssertionError

        monkeypatch.setattr(PDFPageInterpreter, "process_page", stumble)
        named = "pdfminer cannot read page 1, page 2"
    if program == "poppler" or shutil.which("pdftotext"):
        proof = prove_document(source, [NAME])
        assert proof.holds
        assert [note.startswith(named) for note in proof.notes] == [True]
    else:
        with pytest.raises(FailedCheck, match=r"page 1 of .* cannot be read"):
            prove_document(source, [NAME])


def test_a_backslash_before_an_eight_is_no_octal_number(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", r"BT /F1 12 Tf 60 700 Td (Kowal\8 Jan Kowalsk\151) Tj ET")
    assert not prove_document(source, [NAME]).holds
    assert prove_document(source, ["Nowak"]).holds


def test_words_of_programs_are_nobody_s(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        notice = b"Copyright 2012 Summer Institute of Typography"
        program = pikepdf.Stream(pdf, notice, Subtype=pikepdf.Name.Type1C)
        page.Resources.Font.F2 = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.TrueType,
            BaseFont=pikepdf.Name("/ABCDEF+Gentle Roman"),
            FontDescriptor=pikepdf.Dictionary(FontFile3=program),
        )  # fmt: skip
        pdf.Root.StructTreeRoot = pikepdf.Dictionary(RoleMap=pikepdf.Dictionary(Summer=pikepdf.Name.P))
        pdf.Root.X = pdf.make_stream(b'<x:winter xmlns:x="http://autumn/">here</x:winter>')

    source = one_page(tmp_path / "in.pdf", line("Nothing."), more=add)
    words = ["2012", "Summer", "Gentle", "Roman", "winter", "autumn", "PDF", "EOF", "obj", "endstream"]
    assert prove_document(source, words).holds
    assert {hit.value for hit in prove_document(source, ["Gentle Roman", "here"]).hits} == {1, 2}


def test_numbers_of_objects_are_nobody_s(tmp_path: Path) -> None:
    source = pages(tmp_path / "in.pdf", [line("Nothing.")] * 130)
    with pikepdf.open(source) as pdf:
        pdf.save(tmp_path / "packed.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert prove_document(tmp_path / "packed.pdf", ["123", "130", "842"]).holds


def test_names_of_usual_styles_and_settings_are_nobody_s(tmp_path: Path) -> None:
    style = '<w:latentStyles><w:lsdException w:name="Table 3D effects 1"/></w:latentStyles>'
    own = f'<w:styles {SPACES}>{style}<w:style w:styleId="Kowalski"/></w:styles>'
    document = Made(paragraph("Nothing."))
    document.part("styles", "word/styles.xml", own)
    setting = (
        f'<w:settings {SPACES}><w:compatSetting w:name="useWord2013TrackBottomHyphenation"/></w:settings>'
    )
    document.part("settings", "word/settings.xml", setting)
    made = document.save(tmp_path / "in.docx")
    assert prove_document(made, ["Table", "effects", "document", "styles", "word", "2013"]).holds
    assert not prove_document(made, ["Nothing"]).holds
    assert not prove_document(made, ["Kowalski"]).holds, "a style that people named"


def test_dates_that_end_alike_are_different() -> None:
    assert Needles({1: "1 March 2021"}).found("on 21 March 2021") == set()
    assert Needles({1: "1 March 2021"}).found("on 1 March\n2021") == {1}
    assert counted("21 March 2021, 1 March 2021", "1 March 2021") == 1


def test_a_column_of_counts_is_no_identifier() -> None:
    needles = Needles({1: "0731", 2: "7312019", 3: "Kowalski"})
    assert needles.found("0\n7\n31") == set()
    assert needles.found("07\n31 and 731\n2019, Kowal-\nski, 0731") == {1, 2, 3}


def spelled(text: str) -> list[str]:
    return [form.text for form in forms(text)]


def test_forms_of_a_text() -> None:
    assert "kowalski" in spelled("Kowal-\nski")
    assert "kowalski" in spelled("K o w a l s k i")
    assert "kowalski" in spelled("i k s l a w o K")


@given(
    st.lists(st.text("abc ", min_size=1, max_size=5), min_size=1, max_size=8), st.text("abc ", max_size=30)
)
def test_one_pattern_finds_what_each_word_alone_finds(words: list[str], text: str) -> None:
    import re

    found = re.search(alternatives(words), text)
    assert (found is not None) == any(word in text for word in words)
    if found is not None:
        assert found[0] in words


def test_what_lies_between_streams_is_searched_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long stretches without a stream are cut after objects."""
    monkeypatch.setattr("reidrisk.documents.pdf.proof._PIECE", 200)
    lost = b"".join(b"%d 0 obj\n(nothing)\nendobj\n" % number for number in range(100, 200))
    path = one_page(tmp_path / "in.pdf", line("plain"))
    data = path.read_bytes()
    for value in (b"(Kowalski)", b"% Kowalski\n"):
        path.write_bytes(data.replace(b"startxref", lost + b"99 0 obj\n" + value + b"\nendobj\nstartxref"))
        assert len(list(_between_streams(path.read_bytes(), 0))) > 10
        assert "the bytes of the file" in {hit.where for hit in prove_document(path, ["Kowalski"]).hits}
