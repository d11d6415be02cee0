"""Plug-ins of other packages: loaded only by name, recorded with their version, and silent about data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.core.plugins import GROUPS, Group, InstalledPlugin, installed_plugins, load_plugin
from reidrisk.detect.detector import build_detector
from reidrisk.detect.settings import DetectSettings
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.resynthesis.attack.instances import AttackedTexts
from reidrisk.resynthesis.attack.run import attack_text
from reidrisk.resynthesis.attack.settings import attack_settings
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.read import read_documents
from tests.cli.running import Run

EXAMPLE = Path(__file__).parents[1] / "examples" / "plugins"
USED = "reidrisk-examples 1.0"
GOLD = "Seen by [[NAME|Ann Lee]] on [[DATE|2024-05-06]]."
CANARY = "Qanarybird"
BAD = f"""
from reidrisk.text.corpus import Document
class Lacking: pass
class Failing:
    title = "fails"
    def choose(self, files): return files
    def recognizes(self, path, head): return True
    def read(self, path, settings):
        yield Document("1", (), "text")
        raise KeyError("{CANARY}")
class Strange(Failing):
    def read(self, path, settings): yield "{CANARY}"
class Outside:
    def find(self, text):
        from reidrisk.detect.finding import Finding
        return [Finding(0, len(text) + 1, "NAME", 1.0, "outside")]
def broken(case): raise ValueError("{CANARY}")
def few(attacked): return [0.0]
"""


def install(folder: Path, package: str, version: str, points: dict[str, dict[str, str]]) -> None:
    """What installing a package leaves: a folder with its metadata."""
    info = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", encoding="utf-8"
    )
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in own.items())
        for group, own in points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example package as it is installed."""
    about = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(tmp_path / "site", about["name"], about["version"], about["entry-points"])
    for place in (EXAMPLE / "src", tmp_path / "site"):
        monkeypatch.syspath_prepend(str(place))
    for name in [name for name in sys.modules if name.startswith("reidrisk_examples")]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


