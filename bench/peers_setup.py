"""Peers from the package index, each in a virtual environment of its own under bench/.peers.

One that cannot be installed does not stop the others: the reason is written beside its environment, in
words without addresses, and shown on the page.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LIST, SCRIPTS = HERE / "peers.txt", HERE / "peers"
SECONDS = 600
REASONS = {
    "no connection to a package index": ("connection", "name resolution", "timed out", "network", "proxy"),
    "no version for this Python on the package index": ("no matching distribution", "requires-python"),
    "no space left on the disk": ("no space left",),
    "it could not be built": ("failed building", "build", "compile"),
}


def wanted() -> dict[str, str]:
    """Names of the peers and what pip is asked for."""
    lines = [line.strip() for line in LIST.read_text(encoding="utf-8").splitlines()]
    asked = [line for line in lines if line and not line.startswith("#")]
    return {line.partition("==")[0]: line for line in asked}


def peer_python(folder: Path, name: str) -> str:
    return str(folder / name / "bin" / "python")


def make_peers(folder: Path) -> None:
    """Install what is missing; try again what failed before."""
    for name, requirement in wanted().items():
        ready = folder / name / "ready.txt"
        if ready.is_file() and ready.read_text(encoding="utf-8") == requirement:
            continue
        print(f"Installing {requirement} for comparison", flush=True)
        reason = _install(folder / name, requirement)
        (folder / name).mkdir(parents=True, exist_ok=True)
        missing = folder / name / "missing.txt"
        if reason:
            missing.write_text(reason, encoding="utf-8")
        else:
            missing.unlink(missing_ok=True)
            ready.write_text(requirement, encoding="utf-8")


def _install(place: Path, requirement: str) -> str:
    """An empty text, or why it failed."""
    pip = (str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    for step in ((sys.executable, "-m", "venv", str(place)), (*pip, "--retries", "1", requirement)):
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"not installed within {SECONDS} s"
        if done.returncode:
            return reason_of(done.stderr)
    return ""


def reason_of(said: str) -> str:
    """The kind of failure; what pip says has addresses and paths in it."""
    lower = said.lower()
    for reason, signs in REASONS.items():
        if any(sign in lower for sign in signs):
            return reason
    return "pip could not install it"


def missing_reason(folder: Path, name: str) -> str:
    """Why a peer is not there; empty if it is."""
    missing = folder / name / "missing.txt"
    if missing.is_file():
        return missing.read_text(encoding="utf-8")
    return "" if (folder / name / "ready.txt").is_file() else "not installed before the run"


def peers_found(folder: Path) -> dict[str, dict[str, str]]:
    """Version of each peer, or why it is missing."""
    found = {}
    for name, requirement in wanted().items():
        reason = missing_reason(folder, name)
        found[name] = {"missing": reason} if reason else {"version": requirement.partition("==")[2]}
    return found


def run_peer(python: str, name: str, given: Sequence[str]) -> dict[str, Any]:
    """What the peer's script prints as JSON on its last line."""
    script = SCRIPTS / f"run_{name.replace('-', '_')}.py"
    done = subprocess.run([python, str(script), *given], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name} failed: {done.stderr.strip().splitlines()[-1:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
