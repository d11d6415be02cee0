"""CoNLL and BIO: dialects, columns, documents, and texts rebuilt or laid under."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.formats.files import marked, read, read_one, refused, save

from reidrisk.errors import UnreadableFile
from reidrisk.text.formats.conll import TagRun, tag_runs

FILE = "Né O\n😀 O\nÁngel B-PATIENT\nMüller I-PATIENT\n\nin O\nGraz B-CITY\n"


@pytest.mark.parametrize(
    "tags",
    [
        ["B-X", "I-X", "O", "B-Y", "B-Y"],
        ["I-X", "I-X", "O", "I-Y", "B-Y"],
        ["B-X", "E-X", "O", "S-Y", "S-Y"],
        ["B-X", "L-X", "O", "U-Y", "U-Y"],
        ["B-X", "E-X", "O", "W-Y", "B-Y"],
        ["I-X", "E-X", "O", "B-Y", "U-Y"],
    ],
)
def test_every_dialect_says_the_same(tags: list[str]) -> None:
    assert list(tag_runs(tags)) == [TagRun(0, 1, "X"), TagRun(3, 3, "Y"), TagRun(4, 4, "Y")]


def test_without_prefixes_neighbours_are_one() -> None:
    assert list(tag_runs(["X", "X", "O", "Y", "X"])) == [
        TagRun(0, 1, "X"),
        TagRun(3, 3, "Y"),
        TagRun(4, 4, "X"),
    ]


@given(st.lists(st.tuples(st.sampled_from("XY"), st.integers(1, 4), st.booleans())))
def test_runs_written_as_iob2_or_bioes_come_back(parts: list[tuple[str, int, bool]]) -> None:
    iob2: list[str] = []
    bioes: list[str] = []
    expected = []
    for kind, length, gap in parts:
        expected.append(TagRun(len(iob2), len(iob2) + length - 1, kind))
        iob2 += [f"B-{kind}", *[f"I-{kind}"] * (length - 1)]
        bioes += [f"S-{kind}"] if length == 1 else [f"B-{kind}", *[f"I-{kind}"] * (length - 2), f"E-{kind}"]
        if gap:
            iob2.append("O")
            bioes.append("O")
    assert list(tag_runs(iob2)) == list(tag_runs(bioes)) == expected


def test_a_text_is_rebuilt_with_a_note(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.tsv", FILE), "conll")
    assert document.text == "Né 😀 Ángel Müller\nin Graz"
    assert marked(document) == [("PATIENT", "Ángel Müller"), ("CITY", "Graz")]
    assert "rebuilt from its tokens" in document.notes[0]


@pytest.mark.parametrize("change", [lambda f: f.replace("\n", "\r\n"), lambda f: f.replace(" ", "\t")])
def test_windows_line_ends_and_tabs(tmp_path: Path, change: object) -> None:
    assert callable(change)
    document = read_one(save(tmp_path, "a.conll", "\ufeff" + change(FILE)), "conll")
    assert marked(document) == [("PATIENT", "Ángel Müller"), ("CITY", "Graz")]


def test_four_columns_and_several_documents(tmp_path: Path) -> None:
    begin = "-DOCSTART- -X- -X- O\n\n"
    file = f"{begin}Dr. NNP B-NP O\nJane NNP I-NP B-DOCTOR\n\n{begin}Graz NNP I O\n"
    (first, second) = read(save(tmp_path, "a.txt", file), "conll")
    assert (first.id, second.id) == ("a-1", "a-2")
    assert marked(first) == [("DOCTOR", "Jane")]
    assert second.text == "Graz"


def test_comments_may_name_documents(tmp_path: Path) -> None:
    file = "# newdoc id = x7\n# text = one\n# O\nGraz B-CITY\n\n# newdoc id = x8\nA O\n"
    (first, second) = read(save(tmp_path, "a.conll", file), "conll")
    assert (first.id, first.text, second.id) == ("x7", "# Graz", "x8")


def test_the_text_beside_is_laid_under(tmp_path: Path) -> None:
    text = "Né 😀\r\n  Ángel\tMüller\r\nin Graz\r\n"
    save(tmp_path, "a.txt", text)
    document = read_one(save(tmp_path, "a.conll", FILE), "conll")
    assert document.text == text
    assert marked(document) == [("PATIENT", "Ángel\tMüller"), ("CITY", "Graz")]
    assert document.notes == ()
    assert read_one(tmp_path, "conll") == document


def test_a_token_that_is_not_in_the_text_is_named(tmp_path: Path) -> None:
    save(tmp_path, "a.txt", "Né 😀 Ángel Mueller in Graz")
    path = save(tmp_path, "a.conll", FILE)
    refused(path, "conll", r"a\.conll, line 4, document 'a': the token is not next")
    save(tmp_path, "a.txt", "Né 😀 Ángel xx Müller in Graz")
    refused(path, "conll", "line 4")


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("Graz\n", "line 1: the line has no token"),
        ("\tO\n", "line 1: the line has no token"),
        ("A B-X\nB X\n", "line 2: its tag has no prefix"),
        ("A O-X\n", "a tag starts with O-"),
        (f"A B-{'x' * 300}\n", "annotation 1"),
    ],
)
def test_other_damage_is_refused(tmp_path: Path, file: str, says: str) -> None:
    refused(save(tmp_path, "a.conll", file), "conll", says, kind=UnreadableFile)


def test_one_text_cannot_be_that_of_two_documents(tmp_path: Path) -> None:
    save(tmp_path, "a.txt", "A B")
    path = save(tmp_path, "a.conll", "-DOCSTART- O\nA O\n-DOCSTART- O\nB O\n")
    refused(path, "conll", "is one text, but the file beside it has 2 documents", kind=UnreadableFile)
