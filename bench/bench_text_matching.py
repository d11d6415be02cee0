"""Is evaluation faster than nervaluate on one long document, and linear in its spans?"""

from __future__ import annotations

import numpy as np

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting, EvidenceTally
from timing import least_seconds

SPANS = 5000
TYPES = ("NAME", "DATE", "CITY", "ID")


def long_document(spans: int, rng: np.random.Generator) -> tuple[Document, Document]:
    """A text of words; gold marks every third one, the tool finds nine in ten and a few more."""
    text = "word " * (3 * spans)
    gold, tool = [], []
    for number in range(spans):
        start = 15 * number
        mark = Annotation(start, start + 4, TYPES[number % len(TYPES)])
        gold.append(mark)
        if rng.random() < 0.9:
            tool.append(mark)
        if rng.random() < 0.1:
            tool.append(Annotation(start + 5, start + 9, "NAME"))
    rng.shuffle(tool)
    return Document("d", tuple(gold), text), Document("d", tuple(tool))


def ours(gold: Document, tool: Document) -> object:
    tally = EvidenceTally(Counting(), TextSettings())
    tally.add(gold, tool.annotations)
    return tally.finish()


def theirs(gold: Document, tool: Document) -> object:
    from nervaluate import Evaluator

    def spans(document: Document) -> list[list[dict[str, object]]]:
        marks = sorted(document.annotations, key=lambda mark: mark.start)
        return [[{"label": mark.type, "start": mark.start, "end": mark.end} for mark in marks]]

    return Evaluator(spans(gold), spans(tool), tags=list(TYPES), loader="dict").evaluate()


def main() -> None:
    rng = np.random.default_rng(7)
    print(f"{'spans':>8} {'ours, ms':>10} {'ms per 1000 spans':>18}")
    for spans in (1250, 2500, 5000, 10_000, 20_000, 40_000):
        gold, tool = long_document(spans, rng)
        seconds = least_seconds(lambda gold=gold, tool=tool: ours(gold, tool))  # type: ignore[misc]
        print(f"{spans:>8} {1000 * seconds:>10.1f} {1e6 * seconds / spans:>18.2f}")
    gold, tool = long_document(SPANS, rng)
    mine = least_seconds(lambda: ours(gold, tool))
    peer = least_seconds(lambda: theirs(gold, tool), runs=1)
    print(
        f"nervaluate on {SPANS} spans: {peer:.1f} s; ours {1000 * mine:.1f} ms: "
        f"{peer / mine:.0f} times faster"
    )


if __name__ == "__main__":
    main()
