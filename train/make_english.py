"""Make the English model of the package from generated notes only: `python train/make_english.py`.

The same seed gives the same bytes. Confidences are learnt across the families of documents: each is judged
by a chain that knows the other families only, since real text differs from all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from english.write import FAMILIES, documents

from reidrisk.demo import clinical_notes
from reidrisk.detect.model.file import save_model
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.train import fit, predict_unseen
from reidrisk.text.corpus import Document
from reidrisk.text.roles import TypeMap

OUT = Path(__file__).parents[1] / "src" / "reidrisk" / "detect" / "data" / "english.model"
SEED = 7
COUNTS = {
    "queries": 540,
    "notes": 180,
    "letters": 120,
    "forms": 150,
    "messages": 210,
    "plain": 300,
    "everyday": 420,
}
DEMO_NOTES = 36
PARTS = 3
"""Groups of families that are left out in turn."""
NOT_LEARNT = ("AGE",)
"""Patterns find these; what is a risk among them is a matter of rules."""
RENAMED = {"ID": "IDNUM"}
SETTINGS = TrainSettings(min_documents=3, sparsity=0.1)


def of_the_demo() -> Iterator[Document]:
    """Notes of the demo, with this model's types."""
    for one in clinical_notes(seed=SEED, documents=DEMO_NOTES):
        marks = (mark for mark in one.annotations if mark.type not in NOT_LEARNT)
        yield Document(
            one.id, tuple(type(m)(m.start, m.end, RENAMED.get(m.type, m.type)) for m in marks), one.text
        )


def main() -> None:
    """Write the model where the package looks for it, or where the first argument says."""
    groups = [list(documents(family, COUNTS[family], seed=SEED)) for family in FAMILIES]
    groups.append(list(of_the_demo()))
    every = [one for group in groups for one in group]
    family = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    drawn = [np.flatnonzero(family % PARTS == part) for part in range(PARTS)]
    unseen = predict_unseen(every, TypeMap(), SETTINGS, drawn=drawn)
    model = fit(every, unseen, TypeMap(), SETTINGS, seed=SEED)
    save_model(model, Path(sys.argv[1]) if sys.argv[1:] else OUT)


if __name__ == "__main__":
    main()
