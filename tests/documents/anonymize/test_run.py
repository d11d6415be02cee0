from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pytest

from reidrisk.detect.known.listed import ListedValues
from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.anonymize.one import anonymize_one, removed_by
from reidrisk.documents.anonymize.plan import Rules
from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.anonymize.settings import AnonymizeSettings, anonymize_settings
from reidrisk.documents.document import Change, sha256_of
from reidrisk.documents.findings.file import FindingsFile, write_findings
from reidrisk.documents.findings.finding import Decision, Review
from reidrisk.documents.formats import format_of
from reidrisk.documents.proof.prove import Hit, Proof
from reidrisk.errors import FailedCheck, InvalidSetting
from tests.documents.making import AGE, DAY, MAKERS, NUMBER, PERSON, docx, found_in, pdf, text_of, txt

HIDDEN = (PERSON, NUMBER, DAY)


def findings(*paths: Path, reviews: tuple[Review, ...] = ()) -> FindingsFile:
    return FindingsFile(1, {}, tuple(found_in(path) for path in paths), reviews)


@pytest.mark.parametrize("suffix", MAKERS)
def test_what_was_found_goes_and_equal_numbers_stay(tmp_path: Path, suffix: str) -> None:
    source = MAKERS[suffix](tmp_path / f"csr{suffix}")
    done = anonymize_documents([source], tmp_path / "out", findings=findings(source))
    after = text_of(tmp_path / "out" / source.name)
    assert done.acceptable
    assert not any(value in after for value in HIDDEN)
    assert after.count(f"{AGE} mg") == 2
    assert f"{AGE} year" not in after
    row = done.to_dict()["documents"][0]
    assert row["fates"]["redacted"] == row["changes"] == 4
    assert row["proof"]["holds"]
    assert (row["proof"]["values"], row["proof"]["values_kept"]) == (4, 1)


