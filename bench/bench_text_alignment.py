"""Redacted and rewritten texts aligned with their originals: wrong spans in 1,000 notes, time of 1 MB."""

from __future__ import annotations

import re
import time

import numpy as np

from reidrisk.demo import clinical_notes, simulate_tool
from reidrisk.text.alignment.redacted import align_redacted
from reidrisk.text.alignment.result import DocumentAlignment
from reidrisk.text.alignment.surrogate import align_surrogate
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.matching import Mask

NOTES = 1000
MARKINGS = {
    "[**Name 12**]": "[**Name 12**]",
    "<<NAME:Zq Wx>>": "<<NAME:Zq Wx>>",
    "████": "████",
    "█ for each character": "█+",
    "[NAME]": "[NAME]",
    "<NAME>": "<NAME>",
    "{{NAME}}": "{{NAME}}",
    "*****": "*****",
    "* for each character": "*+",
    "___": "___",
    "XXXX": "XXXX",
}
LETTERS, DIGITS = "bcdfghjklmnpqrstvwxz", "0123456789"


def released(text: str, mask: Mask, marking: str | None, rng: np.random.Generator) -> str:
    """The text with what is masked marked, or replaced by surrogates where there is no marking."""
    pieces, at = [], 0
    for start, end in zip(mask.starts, mask.ends, strict=True):
        hidden = text[start:end]
        if marking is None:
            mark = re.sub(r"[^\W_]", lambda found: other(found[0], rng), hidden)
        else:
            mark = re.sub(r"\S", marking[0], hidden) if marking.endswith("+") else marking
        pieces += [text[at:start], mark]
        at = end
    return "".join(pieces) + text[at:]


def other(sign: str, rng: np.random.Generator) -> str:
    choice = [one for one in (DIGITS if sign.isdigit() else LETTERS) if one != sign.lower()]
    return choice[int(rng.integers(len(choice)))]


def compare(text: str, mask: Mask, found: DocumentAlignment) -> tuple[int, int]:
    """Words called masked of which nothing is, and masked words neither found nor in a place in doubt."""
    got = Mask(Annotation(one.start, one.end, "X") for one in found.masked)
    doubt = Mask(Annotation(one.start, one.end, "X") for one in found.doubts)
    places = [word.span() for word in re.finditer(r"[^\W_]+", text)]
    wrong = sum(got.covers(*place) and not mask.touches(*place) for place in places)
    missed = [place for place in places if mask.covers(*place) and not got.covers(*place)]
    return wrong, sum(not doubt.touches(*place) for place in missed)


def align(gold: Document, text: str, marking: str | None) -> DocumentAlignment:
    if marking is not None:
        return align_redacted(gold.text or "", text, {"NAME"})
    return align_surrogate(
        gold.text or "", text, [piece for mark in gold.annotations for piece in mark.pieces]
    )


def one_marking(name: str, marking: str | None, pairs: list[tuple[Document, Mask]]) -> None:
    rng = np.random.default_rng(7)
    wrong = missed = doubts = places = 0
    seconds = 0.0
    for gold, mask in pairs:
        text = released(gold.text or "", mask, marking, rng)
        start = time.perf_counter()
        found = align(gold, text, marking)
        seconds += time.perf_counter() - start
        extra, lost = compare(gold.text or "", mask, found)
        wrong, missed = wrong + extra, missed + lost
        doubts, places = doubts + len(found.doubts), places + len(mask.starts)
    print(
        f"{name:22} {places:,} places, wrong words {wrong}, missed words {missed}, "
        f"ambiguous places {doubts}; {1000 * seconds / len(pairs):.1f} ms"
    )


def one_megabyte(pairs: list[tuple[Document, Mask]]) -> None:
    """All notes as one, 1 MB of it, and two texts that repeat themselves."""
    text, spans = "", []
    for gold, mask in pairs:
        if len(text) > 1_000_000:
            break
        spans += [(s + len(text), e + len(text)) for s, e in zip(mask.starts, mask.ends, strict=True)]
        text += gold.text or ""
    whole = Mask(())
    whole.starts, whole.ends = [start for start, _ in spans], [end for _, end in spans]
    rng = np.random.default_rng(7)
    for name, marking in (("[NAME]", "[NAME]"), ("surrogates", None)):
        changed = released(text, whole, marking, rng)
        start = time.perf_counter()
        found = align(Document("all", (), text), changed, marking)
        seconds = time.perf_counter() - start
        extra, lost = compare(text, whole, found)
        print(
            f"{len(text):,} characters with {name}: {seconds:.2f} s, wrong words {extra}, "
            f"missed words {lost}, ambiguous places {len(found.doubts)}"
        )
    start = time.perf_counter()
    align_redacted("ab " * 350_000, "[X] ab " * 50_000 + "[X]")
    print(f"one word 350,000 times, 50,000 marks: {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    align_surrogate("roe came " * 120_000, "roe came " * 80_000)
    print(f"two words 120,000 times, with a third removed: {time.perf_counter() - start:.2f} s")


def main() -> None:
    notes = clinical_notes(seed=21, documents=NOTES)
    tool = simulate_tool(notes, recall=0.92, seed=22)
    pairs = [(gold, Mask(marks.annotations)) for gold, marks in zip(notes, tool, strict=True)]
    for name, marking in MARKINGS.items():
        one_marking(name, marking, pairs)
    one_marking("surrogates", None, pairs)
    one_megabyte(pairs)


if __name__ == "__main__":
    main()
