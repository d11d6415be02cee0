"""Other systems and other versions of Python: what can be tried without them."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from runpy import run_path

import pytest

import reidrisk
from tests.install.places import CORE, ROOT, build_wheel, lend, make_environment

SOURCE = Path(reidrisk.__file__).parent
POSIX = frozenset(("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty", "syslog"))
VERSIONS = ("3.11", "3.12", "3.13")
RULES = "age: {kind: age, unit: years, levels: [years, 5 years]}\n"


def test_no_module_needs_posix_to_be_imported() -> None:
    """Such modules are imported where they are used, after a look at the system."""
    found = [
        f"{path.relative_to(SOURCE)}: {name.name}"
        for path in sorted(SOURCE.rglob("*.py"))
        if any(word in (text := path.read_text(encoding="utf-8")) for word in POSIX)
        for node in ast.parse(text).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
        if name.name in POSIX
    ]
    assert found == []


def test_no_path_of_one_system_is_written_into_the_code() -> None:
    """Temporary files are where the system has them; only a driver of Debian is where Debian puts it."""
    found = [
        f"{path.relative_to(SOURCE)}: {match[0]}"
        for path in sorted(SOURCE.rglob("*.py"))
        for match in re.finditer(
            r"[\"'](?:/tmp|/var|/usr|/home|C:)[/\"'\\]", path.read_text(encoding="utf-8")
        )
    ]
    assert found in ([], ['engine/spark/postgres.py: "/usr/'])


@pytest.mark.skipif(sys.platform == "win32", reason="it is Windows")
def test_commands_run_without_what_windows_lacks(tmp_path: Path) -> None:
    """Modules, functions and signals of POSIX are taken away; locks are those that Windows has."""
    (tmp_path / "t.csv").write_text("age,sex\n" + "30,F\n31,F\n" * 6, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")
    lines = (
        "0 demo --quick",
        "0 table risk t.csv --quasi age --other sex=x --json r.json --html r.html",
        "0 table deidentify t.csv --quasi age,sex --hierarchies rules.yaml --out out.csv --quiet",
        "0 key new my.key --for signing --name Me --no-passphrase",
        "0 key new p.key --for pseudonyms",
        "0 init t.csv --out release.yaml",
        "3 assess release.yaml --quiet",
        "0 sign assessment --as Me --role reviewer --meaning read --key my.key",
        "0 verify assessment --quick",
        "0 log .",
        "1 table risk gone.csv --quasi a",
    )
    program = [sys.executable, "-m", "tests.install.as_windows", str(tmp_path), *lines]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(SOURCE.parent), str(ROOT)))}
    env = {name: value for name, value in env.items() if name not in {"USER", "LOGNAME", "USERNAME", "LNAME"}}
    done = subprocess.run(program, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "'release.yaml'" in done.stdout.splitlines()[-1]
    stored = (tmp_path / "assessment" / "manifest.json").read_text(encoding="utf-8")
    assert "\\\\" not in stored, "paths in stored files have slashes on every system"


def pythons() -> dict[str, Path]:
    """Each version that we support and that is on this computer, also where it is not the first one."""
    found: dict[str, Path] = {}
    for version in VERSIONS:
        homes = sorted(
            Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}.*")
        )
        named = [shutil.which(f"python{version}"), *(home / "bin" / f"python{version}" for home in homes)]
        for one in named:
            asked = [str(one), "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"]
            if one is None:
                continue
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
            if done.returncode == 0 and done.stdout.strip() == version:
                found[version] = Path(one)
                break
    return found


RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_starts_on_each_python(
    version: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Without the packages of the core, which are made for one version each; only click is not."""
    if version == RUNNING:
        pytest.skip("the tests of the wheel run on this Python")
    python = pythons().get(version)
    if python is None:
        pytest.skip(f"Python {version} is not on this computer")
    made = make_environment(tmp_path / "env", build_wheel(tmp_path_factory), python=python)
    lend(made, "click")
    assert made.run("--version").startswith("reidrisk ")
    assert "Usage: reidrisk" in made.run("table", "risk", "--help")
    listed = made.run("check", code=1)
    assert f"on Python {version}." in listed
    assert "numpy                    statistics                   missing" in listed


@pytest.mark.skipif(sys.platform == "win32", reason="install.sh is for Linux and macOS")
def test_the_offline_kit_installs_and_gives_a_verdict(tmp_path: Path) -> None:
    """As in a hospital: unpack, install without a network but with hashes, and judge in an empty folder."""
    others = {version: path for version, path in pythons().items() if version != RUNNING}
    if not others:
        pytest.skip("there is no other Python on this computer; the tests of the wheel run on this one")
    version, python = max(others.items())
    make = [sys.executable, str(ROOT / "scripts" / "make_kit.py"), str(tmp_path)]
    made = subprocess.run(
        [*make, "--python", version, "--extras", ""], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"the packages for Python {version} could not be downloaded")
    (archive,) = tmp_path.glob("*.zip")
    with zipfile.ZipFile(archive) as file:
        file.extractall(tmp_path)
    kit, work = tmp_path / archive.stem, tmp_path / "work"
    work.mkdir()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}

    def shell(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", line], cwd=work, env=env, capture_output=True, text=True, check=False
        )

    for line in (f'sh "{kit}/install.sh" "{work}/own" "{python}"', "own/bin/reidrisk demo --quick"):
        done = shell(line)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "Verdict: too few documents to decide" in done.stdout
    spoiled = next((kit / "wheels").glob("click-*.whl"))
    spoiled.write_bytes(spoiled.read_bytes() + b"x")
    installing = next(
        line
        for line in (kit / "install.sh").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
        if "pip" in line
    )
    refused = shell(f'here="{kit}" folder="{work}/own"\n{installing} --dry-run --force-reinstall')
    assert refused.returncode != 0
    assert "HASHES" in refused.stderr.upper()


@pytest.mark.parametrize("system", ["win_amd64", "macosx_14_0_arm64", "manylinux_2_28_x86_64"])
def test_a_kit_for_another_system_has_what_that_needs(system: str) -> None:
    kit = run_path(str(ROOT / "scripts" / "make_kit.py"))
    target = kit["Target"](system, "3.12")
    lines = kit["locked"](target)
    names = kit["needed"](["all"], target, lines)
    assert {"numpy", "duckdb", "typst", "cryptography", "cffi", "starlette"} <= set(names)
    assert ("colorama" in lines) == system.startswith("win"), "the lock is read as that system reads it"
    assert not {"pytest", "mypy", "ruff", "playwright"} & set(names)
    assert all("--hash=sha256:" in lines[name] for name in names)
    assert kit["needed"]([], target, lines) == sorted(CORE)
