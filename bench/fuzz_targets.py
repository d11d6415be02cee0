"""What is fuzzed: every reader of a file that a user may give, with small valid files to begin with."""

from __future__ import annotations

import gzip
import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pikepdf
import yaml
from tests.documents import making
from tests.documents.docx.trap import trap
from tests.documents.pdf.building import line, one_page
from tests.documents.pdf.traps import SHOWN, TRAPS, VALUE
from tests.relational.making import KEY, SETTINGS, clinic
from tests.relational.test_formats import DICTIONARY, PROJECT, as_dataset_json, fhir
from tests.relational.test_treatment import trial as described_trial

from fuzz_seeds import Files, seeds

TABLE = "person,sex,age,seen\n" + "".join(
    f"p{n},{'FM'[n % 2]},{20 + n % 9},2020-01-{n % 9 + 1:02d}\n" for n in range(30)
)
PEOPLE = b"state,race,sex,age_lo,age_hi,n\nOH,white,F,30,30,12\nOH,black,M,31,35,4\n"
HIERARCHIES = {
    "age": {"kind": "number", "levels": [{"width": 5}, {"width": 10}]},
    "sex": {"kind": "tree", "names": ["sex", "any"], "tree": {"Any": ["F", "M"]}},
    "seen": ["day", "month", "year"],
    "zip": {"kind": "zip"},
}
CONFIG = {
    "quasi": ["age", "sex"], "unit": "person", "max_suppression": 0.3,
    "hierarchies": {"age": HIERARCHIES["age"]}, "direct": {"person": "drop"}, "other": {"seen": "a test"},
    "steps": [{"kind": "pram", "column": "sex", "keep": 0.9}],
}  # fmt: skip
RELEASE = {
    "reidrisk": 1,
    "release": {"name": "Fuzzed"},
    "context": {"preset": "hospital", "access": "public"},
    "parts": [
        {"name": "one", "kind": "table", "table": "t.csv", **CONFIG, "deidentify": True, "out": "o.csv"}
    ],
}


@dataclass(frozen=True, slots=True)
class Target:
    """One kind of file: what to begin with, and what reads it."""

    name: str
    cases: Callable[[], list[Files]]
    read: Callable[[Path, Path], Any]
    """Given the folder of the files and the first of them."""


def _text_formats() -> list[Target]:
    from reidrisk.text.formats.reader import ReadSettings
    from reidrisk.text.read import read_documents

    settings = ReadSettings(max_line=10**6, max_bytes=8 * 2**20)

    def reader(name: str) -> Callable[[Path, Path], None]:
        def read(folder: Path, first: Path) -> None:
            named = None if name == "zip" else name
            for path, format_ in ((first, named), (first, None), (folder, named)):
                for document in read_documents(path, format=format_, settings=settings):
                    held = document.text
                    assert held is None or all(one.end <= len(held) for one in document.annotations)

        return read

    return [Target(f"text-{name}", partial(list, cases), reader(name)) for name, cases in seeds().items()]


def _tables() -> list[Target]:
    import reidrisk as rr

    def read(_: Path, first: Path) -> None:
        rr.table_risk(first, rr.Schema(quasi=("sex", "age")), drivers=False)

    def suggest(_: Path, first: Path) -> None:
        rr.suggest_roles(first)

    suffixes = ("csv", "tsv", "parquet", "xlsx", "xpt", "sav", "dta", "sqlite", "duckdb")
    found = [Target(f"table-{one}", partial(_table, one), read) for one in suffixes]
    return [Target("table-suggest", lambda: [{"t.csv": TABLE.encode()}], suggest), *found]


def _table(suffix: str) -> list[Files]:
    """The table in a format, written by the product."""
    import reidrisk as rr

    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name) / "s.csv", Path(name) / f"t.{suffix}"
        source.write_text(TABLE, encoding="utf-8")
        if suffix in {"csv", "tsv"}:
            return [{target.name: TABLE.replace(",", "," if suffix == "csv" else "\t").encode()}]
        rr.transform_table(source, [{"kind": "sample", "share": 0.9}], target, seed=1)
        return [{target.name: target.read_bytes()}]


