"""A small release with a documents part: a PDF of six pages and a text, with findings."""

from __future__ import annotations

from pathlib import Path

from reidrisk.documents.document import sha256_of
from reidrisk.documents.findings.file import write_findings
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.formats import read_document
from tests.documents.making import pdf, txt

RELEASE, PART = "trial", "report"
PERSON, DAY = "Wilhelmina Zott", "12MAR2019"
PAGES = 6
STUDY = """\
study: W
ipd: {adsl: adsl.csv}
schema: {quasi: [SEX], direct: [NAME], dates: [RFSTDTC]}
deidentified: {key: my.key, recode: [USUBJID], shift: {days: 365}}
threshold: {cell_size: 11}
documents: [csr.pdf, note.txt]
qualitative: {identifiers: low, population: low, participants: low, centres: low}
"""
FILE = """\
# What is released.
reidrisk: 1
release: {{name: A trial}}
context: {{preset: ipc, access: public}}
parts:
  - name: report
    kind: documents
    study: study.yaml
    scenario: qualitative
{findings}"""


def page_text(number: int) -> str:
    """The text of a page; the name is on all of them, the day on the first."""
    day = f" It began on {DAY}." if number == 1 else ""
    return f"Patient {PERSON} was seen.{day}\nSubject W-0{number} was a woman.\nDr. Hidden Person saw her."


def found(path: Path) -> DocumentFindings:
    """Every name, day and subject of a document."""
    blocks, list_ = list(read_document(path)), []
    for block in blocks:
        for value, kind, source, subjects in (
            (PERSON, "NAME", "known:NAME", (1,)),
            (DAY, "DATE", "pattern:date", ()),
            ("W-0", "ID", "model", (2, 3)),
        ):
            start = block.text.find(value)
            if start >= 0:
                end = start + len(value) + (1 if kind == "ID" else 0)
                list_.append(
                    DocumentFinding(block.name, start, end, kind, 0.9, source, subjects, None, "12.3")
                )
    ordered = tuple(sorted(list_, key=lambda one: one.place))
    return DocumentFindings(path.name, sha256_of(path), tuple(one.name for one in blocks), ordered)


def write_trial(root: Path, *, detected: bool = True) -> Path:
    """Write the release into a folder that is served."""
    place = root / RELEASE
    place.mkdir(parents=True)
    paths = [
        pdf(place / "csr.pdf", [page_text(number) for number in range(1, PAGES + 1)]),
        txt(place / "note.txt", page_text(1) + "\nÀ bientôt 😀 W-09.\n"),
    ]
    people = [f"W-{at:02d},F,{PERSON},2019-05-{at:02d}" for at in range(1, 13)]
    (place / "adsl.csv").write_text("\n".join(["USUBJID,SEX,NAME,RFSTDTC", *people]) + "\n")
    (place / "study.yaml").write_text(STUDY)
    (place / "my.key").write_text("0123456789abcdef" * 4 + "\n")
    (place / "my.key").chmod(0o600)
    if detected:
        write_findings(place / "findings.json", [found(path) for path in paths], settings={})
    named = "    findings: findings.json   # of `document detect`\n" if detected else ""
    (place / "release.yaml").write_text(FILE.format(findings=named))
    return place
