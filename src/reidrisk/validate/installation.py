"""What is installed: Python, packages, and the package's own files."""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

from reidrisk.core.about import installed, own_version
from reidrisk.validate.check import Bench, NotRun, Observed

NAME = "reidrisk"
_NEEDED = re.compile(r"^(?P<name>[\w.-]+)(?:\[[^\]]*\])?(?P<range>[^;]*)(?:;(?P<marker>.*))?$")
_BOUND = re.compile(r"(?P<sign>>=|<=|==|!=|<|>)\s*(?P<version>[\w.]+)")
_EXTRA = re.compile(r"extra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")
IGNORED = ("__pycache__",)
"""Folders of what Python makes itself from the files."""


def fits(version: str, bounds: str) -> bool:
    """Whether a version is within bounds such as `>=1.5,<2`.

    >>> fits("1.26.4", ">=2.0"), fits("2.4", ">=2.0"), fits("2.0.0", ">=1.5,<2")
    (False, True, False)
    """
    own = _numbers(version)
    for bound in _BOUND.finditer(bounds):
        other = _numbers(bound["version"])
        width = max(len(own), len(other))
        here, there = (one + (0,) * (width - len(one)) for one in (own, other))
        order = {">=": here >= there, "<=": here <= there, "<": here < there, ">": here > there}
        if not (order | {"==": here == there, "!=": here != there})[bound["sign"]]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+", maxsplit=1)[0])[:4])


def needed_packages() -> list[dict[str, Any]]:
    """Every package that the metadata of this program name: extra, bounds, installed version, fits."""
    try:
        wanted = distribution(NAME).requires or []
    except PackageNotFoundError:
        raise NotRun("No metadata: the program was not installed by pip.") from None
    found = []
    for line in wanted:
        parsed = _NEEDED.match(line.replace(" ", ""))
        if parsed is None or parsed["name"] == NAME:
            continue
        extra = _EXTRA.search(line)
        version = installed(parsed["name"])
        found.append(
            {
                "package": parsed["name"],
                "extra": extra["extra"] if extra else None,
                "bounds": parsed["range"].strip("()"),
                "installed": version,
                "fits": None if version is None else fits(version, parsed["range"]),
            }
        )
    return found


def supported_python(_: Bench) -> Observed:
    """Compare the version of Python with the range that the program declares."""
    try:
        bounds = str(distribution(NAME).metadata["Requires-Python"])
    except PackageNotFoundError:
        raise NotRun("No metadata: the program was not installed by pip.") from None
    version = platform.python_version()
    return Observed(fits(version, bounds), f"Python {version}; supported are {bounds}.")


def suitable_packages(_: Bench) -> Observed:
    """Compare every installed package with the range that the program declares."""
    packages = needed_packages()
    missing = [one["package"] for one in packages if one["extra"] is None and one["installed"] is None]
    wrong = sorted({one["package"] for one in packages if one["fits"] is False})
    number = len({one["package"] for one in packages if one["installed"]})
    problems = [f"missing: {', '.join(missing)}"] * bool(missing)
    problems += [f"version outside of the declared range: {', '.join(wrong)}"] * bool(wrong)
    if problems:
        return Observed(holds=False, text=f"{'; '.join(problems).capitalize()}.")
    return Observed(holds=True, text=f"All required packages are there; {number} installed versions fit.")


def package_files() -> dict[str, str]:
    """SHA-256 of each file of the program, by its path."""
    root = Path(str(files(NAME)))
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not set(path.relative_to(root).parts) & set(IGNORED)
    }


def root_hash(sums: dict[str, str]) -> str:
    """One hash over the hashes and paths of all files, in the order of their paths."""
    lines = "".join(f"{value}  {name}\n" for name, value in sorted(sums.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def recorded_files() -> dict[str, str] | None:
    """What the wheel said of its files when it was built; None if the program is not from a wheel."""
    try:
        own = distribution(NAME)
    except PackageNotFoundError:
        return None
    root = Path(str(files(NAME))).resolve()
    found = {}
    for one in own.files or ():
        place = Path(str(one.locate())).resolve()
        if one.hash is not None and place.is_relative_to(root):
            found[place.relative_to(root).as_posix()] = _hexadecimal(one.hash.value)
    return found or None


def _hexadecimal(value: str) -> str:
    """From the letters that RECORD uses to those that everybody else uses."""
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).hex()


def unchanged_files(_: Bench) -> Observed:
    """Compare the program's own files with the list that was made when its wheel was built."""
    listed, own = recorded_files(), package_files()
    if listed is None:
        raise NotRun(
            "The program runs from a source folder, not from a wheel: there is no list to compare with. "
            f"The root hash of its {len(own)} files is recorded: {root_hash(own)}."
        )
    return compare_files(listed, own)


def compare_files(listed: dict[str, str], own: dict[str, str]) -> Observed:
    """Both ways: files that differ, are missing, or were added."""
    differing = sorted(name for name in listed.keys() & own.keys() if listed[name] != own[name])
    missing, added = sorted(listed.keys() - own.keys()), sorted(own.keys() - listed.keys())
    problems = [
        f"{word}: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
        for word, names in (("changed", differing), ("missing", missing), ("added", added))
        if names
    ]
    if problems:
        return Observed(holds=False, text=f"{'; '.join(problems).capitalize()}.")
    return Observed(
        holds=True, text=f"All {len(own)} files are those of the wheel; root hash {root_hash(own)}."
    )


def described(*, machine: bool) -> dict[str, Any]:
    """Everything about the installation that a reader of the certificate may need."""
    own = package_files()
    from_wheel = recorded_files() is not None
    try:
        packages = needed_packages()
    except NotRun:
        packages = []
    return {
        "program": f"{NAME} {own_version()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()} ({platform.machine()})",
        "cores": os.cpu_count(),
        "machine": platform.node() if machine else None,
        "packages": packages,
        "files": {"number": len(own), "root_sha256": root_hash(own), "compared_with_wheel": from_wheel},
    }
