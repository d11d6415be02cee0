from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reidrisk.core.limits import BLAS, Limits, as_now, cores_now, limited, limits_now, tell_packages, within
from reidrisk.errors import InvalidSetting


@pytest.mark.parametrize("text", ["4", "4 apples", "GB", "-1GB", "", "4GB4"])
def test_a_memory_limit_has_a_number_and_a_unit(text: str) -> None:
    with pytest.raises(InvalidSetting, match="memory limit"):
        Limits(memory=text)


def test_units_of_memory_are_those_people_write() -> None:
    assert Limits(memory="500MB").bytes == 500_000_000
    assert Limits(memory="1.5 gib").bytes == 3 * 2**29
    assert Limits().bytes is None


def test_too_little_memory_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="too little") as error:
        Limits(memory="10MB")
    assert "200 MB" in error.value.hint


@pytest.mark.parametrize("cores", [0, -1, True, 1.5])
def test_cores_are_a_whole_number(cores: int) -> None:
    with pytest.raises(InvalidSetting, match="cores"):
        Limits(cores=cores)


def test_the_folder_for_temporary_files_exists(tmp_path: Path) -> None:
    assert Limits(temp=tmp_path).temp == tmp_path
    with pytest.raises(InvalidSetting, match="does not exist"):
        Limits(temp=tmp_path / "missing")


def test_the_folder_for_temporary_files_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InvalidSetting, match="cannot be written"):
        Limits(temp=tmp_path)


def test_settings_become_limits_and_nothing_becomes_none(tmp_path: Path) -> None:
    assert Limits.of({"memory": None, "cores": None, "temp": None, "quasi": "a"}) is None
    (tmp_path / "work").mkdir()
    found = Limits.of({"cores": 2, "temp": "work"}, folder=tmp_path)
    assert found == Limits(cores=2, temp=tmp_path / "work")


def test_inner_limits_leave_the_outer_ones_where_they_say_nothing() -> None:
    before = limits_now()
    with within(Limits(memory="2GB", cores=3)):
        with within(None), within(Limits(cores=1)):
            assert limits_now() == Limits(memory="2GB", cores=1)
        assert cores_now() == 3
    assert limits_now() == before


def test_a_function_keeps_to_its_own_argument() -> None:
    @limited
    def count(*, limits: Limits | None = None) -> int:
        return cores_now()

    assert count(limits=Limits(cores=5)) == 5
    with within(Limits(cores=4)):
        assert count() == 4
    assert count.__name__ == "count"


def test_other_threads_and_later_calls_keep_the_limits() -> None:
    with within(Limits(cores=6)):
        later = as_now(lambda _: cores_now())
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(later, range(6))) == [6] * 6


def test_packages_are_told_only_before_they_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in BLAS:
        monkeypatch.setenv(name, "9")
    monkeypatch.setitem(__import__("sys").modules, "numpy", object())
    tell_packages(2)
    assert os.environ[BLAS[0]] == "9"
    monkeypatch.delitem(__import__("sys").modules, "numpy")
    tell_packages(2)
    assert [os.environ[name] for name in BLAS] == ["2"] * 3
