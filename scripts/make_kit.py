"""An offline kit: one archive with the wheel of reidrisk and of all that it needs, with hashes.

`python scripts/make_kit.py DIR` writes `reidrisk-VERSION-kit-SYSTEM-PYTHON.zip` for this system and Python.
`--system win_amd64 --python 3.12` makes one for another machine, `--extras report,tables` a smaller one. What
is downloaded must have a hash of requirements.lock. The kit is installed without a network.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
OWN = "reidrisk"
LOCK = ROOT / "requirements.lock"
SAME_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the archive: the same wheels give the same archive."""
LINUX = tuple(f"manylinux_2_{minor}" for minor in (28, 27, 26, 24, 17, 12, 5))
"""Older forms of Linux wheels, which run on newer systems, too."""

INSTALL_SH = """\
#!/bin/sh
# Installs reidrisk without a network: sh install.sh [FOLDER] [PYTHON]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-"$HOME/reidrisk"}
python=${2:-python@PYTHON@}
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (@TUPLE@))' || {
  echo "This kit is for Python @PYTHON@. Name it: sh install.sh FOLDER /path/to/python@PYTHON@" >&2; exit 1; }
"$python" -m venv "$folder"
"$folder/bin/python" -m pip --isolated --disable-pip-version-check install --quiet --no-index \\
  --find-links "$here/wheels" --require-hashes --no-deps --requirement "$here/requirements.txt"
"$folder/bin/reidrisk" check || { echo "reidrisk was not installed completely." >&2; exit 1; }
echo "Installed. Run: $folder/bin/reidrisk demo"
"""
INSTALL_CMD = """\
@echo off
rem Installs reidrisk without a network: install.cmd [FOLDER] [PYTHON]
setlocal
set "folder=%~1"
if "%folder%"=="" set "folder=%USERPROFILE%\\reidrisk"
set "python=%~2"
if "%python%"=="" (py -@PYTHON@ -m venv "%folder%") else ("%python%" -m venv "%folder%")
if errorlevel 1 (
  echo This kit is for Python @PYTHON@. Name it: install.cmd FOLDER C:\\path\\to\\python.exe
  exit /b 1
)
"%folder%\\Scripts\\python.exe" -m pip --isolated --disable-pip-version-check install --quiet --no-index ^
  --find-links "%~dp0wheels" --require-hashes --no-deps --requirement "%~dp0requirements.txt"
if errorlevel 1 exit /b 1
"%folder%\\Scripts\\reidrisk.exe" check
if errorlevel 1 exit /b 1
echo Installed. Run: "%folder%\\Scripts\\reidrisk.exe" demo
"""
README = """\
reidrisk @VERSION@, offline kit for @SYSTEM@ and Python @PYTHON@
{line}
It installs without a network and needs only Python @PYTHON@.

1. Check the archive on the machine where you unpack it. Compare its SHA-256 with the one that you were given:
     Linux    sha256sum ARCHIVE
     macOS    shasum -a 256 ARCHIVE
     Windows  certutil -hashfile ARCHIVE SHA256
2. Unpack it, and open a terminal in the folder.
3. Linux and macOS   sh install.sh [FOLDER] [PYTHON]
   Windows           install.cmd [FOLDER] [PYTHON]
   FOLDER is where reidrisk goes, your home folder if you leave it out. Administrator rights are not needed.
4. Run reidrisk demo, as the last line of the installation says.

Every wheel must have the hash in requirements.txt, or nothing is installed. SHA256SUMS has the hashes of all
files of this kit. To remove reidrisk, delete FOLDER.

Included: {extras}
"""


@dataclass(frozen=True)
class Target:
    """The machine that the kit is for."""

    system: str
    """The tag of its wheels, such as win_amd64; empty for this machine."""
    python: str
    """Such as 3.12."""

    @property
    def is_here(self) -> bool:
        """Whether it is this machine, with this Python."""
        return not self.system and self.python == here()

    @property
    def name(self) -> str:
        """The system in the name of the archive."""
        import sysconfig

        return self.system or re.sub(r"\W", "_", sysconfig.get_platform())

    def environment(self) -> dict[str, str]:
        """What markers of requirements ask about the machine."""
        asked: dict[str, str] = {name: str(value) for name, value in default_environment().items()}
        asked |= {"python_version": self.python, "python_full_version": f"{self.python}.0"}
        if self.system.startswith("win"):
            machine = "ARM64" if "arm64" in self.system else "AMD64"
            own = ("win32", "nt", "Windows", machine)
        elif self.system.startswith("macosx"):
            own = ("darwin", "posix", "Darwin", "arm64" if "arm64" in self.system else "x86_64")
        elif self.system:
            own = ("linux", "posix", "Linux", "aarch64" if "aarch64" in self.system else "x86_64")
        else:
            return asked
        return asked | dict(
            zip(("sys_platform", "os_name", "platform_system", "platform_machine"), own, strict=True)
        )

    def options(self) -> list[str]:
        """The options of pip that choose wheels for another machine."""
        if self.is_here:
            return []
        options = ["--python-version", self.python, "--implementation", "cp"]
        linux = re.fullmatch(r"manylinux_2_\d+_(\w+)", self.system)
        tags = [f"{old}_{linux[1]}" for old in LINUX] if linux else [self.system] if self.system else []
        return options + [word for tag in tags for word in ("--platform", tag)]


