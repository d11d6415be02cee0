"""How long do equations 20 and 21 take, exactly and by drawing, and how far apart are they?"""

from __future__ import annotations

from dataclasses import replace

from reidrisk.context.release import Release
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text import models
from reidrisk.text.evidence import Evidence
from reidrisk.text.models import direct_limits, quasi_limits
from reidrisk.text.settings import Engine, TextSettings, settings
from reidrisk.text.tally import Counting, EvidenceTally
from timing import least_seconds

RELEASE = Release.non_public("resynthesis", recognition=0.1, attempt=(0.3, 0.4, 0.5))


def demo_evidence() -> Evidence:
    notes = clinical_notes(seed=7)
    marks = {document.id: document.annotations for document in case_study_tool(notes, seed=7)}
    tally = EvidenceTally(Counting(), TextSettings())
    for note in notes:
        tally.add(note, marks[note.id])
    return tally.finish()


def one(evidence: Evidence, chosen: TextSettings, engine: Engine) -> tuple[float, float]:
    """Direct risk, benchmark and quasi risk; the two upper limits."""
    direct = models.direct_model(evidence, RELEASE, chosen)
    quasi = models.quasi_model(evidence, RELEASE, chosen)
    assert direct is not None
    assert quasi is not None
    direct_limits(models.benchmark_model(RELEASE, chosen), chosen, engine, seed=7)
    both = quasi_limits(quasi, chosen, engine, seed=7)
    decides = both.parameter if chosen.interval == "parameter" else both.per_document
    return direct_limits(direct, chosen, engine, seed=7).high, decides.high


def main() -> None:
    evidence = demo_evidence()
    for profile in ("recommended", "paper"):
        chosen = settings(profile)
        exact = least_seconds(lambda chosen=chosen: one(evidence, chosen, "exact"), runs=9)  # type: ignore[misc]
        reference = one(evidence, chosen, "exact")
        print(f"{profile}: exact {1000 * exact:.1f} ms, limits {reference[0]:.6f} and {reference[1]:.6f}")
        engines: tuple[Engine, ...] = ("sobol", "montecarlo")
        for engine in engines:
            drawing = replace(chosen, engine=engine)
            seconds = least_seconds(lambda c=drawing, e=engine: one(evidence, c, e), runs=3)  # type: ignore[misc]
            found = one(evidence, drawing, engine)
            off = [100 * (mine / theirs - 1) for mine, theirs in zip(found, reference, strict=True)]
            print(
                f"  {engine}: {seconds / exact:.1f} times as long, "
                f"limits {off[0]:+.3f} % and {off[1]:+.3f} % off"
            )


if __name__ == "__main__":
    main()
