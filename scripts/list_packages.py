"""What reidrisk is made of: a software bill of materials (CycloneDX) and a list of licenses.

`python scripts/list_packages.py DIR` writes `sbom.cdx.json` and `licenses.md`: every package that an
installation with all extras has, as it is installed here, with the hashes of the lock. The same lock gives
the same files. It fails if a license is unknown, or one that we do not pass on.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
OWN = "reidrisk"
EXTRAS = ("all", "spark")
REFUSED = re.compile(r"\bA?GPL", re.IGNORECASE)
"""Licenses that would bind whoever passes reidrisk on."""
INCLUDED = (
    ("DejaVu Sans", "2.37", "Bitstream-Vera", "src/reidrisk/documents/pdf/LICENSE_DEJAVU"),
    ("htmx", "4.0.1", "0BSD", "src/reidrisk/web/static/htmx.LICENSE.txt"),
)
"""What is part of the package itself and was made by others: name, version, license and its text."""


@dataclass(frozen=True)
class Package:
    """One package of an installation."""

    name: str
    version: str
    license: str
    needs: tuple[str, ...]
    hashes: tuple[str, ...]


def installed(name: str) -> Distribution | None:
    """The package as it is here; None if it is for other systems, or was not asked for."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def needs(found: Distribution, extras: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """The packages that it needs on this system, with the extras of each."""
    wanted: list[tuple[str, tuple[str, ...]]] = []
    for text in found.requires or ():
        one = Requirement(text)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            wanted.append((canonicalize_name(one.name), tuple(sorted(one.extras))))
    return wanted


def license_of(found: Distribution) -> str:
    """The license in the words of the package, shortest first: an expression, a short field, a classifier."""
    about: Any = found.metadata
    field = (about.get("License") or "").strip()
    classified = [
        text.rsplit(" :: ", maxsplit=1)[-1]
        for text in about.get_all("Classifier") or ()
        if text.startswith("License :: ") and not text.endswith("OSI Approved")
    ]
    short = field if field and "\n" not in field and len(field) <= 60 else ""
    return str(about.get("License-Expression") or short or " and ".join(classified))


def locked_hashes() -> dict[str, tuple[str, ...]]:
    """The hashes of all files of each package, from the locks."""
    found: dict[str, list[str]] = {}
    name = ""
    for lock in ("requirements.lock", "requirements-spark.lock"):
        for line in (ROOT / lock).read_text(encoding="utf-8").splitlines():
            if start := re.match(r"([A-Za-z0-9_.-]+)==", line):
                name = canonicalize_name(start[1])
                found.setdefault(name, [])
            elif digest := re.search(r"--hash=sha256:([0-9a-f]{64})", line):
                found[name].append(digest[1])
    return {key: tuple(sorted(set(values))) for key, values in found.items()}


def packages() -> list[Package]:
    """Every package that an installation with all extras has here, in order of names."""
    hashes = locked_hashes()
    found: dict[str, Package] = {}
    seen: set[tuple[str, tuple[str, ...]]] = set()
    left: list[tuple[str, tuple[str, ...]]] = [(OWN, EXTRAS)]
    while left:
        name, extras = left.pop()
        own = installed(name)
        if (name, extras) in seen or own is None:
            continue
        seen.add((name, extras))
        below = needs(own, extras)
        left += below
        names = {*(found[name].needs if name in found else ()), *(one for one, _ in below if installed(one))}
        found[name] = Package(name, own.version, license_of(own), tuple(sorted(names)), hashes.get(name, ()))
    return [found[name] for name in sorted(found)]


def sbom(found: list[Package]) -> dict[str, Any]:
    """The list as CycloneDX 1.6, without a time: the same lock gives the same file."""
    components = [component(one) for one in found if one.name != OWN]
    components += [
        {"type": "file", "name": name, "version": version, "licenses": [{"license": {"name": terms}}]}
        for name, version, terms, _ in INCLUDED
    ]
    own = next(one for one in found if one.name == OWN)
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**component(own), "type": "application"}},
        "components": components,
        "dependencies": [
            {"ref": ref(one.name), "dependsOn": [ref(name) for name in one.needs]} for one in found
        ],
    }
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(content, sort_keys=True))
    return {**content, "serialNumber": f"urn:uuid:{number}"}


def ref(name: str) -> str:
    """How other parts of the file name a package."""
    return f"pkg:pypi/{name}"


def component(one: Package) -> dict[str, Any]:
    """A package in the words of CycloneDX."""
    content: dict[str, Any] = {
        "type": "library",
        "bom-ref": ref(one.name),
        "name": one.name,
        "version": one.version,
        "purl": f"pkg:pypi/{one.name}@{one.version}",
        "licenses": [{"license": {"name": one.license}}],
    }
    if one.hashes:
        content["properties"] = [{"name": "locked:sha256", "value": digest} for digest in one.hashes]
    return content


def table(found: list[Package]) -> str:
    """The licenses as a page."""
    rows = [f"| {one.name} | {one.version} | {one.license} |" for one in found]
    rows += [f"| {name} (included) | {version} | {terms} |" for name, version, terms, _ in INCLUDED]
    head = "# Licenses\n\nOf reidrisk with all its extras, as locked and installed.\n"
    return "\n".join([head, "| package | version | license |", "| --- | --- | --- |", *rows]) + "\n"


def main(folder: Path) -> int:
    """Write both files; 1 if a license is missing or refused."""
    found = packages()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sbom.cdx.json").write_text(json.dumps(sbom(found), indent=1) + "\n", encoding="utf-8")
    (folder / "licenses.md").write_text(table(found), encoding="utf-8")
    print(f"{len(found)} packages: {folder / 'sbom.cdx.json'}, {folder / 'licenses.md'}")
    wrong = [one.name for one in found if not one.license or REFUSED.search(one.license)]
    if wrong:
        print(f"License missing or refused: {', '.join(wrong)}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
