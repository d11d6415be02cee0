"""The R package passes `R CMD check`, with tests that call the real program; skipped without R."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from reidrisk.cli.main import reidrisk
from reidrisk.core.about import own_version
from tests.cli.running import PROGRAM

PACKAGE = Path(__file__).parents[1] / "r" / "reidrisk"


def has_r() -> bool:
    if shutil.which("R") is None:
        return False
    found = subprocess.run(
        ["Rscript", "-e", "requireNamespace('jsonlite') || quit(status = 1)"],
        capture_output=True,
        check=False,
    )
    return found.returncode == 0


@pytest.mark.skipif(not has_r(), reason="needs r-base-core and r-cran-jsonlite")
def test_the_package_passes_its_check(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "reidrisk")
    env = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(PROGRAM).parent), os.environ["PATH"]]),
        "_R_CHECK_XREFS_REPOSITORIES_": "file:///nowhere",
        "LANG": "C.UTF-8",
    }
    command = ["R", "CMD", "check", "--no-manual", "--no-build-vignettes", "reidrisk"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    logs = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("calls.Rout*")]
    assert done.returncode == 0, "\n".join([done.stdout, *logs])
    assert "WARNING" not in done.stdout.replace("PDF", ""), done.stdout
    assert logs
    assert "\nThe program reidrisk is not installed" not in logs[0]


def test_the_package_has_the_version_of_the_program() -> None:
    description = (PACKAGE / "DESCRIPTION").read_text(encoding="utf-8")
    assert f"\nVersion: {own_version()}\n" in description
    assert re.search(r"^Imports: jsonlite, utils$", description, re.MULTILINE)


def test_every_function_is_documented_and_calls_a_command_that_exists() -> None:
    exported = set(re.findall(r"^export\((\w+)\)$", (PACKAGE / "NAMESPACE").read_text(), re.MULTILINE))
    aliases = {
        name
        for page in PACKAGE.glob("man/*.Rd")
        for name in re.findall(r"\\alias\{([\w.]+)\}", page.read_text())
    }
    assert exported <= aliases
    jobs = (PACKAGE / "R" / "jobs.R").read_text(encoding="utf-8")
    called = re.findall(r'reidrisk\(("[\w-]+"(?:, "[\w-]+")*)', jobs)
    assert len(called) == len(exported) - 2
    for words in called:
        done = CliRunner().invoke(reidrisk, [*re.findall(r'"([\w-]+)"', words), "--help"])
        assert (done.exit_code, "--json" in done.output, "--quiet" in done.output) == (0, True, True), words
