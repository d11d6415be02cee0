"""The notebooks run in a real kernel, and show cards, figures and frames."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

nbformat: Any = pytest.importorskip("nbformat")
nbclient: Any = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("polars")

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
FRESH = "%reset -f\nimport os\nos.makedirs({name!r})\nos.chdir({name!r})"
BACK = "import os\nos.chdir('..')"


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_is_valid_and_has_no_outputs(path: Path) -> None:
    book = read(path)
    nbformat.validate(book)
    assert book.cells[0].cell_type == "markdown"
    assert book.cells[0].source.startswith("# ")
    for cell in book.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
    assert any(".plot()" in cell.source for cell in book.cells)


def test_there_is_one_notebook_for_each_job() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["documents", "population", "release", "tables", "text"]


def test_all_notebooks_run(tmp_path: Path) -> None:
    """In one kernel, each with a namespace and a folder of its own: a start takes seconds."""
    every = nbformat.v4.new_notebook()
    parts = {}
    for path in NOTEBOOKS:
        start = nbformat.v4.new_code_cell(FRESH.format(name=path.stem))
        parts[path.stem] = [cell for cell in read(path).cells if cell.cell_type == "code"]
        every.cells += [start, *parts[path.stem], nbformat.v4.new_code_cell(BACK)]
    client = nbclient.NotebookClient(every, timeout=300, kernel_name="python3")
    client.execute(cwd=str(tmp_path), env={**os.environ, "POLARS_MAX_THREADS": "1"})
    for cells in parts.values():
        shown = [output.data for cell in cells for output in cell.outputs if "data" in output]
        assert any("reidrisk" in data.get("text/html", "") for data in shown), "a card"
        assert any("image/png" in data for data in shown), "a figure"
        assert not [output for cell in cells for output in cell.outputs if output.get("name") == "stderr"]
