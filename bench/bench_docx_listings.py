"""A DOCX of 1,000 pages of listings: found, replaced (or redacted) and proved within two minutes?

python bench/bench_docx_listings.py [PAGES] [--keep FOLDER]
"""

from __future__ import annotations

import random
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from timing import Process, run_process

LIMIT_SECONDS = 120
ROWS = 50
"""Of a page."""
HEADER = ("Subject", "Sex", "Age", "Visit date", "Visit", "Parameter", "Result")
PARAMETERS = ("ALT (U/L)", "AST (U/L)", "Creatinine (umol/L)", "Haemoglobin (g/L)", "Platelets (10E9/L)")
SUBJECTS = 500
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
COMMAND = "from reidrisk.cli.main import run; run()"
MAKE = """
import sys
from reidrisk.demo import study
study.write_study(sys.argv[1], size=study.Size(int(sys.argv[2]), 1))
"""


def listings(folder: Path, pages: int) -> Path:
    """Laboratory values of all participants, one table a page, from the data of the synthetic study."""
    import numpy as np

    from reidrisk.demo.study.cohort import cohort
    from reidrisk.demo.study.tables import adsl

    data = adsl(cohort(SUBJECTS, rng=np.random.default_rng(7)))
    rng = random.Random(7)  # noqa: S311
    people = [(one["USUBJID"], one["SEX"], one["AGE"], one["RFSTDTC"]) for one in data]
    each = max(1, pages * ROWS // SUBJECTS)
    parts = []
    for page in range(pages):
        rows = [HEADER]
        for at in range(page * ROWS, (page + 1) * ROWS):
            subject, sex, age, start = people[at // each % SUBJECTS]
            day = np.datetime64(start) + 14 * (at % each // len(PARAMETERS))
            visit = f"Visit {at % each // len(PARAMETERS) + 1}"
            measured = PARAMETERS[at % len(PARAMETERS)], f"{rng.uniform(5, 300):.1f}"
            rows.append((str(subject), str(sex), str(age), str(day), visit, *measured))
        parts.append(_paragraph(f"Listing 16.2.8.{page + 1} Laboratory values") + _table(rows))
    path = folder / "listings.docx"
    _save(path, '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.join(parts))
    return path


def _paragraph(text: str) -> str:
    return f'<w:p><w:r><w:rPr><w:sz w:val="14"/></w:rPr><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    cell = '<w:tc><w:tcPr><w:tcW w:w="1300" w:type="dxa"/></w:tcPr>{}</w:tc>'
    lines = ("".join(cell.format(_paragraph(text)) for text in row) for row in rows)
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(f'<w:tr>{line}</w:tr>' for line in lines)}</w:tbl>"


def _save(path: Path, body: str) -> None:
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}" '
            'Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/document.xml", f'<w:document xmlns:w="{W}"><w:body>{body}<w:sectPr/></w:body></w:document>'
        )


def measure(folder: Path, report: Path, mode: str) -> list[Process]:
    """Detection, then writing with its proof, each as a user types it."""
    found, given = str(folder / "found.json"), (str(report), "--study", str(folder / "study.yaml"))
    program = (sys.executable, "-c", COMMAND, "document")
    return [
        run_process(*program, "detect", *given, "--out", found, "--quiet"),
        run_process(
            *(*program, "anonymize", *given, "--findings", found, "--mode", mode),
            *("--out", str(folder / mode), "--quiet"),
        ),
    ]


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdecimal() else 1000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else Path(name)
        assert run_process(sys.executable, "-c", MAKE, str(folder), str(SUBJECTS)).exit_code == 0
        report = listings(folder, pages)
        for mode in ("replace", "redact"):
            tell(pages, mode, measure(folder, report, mode))


def tell(pages: int, mode: str, steps: list[Process]) -> None:
    for verb, step in zip(("detect", f"{mode} and prove"), steps, strict=True):
        print(
            f"{pages} pages {verb:18} {step.seconds:6.1f} s, {step.cpu:6.1f} s of processors, "
            f"{step.megabytes:5.0f} MB, exit {step.exit_code}",
            flush=True,
        )
    used, done = sum(one.cpu for one in steps), not any(one.exit_code for one in steps)
    within = done and used < LIMIT_SECONDS
    print(f"{pages} pages {mode}: {used:.0f} s of {LIMIT_SECONDS}: {'within' if within else 'NOT within'}")


if __name__ == "__main__":
    main()
