from __future__ import annotations

import json
from dataclasses import replace
from math import isclose

import numpy as np
import pytest

from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text.assess import Provenance, assess
from reidrisk.text.evaluate import READING, gather_evidence
from reidrisk.text.evidence import Alignment, DoubtfulPlace, Evidence, evidence_from_dict, evidence_to_dict
from reidrisk.text.settings import TextSettings, settings
from reidrisk.text.tally import Counting

RELEASE = Release.non_public("resynthesis", recognition=0.27, attempt=(0.3, 0.4, 0.5))


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    notes = clinical_notes(seed=7)
    tool = case_study_tool(notes, seed=7)
    return gather_evidence(notes, tool, settings=TextSettings(), counting=Counting())


def test_what_is_read_back_is_written_the_same(evidence: Evidence) -> None:
    written = json.loads(json.dumps(evidence_to_dict(evidence)))
    assert evidence_to_dict(evidence_from_dict(written)) == written


@pytest.mark.parametrize("options", [{}, {"engine": "sobol"}, {"values": "poisson", "repeats": "poisson"}])
def test_the_risk_is_the_same_from_the_file(evidence: Evidence, options: dict[str, str]) -> None:
    again = evidence_from_dict(json.loads(json.dumps(evidence_to_dict(evidence))))
    threshold, chosen = Threshold.from_cell_size(5, "test"), settings("recommended", dict(options))
    first, second = (
        assess(one, RELEASE, threshold, chosen, provenance=Provenance(7)).to_dict()
        for one in (evidence, again)
    )
    for role in ("direct", "quasi"):
        assert isclose(first[role]["high"], second[role]["high"], rel_tol=1e-12)
    for name in ("by_type", "observed", "leaks_per_document", "masking", "reasons", "improvements"):
        assert first[name] == second[name]


def test_how_released_texts_were_aligned_is_kept(evidence: Evidence) -> None:
    aligned = Alignment(3, 9, 1, 2, 1, 1, (DoubtfulPlace("n7", 4, 9, 2),))
    written = json.loads(json.dumps(evidence_to_dict(replace(evidence, alignment=aligned))))
    assert evidence_from_dict(written).alignment == aligned
    assert evidence_from_dict(evidence_to_dict(evidence)).alignment is None


def test_no_order_tells_which_document_leaked(evidence: Evidence) -> None:
    turned = evidence_from_dict(evidence_to_dict(evidence))
    assert not np.array_equal(turned.direct_leaks, evidence.direct_leaks)
    assert sorted(turned.direct_leaks) == sorted(evidence.direct_leaks)
    assert sum(entry["documents"] for entry in evidence_to_dict(evidence)["documents"]) == 120


OTHERS = {
    "gate": "never",
    "unit": "token_level",
    "level": 0.9,
    "needed": 3,
    "denominator": "present",
    "include_absent": True,
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_settings_do_not_change_what_is_counted(evidence: Evidence, name: str) -> None:
    notes = clinical_notes(seed=7)
    chosen = settings("recommended", {name: OTHERS[name]})
    other = gather_evidence(notes, case_study_tool(notes, seed=7), settings=chosen, counting=Counting())
    assert name not in READING
    assert evidence_to_dict(other) == evidence_to_dict(evidence)


def test_the_file_holds_no_text(evidence: Evidence) -> None:
    notes = clinical_notes(seed=7)
    text = json.dumps(evidence_to_dict(evidence))
    for document in notes:
        assert document.id not in text
        for mark in document.annotations:
            surface = (document.text or "")[mark.start : mark.end]
            assert len(surface) < 6 or surface not in text
