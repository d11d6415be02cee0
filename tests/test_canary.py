"""Our own privacy: whatever goes wrong, no command says what stands in the data.

Every command runs on inputs full of values that occur nowhere else, first as they are, then damaged in seeded
ways. Such a value, a canary, must not appear on the terminal, in a log, in an error or in what an error is
chained to, in results and pages, or beside them. What a user asked for is the exception: the data themselves.
A command without a case here fails the first test.
"""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import traceback
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from reidrisk.cli.main import reidrisk
from reidrisk.errors import ReidRiskError
from tests.population.builders import cells
from tests.population.census_server import bureau

CANARY = "qanary"
"""Part of every canary, in any case."""
SEEDS = int(os.environ.get("REIDRISK_CANARY_SEEDS", "2"))
"""Damaged copies of the inputs of each command; for a long search, set it higher."""
OURS = (ReidRiskError, click.ClickException, click.exceptions.Exit, click.Abort, SystemExit, OSError)


@dataclass(frozen=True)
class Case:
    """How a command is run."""

    words: Callable[[Path], list[str]]
    inputs: tuple[str, ...]
    """What is copied, and damaged."""
    shows: tuple[str, ...] = ()
    """Outputs that hold data because the user asked for them, by the start of their names; - is standard
    output."""
    code: tuple[int, ...] = (0, 3)
    """Of the run on good inputs."""
    seeds: int = SEEDS


def case(
    words: str, *inputs: str, shows: tuple[str, ...] = (), code: tuple[int, ...] = (0, 3), seeds: int = SEEDS
) -> Case:
    """A case whose words are those of a shell; @NAME is a file in the folder."""

    def of(folder: Path) -> list[str]:
        return [str(folder / one[1:]) if one.startswith("@") else one for one in words.split()]

    return Case(of, inputs, shows, code, seeds)