@pytest.fixture
def bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package whose plug-ins all do something wrong."""
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "bad_plugins.py").write_text(BAD, encoding="utf-8")
    points = {
        "reidrisk.readers": {name: f"bad_plugins:{name}" for name in ("Lacking", "Failing", "Strange")}
        | {"gone": "no_such_module_anywhere:Reader"},
        "reidrisk.detectors": {"outside": "bad_plugins:Outside"},
        "reidrisk.templates": {"broken": "bad_plugins:broken", "few": "bad_plugins:few"},
        "reidrisk.attacks": {"few": "bad_plugins:few"},
    }
    install(tmp_path / "bad", "bad-plugins", "0.1", points)
    monkeypatch.syspath_prepend(str(tmp_path / "bad"))
    monkeypatch.delitem(sys.modules, "bad_plugins", raising=False)
    (tmp_path / "a.txt").write_text(f"{CANARY} was here.", encoding="utf-8")
    return tmp_path


def write_texts(folder: Path) -> tuple[Path, Path]:
    for name, text in (("gold", GOLD), ("tool", GOLD.replace("[[NAME|Ann Lee]]", "Ann Lee"))):
        (folder / name).mkdir()
        (folder / name / "note.txt").write_text(text, encoding="utf-8")
    return folder / "gold", folder / "tool"


def test_each_group_has_an_example_that_can_be_listed(example: Path) -> None:
    found = [one for one in installed_plugins() if one.package == "reidrisk-examples"]
    assert {one.group for one in found} == set(GROUPS)
    assert InstalledPlugin("readers", "brackets", "reidrisk-examples", "1.0") in found
    assert not [name for name in sys.modules if name.startswith("reidrisk_examples")], (
        "listing imports nothing"
    )


def test_what_is_installed_is_loaded_only_by_name(example: Path) -> None:
    """A whole evaluation and detection without a word about plug-ins imports none."""
    path = [str(EXAMPLE / "src"), str(example / "site"), str(Path(rr.__file__).parents[1])]
    program = (
        "import sys, reidrisk as rr\n"
        "from reidrisk.text.corpus import Annotation, Document\n"
        "from reidrisk.detect.detector import build_detector\n"
        "gold = [Document(str(at), (Annotation(0, 3, 'NAME'),), 'Ann') for at in range(3)]\n"
        "rr.evaluate_text(gold, gold).to_dict()\n"
        "build_detector().find('Ann in W-17/B')\n"
        "assert not [name for name in sys.modules if name.startswith('reidrisk_examples')]\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_reader_is_used_and_recorded(command: Run, example: Path) -> None:
    gold, tool = write_texts(example)
    (read,) = read_documents(gold, format="plugin:brackets")
    assert read.text == "Seen by Ann Lee on 2024-05-06."
    assert [(one.start, one.end, one.type) for one in read.annotations] == [(8, 15, "NAME"), (19, 29, "DATE")]
    formats = ("--gold-format", "plugin:brackets", "--tool-format", "plugin:brackets")
    code, out, _ = command("text", "evaluate", gold, tool, *formats, "--json", "-")
    result = json.loads(out)
    assert (code, result["documents"]) == (3, 1)
    assert result["settings"]["gold_format"] == "plugin:brackets"
    assert result["settings"]["plugin_versions"] == {"plugin:brackets": USED}
    code, out, _ = command("text", "agree", gold, tool, "--format", "plugin:brackets", "--json", "-")
    assert json.loads(out)["settings"]["plugin_versions"] == {"plugin:brackets": USED}
    code, out, _ = command(
        *("text", "sample", gold, "--documents", 1, "--format", "plugin:brackets", "--json", "-")
    )
    assert json.loads(out)["settings"]["plugin_versions"] == {"plugin:brackets": USED}
    assert "plugin_versions" not in json.loads(rr.evaluate_text([read], [read]).to_json())["settings"]


def test_a_detector_is_used_and_recorded(command: Run, example: Path) -> None:
    detector = build_detector(DetectSettings(model=None, rules="none", plugins=("plugin:wards",)))
    assert [(one.start, one.end, one.source) for one in detector.find("Moved to W-17/B.")] == [
        (9, 15, "wards")
    ]
    (example / "notes").mkdir()
    (example / "notes" / "1.txt").write_text("Moved to W-17/B.", encoding="utf-8")
    options = ("--set", "plugin=plugin:wards", "--model", "none", "--jobs", 1, "--json", "-")
    code, out, err = command(
        *("text", "deidentify", example / "notes", "--out", example / "out", "--mode", "redact", *options)
    )
    assert code == 0, err
    assert "W-17/B" not in (example / "out" / "1.txt").read_text(encoding="utf-8")
    assert json.loads(out)["settings"]["plugin_versions"] == {"plugin:wards": USED}


def test_a_template_is_used_and_named_on_the_report(command: Run, example: Path) -> None:
    (example / "t.csv").write_text("age\n" + "40\n" * 6, encoding="utf-8")
    command("table", "risk", example / "t.csv", "--quasi", "age", "--json", example / "r.json", "--quiet")
    page = example / "page.html"
    code, _, err = command("report", example / "r.json", "--template", "plugin:letter", "--html", page)
    assert (code, err) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert "We propose to release these data." in text
    assert f"plugin:letter ({USED})" in text


def test_an_attack_is_made_without_knowing_the_answers(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("reidrisk_examples.attack")
    told: list[bool] = []
    own = module.accents

    def watched(attacked: AttackedTexts) -> list[float]:
        told.extend(one.leaked for one in attacked.instances)
        return list(own(attacked))

    monkeypatch.setattr(module, "accents", watched)
    texts = [f"Seen by {name} today." for name in ("Zoë Müller", "Ann Lee", "Bob Hall", "José Núñez")]
    gold = [
        Document(str(at), (Annotation(8, text.index(" today"), "NAME"),), text)
        for at, text in enumerate(texts)
    ]
    changed = [text.replace("Ann Lee", "Kim Fox").replace("Bob Hall", "Tom Dean") for text in texts]
    released = [Document(str(at), (), text) for at, text in enumerate(changed)]
    settings = attack_settings(0.5, {"attacks": "plugin:accents", "folds": "2"})
    result = attack_text(released, gold, settings=settings, method="resynthesis").to_dict()
    row = next(one for one in result["attacks"] if one["attack"] == "plugin:accents")
    assert row["right"] == 2, (
        "both originals; with four documents the limit is low, so that others are flagged, too"
    )
    assert told == [False] * 4, "which values are originals is hidden from it"
    assert result["settings"]["plugin_versions"] == {"plugin:accents": USED}


def test_check_lists_plugins(command: Run, example: Path) -> None:
    _, out, _ = command("check")
    line = next(line for line in out.splitlines() if "plugin:brackets" in line)
    assert line.split() == ["plugin:brackets", "a", "reader", "of", "annotations", *USED.split()]


@pytest.mark.parametrize("group", GROUPS)
def test_a_plugin_that_is_not_installed_is_named(group: Group) -> None:
    with pytest.raises(InvalidSetting, match="plugin:none is not"):
        load_plugin(group, "plugin:none")


def test_two_packages_with_one_name_are_refused(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(example / "other", "other-brackets", "2.0", {"reidrisk.readers": {"brackets": "other:Reader"}})
    monkeypatch.syspath_prepend(str(example / "other"))
    with pytest.raises(InvalidSetting, match=r"of several packages: .*other-brackets 2\.0"):
        load_plugin("readers", "plugin:brackets")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "text convert a.txt --to jsonl --out o.jsonl --from plugin:Lacking",
            "has no title, choose, recognizes, read",
        ),
        (
            "text convert a.txt --to jsonl --out o.jsonl --from plugin:Failing",
            "plugin:Failing failed: KeyError",
        ),
        (
            "text convert a.txt --to jsonl --out o.jsonl --from plugin:Strange",
            "something that is not a document",
        ),
        ("text convert a.txt --to jsonl --out o.jsonl --from plugin:gone", "failed: ModuleNotFoundError"),
        (
            "text convert a.txt --to jsonl --out o.jsonl --from plugin:nobody",
            "not a reader of annotations that is installed",
        ),
        ("report r.json --template plugin:broken --html r.html", "plugin:broken failed: ValueError"),
        ("report r.json --template plugin:few --html r.html", "something that is not a document"),
        ("report r.json --template plain --html r.html", "'plain' is not one of"),
    ],
)
def test_a_wrong_plugin_is_one_error_without_data(
    command: Run, bad: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    monkeypatch.chdir(bad)
    gold = [Document("1", (Annotation(0, 3, "NAME"),), "Ann")]
    (bad / "r.json").write_text(rr.evaluate_text(gold, gold).to_json(), encoding="utf-8")
    code, out, err = command(*words.split())
    assert code in (1, 2)
    assert said in err
    assert CANARY not in out + err
    assert err.count("Error:") == 1


def test_wrong_findings_and_scores_are_refused(bad: Path) -> None:
    detector = build_detector(DetectSettings(model=None, rules="none", plugins=("plugin:outside",)))
    with pytest.raises(BadData, match="a finding that is not in the text"):
        detector.find("text")
    texts = [Document(str(at), (Annotation(0, 3, "NAME"),), "Ann is here.") for at in range(4)]
    settings = attack_settings(0.5, {"attacks": "plugin:few", "folds": "2"})
    with pytest.raises(BadData, match="one finite score for each of 4 values"):
        attack_text(
            [Document(one.id, (), one.text) for one in texts], texts, settings=settings, method="resynthesis"
        )