def here() -> str:
    """The version of this Python."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def locked(target: Target) -> dict[str, str]:
    """What the lock has for a machine: by package, its lines with version and hashes."""
    found: dict[str, str] = {}
    for entry in LOCK.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        line, *hashes = entry.split(" --hash=")
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate(target.environment()):
            rows = [f"{one.name}{one.specifier}", *(f"    --hash={digest.strip()}" for digest in hashes)]
            found[canonicalize_name(one.name)] = " \\\n".join(rows)
    return found


def needed(extras: Iterable[str], target: Target, known: Iterable[str]) -> list[str]:
    """The packages that reidrisk needs with these extras, and what those need, by name."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional: dict[str, list[str]] = about["optional-dependencies"]
    left = [Requirement(text) for text in (*about["dependencies"], *(f"{OWN}[{one}]" for one in extras))]
    allowed, found, seen = set(known), set(), set()
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        if (name, frozenset(one.extras)) in seen:
            continue
        seen.add((name, frozenset(one.extras)))
        if name == OWN:
            unknown = one.extras - optional.keys()
            if unknown:
                raise SystemExit(f"There is no extra {', '.join(sorted(unknown))}.")
            left += [Requirement(text) for extra in one.extras for text in optional[extra]]
            continue
        if name in allowed:
            found.add(name)
            left += _below(one, target)
    return sorted(found)


def _below(one: Requirement, target: Target) -> Iterator[Requirement]:
    """What a package needs, as the installed one says; one for other systems only is not installed here."""
    try:
        texts = requires(one.name) or []
    except PackageNotFoundError:
        return
    for text in texts:
        below = Requirement(text)
        asked = [{**target.environment(), "extra": extra} for extra in ("", *one.extras)]
        if below.marker is None or any(below.marker.evaluate(env) for env in asked):
            yield below


def build_wheel(folder: Path) -> Path:
    """Build the wheel of reidrisk, without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    return next(folder.glob(f"{OWN}-*.whl"))


def download(requirements: Path, folder: Path, target: Target) -> None:
    """Download the wheels, each with a hash of the lock."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    command += ["--require-hashes", "--no-deps", "--only-binary=:all:", *target.options()]
    command += ["--dest", str(folder), "--requirement", str(requirements)]
    subprocess.run(command, check=True)  # noqa: S603


def sha256(path: Path) -> str:
    """The hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def pack(folder: Path, archive: Path) -> None:
    """Write the archive; wheels are compressed already."""
    top = archive.stem
    part = archive.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as file:
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            entry = zipfile.ZipInfo(f"{top}/{path.relative_to(folder).as_posix()}", SAME_DAY)
            entry.external_attr = (0o755 if path.suffix == ".sh" else 0o644) << 16
            file.writestr(entry, path.read_bytes())
    os.replace(part, archive)  # noqa: PTH105


def make(out: Path, extras: list[str], target: Target) -> Path:
    """Make the kit; give the archive."""
    lines = locked(target)
    names = needed(extras, target, lines)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out) as made:
        folder = Path(made)
        wheels = folder / "wheels"
        wheels.mkdir()
        wheel = build_wheel(wheels)
        version = wheel.name.split("-")[1]
        requirements = folder / "requirements.txt"
        requirements.write_text("".join(f"{lines[name]}\n" for name in names), encoding="utf-8")
        download(requirements, wheels, target)
        with requirements.open("a", encoding="utf-8") as file:
            file.write(f"{OWN}=={version} \\\n    --hash=sha256:{sha256(wheel)}\n")
        _write_texts(folder, version, ", ".join(extras) or "no extras", target)
        archive = out / f"{OWN}-{version}-kit-{target.name}-py{target.python}.zip"
        pack(folder, archive)
    return archive


def _write_texts(folder: Path, version: str, extras: str, target: Target) -> None:
    marks = {"VERSION": version, "SYSTEM": target.name, "PYTHON": target.python}
    marks["TUPLE"] = target.python.replace(".", ", ")
    readme = README.format(line="=" * 70, extras=f"reidrisk with {extras}")
    texts = {"README.txt": readme, "install.sh": INSTALL_SH, "install.cmd": INSTALL_CMD}
    for name, text in texts.items():
        for mark, value in marks.items():
            text = text.replace(f"@{mark}@", value)  # noqa: PLW2901
        ends = "\r\n" if name.endswith(".cmd") else "\n"
        (folder / name).write_text(text, encoding="utf-8", newline=ends)
    (folder / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    every = sorted(one for one in folder.rglob("*") if one.is_file())
    sums = "".join(f"{sha256(one)}  {one.relative_to(folder).as_posix()}\n" for one in every)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8", newline="\n")


def main(words: list[str] | None = None) -> int:
    """Make the kit, and say its size and hash."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="folder for the archive")
    parser.add_argument("--system", default="", help="tag of wheels for another system, such as win_amd64")
    parser.add_argument("--python", default=here(), help="version of Python there, such as 3.12")
    parser.add_argument("--extras", default="all", help="extras, separated by commas; empty for the core")
    given = parser.parse_args(words)
    extras = [one.strip() for one in given.extras.split(",") if one.strip()]
    try:
        archive = make(given.out, extras, Target(given.system, given.python))
    except subprocess.CalledProcessError as error:
        print(f"The kit was not made: {Path(error.cmd[0]).name} {error.cmd[2]} failed.", file=sys.stderr)
        return 1
    print(f"{archive}\n{archive.stat().st_size / 1e6:.0f} MB, SHA-256 {sha256(archive)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