def _yaml_files() -> list[Target]:
    import reidrisk as rr
    from reidrisk.assess.release_file import read_release
    from reidrisk.population.policy import read_policy
    from reidrisk.tables.deidentify.config import read_config

    def hierarchies(folder: Path, first: Path) -> None:
        (folder / "data.csv").write_text("age,sex,seen,zip\n30,F,2020-01-02,12345\n,,,\n", encoding="utf-8")
        read = rr.read_hierarchies(first)
        rr.preview_hierarchies(
            folder / "data.csv", {name: read[name] for name in read if name in HIERARCHIES}
        )

    def release(folder: Path, first: Path) -> None:
        (folder / "t.csv").write_text(TABLE, encoding="utf-8")
        read_release(first)

    def held(content: Any) -> Callable[[], list[Files]]:
        return lambda: [{"f.yaml": yaml.safe_dump(content, sort_keys=False).encode()}]

    context = {"preset": "hospital", "access": "public"}
    policy = {"name": "Ours", "fields": ["sex", "age", "race", "state"]}
    study = {"study": "T", "subject": "USUBJID", "ipd": {"adsl": "adsl.csv"}, "schema": {"quasi": ["SEX"]}}

    def read_study(folder: Path, first: Path) -> None:
        (folder / "adsl.csv").write_text("USUBJID,SEX,AGE\n1,F,30\n2,M,40\n", encoding="utf-8")
        rr.read_study(first)

    return [
        Target("hierarchies", held(HIERARCHIES), hierarchies),
        Target("table-config", held(CONFIG), lambda _, first: read_config(first)),
        Target("release-file", held(RELEASE), release),
        Target("context", held(context), lambda _, first: rr.score_context(rr.read_context(first))),
        Target("policy", held(policy), lambda _, first: read_policy(first)),
        Target("study", held(study), read_study),
        Target("hierarchy-csv", lambda: [{"hierarchy_age.csv": b"30;3*;*\n31;3*;*\n45;4*;*\n"}],
               lambda folder, _: rr.read_hierarchies(folder)),
        Target("population", lambda: [{"p.csv": PEOPLE}],
               lambda _, first: rr.read_population(first)),
    ]  # fmt: skip


def _documents() -> list[Target]:
    import reidrisk as rr
    from reidrisk.documents.findings.file import read_findings, write_findings
    from reidrisk.documents.formats import read_document

    def remove(folder: Path, first: Path) -> None:
        out = folder / "out"
        rr.anonymize_documents([first], out, values=[VALUE, "719435"])

    def verify(_: Path, first: Path) -> None:
        rr.verify_document(first, [VALUE])

    def findings() -> list[Files]:
        with tempfile.TemporaryDirectory() as name:
            paper = making.txt(Path(name) / "a.txt")
            write_findings(Path(name) / "f.json", [making.found_in(paper, making.PERSON)], settings={})
            return [{"f.json": (Path(name) / "f.json").read_bytes(), "a.txt": paper.read_bytes()}]

    return [
        Target("pdf-read", _pdfs, lambda _, first: list(read_document(first))),
        Target("pdf-remove", _pdfs, remove),
        Target("pdf-verify", _pdfs, verify),
        Target("docx-read", _docx, lambda _, first: list(read_document(first))),
        Target("docx-remove", _docx, remove),
        Target("docx-verify", _docx, verify),
        Target("findings", findings, lambda _, first: read_findings(first)),
    ]


def _pdfs() -> list[Files]:
    """One page for each trap, with readable streams, so that changed bytes mean something."""
    found = []
    for put in TRAPS.values():
        with tempfile.TemporaryDirectory() as name:
            path = one_page(Path(name) / "a.pdf", line("Rest.") + SHOWN, more=put)
            with pikepdf.open(path) as pdf:
                made = io.BytesIO()
                pdf.save(
                    made,
                    compress_streams=False,
                    stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
                    object_stream_mode=pikepdf.ObjectStreamMode.disable,
                )
            found.append({"a.pdf": made.getvalue()})
    return found


def _docx() -> list[Files]:
    with tempfile.TemporaryDirectory() as name:
        made, _ = trap()
        paths = making.docx(Path(name) / "a.docx"), made.save(Path(name) / "b.docx")
        return [{"a.docx": path.read_bytes()} for path in paths]


def _linked_tables() -> list[Target]:
    import reidrisk as rr
    from reidrisk.relational.config import read_relational
    from reidrisk.relational.database import Database
    from reidrisk.relational.people import people_of

    def release(profile: str) -> Callable[[Path, Path], None]:
        def read(folder: Path, _: Path) -> None:
            rr.suggest_relational(folder)
            rr.deidentify_relational(folder, folder / "out", key=KEY, profile=profile, orphans="detach")

        return read

    def settings(folder: Path, first: Path) -> None:
        clinic(folder / "clinic")
        with Database.open(folder / "clinic") as database:
            people_of(database, read_relational(first))

    held = SETTINGS | {"folder": "clinic", "known": 2, "deidentify": True, "dates": {"offset": 30}}
    project = {"dictionary.csv": DICTIONARY.encode(), "data.csv": PROJECT.encode()}
    return [
        Target("linked-settings", lambda: [{"rel.yaml": yaml.safe_dump(held).encode()}], settings),
        Target("linked-fhir", partial(_folder, fhir), release("fhir")),
        Target("linked-dataset-json", partial(_folder, as_dataset_json), release("sdtm")),
        Target("linked-define", partial(_folder, described_trial), release("sdtm")),
        Target("linked-redcap", lambda: [project], release("redcap")),
    ]


def _folder(make: Callable[[Path], Path]) -> list[Files]:
    """The files of a folder, unpacked, so that changed bytes mean something."""
    with tempfile.TemporaryDirectory() as name:
        files = {path.name: path.read_bytes() for path in sorted(make(Path(name) / "made").iterdir())}
    return [{
        name.removesuffix(".gz"): gzip.decompress(data) if name.endswith(".gz") else data
        for name, data in files.items()
    }]  # fmt: skip


def targets() -> dict[str, Target]:
    """Every target by its name."""
    made = [*_text_formats(), *_tables(), *_yaml_files(), *_documents(), *_linked_tables()]
    return {target.name: target for target in made}
