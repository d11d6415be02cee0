"""The bill of materials and the licenses are made from the lock, and the lock names no host."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, str(ROOT / "scripts" / "list_packages.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_package_is_listed_with_its_license_and_hashes(made: Path) -> None:
    sbom = json.loads((made / "sbom.cdx.json").read_text(encoding="utf-8"))
    assert (sbom["bomFormat"], sbom["metadata"]["component"]["name"]) == ("CycloneDX", "reidrisk")
    listed = {one["name"]: one for one in sbom["components"]}
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = about["optional-dependencies"]
    assert set(re.findall(r"\w+", extras["all"][0])[1:]) == extras.keys() - {"all", "spark"}
    needed = [Requirement(text) for own in extras.values() for text in own]
    named = {canonicalize_name(one.name) for one in needed} - {"reidrisk"}
    for name in named - ({"pandas", "pyspark"} - listed.keys()):  # installed only for the tests on Spark
        assert listed[name]["licenses"][0]["license"]["name"]
        assert listed[name]["properties"], "its files are locked"
    refs = {one["bom-ref"] for one in sbom["components"] if "bom-ref" in one}
    below = {name for one in sbom["dependencies"] for name in one["dependsOn"]}
    assert below <= refs
    rows = (made / "licenses.md").read_text(encoding="utf-8")
    assert all(f"| {name} " in rows for name in listed)
    script = (ROOT / "src/reidrisk/web/static/htmx.min.js").read_text(encoding="utf-8")
    assert f'version="{listed["htmx"]["version"]}"' in script


def test_the_locks_hold_every_package_and_no_host() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    needed = [*about["project"]["dependencies"], *about["dependency-groups"]["dev"]]
    for text in needed:
        name = re.split(r"[<>=!~\[]", text)[0]
        assert re.search(rf"^{re.escape(name)}==", lock, re.MULTILINE), name
    for file in ("requirements.lock", "requirements-spark.lock"):
        assert "//" not in (ROOT / file).read_text(encoding="utf-8")
