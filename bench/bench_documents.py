"""A report of 500 pages with 200 participants: found, replaced and proved within five minutes and 2 GB?"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from timing import Process, run_process

LIMIT_SECONDS, LIMIT_MEGABYTES = 300, 2048


MAKE = """
import sys
from reidrisk.demo import study
study.write_study(sys.argv[1], size=getattr(study, sys.argv[2]))
"""


def make(folder: Path, size: str) -> None:
    """In a process of its own: its memory is not ours."""
    assert run_process(sys.executable, "-c", MAKE, str(folder), size).exit_code == 0


def measure(folder: Path, report: str) -> list[Process]:
    """Detection, then replacement with its proof, each as a user types it."""
    program = str(Path(sys.executable).with_name("reidrisk"))
    source, study, found = str(folder / report), str(folder / "study.yaml"), str(folder / f"{report}.json")
    given = (source, "--study", study)
    return [
        run_process(program, "document", "detect", *given, "--out", found, "--quiet"),
        run_process(
            *(program, "document", "anonymize", *given, "--findings", found, "--mode", "replace"),
            *("--out", str(folder / f"{report}.out"), "--quiet"),
        ),
    ]


def main() -> None:
    size = sys.argv[1].upper() if len(sys.argv) > 1 else "LONG"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, size)
        for report in ("csr.pdf", "csr.docx"):
            tell(report, measure(folder, report))


def tell(report: str, steps: list[Process]) -> None:
    for verb, step in zip(("detect", "replace and prove"), steps, strict=True):
        print(f"{report:9} {verb:18} {step.seconds:6.1f} s {step.megabytes:6.0f} MB, exit {step.exit_code}")
    seconds, megabytes = sum(one.seconds for one in steps), max(one.megabytes for one in steps)
    done = not any(one.exit_code for one in steps)
    within = done and seconds < LIMIT_SECONDS and megabytes < LIMIT_MEGABYTES
    print(
        f"{report:9} {seconds:.0f} s of {LIMIT_SECONDS}, {megabytes:.0f} MB of {LIMIT_MEGABYTES}: "
        f"{'within' if within else 'NOT within'}"
    )


if __name__ == "__main__":
    main()