RESULT = "--json @result.json --html @page.html"
CASES = {
    "text evaluate": case(
        f"@gold.jsonl @tool.jsonl --types @types.yaml {RESULT}", "gold.jsonl", "tool.jsonl", "types.yaml"
    ),
    "text what-if": case("@evidence.json --recall NAME=0.5 --json @result.json", "evidence.json"),
    "text sample": case("@notes --documents 3 --out @drawn --json @result.json", "notes", shows=("drawn",)),
    "text agree": case(
        "@gold.jsonl @tool.jsonl --out @merged.jsonl --json @result.json",
        "gold.jsonl",
        "tool.jsonl",
        shows=("merged",),
    ),
    "text convert": case("@gold.jsonl --to brat --out @brat", "gold.jsonl", shows=("brat",)),
    "text train": case(
        "@gold.jsonl --out @model --folds 2 --set iterations=5", "gold.jsonl", shows=("model",), code=(0, 3)
    ),
    "text deidentify": case(
        "@notes --out @new --model none --jobs 1 --json @result.json", "notes", shows=("new",)
    ),
    "text attack": case(
        "@tool.jsonl --gold @gold.jsonl --json @result.json", "gold.jsonl", "tool.jsonl", code=(0, 3)
    ),
    "table suggest": case(f"@people.csv {RESULT}", "people.csv"),
    "table risk": case(f"@people.csv --quasi sex,age,town --unit id {RESULT}", "people.csv"),
    "table hipaa": case(f"@people.csv {RESULT}", "people.csv"),
    "table preview": case(
        f"@people.csv --hierarchies @rules.yaml {RESULT}",
        "people.csv",
        "rules.yaml",
        shows=("-", "result", "page"),
    ),
    "table deidentify": case(
        "@people.csv --quasi sex,age --hierarchies @rules.yaml --direct id=drop,name=drop,note=drop "
        f"--direct town=drop --max-suppression 0.5 --out @out.csv {RESULT}",
        "people.csv",
        "rules.yaml",
        shows=("out",),
    ),
    "table explore": case("@profile.json --json @result.json --html @page.html", "profile.json"),
    "table classes": case(f"@people.csv --quasi sex,age,town --unit id {RESULT}", "people.csv"),
    "table transform": case(
        "@people.csv --config @steps.yaml --out @out.csv --json @result.json",
        "people.csv",
        "steps.yaml",
        shows=("out.csv",),
    ),
    "table key": case("@new.key"),
    "table attack": case(
        "@people.csv --against @people.csv --quasi sex,age --guesses 20 --json @result.json", "people.csv"
    ),
    "table utility": case("@people.csv --against @people.csv --json @result.json", "people.csv"),
    "population risk": case("@pop.csv --policy safe --json @result.json", "pop.csv", shows=("-", "result")),
    "population compare": case(
        "@pop.csv --policy limited --policy safe --json @result.json", "pop.csv", shows=("-", "result")
    ),
    "population explore": case("@pop.csv --json @result.json", "pop.csv", shows=("-", "result"), code=(0, 3)),
    "population fit": case("@margins.yaml --out @fitted.csv", "margins.yaml", "pop.csv", shows=("fitted",)),
    "document detect": case(
        "@csr.txt --study @study.yaml --out @found.json",
        "csr.txt",
        "study.yaml",
        "adsl.csv",
        shows=("found",),
    ),
    "document review": case("@findings.json --json @result.json", "findings.json", code=(0, 3)),
    "document anonymize": case(
        "@csr.txt --values @values.txt --out @done --json @result.json",
        "csr.txt",
        "values.txt",
        shows=("done",),
    ),
    "document verify": case("@csr.txt --values @values.txt --json @result.json", "csr.txt", "values.txt"),
    "document risk": case(
        "--study @study.yaml --scenario qualitative --json @result.json",
        "study.yaml",
        "adsl.csv",
        code=(0, 3),
    ),
    "document tables": case(
        "--study @study.yaml --out @tables --json @result.json",
        "study.yaml",
        "adsl.csv",
        shows=("tables",),
        code=(0, 3),
    ),
    "relational suggest": case("@base --out @rel.yaml --json @result.json", "base"),
    "relational risk": case(
        "@base --config @base.yaml --known 1 --json @result.json", "base", "base.yaml", code=(0, 3)
    ),
    "relational deidentify": case(
        "@base --config @base.yaml --key @base.key --out @linked --json @result.json --html @page.html",
        "base",
        "base.yaml",
        "base.key",
        shows=("linked",),
    ),
    "relational verify": case(
        "@linked --against @base --key @base.key --json @result.json", "base", "linked", "base.key"
    ),
    "relational attack": case(
        "@linked --against @base --config @base.yaml --key @base.key --targets 20 --json @result.json "
        "--html @page.html",
        "base",
        "linked",
        "base.yaml",
        "base.key",
        code=(0, 3),
    ),
    "context score": case("@context.yaml --json @result.json", "context.yaml"),
    "init": case(
        "@people.csv @gold.jsonl @tool.jsonl --out @drafted.yaml", "people.csv", "gold.jsonl", "tool.jsonl"
    ),
    "assess": case(
        "@release.yaml --json @result.json",
        "release.yaml",
        "people.csv",
        "gold.jsonl",
        "tool.jsonl",
        "types.yaml",
    ),
    "report": case(
        "@shared.json --audience shared --html @page.html --docx @page.docx --json @result.json",
        "shared.json",
    ),
    "gate": case(
        "@release.yaml --json @result.json --markdown @page.html",
        "release.yaml",
        "people.csv",
        "gold.jsonl",
        "tool.jsonl",
        "types.yaml",
    ),
    "sign": case("@job/assessed --as Q --role reviewer --meaning yes --key @sign.key", "job", "sign.key"),
    "verify": case("@job/assessed --trusted @sign.key.pub --json @result.json", "job", "sign.key.pub"),
    "log": case("@job/assessed", "job"),
    "key new": case("@new.key --for signing --no-passphrase"),
    "release list": case("@job", "job"),
    "release set": case("@job/release.yaml release.name=B", "job"),
    "release apply": case("@job 1", "job", code=(0, 1)),
    "release try": case("@job 1", "job", code=(0, 1)),
    "release jobs": case("@job", "job"),
    "release roles": case("@ t", "release.yaml", "people.csv", "gold.jsonl", "tool.jsonl", "types.yaml"),
    "release copy": case("@job @copied --name C", "job", shows=("copied",)),
    "account add": case(
        "@new-accounts.json Ann --role preparer --password-file @password.txt",
        "password.txt",
        code=(0,),
        seeds=1,
    ),
    "account remove": case("@accounts.json Ben", "accounts.json"),
    "release stop": case("@job", "job", code=(2,), seeds=0),
    "check": case(""),
    "schema": case("table_risk"),
}
"""By command; the others have tests of their own below, or run on data that they make.

`release start` is `assess` in a process of its own (tests/assess/test_jobs.py reads its log), and `serve` is
tested in tests/web/test_security.py.
"""
OWN_TESTS = ("population fetch", "demo", "validate", "release start", "serve")


