"""Write the synthetic study to a folder: data, report, answer key and study file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reidrisk.core.file_set import together
from reidrisk.core.files import write_bytes, write_text
from reidrisk.demo.prescriptions import demo_key
from reidrisk.demo.study.cohort import cohort
from reidrisk.demo.study.elements import key_lines
from reidrisk.demo.study.report import study_report
from reidrisk.demo.study.tables import adsl, ae, csv_of, mh, xport_of
from reidrisk.demo.study.word import report_docx, report_pdf

CONFIG = Path(__file__).with_name("study.yaml")
"""Study file of the planned release: five-year age bands, regions instead of countries."""
STRICT = Path(__file__).with_name("strict.yaml")
"""Study file with less detail, so that every participant matches at least 10 others."""
MASKED = Path(__file__).with_name("masked.yaml")
"""Study file that also removes events, any one of which singles out a participant."""
KEY, ANSWERS = "study.key", "answer_key.jsonl"
DATA = ("data/adsl.xpt", "data/ae.csv", "data/mh.csv")
REPORTS = ("csr.pdf", "csr.docx")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of the study."""

    subjects: int
    visits: int
    """Number of visits per participant with listed laboratory values."""


USUAL = Size(60, 5)
"""A report of about 30 pages."""
LONG = Size(200, 92)
"""A report of about 500 pages."""


def write_study(folder: str | Path, *, size: Size = USUAL, seed: int = 7) -> None:
    """Write data, reports, answer key, study file and key; the same seed gives the same bytes."""
    target = Path(folder)
    (target / "data").mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    people = cohort(size.subjects, rng=rng)
    elements = study_report(people, visits=size.visits, rng=rng)
    subjects, events, history = (target / name for name in DATA)
    with together():
        write_bytes(subjects, xport_of("ADSL", adsl(people)))
        write_text(events, csv_of(ae(people)))
        write_text(history, csv_of(mh(people)))
        write_bytes(target / REPORTS[0], report_pdf(elements))
        write_bytes(target / REPORTS[1], report_docx(elements))
        write_text(target / ANSWERS, "".join(key_lines(elements)))
        for config in (CONFIG, STRICT, MASKED):
            write_text(target / config.name, config.read_text(encoding="utf-8"))
        write_bytes(target / KEY, demo_key(seed).encode(), mode=0o600)
