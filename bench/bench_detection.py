"""How well identifiers are found in texts not trained on, by job 1's own evaluation, beside other tools.

MEDDOCAN: trained on 400 documents of `meddocan_train` drawn by seed 7, tested on the other 100. TAB: five
parts of `tab144` drawn by seed 7, each tested by a model of the other four. ASQ: the shipped model, trained
on generated notes only; once as they are, once without any capitals. Everyday English: the same model on the
half of `presidio_synth_v2` that was kept back from development (see `is_kept_back`); its sentences come from
templates that repeat in both halves, with other names and addresses. One and the same settings and threshold
everywhere. The corpora lie beside the project; a part whose corpus is missing is left out. Names of corpora
as arguments choose some of them; `everyday-seen` is the half that was developed on, `folds` is MEDDOCAN by
five folds, type by type.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from reidrisk.detect.detector import build_detector
from reidrisk.detect.finding import Finding
from reidrisk.detect.model.file import load_model
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.spans import findings
from reidrisk.detect.model.train import UnseenDocument, confidences, parts, predict_unseen, train
from reidrisk.detect.settings import DEFAULT_THRESHOLD, SHIPPED_MODEL, DetectSettings
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import Source, gather_evidence
from reidrisk.text.evidence import Evidence
from reidrisk.text.read import read_documents
from reidrisk.text.roles import TypeMap
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


def show(name: str, gold: Sequence[Document], tool: Source, *, types: str | None = None) -> Evidence:
    """One line: words found, words rightly masked, documents without a direct leak, with two quasi leaks."""
    settings = TextSettings(unmatched="allow")
    seen = gather_evidence(gold, tool, settings=settings, counting=Counting.choose(types=types))
    direct = 1 - seen.documents_with_direct_leak / seen.documents
    leaks = seen.documents_with_leaks(2) / seen.documents
    print(
        f"  {name:34} {seen.word_recall():8.3f} {seen.precision:9.3f} {direct:10.3f} {leaks:10.3f}",
        flush=True,
    )
    return seen


def show_types(seen: Evidence) -> None:
    """A line for each type: the share of its words that were caught."""
    for kind in seen.types:
        print(f"    {kind.type:32} {kind.masking_recall:8.3f} of {kind.words:,} words")


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

    small = [replace(one, text=lowered(one.text or "")) for one in documents]
    show("the same without capitals", small, marked(small, build_detector().find_many))


def lowered(text: str) -> str:
    """Small letters only; a letter that would become two stays."""
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


HALVES = 17
"""Seed of the halves of the everyday English."""
TYPES = (
    "PERSON=direct,STREET_ADDRESS=direct,CREDIT_CARD=direct,PHONE_NUMBER=direct,EMAIL_ADDRESS=direct,"
    "IBAN_CODE=direct,IP_ADDRESS=direct,US_SSN=direct,US_DRIVER_LICENSE=direct,DOMAIN_NAME=direct,"
    "GPE=quasi,ORGANIZATION=quasi,DATE_TIME=quasi,AGE=quasi,ZIP_CODE=quasi,TITLE=ignored,NRP=ignored"
)


def is_kept_back(doc_id: str) -> bool:
    """Whether a document belongs to the half that was only counted, never looked at.

    The first byte of the SHA-256 of "17:" and the document's id is odd.
    """
    return hashlib.sha256(f"{HALVES}:{doc_id}".encode()).digest()[0] % 2 == 1


def everyday(*, kept_back: bool = True) -> None:
    documents = [one for one in corpus("presidio_synth_v2") if is_kept_back(one.id) == kept_back]
    half = "kept back" if kept_back else "developed on"
    heading(f"Everyday English, {len(documents)} sentences of the half {half}, out of the box")
    found = marked(documents, build_detector().find_many)
    show_types(show("reidrisk, out of the box", documents, found, types=TYPES))
    found = marked(documents, build_detector(DetectSettings(model=None)).find_many)
    show_types(show("its rules alone", documents, found, types=TYPES))


def everyday_seen() -> None:
    everyday(kept_back=False)


def folds() -> None:
    documents = corpus("meddocan_train")
    heading(
        "MEDDOCAN, 500 documents, each by a model of the four other parts of five, as `text train` does it"
    )
    drawn = parts(len(documents), 5, seed=SEED)
    unseen = predict_unseen(documents, TypeMap(), TrainSettings(), drawn=drawn)
    found = [
        replace(one, annotations=tuple(Annotation(f.start, f.end, f.type) for f in own))
        for one, own in zip(documents, findings_unseen(unseen, DEFAULT_THRESHOLD), strict=True)
    ]
    show_types(show("model", documents, found))


def findings_unseen(unseen: Sequence[UnseenDocument], threshold: float) -> Iterable[list[Finding]]:
    for one, sure in zip(unseen, confidences(unseen), strict=True):
        yield findings(one.layout, one.probabilities, sure, one.columns, threshold)


PARTS: dict[str, Callable[[], None]] = {
    "meddocan": meddocan,
    "tab": tab,
    "asq": asq,
    "everyday": everyday,
    "everyday-seen": everyday_seen,
    "folds": folds,
}


def main() -> None:
    for name in sys.argv[1:] or ("meddocan", "tab", "asq", "everyday"):
        if DATA.is_dir():
            PARTS[name]()


if __name__ == "__main__":
    main()
