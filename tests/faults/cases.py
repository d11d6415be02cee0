"""Every command that writes, on data as small as they can be."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from socket import socket
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


def profiled(place: Path) -> None:
    """The profile of that table's lattice."""
    from reidrisk.core.schema import Schema
    from reidrisk.tables.deidentify.run import deidentify
    from reidrisk.tables.hierarchy.hierarchy import read_hierarchies

    table(place)
    rules = read_hierarchies(place / "rules.yaml")
    schema = Schema(quasi=("sex", "age"), direct=("name",), other={"seen": "x"})
    deidentify(place / "t.csv", schema, rules).lattice_profile().write(place / "profile.json")


def linked(place: Path) -> None:
    """Twelve people with two visits each."""
    _folders(place)
    (place / "base").mkdir()
    people = [f"P-000{at:02d},{'FM'[at % 2]},{CANARY}" for at in range(12)]
    visits = [f"P-000{at % 12:02d},2019-03-{10 + at % 9}" for at in range(24)]
    (place / "base" / "people.csv").write_text("\n".join(["person_id,sex,name", *people]) + "\n")
    (place / "base" / "visits.csv").write_text("\n".join(["person_id,seen", *visits]) + "\n")
    (place / "rel.yaml").write_text(
        "person: people.person_id\nkeys: {visits.person_id: people.person_id}\nquasi: [people.sex]\n"
        "columns: {people.sex: keep, people.name: drop, visits.seen: date}\n"
    )


def linked_release(place: Path) -> None:
    """The same, and their release."""
    from reidrisk.relational.run import deidentify_relational

    linked(place)
    deidentify_relational(place / "base", place / "released", key=place / "my.key", config=place / "rel.yaml")


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


def counted(place: Path) -> None:
    """The counts of an evaluation."""
    import reidrisk as rr

    texts(place)
    rr.write_text_evidence(
        rr.evaluate_text(place / "gold.jsonl", place / "tool.jsonl"), place / "counts.json"
    )


def release(place: Path) -> None:
    """A release of a text, two tables and a population."""
    _folders(place)
    write_data(place)
    (place / "rx.csv").write_text((place / "rx.csv").read_text().replace("Zebulon", CANARY))
    write_file(place, "made", "state")


def beside(place: Path) -> None:
    """The same release in a folder of its own."""
    (place / "one").mkdir()
    release(place / "one")
    (place / "out").mkdir()


def assessed(place: Path) -> None:
    """The same, assessed before with other settings: most of its files are replaced."""
    from reidrisk.assess.run import assess

    release(place)
    assess(place / "release.yaml", out=place / "out" / "assessment")
    text = (place / "release.yaml").read_text()
    (place / "release.yaml").write_text(text.replace("A small release", "A changed release"))


def linked_part(place: Path) -> None:
    """A release of linked tables that were released before with another key: every file is replaced."""
    from reidrisk.assess.run import assess

    linked(place)
    settings = {
        "person": "people.person_id",
        "keys": {"visits.person_id": "people.person_id"},
        "quasi": ["people.sex"],
        "columns": {"people.sex": "keep", "people.name": "drop", "visits.seen": "date"},
    }
    part = {
        "name": "base",
        "kind": "relational",
        "folder": "base",
        **settings,
        "deidentify": True,
        "out": "out/tables",
    }
    content = {
        "reidrisk": 1,
        "release": {"name": "A database"},
        "context": {"access": "public", "threshold": {"cell_size": 5, "reason": "a test"}},
    }
    (place / "other.key").write_text(KEY[::-1].strip() + "\n")
    (place / "other.key").chmod(0o600)
    for key in ("other.key", "my.key"):
        text = json.dumps({**content, "parts": [{**part, "key": key}]})
        (place / "release.yaml").write_text(text, encoding="utf-8")
        if key == "other.key":
            assess(place / "release.yaml", out=place / "out" / "assessment")


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
    _in_a_copy_of_this_process(lambda: write_reports(place / "assessment"))
    new_key(place / "sign.key", SIGNING)


