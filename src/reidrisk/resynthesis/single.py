"""De-identify one text in memory."""

from __future__ import annotations

from reidrisk.detect.detector import build_detector
from reidrisk.detect.finding import Detector
from reidrisk.detect.settings import DetectSettings
from reidrisk.resynthesis.dates.shift import scope_of
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import RealValuesInMemory
from reidrisk.resynthesis.replace import (
    DeidentifiedNote,
    merge_overlaps,
    placeholder_for,
    replace_findings,
    surrogate_text,
    values_of,
)
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.surrogates import Surrogates


def deidentify_note(
    text: str,
    *,
    key: bytes,
    person: str = "",
    settings: ResynthesisSettings | None = None,
    detect: DetectSettings | Detector | None = None,
) -> DeidentifiedNote:
    """Replace the identifiers in one text; `offsets` maps positions between the old and the new text.

    Surrogates avoid only the real values of this text. For many texts, use `deidentify_text`.

    >>> note = deidentify_note("Seen by Dr. Helen Carter.", key=b"a secret of at least 16 bytes")
    >>> note.text.startswith("Seen by Dr. "), "Carter" in note.text
    (True, False)
    """
    settings = settings or ResynthesisSettings()
    detector = build_detector(detect) if detect is None or isinstance(detect, DetectSettings) else detect
    findings = merge_overlaps(detector.find(text), len(text))
    if settings.mode != "surrogate":
        return replace_findings(text, findings, placeholder_for(settings.mode))
    values, keyed = values_of(text, findings), KeyedDraw(key)
    scope = scope_of(person) if person else f"text {text}"
    real = RealValuesInMemory(keyed, [value.text for value in values])
    surrogates = Surrogates(values, scope, draw=Draw(keyed, real), settings=settings)
    return surrogate_text(text, findings, surrogates)
