from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pytest

import reidrisk as rr
from reidrisk.errors import ReidRiskError
from reidrisk.report.page import page
from tests.tables.attack.people import generalized, people

PART = {
    "name": "attacked",
    "kind": "table",
    "table": "released.csv",
    "against": "original.csv",
    "control": "control.csv",
    "quasi": ["age", "sex", "zip"],
    "secret": ["diagnosis"],
    "sets": [["age"], ["sex", "zip"]],
    "guesses": 200,
}


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    original = people(500, 1)
    for name, table in (
        ("original", original),
        ("released", generalized(original)),
        ("control", people(500, 2)),
    ):
        pc.write_csv(table, f"{name}.csv")


def release(**changes: Any) -> dict[str, Any]:
    context = {"preset": "hospital", "access": "non_public", "controls": "medium", "motives": "low"}
    return {
        "reidrisk": 1,
        "release": {"name": "A small release"},
        "context": context,
        "parts": [{**PART, **changes}],
    }


def test_a_table_that_is_only_attacked_is_not_measured_as_a_whole() -> None:
    done = rr.assess(release()).to_dict()
    assert not done["acceptable"]
    assert [(one["item"], one["role"]) for one in done["unmeasured"]] == [("attacked", "table")]


def test_a_safe_release_is_acceptable_and_the_questions_are_answered() -> None:
    given = release()
    plain = {"name": "plain", "kind": "table", "table": "released.csv", "sensitive": ["diagnosis"]}
    given["parts"].append({**plain, "quasi": ["age", "sex", "zip"]})
    done = rr.assess(given, out="folder").to_dict()
    part = done["parts"][0]
    assert (part["kind"], part["task"], part["status"]) == ("table", "attack", "measured")
    assert part["judged"]["acceptable"]
    assert [one["possible"] for one in part["result"]["criteria"]] == [False, False, False]
    assert part["result"]["decided"]
    assert {Path(one["path"]).name for one in part["inputs"]} == {
        "released.csv",
        "original.csv",
        "control.csv",
    }
    assert rr.verify("folder").holds


def test_the_original_is_refused_by_the_attack_that_did_most() -> None:
    done = rr.assess(release(table="original.csv"))
    assert not done.acceptable
    [part] = done.to_dict()["parts"]
    assert "The most successful attack" in part["judged"]["sentence"]
    assert part["judged"]["overall"] > part["judged"]["threshold"]
    written = page([done.to_dict()])
    assert "table, attacked" in written
    for template in ("general", "ema"):
        written_files = rr.write_report(done, "report", template=template)
        pages = [path for path in written_files if path.suffix == ".html"]
        text = "".join(path.read_text(encoding="utf-8") for path in pages)
        assert "Can a person be singled out?" in text
        assert "already known is not measured" not in text
        assert "Values that cannot be interpreted match nobody" in text
        assert written_files[1].stat().st_size > 10_000


def test_nothing_to_count_is_no_proof() -> None:
    alone = release(table="released.csv", against="short.csv", quasi=["sex"], secret=None, sets=None)
    pc.write_csv(people(300, 1), "short.csv")
    del alone["parts"][0]["control"]
    done = rr.assess(alone)
    [part] = done.to_dict()["parts"]
    assert not part["judged"]["acceptable"]
    assert part["judged"]["sentence"].startswith("No attack could be carried out")


def test_sensitive_and_its_former_name_secret_mean_the_same() -> None:
    from reidrisk.assess.measurement import measurement_key
    from reidrisk.assess.release_file import read_release

    old, new = release(), release(secret=None, sensitive=["diagnosis"])
    [before], [after] = (read_release(one).parts for one in (old, new))
    assert measurement_key(before, (), 7) == measurement_key(after, (), 7)
    results = [rr.assess(one).to_dict()["parts"][0]["result"] for one in (old, new)]
    assert results[0] == results[1]
    assert results[0]["settings"]["secret"] == ["diagnosis"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"against": "gone.csv"}, "gone.csv, which does not exist"),
        ({"sets": [["age"], ["age"]]}, "do not overlap"),
        ({"cell": "person"}, "no setting 'cell'"),
        ({"unit": "age"}, "cannot be used"),
        ({"neighbours": 101}, "1 to 100"),
        ({"confidence": 2}, "confidence"),
        ({"guesses": 0}, "guesses"),
        ({"sensitive": ["diagnosis"], "secret": ["diagnosis"]}, "former name of sensitive"),
    ],
)
def test_settings_that_make_no_sense_are_refused_before_data_are_read(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ReidRiskError, match=said):
        rr.assess(release(**changes))


def remedies(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in rr.assess(content).to_dict()["remedies"] if one["part"] == "attacked"]


def test_larger_classes_are_proposed_with_the_size_that_the_threshold_asks() -> None:
    found = [one for one in remedies(release(table="original.csv")) if one["kind"] == "generalize"]
    assert len(found) == 1
    size = rr.assess(release(table="original.csv")).to_dict()["parts"][0]["judged"]["cell_size"]
    assert f"classes of at least {size}" in found[0]["text"]
    assert "deidentify: true" in found[0]["text"]
    assert (found[0]["change"], found[0]["acceptable_after"]) == (None, None)


def test_the_part_that_writes_the_table_is_named_with_its_setting() -> None:
    content = release(table="original.csv")
    Path("made").mkdir()
    maker = {"name": "maker", "kind": "table", "table": "released.csv", "quasi": ["sex"], "deidentify": True}
    content["parts"].append({**maker, "out": "made/../original.csv"})
    [one] = [one for one in remedies(content) if one["kind"] == "generalize"]
    assert list(one["change"]) == ["parts.maker.cell_size"]
    assert "the part maker writes it" in one["text"]


def test_a_secret_that_is_inferred_may_be_left_out_if_that_is_enough() -> None:
    """Everybody's diagnosis follows from the age; nothing else tells anybody from another."""
    rows = [{"age": 20 + 10 * (n % 4), "sex": "F", "diagnosis": "abcd"[n % 4]} for n in range(400)]
    pc.write_csv(pa.Table.from_pylist(rows), "telling.csv")
    content = release(
        table="telling.csv", against="telling.csv", quasi=["age", "sex"], sets=[["age"], ["sex"]]
    )
    del content["parts"][0]["control"]
    [drop] = [one for one in remedies(content) if one["kind"] == "drop"]
    assert drop["text"].startswith("Leave out diagnosis, which is inferred")
    assert drop["risk_after"] < drop["risk_before"]
    content["parts"][0]["secret"] = None
    [part] = rr.assess(content).to_dict()["parts"]
    assert drop["risk_after"] == pytest.approx(part["judged"]["overall"], rel=0.5)
    assert drop["part_acceptable_after"] == part["judged"]["acceptable"]
