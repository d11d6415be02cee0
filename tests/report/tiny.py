"""Results of small corpora in memory, for every test of the views."""

from __future__ import annotations

from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.text.corpus import Annotation, Document, Role
from reidrisk.text.evaluate import evaluate_text
from reidrisk.text.settings import settings
from reidrisk.text.tally import Counting

TEXT = "Ann Lee, seen on 3 May in Lowell, calls 555-0100. Seen again on 9 June."
PLACES: tuple[tuple[str, str, Role], ...] = (
    ("Ann Lee", "NAME", "direct"),
    ("555-0100", "PHONE", "direct"),
    ("3 May", "DATE", "quasi"),
    ("Lowell", "CITY", "quasi"),
    ("9 June", "DATE", "quasi"),
)
RESYNTHESIS = Release.non_public("resynthesis", recognition=0.27, attempt=(0.3, 0.4, 0.5))


def result(
    *,
    roles: tuple[Role, ...] = ("direct", "quasi"),
    leaky: int = 3,
    release: Release | None = None,
    rename: dict[str, str] | None = None,
    options: dict[str, Any] | None = None,
    cluster: str | None = None,
) -> dict[str, Any]:
    """Twenty documents, of which the first `leaky` leak their name, city and second date."""
    names = rename or {}
    marks = tuple(
        Annotation(TEXT.index(value), TEXT.index(value) + len(value), names.get(kind, kind), role)
        for value, kind, role in PLACES
        if role in roles
    )
    gold = [Document(str(number), marks, TEXT) for number in range(20)]
    tool = [Document(str(number), marks[1:3] if number < leaky else marks) for number in range(20)]
    chosen = dict(options or {})
    return evaluate_text(
        gold,
        tool,
        release=release,
        threshold=Threshold.from_cell_size(5, "test policy"),
        settings=settings(chosen.pop("profile", "recommended"), chosen),
        counting=Counting.choose(cluster=cluster),
    ).to_dict()


HOSTILE = {"NAME": "<script>alert(1)</script>", "PHONE": "R&D $x$ \x1b[31m \"id='q'\"", "CITY": "市" * 40}

CASES: dict[str, dict[str, Any]] = {
    "redaction": {},
    "resynthesis": {"release": RESYNTHESIS},
    "paper": {"options": {"profile": "paper"}, "release": RESYNTHESIS},
    "acceptable": {"leaky": 0, "options": {"benchmark_recall": 0.5, "unevaluated": "accept"}},
    "no direct": {"roles": ("quasi",)},
    "no quasi": {"roles": ("direct",)},
    "hostile names": {"rename": HOSTILE},
    "everything leaks": {"leaky": 20},
    "other options": {"options": {"needed": 1, "level": 0.9, "sided": "one", "crosscheck": False}},
    "bootstrap": {"options": {"engine": "bootstrap", "resamples": 200}},
    "gate by draw": {"options": {"gate": "draw", "limit": "model"}, "release": RESYNTHESIS},
    "limits of the model": {"options": {"limit": "model"}},
    "clusters": {"cluster": "^(\\d)"},
    "strata": {"options": {"strata": "^(\\d)"}},
}
"""Every shape that a text evaluation's dictionary takes."""
