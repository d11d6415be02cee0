from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.errors import UnreadableFile
from reidrisk.text.matching import IgnoredWords, WordCounter

DEFAULT = IgnoredWords.default()


def words(text: str, ignored: IgnoredWords = IgnoredWords.none()) -> list[str]:  # noqa: B008
    return [text[start:end] for start, end in WordCounter(ignored).places(text)[0]]


def test_punctuation_never_counts() -> None:
    assert words("O'Neil, J. (1963-04-01)") == ["O", "Neil", "J", "1963", "04", "01"]


def test_titles_and_function_words_need_no_masking_by_default() -> None:
    assert words("Dr. Jane of the Hill", DEFAULT) == ["Jane", "Hill"]


def test_a_name_or_a_state_that_looks_like_a_function_word_counts() -> None:
    assert words("Van Smith", DEFAULT) == ["Van", "Smith"]
    assert words("Portland, OR", DEFAULT) == ["Portland", "OR"]


def test_a_value_of_ignored_words_only_keeps_them() -> None:
    assert words("The Of", DEFAULT) == ["The", "Of"]


def test_a_value_without_letters_counts_as_it_is_written() -> None:
    assert words("*** 😀") == ["***", "😀"]


def test_initials_are_never_ignored() -> None:
    assert words("A. M. Demetriades", DEFAULT) == ["A", "M", "Demetriades"]


def test_other_scripts_are_words() -> None:
    assert words("Ángel Łukasz 王小明 123") == ["Ángel", "Łukasz", "王小明", "123"]


def test_a_list_of_your_own(tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("# staff titles\nNurse  Sister # two\n", encoding="utf-8")
    chosen = IgnoredWords.choose(str(own))
    assert chosen.name == "mine.txt"
    assert chosen.any_case == {"nurse", "sister"}
    own.write_text("Nurse\nlower: van de\n", encoding="utf-8")
    mixed = IgnoredWords.choose(str(own))
    assert words("NURSE Van de Berg", mixed) == ["Van", "Berg"]


def test_an_unreadable_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="one word per line"):
        IgnoredWords.choose(str(tmp_path / "none.txt"))
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        IgnoredWords.choose(str(bad))
