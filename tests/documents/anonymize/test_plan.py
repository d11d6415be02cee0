"""What becomes of findings: boxes, values of the released data, and rules of sections."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.anonymize.one import anonymize_one, removed_by
from reidrisk.documents.anonymize.plan import Rules, Taken, plan
from reidrisk.documents.anonymize.settings import anonymize_settings
from reidrisk.documents.document import Block, Change
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.formats import format_of
from reidrisk.errors import MisalignedOffsets
from tests.documents.making import AGE, DAY, NUMBER, PERSON, docx, found_in, pdf, text_of, txt

REPORT = f"""10 Study Patients
Subject {NUMBER} was {AGE} years old.
12 Safety Evaluation
Patient {PERSON} fell on {DAY}.
16 Appendices
Listing: {NUMBER} {DAY} pain
Another line of the appendix."""


class Data:
    """Released data of two participants."""

    def day(self, subject: int, written: str) -> str | None:
        return f"later {subject}" if written else None

    def value(self, subject: int, variable: str, written: str) -> str | None:
        if variable == "AGE":
            return {1: "50-54", 2: "55-59"}[subject]
        return {"RFSTDTC": "03APR2018", "SEX": written}.get(variable)


def finding(
    text: str, value: str, variable: str | None, subjects: tuple[int, ...] = (1,), section: str | None = None
) -> DocumentFinding:
    start = text.index(value)
    return DocumentFinding(
        "text", start, start + len(value), "OTHER", 1.0, "known:X", subjects, variable, section
    )


def fates(
    text: str, *findings: DocumentFinding, mode: str = "replace", **sections: str
) -> list[tuple[str, str | None]]:
    rules = Rules(anonymize_settings(mode), sections, Data())  # type: ignore[arg-type]
    done = plan(findings, [Block("text", text)], rules)
    return [(one.fate, one.change.new if one.change is not None else None) for one in done]


def test_values_of_the_released_data_stand_instead() -> None:
    text = f"A woman of {AGE} came on {DAY}, F, {PERSON}"
    places = [finding(text, AGE, "AGE"), finding(text, DAY, "RFSTDTC"), finding(text, "F,", "SEX")]
    assert fates(text, *places) == [("replaced", "50-54"), ("replaced", "03APR2018"), ("unchanged", None)]
    assert fates(text, finding(text, PERSON, None), finding(text, DAY, "BRTHDTC")) == [("redacted", None)] * 2
    assert fates(text, *places, mode="redact") == [("redacted", None)] * 3


def test_a_date_that_the_data_lack_moves_with_the_others() -> None:
    text = f"scan on {DAY}"
    start = text.index(DAY)
    for subjects, fate in (
        ((1,), ("replaced", "later 1")),
        ((1, 2), ("redacted", None)),
        ((), ("redacted", None)),
    ):
        day = DocumentFinding("text", start, len(text), "DATE", 1.0, "known:date", subjects)
        assert fates(text, day) == [fate]


def test_a_value_cut_by_the_end_of_a_line_is_asked_for_whole() -> None:
    text = "aged fifty-\nfour, F-\nemale"
    places = [finding(text, "fifty-\nfour", "AGE"), finding(text, "F-\nemale", "SEX")]
    assert fates(text, *places) == [("replaced", "50-54"), ("unchanged", None)]


def test_where_participants_would_differ_it_is_redacted() -> None:
    text = f"aged {AGE}"
    assert fates(text, finding(text, AGE, "AGE", (1, 2))) == [("redacted", None)]
    assert fates(text, finding(text, AGE, "AGE", ())) == [("redacted", None)]
    both = finding(text, AGE, "RFSTDTC", (1, 2))
    assert fates(text, both) == [("replaced", "03APR2018")]


def test_sections_have_rules_of_their_own() -> None:
    text = f"{AGE} {DAY}"
    inner = finding(text, AGE, "AGE", section="14.3.3")
    other = finding(text, DAY, "RFSTDTC", section="16.2")
    rules = {"14": "keep", "14.3.3": "redact", "16": "keep"}
    assert fates(text, inner, other, **rules) == [("redacted", None), ("kept", None)]
    assert fates(text, inner, **{"14": "keep"}) == [("kept", None)]
    assert fates(text, inner, **{"14.3": "replace"}, mode="redact") == [("replaced", "50-54")]


def test_a_finding_beyond_its_text_is_refused() -> None:
    with pytest.raises(MisalignedOffsets, match="beyond"):
        fates("short", DocumentFinding("text", 3, 30, "NAME", 1.0, "model"))


WRITERS: dict[str, Callable[[Path], Path]] = {
    ".pdf": lambda path: pdf(path, [REPORT]),
    ".docx": lambda path: docx(path, REPORT),
    ".txt": lambda path: txt(path, REPORT),
}


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_section_is_left_out_but_for_its_heading(tmp_path: Path, suffix: str) -> None:
    source = WRITERS[suffix](tmp_path / f"csr{suffix}")
    rules = Rules(anonymize_settings("redact"), {"16": "leave_out", "10": "keep"})
    found = found_in(source, PERSON, DAY)
    own = tuple(
        DocumentFinding(one.block, one.start, one.end, one.type, 1.0, "known:X", section="12")
        for one in found.findings
    )
    out = tmp_path / f"out{suffix}"
    findings = DocumentFindings(found.document, found.sha256, found.blocks, own)
    with format_of(source).opened(source) as document:
        done = anonymize_one(document, out, findings, rules)
    after = text_of(out)
    assert done.lines == 2
    assert done.proof.holds
    assert "16 Appendices" in after
    assert NUMBER in after
    assert "Listing" not in after
    assert "Another line" not in after
    assert after.count(DAY) == 0


@given(st.text("ab1 \n", max_size=30), st.lists(st.tuples(st.integers(0, 29), st.integers(1, 4)), max_size=4))
def test_what_remains_is_what_is_there_afterwards(text: str, cuts: list[tuple[int, int]]) -> None:
    changes, last = [], 0
    for start, length in sorted(cuts):
        if last <= start and start + length <= len(text):
            changes.append(Change("text", start, start + length, "b1"))
            last = start + length
    removed = removed_by(changes, [Block("text", text)])
    after = list(text)
    for one in reversed(changes):
        after[one.start : one.end] = "b1"
    whole = " ".join("".join(after).split())
    for value in removed.values:
        plain = " ".join(value.split())
        if f" {plain} " in f" {whole} ":
            assert removed.kept[value] >= 1


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 6)), max_size=8),
    st.integers(0, 45),
    st.integers(1, 5),
)
def test_places_that_are_taken(spans: list[tuple[int, int]], start: int, length: int) -> None:
    places = [("body", at, at + size) for at, size in spans]
    met = any(at < start + length and start < end for _, at, end in places)
    assert Taken(places).meets(("body", start, start + length)) == met
    assert not Taken(places).meets(("other", start, start + length))
