from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.engine.duckdb.session import start_session
from reidrisk.engine.settings import ScanSettings

TEXTS = st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=8), max_size=20)


@given(TEXTS)
@settings(max_examples=20)
def test_texts_reach_the_database_letter_by_letter(texts: list[str | None]) -> None:
    labels = np.empty(len(texts), dtype=np.object_)
    labels[:] = texts
    session = start_session(ScanSettings(threads=1))
    try:
        codes = np.arange(len(texts), dtype=np.int32)
        relation = session.from_arrays({"j": codes, "n": codes.astype(np.int64), "x": labels})
        assert list(map(str, relation.types)) == ["INTEGER", "BIGINT", "VARCHAR"]
        assert relation.fetchall() == [(place, place, text) for place, text in enumerate(texts)]
    finally:
        session.close()


def test_numbers_reach_the_database_with_their_types() -> None:
    session = start_session(ScanSettings(threads=1))
    try:
        every_second = np.arange(6, dtype=np.int32)[::2]
        relation = session.from_arrays({"j": every_second, "x": np.array([0.5, 1.0, np.nan])})
        assert list(map(str, relation.types)) == ["INTEGER", "DOUBLE"]
        assert [row[0] for row in relation.fetchall()] == [0, 2, 4]
    finally:
        session.close()
