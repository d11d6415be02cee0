from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.text.corpus import Annotation
from reidrisk.text.roles import TypeMap, default_roles


def mark(kind: str, role: object = None) -> Annotation:
    return Annotation(0, 1, kind, role)  # type: ignore[arg-type]


def test_your_word_goes_before_the_annotation_and_that_before_the_scheme() -> None:
    plain = TypeMap()
    assert plain.role(mark("PATIENT")) == ("direct", "the i2b2-2014 scheme")
    assert plain.role(mark("PATIENT", "ignored")) == ("ignored", "the annotation")
    mine = TypeMap(roles={"PATIENT": "quasi"})
    assert mine.role(mark("PATIENT", "ignored")) == ("quasi", "your types")
    assert plain.role(mark("SHOE_SIZE")) == (None, "nobody")


def test_the_schemes_do_not_contradict_each_other() -> None:
    source = Path(__file__).parents[2] / "src/reidrisk/text/data/default_types.yaml"
    roles: dict[str, set[str]] = {}
    for scheme in yaml.safe_load(source.read_text(encoding="utf-8")).values():
        for role, kinds in scheme.items():
            for kind in kinds:
                roles.setdefault(kind, set()).add(role)
    assert {kind for kind, given in roles.items() if len(given) > 1} == set()
    assert len(default_roles()) == len(roles)


def test_a_types_file(tmp_path: Path) -> None:
    file = tmp_path / "types.yaml"
    file.write_text(
        "direct: [PATIENT, DOCTOR]\nquasi: [DATE]\nignored: [WARD]\n"
        "groups: {NAMES: [PATIENT, DOCTOR]}\nlabels: {PERSON: PATIENT}\n",
        encoding="utf-8",
    )
    types = TypeMap.choose(str(file))
    assert types.role(mark("WARD"))[0] == "ignored"
    assert types.counted_as("DOCTOR") == "NAMES"
    assert types.label_stands_for("PERSON") == "NAMES"
    assert types.counted_as("DATE") == "DATE"


def test_types_as_text_and_as_single_lines(tmp_path: Path) -> None:
    assert TypeMap.choose("A=direct, B=quasi").roles == {"A": "direct", "B": "quasi"}
    file = tmp_path / "types.yaml"
    file.write_text("A: direct\nB: ignored\n", encoding="utf-8")
    assert TypeMap.choose(str(file)).roles == {"A": "direct", "B": "ignored"}
    assert TypeMap.choose(None).roles == {}


@pytest.mark.parametrize(
    "content", ["- a list", "direct: PATIENT", "A: [x]", "groups: 3", "direct: [{a: b}]"]
)
def test_what_maps_nothing_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "types.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidSetting, match="direct:, quasi: and ignored:"):
        TypeMap.choose(str(file))


def test_a_role_of_a_group_is_the_role_of_its_members() -> None:
    types = TypeMap.from_dict({"direct": ["SITES"], "groups": {"SITES": ["HOSPITAL", "WARD"]}})
    assert types.role(mark("HOSPITAL")) == ("direct", "your types")
    assert "SITES" not in types.roles


@pytest.mark.parametrize(
    "content",
    [
        "direct: [A]\nignored: [A]\n",
        "groups: {X: [A], Y: [A]}\n",
        "direct: [X]\nquasi: [A]\ngroups: {X: [A]}\n",
        "direct: [A]\ndirect: [B]\n",
    ],
)
def test_contradictions_are_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "types.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidSetting, match=r"twice|different roles"):
        TypeMap.choose(str(file))
    with pytest.raises(InvalidSetting, match="twice"):
        TypeMap.choose("A=direct,A=ignored")


@pytest.mark.parametrize("content", ["a: &x [1]\nb: *x\n", "a: !!python/object:os.system {}\n", "\ta: b\n"])
def test_hostile_yaml_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "types.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableFile, match="is not valid YAML"):
        TypeMap.choose(str(file))


def test_an_unknown_role_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidSetting, match="direct, quasi, ignored"):
        TypeMap.choose("A=directly")


def test_a_file_that_is_no_yaml_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "types.yaml"
    file.write_text("direct: [A\nquasi: [B]\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="line 2"):
        TypeMap.choose(str(file))
    with pytest.raises(UnreadableFile):
        TypeMap.choose(str(tmp_path / "missing.yaml"))
