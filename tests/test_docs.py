"""The documentation runs: Python blocks, console blocks with their output, links, generated pages."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import reidrisk as rr
from tests.cli.running import Run

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("[!.]*.md")])
ON_SPARK = ROOT / "docs" / "guides" / "text-on-spark.md"
"""Needs a cluster: its blocks run in tests/spark."""
RUN_HERE = [page for page in PAGES if page != ON_SPARK]
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
EXCERPT = "..."
"""The line of a console block that says that more was printed."""
EXIT = re.compile(r"\(exit code (?P<code>\d)\)")
LINK = re.compile(r"""(?:\]\(|src=")(?!https?:)(?P<target>[^)#"]+)""")
Console = Callable[[str], tuple[int, str, str]]


def blocks(page: Path) -> list[tuple[str, str]]:
    return [(match["kind"], match["body"]) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]


@pytest.fixture
def console(command: Run, capsys: pytest.CaptureFixture[str], demo_folder: Callable[[], Path]) -> Console:
    """Run a line as a user types it; the demo, which takes long, was run once for all tests."""

    def call(line: str) -> tuple[int, str, str]:
        words = shlex.split(line)
        assert words[0] == "reidrisk"
        if words[1:] == ["demo", "demo-output"]:
            return shared_demo(demo_folder())
        capsys.readouterr()  # what the blocks above printed
        return command(*words[1:])

    return call


def shared_demo(made: Path) -> tuple[int, str, str]:
    """The files of the demo in this folder, and what was printed when they were made."""
    shutil.copytree(made / "demo-output", "demo-output")
    printed = (made / "output.txt").read_text(encoding="utf-8")
    return 0, printed.replace(str(made / "demo-output"), "demo-output"), ""


def run_console(body: str, console: Console) -> None:
    """Run each `$` line; the lines below it must be in its output, or name its exit code."""
    for command in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line, *shown = command.splitlines()
        named = [match["code"] for one in shown if (match := EXIT.fullmatch(one))]
        code, output, error = console(line)
        expected = (2,) if "--method resynthesis" in line else tuple(map(int, named)) or (0, 3)
        assert code in expected, error
        is_shown([one for one in shown if not EXIT.fullmatch(one)], output)


def is_shown(shown: list[str], output: str) -> None:
    """Check that the lines are in the output, and that three dots say so if they are not all of it."""
    for one in shown:
        assert one == EXCERPT or one.strip() in output, f"not printed: {one}"
    if shown and EXCERPT not in shown:
        printed = [one.strip() for one in output.splitlines() if one.strip()]
        whole = printed == [one.strip() for one in shown if one.strip()]
        assert whole, f"an excerpt without a line of three dots: {shown}"


@pytest.mark.parametrize("page", RUN_HERE, ids=[str(page.relative_to(ROOT)) for page in RUN_HERE])
def test_the_blocks_of_a_page_run_in_order(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, console: Console
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "docs"}
    for kind, body in blocks(page):
        if kind == "python":
            exec(compile(body, str(page), "exec"), names)  # noqa: S102 - our own pages
        elif kind == "console":
            run_console(body, console)


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for match in LINK.finditer(page.read_text(encoding="utf-8")):
        assert (page.parent / match["target"]).exists(), match["target"]


def test_generated_pages_are_up_to_date(tmp_path: Path) -> None:
    """In a process of its own: commands remember how they were called."""
    program = (ROOT / "docs" / "generate.py", tmp_path)
    subprocess.run([sys.executable, *map(str, program)], check=True)
    written = sorted(tmp_path.iterdir())
    assert written
    for page in written:
        current = (ROOT / "docs" / "reference" / page.name).read_text(encoding="utf-8")
        assert current == page.read_text(encoding="utf-8"), "run docs/generate.py"


def test_the_two_commands_are_on_the_first_screen() -> None:
    top = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:25]
    assert any("make demo" in line for line in top)
    assert any("make test" in line for line in top)


WITH_EXAMPLE = [
    "attack_table",
    "build_detector",
    "compare_policies",
    "compare_tools",
    "count_classes",
    "deidentify",
    "deidentify_note",
    "evaluate_text",
    "explain_class",
    "explore_policies",
    "hipaa_check",
    "population_risk",
    "preview_hierarchies",
    "read_population",
    "result_schema",
    "score_context",
    "suggest_roles",
    "table_risk",
    "table_utility",
    "text_settings",
    "text_what_if",
]


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_functions_that_need_no_file_have_an_example_in_their_help(name: str) -> None:
    """`help(rr.table_risk)` shows it, and the doctests run it."""
    assert "\n    >>> " in (getattr(rr, name).__doc__ or "")
