"""Lines of JSON that are no objects end in one clear message."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.engine.duckdb.readers.dataset_json import dataset_header
from reidrisk.engine.duckdb.readers.fhir import resources
from reidrisk.errors import ReidRiskError


@pytest.mark.parametrize("text", ["[1, 2]\n", '"Smith"\n', "7\n", "null\n"])
def test_values_that_are_no_objects_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "Patient.ndjson"
    path.write_text(text, encoding="utf-8")
    for read in (dataset_header, lambda file: list(resources(file))):
        with pytest.raises(ReidRiskError, match=r"Patient\.ndjson") as refused:
            read(path)
        assert "Smith" not in str(refused.value)
