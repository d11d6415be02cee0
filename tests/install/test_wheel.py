"""What users install: the wheel has everything, runs far from the source, and says what is not installed."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from reidrisk.cli.check import PACKAGES
from tests.install.places import CORE, ROOT, Environment, build_wheel, lend, lend_everything, make_environment

ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXTS = {
    "gold.jsonl": '{"doc_id": "1", "text": "Ann", "entities": [{"start": 0, "end": 3, "type": "NAME"}]}\n',
    "tool.jsonl": '{"doc_id": "1", "spans": [{"start": 0, "end": 3, "label": "NAME"}]}\n',
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory)


@pytest.fixture(scope="module")
def core(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """As `pip install reidrisk` leaves it."""
    made = make_environment(tmp_path_factory.mktemp("core") / "env", wheel)
    lend(made, *CORE)
    return made


@pytest.fixture(scope="module")
def full(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """As `pip install "reidrisk[all]"` leaves it."""
    made = make_environment(tmp_path_factory.mktemp("full") / "env", wheel)
    lend_everything(made)
    return made


def write_texts(environment: Environment) -> None:
    environment.folder.mkdir(exist_ok=True)
    for name, text in TEXTS.items():
        (environment.folder / name).write_text(text, encoding="utf-8")


def test_every_file_of_the_package_is_in_the_wheel(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "src/reidrisk"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        files = {name.removeprefix("src/") for name in listed.stdout.split("\0") if name}
        files = {name for name in files if (ROOT / "src" / name).exists()}
    else:
        inside = (ROOT / "src" / "reidrisk").rglob("*")
        files = {one.relative_to(ROOT / "src").as_posix() for one in inside if one.is_file()}
        files = {name for name in files if "__pycache__" not in name}
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    assert len(files) > 1000
    assert files - packed == set(), "a file that the package needs is not installed"
    assert all(name.startswith(("reidrisk/", "reidrisk-")) for name in packed)


def test_the_wheel_says_what_an_installer_asks(wheel: Path) -> None:
    assert wheel.name == f"reidrisk-{ABOUT['version']}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        info = f"reidrisk-{ABOUT['version']}.dist-info"
        metadata = Parser().parsestr(archive.read(f"{info}/METADATA").decode())
        commands = configparser.ConfigParser()
        commands.read_string(archive.read(f"{info}/entry_points.txt").decode())
        assert f"{info}/licenses/LICENSE" in archive.namelist()
        assert archive.read("reidrisk/py.typed") == b""
    assert commands["console_scripts"]["reidrisk"] == "reidrisk.cli.main:run"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert set(metadata["Requires-Python"].split(",")) == {">=3.11", "<3.14"}
    assert set(metadata.get_all("Provides-Extra") or ()) == set(ABOUT["optional-dependencies"])
    core = [text for text in metadata.get_all("Requires-Dist") or () if "extra ==" not in text]
    assert {re.split(r"[<>=]", text)[0] for text in core} == set(CORE)


def test_a_first_verdict_in_an_empty_folder(full: Environment) -> None:
    """With everything installed: the quick demo, its repetition as it is printed, a table and a report."""
    said = full.run("demo", "--quick")
    assert "Verdict: too few documents to decide" in said
    made = {path.name for path in (full.folder / "demo-output").iterdir()}
    assert {"gold.jsonl", "tool.jsonl", "result.json", "report.html"} <= made
    line = next(line for line in said.splitlines() if line.startswith("  reidrisk text evaluate"))
    assert "Page:" in full.run(*line.split()[1:], "--seed", 7, code=3)
    (full.folder / "t.csv").write_text("age,sex\n" + "40,F\n41,M\n" * 6, encoding="utf-8")
    assert "ACCEPTABLE" in full.run("table", "risk", "t.csv", "--quasi", "age", "--other", "sex=public")
    full.run("report", "demo-output/result.json", "--out", "report", "--quiet")
    assert (full.folder / "report" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert "missing: pip" not in full.run("check").split("pyspark")[0]


def test_the_core_alone_judges_text(core: Environment) -> None:
    assert core.run("--version").split() == ["reidrisk", ABOUT["version"]]
    assert "Usage: reidrisk" in core.run("--help")
    write_texts(core)
    assert "TOO FEW DOCUMENTS" in core.run("text", "evaluate", "gold.jsonl", "tool.jsonl", code=3).upper()
    said = core.run("demo", "quick", "--quick")
    assert 'pip install "reidrisk[all]"' in said
    assert not (core.folder / "quick" / "report.html").exists()


def test_the_core_alone_lists_what_is_missing(core: Environment) -> None:
    lines = core.run("check").splitlines()
    for package, extra, _ in PACKAGES:
        state = next(line for line in lines if line.strip().startswith(f"{package} "))
        assert (f'missing: pip install "reidrisk[{extra}]"' in state) == (extra != "core"), state


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("demo", "report"),
        ("text evaluate gold.jsonl tool.jsonl --html page.html", "report"),
        ("text train gold.jsonl --out model", "text"),
        ("table risk t.csv --quasi age", "tables"),
        ("table deidentify t.csv --quasi age --out out.csv", "tables"),
        ("population risk t.csv --policy safe", "tables"),
        ("document detect d.pdf --out found.json", "documents"),
        ("key new my.key --for signing --name Me", "sign"),
        ("serve", "web"),
    ],
)
def test_the_core_alone_names_the_extra_that_a_command_needs(
    core: Environment, words: str, extra: str
) -> None:
    write_texts(core)
    (core.folder / "t.csv").write_text("age\n40\n", encoding="utf-8")
    (core.folder / "d.pdf").write_bytes(b"%PDF-1.4\n")
    said = core.run(*words.split(), code=1)
    assert f'pip install "reidrisk[{extra}]"' in said
    assert "defect" not in said


def test_every_module_of_the_core_alone_is_importable_where_it_needs_no_extra(core: Environment) -> None:
    """The public names resolve, or say which package they need."""
    program = (
        "import reidrisk, sys\n"
        "from reidrisk.errors import MissingPackage\n"
        "bad = []\n"
        "for name in reidrisk.__all__:\n"
        "    try:\n"
        "        getattr(reidrisk, name)\n"
        "    except MissingPackage:\n"
        "        pass\n"
        "    except ImportError as error:\n"
        "        bad.append(f'{name}: {error}')\n"
        "assert not bad, bad\n"
        "assert 'site-packages' in reidrisk.__file__\n"
    )
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(core.programs / "python"), "-c", program],
        cwd=core.folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sys.version_info >= (3, 11)