def every_command(group: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    if not isinstance(group, click.Group):
        yield " ".join(path)
        return
    context = click.Context(group)
    for name in group.list_commands(context):
        inner = group.get_command(context, name)
        assert inner is not None
        yield from every_command(inner, (*path, name))


def test_every_command_has_a_case() -> None:
    assert sorted(every_command(reidrisk)) == sorted((*CASES, *OWN_TESTS))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good inputs: ids, names, towns, notes and participants are canaries."""
    folder = tmp_path_factory.mktemp("canaries")
    rng = random.Random(7)  # noqa: S311 - no secret
    rows = [
        f"QANARY-{at},Qanarybird{at},{'FM'[at % 2]},{20 + at % 5},Qanarytown{at % 3},has Qanarydisease {at}"
        for at in range(60)
    ]
    files = {
        "people.csv": "\n".join(["id,name,sex,age,town,note", *rows]) + "\n",
        "rules.yaml": "age: {kind: age, unit: years, levels: [years, 5 years, 10 years]}\n",
        "steps.yaml": "steps:\n  - kind: sample\n    share: 0.5\n",
        "types.yaml": "labels: {PERSON: NAME}\n",
        "values.txt": "Qanarybird7\nQANARY-7\n",
        "csr.txt": "Participant QANARY-7 is a woman of 24. Mr. Qanarybird7 said so.\n" * 3,
        "adsl.csv": "USUBJID,SEX,AGE\n" + "".join(f"QANARY-{at},F,{20 + at % 3}\n" for at in range(12)),
        "study.yaml": "study: W\nipd: {adsl: adsl.csv}\nschema: {quasi: [SEX, AGE]}\ndocuments: [csr.txt]\n"
        "deidentified: {key: study.key, recode: [USUBJID], shift: {days: 365}}\nthreshold: {cell_size: 11}\n"
        "qualitative: {identifiers: low, population: low, participants: low, centres: low}\n",
        "context.yaml": "{preset: ipc, access: public}\n",
        "margins.yaml": "margins:\n  - {file: pop.csv, areas: [state]}\n",
        "pop.csv": "state,county,race,sex,age_lo,age_hi,n\n"
        + "".join(f"39,39001,W,{sex},{age},{age + 4},{7 + age}\n" for sex in "FM" for age in range(0, 80, 5)),
        "release.yaml": "reidrisk: 1\nrelease: {name: A}\ncontext: {preset: ipc, access: public}\nparts:\n"
        "  - {name: t, kind: table, table: people.csv, quasi: [sex, age], unit: id}\n"
        "  - {name: n, kind: text, gold: gold.jsonl, tool: tool.jsonl, types: types.yaml}\n",
    }
    gold, tool = [], []
    for at in range(12):
        text = f"Mr. Qanarybird{at} was seen on 03/{10 + at}/2019 in Qanarytown."
        start = text.index("Qanarybird")
        mark = {"start": start, "end": start + len(f"Qanarybird{at}")}
        name = f"QANARY-{at}"
        gold.append(json.dumps({"doc_id": name, "text": text, "entities": [{**mark, "type": "NAME"}]}))
        tool.append(
            json.dumps(
                {
                    "doc_id": name,
                    "text": text,
                    "spans": [{**mark, "label": "PERSON"}] if rng.random() < 0.8 else [],
                }
            )
        )
        notes = folder / "notes"
        notes.mkdir(exist_ok=True)
        (notes / f"{name}.txt").write_text(text, encoding="utf-8")
    files |= {"gold.jsonl": "\n".join(gold) + "\n", "tool.jsonl": "\n".join(tool) + "\n"}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    for words in (
        f"document detect {folder}/csr.txt --study {folder}/study.yaml --out {folder}/findings.json --quiet",
        f"table risk {folder}/people.csv --quasi sex,age,town --unit id --json {folder}/shared.json --quiet",
        f"table deidentify {folder}/people.csv --quasi sex,age --hierarchies {folder}/rules.yaml --direct "
        f"id=drop,name=drop,note=drop,town=drop --out {folder}/o.csv --profile {folder}/profile.json --quiet",
        f"text evaluate {folder}/gold.jsonl {folder}/tool.jsonl --evidence {folder}/evidence.json --quiet",
    ):
        _called(words.split())
    _write_linked_tables(folder)
    _sign_an_assessment(folder)
    _write_accounts(folder)
    return folder


def _write_linked_tables(folder: Path) -> None:
    """People with visits in `base`, and their release in `linked`."""
    base = folder / "base"
    base.mkdir()
    people = "".join(f"QANARY-{at},{'FM'[at % 2]},Qanarybird{at}\n" for at in range(12))
    visits = "".join(f"QANARY-{at % 12},2019-03-{10 + at % 9},Qanarytown\n" for at in range(24))
    (base / "people.csv").write_text(f"person_id,sex,name\n{people}", encoding="utf-8")
    (base / "visits.csv").write_text(f"person_id,seen,town\n{visits}", encoding="utf-8")
    (folder / "base.yaml").write_text(
        "person: people.person_id\nkeys: {visits.person_id: people.person_id}\nquasi: [people.sex]\n"
        "columns: {people.sex: keep, people.name: drop, visits.seen: date, visits.town: drop}\n",
        encoding="utf-8",
    )
    for words in (
        f"key new {folder}/base.key --for pseudonyms",
        f"relational deidentify {base} --config {folder}/base.yaml --key {folder}/base.key --out "
        f"{folder}/linked --quiet",
    ):
        ended = _called(words.split())
        assert _code(ended) == 0, _said(ended)


def _write_accounts(folder: Path) -> None:
    (folder / "password.txt").write_text("Qanarypassword of a person\n")
    (folder / "password.txt").chmod(0o600)
    words = f"account add {folder}/accounts.json Ben --role approver --password-file {folder}/password.txt"
    _called(words.split())


def _sign_an_assessment(folder: Path) -> None:
    """A release folder `job`, with a signed assessment and its log."""
    job, key = folder / "job", folder / "sign.key"
    job.mkdir()
    shutil.copy(folder / "people.csv", job)
    part = "{name: t, kind: table, table: people.csv, quasi: [sex, age], unit: id}"
    (job / "release.yaml").write_text(
        f"reidrisk: 1\nrelease: {{name: A}}\ncontext: {{preset: ipc, access: public}}\nparts:\n  - {part}\n",
        encoding="utf-8",
    )
    for words in (
        ["assess", str(job / "release.yaml"), "--out", str(job / "assessed"), "--quiet"],
        ["key", "new", str(key), "--for", "signing", "--no-passphrase"],
        [
            "sign",
            str(job / "assessed"),
            "--as",
            "Q",
            "--role",
            "preparer",
            "--meaning",
            "yes",
            "--key",
            str(key),
        ],
    ):
        ended = _called(words)
        assert _code(ended) in (0, 3), f"{words[0]} ended with {_code(ended)}"


def _called(words: list[str]) -> BaseException | None:
    """What the command raised; None if it only returned."""
    try:
        reidrisk.main(words, prog_name="reidrisk", standalone_mode=False)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return error
    return None


def _code(ended: BaseException | None) -> int:
    if isinstance(ended, click.ClickException):
        return 2
    return getattr(ended, "exit_code", getattr(ended, "code", 1)) if ended is not None else 0


def _said(error: BaseException | None) -> str:
    """Everything that somebody could read from an error, and from the errors that it is chained to."""
    seen: list[str] = []
    while error is not None and not isinstance(error, SystemExit):
        seen += [*traceback.format_exception(error), str(error), repr(error), repr(error.args)]
        for slot in ("__cause__", "__context__"):
            below = BaseException.__dict__[slot].__get__(error) if slot in BaseException.__dict__ else None
            if below is not None and getattr(error, slot) is not None:
                seen.append(_said(below))
        error = None
    return "".join(seen)


def _left(folder: Path, before: set[Path], shows: tuple[str, ...]) -> str:
    """What was written, but for what was asked for."""
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path in before or not path.is_file() or inside.parts[0].startswith(shows or "\0"):
            continue
        found.append(f"{inside.name}: {_unpacked(path).decode('utf-8', 'replace')}")
    return "\n".join(found)


def _unpacked(path: Path) -> bytes:
    """The content of a file; that of a package, such as a Word document, file by file."""
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as package:
        return b"\n".join(package.read(name) for name in package.namelist())


def _damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with one thing wrong."""
    at = rng.randrange(len(content) or 1)
    lines = content.splitlines(keepends=True)
    line = rng.randrange(len(lines) or 1)
    ways: list[Callable[[], bytes]] = [
        lambda: content[:at],
        lambda: content[:at] + bytes(rng.randrange(256) for _ in range(8)) + content[at + 8 :],
        lambda: content[:at] + b'"' + content[at:],
        lambda: b"".join([*lines[:line], lines[line][: at % len(lines[line]) + 1], b"\n", *lines[line:]]),
        lambda: b"".join([*lines[: line + 1], *lines[line:]]),
        lambda: content.replace(b",", b";", 1 + at % 7),
        lambda: content.replace(b":", b"", 1),
        lambda: content[:at] + b"\0\xff" + content[at:],
        lambda: content + b"\n" + lines[line][::-1],
        lambda: content.replace(b"start", b"begin", 1 + at % 3).replace(b"03/", b"99/"),
    ]
    return rng.choice(ways)()


RUNS = [(name, seed) for name, one in CASES.items() for seed in range(-1, one.seeds if one.inputs else 0)]


@pytest.mark.parametrize(
    ("name", "seed"), RUNS, ids=[f"{name}-{'good' if seed < 0 else seed}" for name, seed in RUNS]
)
def test_no_command_tells(  # noqa: PLR0917 - fixtures
    name: str,
    seed: int,
    data: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = CASES[name]
    for file in (*one.inputs, *(["csr.txt", "adsl.csv"] if "study.yaml" in one.inputs else [])):
        (shutil.copytree if (data / file).is_dir() else shutil.copy)(data / file, tmp_path / file)
    rng = random.Random(f"{name} {seed}")  # noqa: S311 - no secret
    if seed >= 0:
        victim = tmp_path / rng.choice(one.inputs)
        if victim.is_dir():
            victim = rng.choice(sorted(one for one in victim.rglob("*") if one.is_file()))
        victim.write_bytes(_damaged(victim.read_bytes(), rng))
    before = set(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    with caplog.at_level(logging.DEBUG):
        ended = _called([*name.split(), *one.words(tmp_path)])
    out, err = capfd.readouterr()
    told = [_said(ended), err, caplog.text, _left(tmp_path, before, one.shows)]
    told += [] if "-" in one.shows else [out]
    found = [text for text in told if CANARY in text.lower().replace(str(tmp_path).lower(), "")]
    assert not found, f"a canary sings in {len(found)} of {len(told)} places"
    assert ended is None or isinstance(ended, OURS), f"a defect: {type(ended).__name__}"
    if seed < 0:
        assert _code(ended) in one.code, f"{ended}"


def test_fetching_tells_no_key(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "MY_KEY", "qanary")
    words = ["population", "fetch", "--year", "2020", "--state", "OH", "--out", str(tmp_path / "oh.csv")]
    with bureau(cells()) as server:
        words += ["--base-url", server.url, "--cache", str(tmp_path / "cache"), "--key-variable", "MY_KEY"]
        errors = [_called(words)]
        shutil.rmtree(tmp_path / "cache")
        server.statuses = [404]
        errors.append(_called([*words, "--overwrite"]))
    shown = "".join((*capfd.readouterr(), *map(_said, errors), _left(tmp_path, set(), ())))
    assert CANARY not in shown.lower()