def test_a_direct_identifier_goes_everywhere_once_it_was_found(tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf", [f"Subject {NUMBER} fell.", f"{NUMBER.lower()} rose again."])
    one = findings(source)
    first = one.documents[0].findings[:1]
    file = FindingsFile(
        1, {}, (type(one.documents[0])("csr.pdf", one.documents[0].sha256, ("page 1", "page 2"), first),)
    )
    done = anonymize_documents([source], tmp_path / "out", findings=file).to_dict()
    assert done["same_values"] == 1
    assert NUMBER.lower() not in text_of(tmp_path / "out" / "csr.pdf").lower()


def test_what_a_reviewer_rejects_stays(tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt", f"{PERSON} is the sponsor. {PERSON} fell.")
    found = found_in(source)
    place = found.findings[0]
    rejected = Review(
        "anna", "2026-03-01", (Decision("csr.txt", place.block, place.start, place.end, "reject"),)
    )
    other = place.end + len(" is the sponsor. ")
    added = Decision("csr.txt", place.block, other, other + len(PERSON), "add", "NAME")
    file = FindingsFile(1, {}, (found,), (rejected, Review("anna", "2026-03-02", (added,))))
    anonymize_documents([source], tmp_path / "out", findings=file)
    assert text_of(tmp_path / "out" / "csr.txt") == f"{PERSON} is the sponsor. [PPD] fell."


def test_bad_documents_do_not_stop_the_others(tmp_path: Path) -> None:
    good = pdf(tmp_path / "good.pdf")
    write_findings(tmp_path / "findings.json", [found_in(good)], settings={})
    content = json.loads((tmp_path / "findings.json").read_text())
    with pikepdf.open(good) as opened:
        opened.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="a", user="b"))
    bad = {
        "locked.pdf": (tmp_path / "locked.pdf").read_bytes(),
        "empty.pdf": b"",
        "damaged.pdf": good.read_bytes()[:300],
        "wrong.pdf": b"PK\x03\x04 no pdf",
        "wrong.xyz": b"x",
        "changed.pdf": b"%PDF-1.4",
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
        content["documents"].append(content["documents"][0] | {"document": name, "findings": []})
    for one in content["documents"]:
        if one["document"] != "changed.pdf":
            one["sha256"] = sha256_of(tmp_path / one["document"])
    (tmp_path / "findings.json").write_text(json.dumps(content))
    paths = [*(tmp_path / name for name in bad), good, tmp_path / "unknown.txt"]
    txt(tmp_path / "unknown.txt")
    done = anonymize_documents(paths, tmp_path / "out", findings=tmp_path / "findings.json")
    rows = {row["document"]: row for row in done.to_dict()["documents"]}
    assert not done.acceptable
    assert (done.failed, rows["good.pdf"]["written"]) == (7, True)
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["good.pdf"]
    said = {name: rows[name]["error"] for name in (*bad, "unknown.txt")}
    assert "encrypted" in said["locked.pdf"]
    assert "0 bytes" in said["empty.pdf"]
    assert "damaged" in said["damaged.pdf"]
    assert "not a PDF file but a zip file" in said["wrong.pdf"]
    assert "not a known kind of document" in said["wrong.xyz"]
    assert "not the file that findings were made from" in said["changed.pdf"]
    assert "do not name" in said["unknown.txt"]


def test_nothing_of_the_documents_is_in_the_result(tmp_path: Path) -> None:
    source = docx(tmp_path / "csr.docx")
    done = anonymize_documents([source], tmp_path / "out", findings=findings(source))
    shown = done.to_json() + repr(done)
    assert not any(value in shown for value in HIDDEN)


def test_refusals(tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt")
    file = findings(source)
    with pytest.raises(InvalidSetting, match="holds a document"):
        anonymize_documents([source], tmp_path, findings=file)
    with pytest.raises(InvalidSetting, match="stands instead"):
        anonymize_documents([source], tmp_path / "out", findings=file, settings=anonymize_settings("replace"))
    with pytest.raises(InvalidSetting, match="what identifies"):
        anonymize_documents([source], tmp_path / "out")
    anonymize_documents([source], tmp_path / "out", findings=file)
    with pytest.raises(InvalidSetting, match="there already"):
        anonymize_documents([source], tmp_path / "out", findings=file)


@pytest.mark.parametrize(
    "changes",
    [{"personal": "blue"}, {"scanned": "maybe"}, {"rule": "dice"}, {"labels": "2"}, {"colour": "#0"}],
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting, match="Hint"):
        anonymize_settings("redact", changes)


def test_two_gigabytes_are_refused_and_others_go_on(tmp_path: Path) -> None:
    names = ("huge.pdf", "huge.docx", "huge.txt", "huge.html")
    for name in names:
        with (tmp_path / name).open("wb") as file:
            file.truncate(2**31)
    good = txt(tmp_path / "good.txt")
    paths = [*(tmp_path / name for name in names), good]
    done = anonymize_documents(paths, tmp_path / "out", values=[PERSON])
    rows = {row["document"]: row for row in done.to_dict()["documents"]}
    assert all(rows[name]["error"] for name in names)
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["good.txt"]


@pytest.mark.parametrize("suffix", MAKERS)
def test_a_given_value_that_was_not_found_stops_the_release(tmp_path: Path, suffix: str) -> None:
    source, out = MAKERS[suffix](tmp_path / f"csr{suffix}"), tmp_path / f"out{suffix}"
    found, rules = found_in(source, PERSON), Rules(AnonymizeSettings())
    listed = ListedValues(["Nobody", PERSON, NUMBER])
    told = r"1 of the 3 given values .* number 3 of the list"
    with format_of(source).opened(source) as document, pytest.raises(FailedCheck, match=told) as refused:
        anonymize_one(document, out, found, rules, values=listed)
    assert NUMBER not in str(refused.value)
    assert not out.exists()
    with format_of(source).opened(source) as document:
        done = anonymize_one(document, out, found, rules, values=ListedValues(["Nobody", PERSON]))
    assert (done.proof.given, done.proof.left()) == (2, {1: 0, 2: 0})


def test_a_given_value_may_stay_where_the_study_keeps_it(tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt", f"Name {PERSON}, and {PERSON}")
    places = [one.place for one in found_in(source, PERSON).findings]
    new = [Change(*place, f"not {PERSON}") for place in places]
    with format_of(source).opened(source) as document:
        assert removed_by([], document.blocks, given=[PERSON]).kept == {}
        assert removed_by([], document.blocks, given=[PERSON], stay=places).kept == {PERSON: 1}
        assert removed_by(new, document.blocks, given=[PERSON]).kept == {PERSON: 1}


def test_values_alone_are_all_that_goes(tmp_path: Path) -> None:
    text = "Dr. Wilhelmina Zott saw Ann in Boston on 12 March 2019.\n"
    source = txt(tmp_path / "csr.txt", text)
    done = anonymize_documents([source], tmp_path / "out", values=["Ann"]).to_dict()
    assert text_of(tmp_path / "out" / "csr.txt") == text.replace("Ann", "[PPD]")
    assert done["settings"]["detect"] is False
    more = anonymize_documents([source], tmp_path / "more", values=["Ann"], detect=DetectSettings())
    after = text_of(tmp_path / "more" / "csr.txt")
    assert "Zott" not in after
    assert "2019" not in after
    assert more.to_dict()["settings"]["detect"] is True


def test_values_that_overlap_go_together(tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt", "in New York City today")
    done = anonymize_documents([source], tmp_path / "out", values=["New York", "York City"]).to_dict()
    assert text_of(tmp_path / "out" / "csr.txt") == "in [PPD] today"
    assert [(row["found"], row["removed"]) for row in done["values"]] == [(1, 1), (1, 1)]


def test_each_value_is_told_by_its_number(tmp_path: Path) -> None:
    one = txt(tmp_path / "a.txt", "Ann and Ann and Bob")
    two = txt(tmp_path / "b.txt", "Bob")
    done = anonymize_documents([one, two], tmp_path / "out", values=["Bob", "Zoe", "Bob", "Ann"])
    content = done.to_dict()
    assert content["values"] == [
        {"value_number": 1, "found": 2, "removed": 2},
        {"value_number": 2, "found": 0, "removed": 0},
        {"value_number": 4, "found": 2, "removed": 2},
    ]
    assert [row["found"] for row in content["documents"][1]["values"]] == [1, 0, 0]
    assert content["warnings"] == ["1 of 3 values never found: number 2 of the list. Check the spelling."]
    assert "Zoe" not in json.dumps(content)
    assert "GIVEN VALUES" in str(done)


def test_a_value_that_the_end_of_a_page_cuts(tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf", ["He went to New", "York and stayed."])
    done = anonymize_documents([source], tmp_path / "out", values=["New York"]).to_dict()
    after = text_of(tmp_path / "out" / "csr.pdf")
    assert "New" not in after
    assert "York" not in after
    assert done["values"] == [{"value_number": 1, "found": 1, "removed": 1}]


def test_no_letter_of_a_word_that_a_line_end_cuts_stays(tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf", ["Here is An-\nna again."])
    anonymize_documents([source], tmp_path / "out", values=["Anna"])
    assert text_of(tmp_path / "out" / "csr.pdf").split() == ["Here", "is", "PPD", "PPD", "again."]


@pytest.mark.parametrize("suffix", [".docx", ".txt"])
def test_a_document_without_pages_is_written_as_a_whole_also_per_page(tmp_path: Path, suffix: str) -> None:
    source = MAKERS[suffix](tmp_path / f"csr{suffix}")
    for per_page in (False, True):
        settings = AnonymizeSettings(per_page=per_page)
        out = tmp_path / f"out {per_page}"
        assert anonymize_documents([source], out, values=HIDDEN, settings=settings).acceptable
    written = [(tmp_path / f"out {per_page}" / source.name).read_bytes() for per_page in (False, True)]
    assert written[0] == written[1]
    assert not any(value in text_of(out / source.name) for value in HIDDEN)


def test_a_document_without_pages_that_cannot_be_proved_is_refused_also_per_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = docx(tmp_path / "csr.docx")
    proof = Proof(1, 1, (Hit(1, "word/document.xml (parser)"),), 1)
    monkeypatch.setattr("reidrisk.documents.anonymize.one.prove_document", lambda *_, **__: proof)
    told = []
    for per_page in (False, True):
        settings = AnonymizeSettings(per_page=per_page)
        done = anonymize_documents([source], tmp_path / "out", values=[PERSON], settings=settings)
        told.append(done.to_dict()["documents"][0])
    assert not told[0]["written"]
    assert told[0] == told[1]
    assert not list((tmp_path / "out").iterdir())
