from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from reidrisk.cli.help import first_sentence
from reidrisk.cli.main import COMMANDS, reidrisk, run
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    notes = clinical_notes(seed=7)
    write_jsonl(notes, folder / "gold.jsonl")
    write_jsonl(case_study_tool(notes, seed=7), folder / "tool.jsonl")
    return folder


def everything(group: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(group, click.Group):
        return [path]
    context = click.Context(group)
    found = [path]
    for name in group.list_commands(context):
        inner = group.get_command(context, name)
        assert inner is not None
        found += everything(inner, (*path, name))
    return found


@pytest.mark.parametrize("path", everything(reidrisk), ids=" ".join)
def test_every_command_and_option_has_help(command: Run, path: tuple[str, ...]) -> None:
    code, out, _ = command(*path, "--help")
    assert code == 0
    assert "Usage: reidrisk" in out
    current: click.Command = reidrisk
    for name in path:
        assert isinstance(current, click.Group)
        current = current.get_command(click.Context(current), name) or current
    assert (current.help or "").strip()
    for parameter in current.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{' '.join(path)} {parameter.name}"


def test_the_short_help_of_a_command_is_its_own() -> None:
    context = click.Context(reidrisk)
    for name, line in COMMANDS.items():
        found = reidrisk.get_command(context, name)
        assert found is not None
        assert first_sentence(found) == line


def test_help_is_quick() -> None:
    """No timed limit here, only that nothing heavy is loaded; bench/ holds the figure."""
    code = (
        "import sys\nfrom reidrisk.cli.main import run\n"
        "try:\n    run(['--help'])\nexcept SystemExit:\n    pass\n"
        "assert not {'numpy', 'scipy', 'yaml'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == 0


def test_version_and_check(command: Run) -> None:
    assert command("--version")[1].startswith("reidrisk 0.")
    code, out, _ = command("check")
    assert code == 0
    assert "numpy" in out
    assert "missing" not in out.split("chromium")[0]


def test_a_missing_package_is_named_with_its_remedy(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reidrisk.cli.check.installed", lambda name: None if name == "matplotlib" else "1.0")
    code, out, _ = command("check")
    assert code == 0
    assert 'pip install "reidrisk[report]"' in out


def test_evaluate_says_no_with_exit_code_3(command: Run, data: Path) -> None:
    code, out, err = command("text", "evaluate", data / "gold.jsonl", data / "tool.jsonl")
    assert code == 3
    assert "TOO FEW DOCUMENTS TO DECIDE" in out.upper()
    assert err == ""
    code, out, err = command(
        "text",
        "evaluate",
        data / "gold.jsonl",
        data / "tool.jsonl",
        "--profile",
        "paper",
        "--recognition",
        "1",
    )
    assert code == 3
    assert "NOT ACCEPTABLE" in out.upper()


def test_evaluate_says_yes_with_exit_code_0(command: Run, data: Path) -> None:
    options = ("--profile", "paper", "--recognition", "0.1", "--attempt", "0.3,0.4,0.5")
    assert command("text", "evaluate", data / "gold.jsonl", data / "tool.jsonl", *options)[0] == 0


def test_json_to_standard_output_is_json_alone(command: Run, data: Path) -> None:
    code, out, _ = command(
        "text", "evaluate", data / "gold.jsonl", data / "tool.jsonl", "--json", "-", "--seed", 3
    )
    result = json.loads(out)
    assert code == 3
    assert (result["kind"], result["seed"]) == ("text_risk", 3)


def test_several_tools_are_one_answer(command: Run, data: Path, tmp_path: Path) -> None:
    target, page = tmp_path / "out.json", tmp_path / "page.html"
    tool = data / "tool.jsonl"
    files = (data / "gold.jsonl", tool, tool)
    code, out, _ = command("text", "evaluate", *files, "--json", target, "--html", page)
    result = json.loads(target.read_text(encoding="utf-8"))
    assert code == 3
    assert (result["kind"], len(result["tools"])) == ("text_comparison", 2)
    assert [tool["name"] for tool in result["tools"]] == ["tool (1)", "tool (2)"]
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert str(page) in out


def test_quiet_is_quiet(command: Run, data: Path) -> None:
    assert command("text", "evaluate", data / "gold.jsonl", data / "tool.jsonl", "--quiet") == (3, "", "")


def test_options_reach_the_result(command: Run, data: Path, tmp_path: Path) -> None:
    types = tmp_path / "types.yaml"
    types.write_text("ignored: [AGE]\ngroups: {CONTACT: [PHONE, STREET]}\n", encoding="utf-8")
    words = tmp_path / "words.txt"
    words.write_text("ms\n", encoding="utf-8")
    _, out, _ = command(
        *("text", "evaluate", data / "gold.jsonl", data / "tool.jsonl", "--json", "-"),
        *("--types", types, "--ignore-words", words, "--patient", r"^(\w+-?\w*)-\d", "--cell-size", 11),
        *("--recognition", "0.27", "--recognition", "NAME=0.23", "--attempt", "0.4"),
        *("--set", "gate=observed", "--set", "needed=3", "--engine", "sobol"),
        *("--gold-format", "jsonl", "--tool-format", "jsonl"),
    )
    result = json.loads(out)
    assert result["documents"] == 4
    assert result["quasi"]["threshold"] == pytest.approx(1 / 11)
    assert {"CONTACT", "NAME"} <= {row["type"] for row in result["by_type"]}
    assert "AGE" not in {row["type"] for row in result["by_type"]}
    settings = result["settings"]
    assert (settings["gate"], settings["needed"], settings["engine"]) == ("observed", 3, "sobol")
    assert settings["ignore_words"] == "words.txt"
    assert settings["release"] == {
        "access": "non_public",
        "treatment": "resynthesis",
        "recognition": {"default": 0.27, "by_type": {"NAME": 0.23}},
        "attempt": 0.4,
    }


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--method", "resynthesis"), 2, "Carrell et al. 2013"),
        (("--method", "redaction", "--recognition", "0.1"), 2, "every leak is obvious"),
        (("--recognition", "often"), 2, "'often' is not a valid recognition"),
        (("--recognition", "NAME=0.2"), 2, "some types only"),
        (("--attempt", "0.5,0.4,0.3"), 2, "lowest, most likely and highest"),
        (("--attempt", "0.3,0.4"), 2, "not a valid attempt"),
        (("--set", "gate"), 2, "NAME=VALUE"),
        (("--set", "gat=draw"), 2, "Did you mean 'gate'"),
        (("--engine", "exacts"), 2, "Did you mean 'exact'"),
        (("--profile", "papers"), 2, "Did you mean 'paper'"),
        (("--cell-size", "0"), 2, "cell size must be 1 or more"),
        (("--cell-size", "five"), 2, "is not a whole number"),
        (("--patient", "("), 2, "not a regular expression"),
        (("--patient", "^x"), 1, "does not fit document"),
        (("--gold-format", "brats"), 2, "Did you mean 'brat'"),
        (("--gold-format", "brat"), 1, "Hint"),
        (("--types", "NAME=nearly"), 2, "direct, quasi, ignored"),
        (("--ignore-words", "no-such-file"), 1, "one word per line"),
        (("--html", "no/such/folder/page.html"), 1, "cannot be written"),
        (("--json", "no/such/folder/out.json"), 1, "cannot be written"),
        (("--html", "/dev/null"), 1, "not a regular file"),
        (("--html", "-"), 2, "name of a file"),
        (("--json", ""), 2, "name of a file"),
        (("--seed", "-1"), 2, "not in the range"),
        (("--attempt", "0"), 2, "zero chance of an attempt"),
        (("--recognition", "beta:inf,1"), 2, "not a valid distribution"),
        (("--recognition", "0.1", "--recognition", "SHOE=0.2"), 2, "SHOE"),
        (("--access", "non-public"), 2, "needs --attempt"),
        (("--access", "public", "--attempt", "0.3"), 2, "can only be used with --access non-public"),
        (("--access", "everyone"), 2, "semi-public"),
        (("--threshold", "0"), 2, "0.0 is not in the range 0<x<=1"),
        (("--types", "=direct"), 2, "no name"),
        (("--types", "x" * 5000 + "=direct" * 2), 2, "direct, quasi, ignored"),
        (("--types", "none.yaml"), 1, "does not exist"),
        (("--patient", ""), 2, "it is empty"),
        (("--patient", "a{9999}"), 2, "not a regular expression"),
        (("--patient", "(" * 5000), 2, "not a regular expression"),
        (("--set", "draws=99999999999999999999"), 2, "draws cannot be 99999999999999999999"),
        (("--set", "needed=99999999999999999999"), 2, "needed cannot be"),
        (("--set", "benchmark_documents=99999999999999999999"), 2, "1 to 1,000,000,000"),
        (("--nonsense",), 2, "No such option"),
    ],
)
def test_wrong_usage_is_one_clear_message(
    command: Run, data: Path, options: tuple[str, ...], code: int, said: str
) -> None:
    found, _, err = command("text", "evaluate", data / "gold.jsonl", data / "tool.jsonl", "--quiet", *options)
    assert found == code
    assert said in err
    assert "Traceback" not in err


def test_inputs_are_never_overwritten(command: Run, data: Path, tmp_path: Path) -> None:
    gold, tool = tmp_path / "gold.jsonl", tmp_path / "tool.jsonl"
    for name in (gold, tool):
        name.write_bytes((data / name.name).read_bytes())
    link = tmp_path / "link.jsonl"
    link.symlink_to(gold)
    before = gold.read_bytes()
    for target in (gold, link):
        for option in ("--json", "--html"):
            code, _, err = command("text", "evaluate", gold, tool, option, target)
            assert code == 2
            assert "must not be written" in err
    assert gold.read_bytes() == before
    code, _, err = command("text", "evaluate", gold, tool, "--json", tmp_path / "x", "--html", tmp_path / "x")
    assert (code, "same file" in err) == (2, True)


def test_thresholds_and_access_as_they_are_said(command: Run, data: Path) -> None:
    files = (data / "gold.jsonl", data / "tool.jsonl")
    _, out, _ = command(
        "text", "evaluate", *files, "--threshold", "0.09", "--access", "semi-public", "--json", "-"
    )
    result = json.loads(out)
    assert (result["quasi"]["threshold"], result["threshold"]["cell_size"]) == (0.09, 12)
    assert result["settings"]["release"]["attempt"] == 0.6


@pytest.mark.parametrize("folder", ["file/x", "file"])
def test_a_demo_that_cannot_be_written_says_so(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("here", encoding="utf-8")
    program = str(Path(sys.executable).with_name("reidrisk"))
    done = subprocess.run(
        [program, "demo", str(tmp_path / folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (1, 2)
    assert "Error: " in done.stderr
    assert "defect" not in done.stderr


def test_a_full_disk_is_an_error_not_a_trace(data: Path) -> None:
    program = Path(sys.executable).with_name("reidrisk")
    line = f"'{program}' text evaluate '{data / 'gold.jsonl'}' '{data / 'tool.jsonl'}' > /dev/full"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_report_packages_all_but_the_page_works(
    command: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reidrisk.cli.output.find_spec", lambda _: None)
    files = (data / "gold.jsonl", data / "tool.jsonl")
    code, _, err = command(
        "text", "evaluate", *files, "--html", tmp_path / "p.html", "--json", tmp_path / "r.json"
    )
    assert code == 1
    assert "reidrisk[report]" in err
    assert list(tmp_path.iterdir()) == []
    assert command("text", "evaluate", *files)[0] == 3


def test_missing_files_are_a_failure(command: Run, tmp_path: Path) -> None:
    code, _, err = command("text", "evaluate", tmp_path / "a", tmp_path / "b")
    assert code == 1
    assert "does not exist" in err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no document"),
        (b'{"doc_id": "a", "text": "nothing", "entities": []}\n', "neither direct identifiers nor quasi"),
        (b'{"doc_id": "a", "text": "Jane", "entities": [{"start": 0, "end": 4, "type": "SHOE"}]}\n', "SHOE"),
        (
            b'{"doc_id": "a", "text": "Jane", "entities": [{"start": 0, "end": 9, "type": "NAME"}]}\n',
            "annotation 1",
        ),
        (b'{"doc_id": "a", "text": "\xff"}\n', "UTF-8"),
        (b'{"doc_id": "a", \n', "line 1"),
    ],
)
def test_bad_gold_standards_end_with_exit_code_1(
    command: Run, tmp_path: Path, content: bytes, said: str
) -> None:
    gold, tool = tmp_path / "gold.jsonl", tmp_path / "tool.jsonl"
    gold.write_bytes(content)
    tool.write_text('{"doc_id": "a", "spans": []}\n', encoding="utf-8")
    code, out, err = command(
        "text", "evaluate", gold, tool, "--gold-format", "jsonl", "--html", tmp_path / "p.html"
    )
    assert (code, out) == (1, "")
    assert said in err
    assert "Hint:" in err
    assert "Jane" not in err
    assert not (tmp_path / "p.html").exists()


def test_a_defect_of_ours_shows_no_data(command: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("Jane Doe")

    monkeypatch.setattr("reidrisk.text.evaluate.evaluate_text", broken)
    code, _, err = command("text", "evaluate", data / "gold.jsonl", data / "tool.jsonl")
    assert code == 1
    assert "KeyError at test_commands.py" in err
    assert "Jane" not in err
    monkeypatch.setenv("REIDRISK_DEBUG", "1")
    with pytest.raises(KeyError):
        run(["text", "evaluate", str(data / "gold.jsonl"), str(data / "tool.jsonl")])


def test_the_installed_command_runs_in_a_pipe(data: Path) -> None:
    """The real program, its output cut off by the reader."""
    program = Path(sys.executable).with_name("reidrisk")
    assert program.exists()
    line = f"'{program}' text evaluate '{data / 'gold.jsonl'}' '{data / 'tool.jsonl'}' | head -n 1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, env=os.environ)
    assert "Traceback" not in done.stderr
    assert done.stdout.strip()


def test_no_network_and_no_write_outside_what_is_named(data: Path, tmp_path: Path) -> None:
    """Sockets raise, the working folder stays empty."""
    code = (
        "import socket, sys\n"
        "def refuse(*a, **k): raise RuntimeError('network')\n"
        "socket.socket.connect = refuse\nsocket.create_connection = refuse\n"
        "from reidrisk.cli.main import run\n"
        "run(sys.argv[1:])"
    )
    arguments = ["text", "evaluate", str(data / "gold.jsonl"), str(data / "tool.jsonl"), "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (3, "")
    assert list(tmp_path.iterdir()) == []
