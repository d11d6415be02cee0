"""The program's own files against the list of its wheel, which is built here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from reidrisk.validate.check import Bench, NotRun
from reidrisk.validate.installation import compare_files, described, fits, recorded_files, unchanged_files

ROOT = Path(__file__).parents[2]
ASK = """
import json, sys
from pathlib import Path
from reidrisk.validate.check import Bench
from reidrisk.validate.installation import unchanged_files
seen = unchanged_files(Bench(Path(".")))
print(json.dumps([seen.holds, seen.text]))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a wheel as pip lays them out."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def asked(site: Path) -> tuple[bool, str]:
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=environment, check=True, capture_output=True, text=True, cwd=site
    )
    holds, text = json.loads(done.stdout)
    return holds, text


def test_a_wheel_is_compared_both_ways(unpacked: Path) -> None:
    holds, text = asked(unpacked)
    assert holds, text
    changed = unpacked / "reidrisk" / "stats" / "leak.py"
    changed.write_text(changed.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    (unpacked / "reidrisk" / "added.py").write_text("", encoding="utf-8")
    (unpacked / "reidrisk" / "stats" / "gate.py").unlink()
    holds, text = asked(unpacked)
    assert not holds
    assert text == "Changed: stats/leak.py; missing: stats/gate.py; added: added.py."


def test_a_source_folder_has_no_list_but_a_root_hash(tmp_path: Path) -> None:
    if recorded_files() is not None:
        pytest.skip("these tests run on a wheel")
    with pytest.raises(NotRun, match="root hash"):
        unchanged_files(Bench(tmp_path))


def test_files_that_agree_have_a_root_hash() -> None:
    assert "root hash" in compare_files({"a": "1"}, {"a": "1"}).text
    assert compare_files({"a": "1"}, {"a": "1"}).holds
    assert not compare_files({"a": "1"}, {"a": "2"}).holds


@pytest.mark.parametrize(
    ("version", "bounds", "inside"),
    [
        ("3.11.7", ">=3.11,<3.14", True),
        ("3.14.0", ">=3.11,<3.14", False),
        ("20250506", ">=20250506", True),
        ("1.5.5", ">=1.5.6,<2", False),
        ("2.0.0+cpu", "==2.0", True),
        ("1.0", "!=1.0.0", False),
    ],
)
def test_versions_are_compared_as_numbers(version: str, bounds: str, inside: bool) -> None:
    assert fits(version, bounds) is inside


def test_the_machine_is_named_only_if_asked_for() -> None:
    import platform

    assert described(machine=False)["machine"] is None
    assert described(machine=True)["machine"] == platform.node()
