"""Bad release files: one message with file, line number, what is wrong and what was meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.assess.form import RELEASE_FILE_FORM, json_schema
from reidrisk.assess.release_file import read_release
from reidrisk.errors import InvalidSetting, ReidRiskError, UnreadableFile
from tests.assess.builders import CONTENT, HIDDEN, write_file

GOOD = """\
reidrisk: 1
release:
  name: A small release
  review_months: 6
context:
  preset: hospital
  access: non_public
  controls: medium
parts:
  - name: notes
    kind: text
    gold: gold.jsonl
    tool: tool.jsonl
  - name: records
    kind: table
    table: rx.csv
    quasi: [sex, age]
"""
MADE = """\
  - {name: made, kind: table, table: rx.csv, quasi: [sex, age], deidentify: true, ladder: [5, 3]}
"""

BAD = [
    ("reidrisk: 1", "reidrisk: 2", "line 1: reidrisk is not 1", "form 1"),
    ("  name: A small", "  nmae: A small", "line 3: release has no setting 'nmae'", "Did you mean 'name'"),
    (
        "review_months: 6",
        "review_months: six",
        "line 4: release.review_months is not a whole number",
        "1 or more",
    ),
    (
        "review_months: 6",
        "submission: {produkt: X}",
        "line 4: release.submission has no setting 'produkt'",
        "Did you mean 'product'",
    ),
    (
        "review_months: 6",
        "expert: {principles: {sex: {available: often}}}",
        "line 4: release.expert.principles.sex.available cannot be 'often'",
        "low, medium, high",
    ),
    ("preset: hospital", "preset: hopsital", "line 6: context.preset", "Did you mean 'hospital'"),
    ("access: non_public", "acces: non_public", "line 7: context has no setting", "Did you mean 'access'"),
    ("controls: medium", "controls: mild", "line 8: context.controls cannot be 'mild'", "low, medium, high"),
    ("kind: text", "kind: txet", "line 11: parts[0].kind cannot be 'txet'", "Did you mean 'text'"),
    ("    gold: gold.jsonl\n", "", "line 10: parts[0] needs the setting 'gold'", "gold standard"),
    (
        "tool: tool.jsonl",
        "tool: none.jsonl",
        "line 13: parts[0].tool names none.jsonl",
        "folder of the release",
    ),
    (
        "tool: tool.jsonl",
        "tols: tool.jsonl",
        "line 13: parts[0] has no setting 'tols'",
        "Did you mean 'tool'",
    ),
    (
        "name: records",
        "name: Notes",
        "line 14: parts[1].name is also the name of another part",
        "its own name",
    ),
    ("name: records", "name: ../up", "line 14: parts[1].name is not a valid name for a part", "letters"),
    ("quasi: [sex, age]", "quasi: sex", "line 17: parts[1].quasi is not a list", "[one, two]"),
    ("quasi: [sex, age]", "quasi: [sex, sex]", "line 14: parts[1]: A column can have only one role", "once"),
    ("quasi: [sex, age]", "quasi: [sex, 3]", "line 17: parts[1].quasi[1] is not a text", "quotes"),
    (
        "    kind: table\n",
        "    kind: table\n    adversary: journalist\n",
        "parts[1].adversary is journalist, which needs",
        "population",
    ),
    (
        "    kind: table\n",
        "    kind: table\n    l: 3\n",
        "parts[1]: l: limits need a sensitive",
        "sensitive:",
    ),
    ("    kind: table\n", "    kind: table\n    l: 0\n", "parts[1].l is not a number, 1 or more", "15 %"),
    (
        "    kind: table\n",
        "    kind: table\n    sampling_fraction: 0.1\n    population_size: 9\n",
        "exactly one of: a fraction",
        "--weights",
    ),
    ("parts:", "parts: []\nparst:", "line 10: a release file has no setting 'parst'", "Did you mean 'parts'"),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    settings: {gat: draw}",
        "line 14: parts[0].settings has no",
        "'gate'",
    ),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    settings: {gate: drow}",
        "line 14: parts[0].settings.gate",
        "'draw'",
    ),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    recognition: 0.1",
        "line 14: parts[0].recognition",
        "resynthesis",
    ),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    treatment: resynthesis",
        "parts[0].recognition: Resynthesis",
        "0.27",
    ),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    types: NAME=nearly",
        "line 14: parts[0].types: The role",
        "direct, quasi",
    ),
    (
        "  controls: medium",
        "  controls: medium\n  threshold: {cell_size: 2}",
        "line 9: context.threshold accepts more",
        "1/3",
    ),
    (
        "  controls: medium",
        "  threshold: {cell_size: 5, probability: 0.2}",
        "line 8: context.threshold has both",
        "0.0909",
    ),
    (
        MADE,
        MADE.replace("[5, 3]", "[3, 2]"),
        "line 18: parts[2].ladder starts at a cell size of 3",
        "Start with 5",
    ),
    (MADE, MADE.replace("ladder: [5, 3]", "key: no.key"), "line 18: parts[2].key names no.key", "table key"),
    (
        MADE,
        MADE.replace("ladder: [5, 3]", "out: rx.csv"),
        "line 18: parts[2].out is also an input",
        "another",
    ),
    (
        MADE,
        MADE.replace("ladder: [5, 3]", "direct: {name: pseudonym}"),
        "line 18: parts[2]: A pseudonym",
        "key",
    ),
    (
        MADE,
        MADE.replace("ladder: [5, 3]", "max_suppression: 15"),
        "line 18: parts[2].max_suppression is not",
        "0.15",
    ),
    ("review_months: 6", "review_months: 99999", "line 4: release.review_months is more than", "1200"),
    ("review_months: 6", "date: 9999-12-31", "line 4: release.date is too far in the future", "2026-11-01"),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    tool_format: braat",
        "line 14: parts[0].tool_format",
        "brat",
    ),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    patient: '(['",
        "line 14: parts[0].patient",
        "patient",
    ),
    (
        "    tool: tool.jsonl",
        "    tool: tool.jsonl\n    split_patients: '(['",
        "line 14: parts[0].split_patients",
        "Patient",
    ),
    (
        "    quasi: [sex, age]\n",
        "    quasi: [sex, age]\n    direct: [sex]\n",
        "line 14: parts[1]: A column can have only one role: sex",
        "once",
    ),
    (
        "    quasi: [sex, age]\n",
        "    quasi: [sex, age]\n    hierarchies:\n      agee: exact\n",
        "line 19: parts[1].hierarchies.agee is not a quasi-identifier",
        "Did you mean 'age'",
    ),
    (
        "    quasi: [sex, age]\n",
        "    quasi: [sex, age]\n    hierarchies:\n      age:\n        kind: numbers\n",
        "line 20: parts[1].hierarchies.age.kind cannot be 'numbers'",
        "Did you mean 'number'",
    ),
    (
        MADE,
        MADE.replace("ladder: [5, 3]", "out: made.doc"),
        "line 18: parts[2].out: The suffix of a table",
        ".csv",
    ),
    (
        MADE,
        MADE.replace("ladder: [5, 3]", "weights: {agee: 2}"),
        "line 18: parts[2].weights.agee is not a quasi-identifier",
        "Did you mean 'age'",
    ),
    (
        MADE,
        MADE.replace("ladder: [5, 3]", "derived: {stay: 5}"),
        "line 18: parts[2].derived.stay is not a mapping",
        "",
    ),
]


@pytest.mark.parametrize(("old", "new", "said", "hint"), BAD, ids=[case[2] for case in BAD])
def test_one_message_with_the_line(folder: Path, old: str, new: str, said: str, hint: str) -> None:
    path = folder / "release.yaml"
    text = GOOD + MADE
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises((InvalidSetting, UnreadableFile)) as caught:
        read_release(path)
    assert isinstance(caught.value, UnreadableFile) is ("does not exist" in caught.value.problem)
    assert caught.value.problem.startswith("release.yaml, line ")
    assert said in caught.value.problem
    assert hint in caught.value.hint
    assert HIDDEN not in str(caught.value)


def test_the_good_one_is_read(folder: Path) -> None:
    path = folder / "release.yaml"
    path.write_text(GOOD + MADE, encoding="utf-8")
    found = read_release(path)
    assert [part.name for part in found.parts] == ["notes", "records", "made"]
    assert found.seed == 7
    assert found.content["context"]["controls"] == "medium"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the file is not a mapping"),
        ("\n\n- 1\n", "line 3: the file is not a mapping"),
        ("reidrisk: 1\nreidrisk: 1\n", "line 2 repeats a key of line 1"),
        ("release: [\n", "line 2 is not plain YAML"),
        ("a: &x 1\nb: *x\n", "line 2 is not plain YAML"),
        ("reidrisk: 1\nseed: \0\n", "line 2 is not plain YAML"),
        ("reidrisk: 1\nname: \udcff\n", "line 2 cannot be read as UTF-8"),
        ("[" * 3000, "more than 100 levels of nesting"),
        ("reidrisk: 1\n", "needs the setting 'release'"),
    ],
)
def test_what_is_no_release_file(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "release.yaml"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(ReidRiskError, match=said):
        read_release(path)
    with pytest.raises(UnreadableFile, match="does not exist"):
        read_release(tmp_path / "none.yaml")


def test_the_context_may_lie_in_a_file_of_its_own(folder: Path) -> None:
    below = folder / "who"
    below.mkdir()
    (below / "context.yaml").write_text("access: non_public\nchecklist: list.yaml\n", encoding="utf-8")
    (below / "list.yaml").write_text("others: yes\n", encoding="utf-8")
    found = read_release(write_file(folder, "records", context="who/context.yaml"))
    assert found.score.access == "non_public"
    assert found.score.context.controls.level == "medium"
    changed = read_release(folder / "release.yaml", {"context.checklist.training": "no"})
    assert changed.score.context.controls.level == "low"
    lost = {"access": "non_public", "checklist": "lost.yaml"}
    with pytest.raises(UnreadableFile, match=r"line 8: context.checklist names lost.yaml"):
        read_release(write_file(folder, "records", context=lost))
    with pytest.raises(UnreadableFile, match=r"line \d+: context names none.yaml"):
        read_release(write_file(folder, "records", context="none.yaml"))


def test_a_context_of_its_own_file_is_named_by_its_own_line(folder: Path) -> None:
    path = write_file(folder, "records", context="context.yaml")
    for text, said in (
        ("access: public\n\ncontrols: mild\n", "context.yaml, line 3: context.controls cannot be 'mild'"),
        ("\nacess: public\n", "context.yaml, line 2: context has no setting 'acess'"),
        ("- 5\n", "context.yaml, line 1 is not a mapping"),
    ):
        (folder / "context.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(InvalidSetting, match=said):
            read_release(path)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("contxt.controls", "high", "Did you mean 'context'"),
        ("parts.record.quasi", "[sex]", "Did you mean 'records'"),
        ("parts.records", "x", "is not a setting of a part"),
        ("context.controls", "hihg", "--set: context.controls cannot be 'hihg'"),
        ("parts.records.qasi", "[sex]", "--set: parts[0] has no setting 'qasi'"),
        ("seed", "often", "--set: seed is not a whole number"),
    ],
)
def test_changes_that_make_no_sense(folder: Path, key: str, value: str, said: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        read_release(write_file(folder, "records"), {key: value})
    assert said in str(caught.value)


def test_no_password_is_kept(folder: Path) -> None:
    given = {**CONTENT["parts"][1], "table": "postgresql://ann:hidden@db/x?table=t"}
    found = read_release(write_file(folder, parts=[given]))
    assert "hidden" not in json.dumps(found.content)
    assert found.content["parts"][0]["table"] == "postgresql://ann:…@db/x?table=t"


def test_the_schema_names_every_setting_of_the_form() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == set(RELEASE_FILE_FORM.entries)
    kinds = schema["properties"]["parts"]["items"]["anyOf"]
    assert [kind["properties"]["kind"]["enum"] for kind in kinds] == [
        ["text"], ["table"], ["table"], ["table"], ["population"], ["documents"], ["relational"],
    ]  # fmt: skip
    assert all(kind["additionalProperties"] is False for kind in kinds)
    assert "gate" in kinds[0]["properties"]["settings"]["properties"]
    json.dumps(schema, allow_nan=False)


def test_limits_on_secrets_reach_the_search() -> None:
    from reidrisk.assess.kinds.deidentify import DeidentifyPart, SearchTarget
    from reidrisk.stats.disclosure.limits import SensitiveLimits

    said = {"table": "t.csv", "quasi": ["age"], "sensitive": ["drug"], "l": 3, "diversity": "entropy"}
    part = DeidentifyPart("t", said, Path(), SearchTarget((5,)))
    assert part.options.sensitive_limits == SensitiveLimits(l=3, diversity="entropy")
    assert part.schema.sensitive == ("drug",)
    plain = DeidentifyPart("t", {"table": "t.csv", "quasi": ["age"]}, Path(), SearchTarget((5,)))
    assert plain.options.sensitive_limits is None


def test_known_events_reach_the_search() -> None:
    from reidrisk.assess.kinds.deidentify import DeidentifyPart, SearchTarget
    from reidrisk.tables.events import EventKnowledge

    said = {"table": "t.csv", "quasi": ["sex"], "unit": "person", "events": ["code"], "known": 1}
    part = DeidentifyPart("t", {**said, "max_event_suppression": 0.1}, Path(), SearchTarget((5,)))
    assert part.options.events == EventKnowledge(("code",), 1)
    assert part.options.max_event_suppression == 0.1
    counted = DeidentifyPart("t", {**said, "count_events": True}, Path(), SearchTarget((5,)))
    assert counted.options.events == EventKnowledge(("code",), 1, counted=True)
    bad = DeidentifyPart("t", {**said, "known": -1}, Path(), SearchTarget((5,)))
    with pytest.raises(InvalidSetting, match="known is not a whole number"):
        _ = bad.options
