"""Every command that writes, on data as small as they can be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest import mock

from reidrisk.core.file_set import together
from reidrisk.core.trail import append
from reidrisk.documents.findings.file import write_findings
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.jsonl import write_jsonl
from tests.assess.builders import write_data, write_file
from tests.documents.making import docx, found_in, pdf, txt
from tests.faults.trial import CANARY, Case
from tests.population.builders import cells
from tests.population.census_server import bureau

CHECKED = ("IQ-01", "OQ-29")
KEY = "0123456789abcdef" * 4 + "\n"
OUT = "out/result.json out/page.html"
FILES = "--json out/result.json --html out/page.html --quiet"


def _folders(place: Path) -> None:
    (place / "out").mkdir()
    (place / "my.key").write_text(KEY)
    (place / "my.key").chmod(0o600)


def table(place: Path) -> None:
    """Twelve records in two classes."""
    _folders(place)
    rows = [f"{CANARY},{'FM'[at % 2]},{30 + at % 2},2019-03-{10 + at}" for at in range(12)]
    (place / "t.csv").write_text("\n".join(["name,sex,age,seen", *rows]) + "\n")
    (place / "rules.yaml").write_text("age: {kind: age, unit: years, levels: [years, 5 years]}\n")
    (place / "steps.yaml").write_text("steps:\n  - {kind: rank_swap, columns: [age], within: 0.2}\n")


def texts(place: Path) -> None:
    """Annotated notes, and the same ones as files."""
    _folders(place)
    text = f"Mr. Zeb {CANARY} was seen on 03/14/2019 in Ohio."
    at = text.index(CANARY)
    name, day = (
        Annotation(at, at + len(CANARY), "NAME"),
        Annotation(text.index("03"), text.index(" in"), "DATE"),
    )
    documents = [Document(f"d{number}", (name, day), text) for number in range(12)]
    write_jsonl(documents, place / "gold.jsonl")
    write_jsonl([Document(one.id, (day,), text) for one in documents], place / "tool.jsonl")
    (place / "notes").mkdir()
    for number in range(3):
        (place / "notes" / f"n{number}.txt").write_text(text)
    lines = [json.dumps({"id": f"{number}", "text": text}) for number in range(4)]
    (place / "notes.jsonl").write_text("\n".join(lines) + "\n")
    (place / "notes.csv").write_text(f'id,text\n1,"{text}"\n2,"{text}"\n')


STUDY = """\
study: W
ipd: {adsl: adsl.csv}
schema: {quasi: [SEX], direct: [NAME], dates: [RFSTDTC]}
deidentified: {key: my.key, recode: [USUBJID], shift: {days: 365}}
threshold: {cell_size: 11}
documents: [csr.txt]
qualitative: {identifiers: low, population: low, participants: low, centres: low}
"""


def documents(place: Path) -> None:
    """Three documents, their findings, and a study of twelve people."""
    _folders(place)
    said = f"Patient {CANARY} was seen.\nSubject W-01 was enrolled on 12MAR2019."
    paths = [txt(place / "csr.txt", said), docx(place / "csr.docx", said), pdf(place / "csr.pdf", [said])]
    (place / "values.txt").write_text(f"{CANARY}\n12MAR2019\n")
    (place / "clean.txt").write_text("Nothing to see.\n")
    write_findings(
        place / "findings.json", [found_in(path, CANARY, "12MAR2019") for path in paths], settings={}
    )
    people = [f"W-{at:02d},F,{CANARY}{at},2019-05-{at:02d}" for at in range(1, 13)]
    (place / "adsl.csv").write_text("\n".join(["USUBJID,SEX,NAME,RFSTDTC", *people]) + "\n")
    (place / "study.yaml").write_text(STUDY)


def population(place: Path) -> None:
    """A state of two sexes, and its margins."""
    _folders(place)
    rows = [f"Ohio,{sex},{age},{40 + age}" for sex in "FM" for age in range(20, 30)]
    (place / "people.csv").write_text("\n".join(["state,sex,age,n", *rows]) + "\n")
    (place / "sex.csv").write_text("state,sex,n\nOhio,F,500\nOhio,M,400\n")
    (place / "age.csv").write_text("state,age,n\nOhio,30,450\nOhio,31,450\n")
    (place / "margins.yaml").write_text("margins: [sex.csv, age.csv]\n")
    (place / "context.yaml").write_text("preset: hospital\naccess: public\n")


def release(place: Path) -> None:
    """A release of a text, two tables and a population."""
    _folders(place)
    write_data(place)
    (place / "rx.csv").write_text((place / "rx.csv").read_text().replace("Zebulon", CANARY))
    write_file(place, "made", "state")


def assessed(place: Path) -> None:
    """The same, assessed before with other settings: most of its files are replaced."""
    from reidrisk.assess.run import assess

    release(place)
    assess(place / "release.yaml", out=place / "out" / "assessment")
    text = (place / "release.yaml").read_text()
    (place / "release.yaml").write_text(text.replace("A small release", "A changed release"))


def measured(place: Path) -> None:
    """An assessment to report on."""
    from reidrisk.assess.run import assess

    release(place)
    with together():
        assess(place / "release.yaml", out=place / "assessment")


def in_a_release(place: Path) -> None:
    """A table in a release folder, which has a log."""
    table(place)
    (place / "release.yaml").write_text("# to be written\n")
    append(place, {"time": "", "user": "", "name": None, "command": "init", "options": [], "exit_code": 0,
                   "versions": {}, "inputs": [], "outputs": []})  # fmt: skip


def signable(place: Path) -> None:
    """An assessment with its report, and a key."""
    from reidrisk.core.key import SIGNING, new_key
    from reidrisk.report.assessment_folder import write_reports

    measured(place)
    write_reports(place / "assessment")
    new_key(place / "sign.key", SIGNING)


@contextmanager
def _bureau() -> Iterator[list[str]]:
    """A server of the census."""
    with bureau(cells()) as server:
        yield ["--base-url", server.url]


@contextmanager
def _checks() -> Iterator[None]:
    """Two quick checks, the second of which writes files."""
    from reidrisk.validate import checks, run

    with mock.patch.object(run, "CHECKS", tuple(one for one in checks.CHECKS if one.id in CHECKED)):
        yield


@contextmanager
def _only(part: str) -> Iterator[None]:
    """The demo with one of its parts."""
    from reidrisk.cli import demo

    parts = [name for name in vars(demo) if name.startswith("show_") and name != part]
    kept = {name: getattr(demo, name) for name in parts}
    for name in parts:
        setattr(demo, name, lambda *_, **__: "left out")
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(demo, name, function)


def empty(place: Path) -> None:
    """Nothing."""
    _folders(place)


DEIDENTIFY = "table deidentify t.csv --quasi sex,age --direct name=drop --other seen=x --key my.key"
TEXT = "--model none --jobs 1"
REVIEW = (
    "document review findings.json --reviewer anna --time 2026-03-01 --seen csr.txt:text --source csr.txt "
    "--source csr.docx --source csr.pdf --show-text --sheet out/s.csv --gold out/g.jsonl "
    f"--prediction out/p.jsonl --out out/r.json {FILES}"
)
CASES: tuple[Case, ...] = (
    Case("table risk", f"table risk t.csv --quasi sex,age --cell-size 5 {FILES}", table, OUT),
    Case(
        "table deidentify",
        f"{DEIDENTIFY} --out out/t.csv {FILES}",
        table,
        f"out/t.csv out/t.codebook.md {OUT}",
    ),
    Case("table deidentify (Parquet)", f"{DEIDENTIFY} --out out/t.parquet --quiet", table),
    Case("table deidentify (SQLite)", f"{DEIDENTIFY} --out out/t.sqlite --quiet", table),
    Case(
        "table transform",
        f"table transform t.csv --config steps.yaml --key my.key --out out/t.csv {FILES}",
        table,
        f"out/t.csv {OUT}",
    ),
    Case("table hipaa", f"table hipaa t.csv {FILES}", table, OUT),
    Case("table suggest", f"table suggest t.csv --hierarchies out/h.yaml {FILES}", table, OUT),
    Case(
        "table risk (release folder)",
        "table risk t.csv --quasi sex,age --cell-size 5 --json out/r.json --html out/r.html --quiet",
        in_a_release,
    ),
    Case("table preview", f"table preview t.csv --hierarchies rules.yaml {FILES}", table, OUT),
    Case(
        "table attack", f"table attack t.csv --against t.csv --quasi sex,age --guesses 20 {FILES}", table, OUT
    ),
    Case("table utility", f"table utility t.csv --against t.csv {FILES}", table, OUT),
    Case("table key", "table key out/new.key", empty, random="out/new.key"),
    Case("key new (pseudonyms)", "key new out/new.key --for pseudonyms", empty, random="out/new.key"),
    Case(
        "key new (signing)",
        "key new out/new.key --for signing --no-passphrase --name Anna",
        empty,
        random="out/new.key*",
    ),
    Case("text agree", f"text agree gold.jsonl tool.jsonl --out out/merged.jsonl {FILES}", texts, OUT),
    Case("text attack", f"text attack tool.jsonl --gold gold.jsonl {FILES}", texts, OUT),
    Case("text evaluate", f"text evaluate gold.jsonl tool.jsonl {FILES}", texts, OUT),
    Case(
        "text deidentify (folder)",
        f"text deidentify notes --out out/notes --findings out/found.jsonl --key my.key {TEXT} {FILES}",
        texts,
        f"out/found.jsonl {OUT}",
        resumes=True,
    ),
    Case(
        "text deidentify (JSON Lines)",
        "text deidentify notes.jsonl --out out/n.jsonl --findings out/found.jsonl --key out/new.key "
        f"--mode label {TEXT} --quiet",
        texts,
        "out/n.jsonl out/found.jsonl",
        apart="out/new.key",
        random="out/new.key",
    ),
    Case(
        "text deidentify (CSV)",
        f"text deidentify notes.csv --column text --out out/n.csv --key my.key {TEXT} --quiet",
        texts,
        "out/n.csv",
    ),
    Case("text convert (folder)", "text convert gold.jsonl --to brat --out out/brat", texts),
    Case(
        "text convert (file)", "text convert gold.jsonl --to presidio --out out/p.jsonl", texts, "out/p.jsonl"
    ),
    Case("text sample", f"text sample notes --documents 2 --out out/sample {FILES}", texts, OUT),
    Case(
        "text train",
        f"text train gold.jsonl --folds 2 --set iterations=5 --out out/m.model {FILES}",
        texts,
        f"out/m.model {OUT}",
    ),
    Case(
        "document detect",
        f"document detect csr.txt csr.docx --values values.txt --out out/found.json {FILES}",
        documents,
        f"out/found.json {OUT}",
    ),
    Case("document review", REVIEW, documents, f"out/s.csv out/g.jsonl out/p.jsonl {OUT}", adds=True),
    Case(
        "document anonymize",
        "document anonymize csr.txt csr.docx csr.pdf --values values.txt --out out/new "
        "--json out/result.json --quiet",
        documents,
        "out/result.json",
    ),
    Case("document tables", f"document tables --study study.yaml --out out/tables {FILES}", documents, OUT),
    Case(
        "document verify", f"document verify clean.txt --values values.txt --ocr none {FILES}", documents, OUT
    ),
    Case("document risk", f"document risk --study study.yaml --scenario qualitative {FILES}", documents, OUT),
    Case(
        "population compare",
        f"population compare people.csv --policy year_of_birth,sex --policy sex {FILES}",
        population,
        OUT,
    ),
    Case("population explore", f"population explore people.csv {FILES}", population, OUT),
    Case(
        "population fetch",
        "population fetch --year 2020 --state OH --cache out/cache --out out/oh.csv --quiet",
        empty,
        "out/oh.csv",
        apart="out/cache/*",
        around=_bureau,
    ),
    Case(
        "population risk", f"population risk people.csv --policy year_of_birth,sex {FILES}", population, OUT
    ),
    Case(
        "population fit", "population fit margins.yaml --out out/fit.csv --quiet", population, "out/fit.csv"
    ),
    Case(
        "context score",
        f"context score context.yaml --out out/c.yaml {FILES}",
        population,
        f"out/c.yaml {OUT}",
    ),
    Case("init", "init t.csv --out out/release.yaml", table),
    Case("release set", "release set release.yaml release.name=B", release, apart=".reidrisk/edit.lock"),
    Case("assess", "assess release.yaml --out out/assessment --quiet", release, resumes=True),
    Case("assess (again)", "assess release.yaml --out out/assessment --quiet", assessed, resumes=True),
    Case("verify", "verify assessment --json out/v.json --quiet", measured, "out/v.json"),
    Case(
        "report",
        "report assessment --html out/r.html --pdf out/r.pdf --json out/r.json --quiet",
        measured,
        "out/r.html out/r.pdf out/r.json",
    ),
    Case(
        "sign",
        "sign assessment --as Anna --role reviewer --meaning yes --key sign.key --json out/s.json --quiet",
        signable,
        "out/s.json",
        adds=True,
        random="assessment/report*.* assessment/signatures/* out/s.json",
    ),
    Case("log", "log assessment --json out/l.json", measured, "out/l.json", random="out/l.json"),
    Case(
        "validate",
        "validate --quick --out out/made --json out/v.json",
        empty,
        "out/v.json",
        around=_checks,
        random="out/made/* out/v.json",
    ),
    Case("demo (text)", "demo out/demo", empty, around=partial(_only, "show_text"), steps=True),
    Case("demo (population)", "demo out/demo", empty, around=partial(_only, "show_population"), steps=True),
)