def _in_a_copy_of_this_process(work: Callable[[], object]) -> None:
    """Do what starts threads, such as drawing a PDF: copies made later would wait for them forever."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def _free_port() -> int:
    with socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


PORT = _free_port()


@contextmanager
def _bureau() -> Iterator[list[str]]:
    """A server of the census, always at the same address: files in the cache are named by it."""
    with bureau(cells(), port=PORT) as server:
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
    Case(
        "table deidentify (profile)",
        f"{DEIDENTIFY} --out out/t.csv --profile out/p.json --quiet",
        table,
        "out/t.csv out/t.codebook.md out/p.json",
    ),
    Case("table explore", f"table explore profile.json {FILES}", profiled, OUT),
    Case("table classes", f"table classes t.csv --quasi sex,age {FILES}", table, OUT),
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
    Case(
        "text evaluate",
        f"text evaluate gold.jsonl tool.jsonl --evidence out/counts.json {FILES}",
        texts,
        OUT,
    ),
    Case("text what-if", f"text what-if counts.json --recall NAME=0.9 {FILES}", counted, OUT),
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
        "document review (journal)",
        "document review findings.json --reviewer anna --time 2026-03-01 --seen csr.txt:text --journal "
        f"{FILES}",
        documents,
        OUT,
        apart="findings.reviews/*",
    ),
    Case(
        "document anonymize",
        "document anonymize csr.txt csr.docx csr.pdf --values values.txt --out out/new "
        "--json out/result.json --quiet",
        documents,
        "out/result.json",
    ),
    Case("relational suggest", f"relational suggest base --out out/rel.yaml {FILES}", linked, OUT),
    Case(
        "relational deidentify",
        f"relational deidentify base --config rel.yaml --key my.key --out out/tables {FILES}",
        linked,
        OUT,
    ),
    Case("relational risk", f"relational risk base --config rel.yaml --known 1 {FILES}", linked, OUT),
    Case(
        "relational verify",
        f"relational verify released --against base --key my.key {FILES}",
        linked_release,
        OUT,
    ),
    Case(
        "relational attack",
        f"relational attack released --against base --config rel.yaml --key my.key --targets 20 {FILES}",
        linked_release,
        OUT,
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
    Case(
        "population explore",
        f"population explore people.csv --from state,sex --to year_of_birth,sex {FILES}",
        population,
        OUT,
    ),
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
    Case("release copy", "release copy one out/copy --quiet", beside),
    Case(
        "account add",
        "account add out/a.json Ann --role preparer --password-file my.key",
        table,
        random="out/a.json",
    ),
    Case("assess", "assess release.yaml --out out/assessment --quiet", release, resumes=True),
    Case(
        "assess (again)",
        "assess release.yaml --out out/assessment --overwrite --quiet",  # copies of a table count as foreign
        assessed,
        resumes=True,
    ),
    Case(
        "assess (linked tables)",
        "assess release.yaml --out out/assessment --overwrite --quiet",
        linked_part,
        resumes=True,
    ),
    Case(
        "gate",
        "gate release.yaml --markdown out/g.md --junit out/g.xml --sarif out/g.sarif --quiet",
        release,
        "out/g.md out/g.xml out/g.sarif",
    ),
    Case("verify", "verify assessment --json out/v.json --quiet", measured, "out/v.json"),
    Case(
        "report",
        "report assessment --format html,pdf,docx --out out --json out/r.json --quiet",
        measured,
        "out/report.html out/report.pdf out/report.docx out/r.json",
    ),
    Case(
        "sign",
        "sign assessment --as Anna --role reviewer --meaning yes --key sign.key --json out/s.json --quiet",
        signable,
        "out/s.json",
        adds=True,
        random="assessment/report*.* assessment/annex.* assessment/signatures/* out/s.json",
    ),
    Case("log", "log . --json out/l.json", in_a_release, "out/l.json", random="out/l.json"),
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
