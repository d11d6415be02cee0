"""A figure that a notebook shows by itself. Imported only when a figure is drawn: it needs matplotlib."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure

from reidrisk.report.charts.canvas import drawing

DPI = 110


class NotebookFigure(Figure):  # type: ignore[misc, unused-ignore]
    """Notebooks show figures only after pyplot was imported, which the user may never do."""

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        with drawing():
            self.savefig(file, format="png", dpi=DPI)
        return file.getvalue()
