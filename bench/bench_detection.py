"""How well identifiers are found in texts not trained on, by job 1's own evaluation, beside other tools.

MEDDOCAN: trained on 400 documents of `meddocan_train` drawn by seed 7, tested on the other 100. TAB: five
parts of `tab144` drawn by seed 7, each tested by a model of the other four. ASQ: the shipped model, trained
on generated notes only. One and the same settings and threshold everywhere. The corpora lie beside the
project; a part whose corpus is missing is left out. Names of corpora as arguments choose some of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from reidrisk.detect.detector import build_detector
from reidrisk.detect.finding import Finding
from reidrisk.detect.model.file import load_model
from reidrisk.detect.model.train import parts, train
from reidrisk.detect.settings import SHIPPED_MODEL, DetectSettings
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import Source, gather_evidence
from reidrisk.text.read import read_documents
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting

DATA = Path(__file__).parents[2] / "shared" / "data"
SEED = 7
Find = Callable[[Sequence[str]], Iterable[Iterable[Finding]]]


def corpus(name: str) -> list[Document]:
    return list(read_documents(DATA / "corpora" / f"{name}.jsonl"))


def marked(documents: Sequence[Document], find: Find) -> list[Document]:
    found = find([one.text or "" for one in documents])
    return [
        replace(one, annotations=tuple(Annotation(f.start, f.end, f.type) for f in own))
        for one, own in zip(documents, found, strict=True)
    ]


def show(name: str, gold: Sequence[Document], tool: Source) -> None:
    """One line: words found, words rightly masked, documents without a direct leak, with two quasi leaks."""
    settings = TextSettings(unmatched="allow")
    seen = gather_evidence(gold, tool, settings=settings, counting=Counting())
    direct = 1 - seen.documents_with_direct_leak / seen.documents
    leaks = seen.documents_with_leaks(2) / seen.documents
    print(
        f"  {name:34} {seen.word_recall():8.3f} {seen.precision:9.3f} {direct:10.3f} {leaks:10.3f}",
        flush=True,
    )


def others(name: str, gold: Sequence[Document]) -> None:
    for path in sorted((DATA / "predictions" / name).glob("*.jsonl")):
        show(path.stem, gold, path)


def heading(title: str) -> None:
    print(f"{title}\n  {'':34} {'recall':>8} {'precision':>9} {'all direct':>10} {'>=2 quasi':>10}")


def meddocan() -> None:
    documents = corpus("meddocan_train")
    order = np.random.default_rng(SEED).permutation(len(documents))
    first, rest = ([documents[place] for place in some] for some in (order[:400], order[400:]))
    heading("MEDDOCAN, trained on 400, tested on 100 others")
    start = time.process_time()
    model = train(first, seed=SEED)
    trained = time.process_time() - start
    start = time.process_time()
    found = marked(rest, model.find_many)
    speed = sum(len(one.text or "") for one in rest) / (time.process_time() - start)
    show("model", rest, found)
    print(f"  trained in {trained:,.0f} s, found at {speed:,.0f} characters a second (CPU time of one core)")


def tab() -> None:
    documents = corpus("tab144")
    heading("TAB, 144 documents, each by a model of the four other parts of five")
    found: list[Document] = []
    for part in parts(len(documents), 5, seed=SEED):
        own = set(part.tolist())
        model = train([one for place, one in enumerate(documents) if place not in own], seed=SEED)
        found += marked([documents[place] for place in sorted(own)], model.find_many)
    show("model", documents, found)
    others("tab144", documents)


def asq() -> None:
    documents = corpus("asq_phi_800")
    heading("ASQ, 800 queries, out of the box")
    show("reidrisk, out of the box", documents, marked(documents, build_detector().find_many))
    safe_harbor = DetectSettings(scheme="hipaa")
    show(
        "reidrisk, identifiers of HIPAA", documents, marked(documents, build_detector(safe_harbor).find_many)
    )
    show("its model alone", documents, marked(documents, load_model(SHIPPED_MODEL).find_many))
    others("asq_phi_800", documents)


def main() -> None:
    chosen = sys.argv[1:] or ["meddocan", "tab", "asq"]
    for part in (meddocan, tab, asq):
        if part.__name__ in chosen and DATA.is_dir():
            part()


if __name__ == "__main__":
    main()
