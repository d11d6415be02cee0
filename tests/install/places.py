"""The wheel, and environments that have it: as users make them, but without downloads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.sharing import made_once

ROOT = Path(__file__).parents[2]
CORE = ("click", "google-re2", "numpy", "pyyaml", "scipy")
"""What the core needs; none of them needs anything else on Linux."""


def build_wheel(factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source, built once for all tests."""

    def build(place: Path) -> None:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    (wheel,) = made_once(factory, "wheel", build).glob("*.whl")
    return wheel


class Environment:
    """A virtual environment, and an empty folder to work in."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.folder = place.parent / f"{place.name}-work"

    @property
    def packages(self) -> Path:
        """Where packages are installed."""
        if os.name == "nt":
            return self.place / "Lib" / "site-packages"
        return next(self.place.glob("lib/python3.*")) / "site-packages"

    @property
    def programs(self) -> Path:
        """Where commands are installed."""
        return self.place / ("Scripts" if os.name == "nt" else "bin")

    def run(self, *words: object, code: int = 0, **changes: str) -> str:
        """Run the installed command in the empty folder, far from the source; give its output."""
        self.folder.mkdir(exist_ok=True)
        hidden = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in hidden and not name.startswith("COVERAGE_PROCESS")
        }
        env = kept | changes
        done = subprocess.run(
            [str(self.programs / "reidrisk"), *map(str, words)],
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr


def make_environment(place: Path, wheel: Path, *, python: Path | None = None) -> Environment:
    """A clean environment of a Python with the wheel, installed by pip, and nothing else."""
    own = [str(python or sys.executable), "-m", "venv", "--without-pip", str(place)]
    subprocess.run(own, check=True, capture_output=True)
    made = Environment(place)
    pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check"]
    install = ["install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)]
    done = subprocess.run(
        [*pip, "--python", str(made.programs / "python"), *install],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return made


def lend_everything(environment: Environment) -> None:
    """Add the packages of this environment, without its reidrisk: a `.pth` file adds no other `.pth` file."""
    lent = sysconfig.get_path("purelib")
    (environment.packages / "lent.pth").write_text(f"{lent}\n", encoding="utf-8")


def lend(environment: Environment, *names: str) -> None:
    """Add some packages of this environment, and no others."""
    for name in names:
        found = distribution(name)
        tops = {Path(file).parts[0] for file in found.files or () if not str(file).startswith("..")}
        for top in sorted(tops - {"__pycache__"}):
            source = Path(str(found.locate_file(top)))
            target = environment.packages / top
            if not target.exists():
                _lend(source, target)


def _lend(source: Path, target: Path) -> None:
    if os.name != "nt":
        target.symlink_to(source)
    elif source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)
