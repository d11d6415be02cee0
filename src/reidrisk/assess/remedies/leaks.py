"""The same counts under a tool that misses less."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reidrisk.text.evidence import Evidence, TypeEvidence


def without_leaks(evidence: Evidence, types: list[str]) -> Evidence:
    """The same corpus under a tool that misses nothing of some direct types."""
    places = [evidence.direct_types.index(name) for name in types]
    leaks = evidence.leaks.copy()
    leaks[:, places] = False
    left = np.where(leaks.any(axis=1), evidence.direct_leaks, 0)
    return replace(
        evidence,
        types=tuple(_mended(kind) if _is_among(kind, types) else kind for kind in evidence.types),
        leaks=leaks,
        direct_leaks=left,
    )


def _is_among(kind: TypeEvidence, types: list[str]) -> bool:
    return kind.role == "direct" and kind.type in types


def _mended(kind: TypeEvidence) -> TypeEvidence:
    return replace(kind, leaking_documents=0, caught=kind.instances, masked_words=kind.words)
