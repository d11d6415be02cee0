"""The score of a context as JSON types: controls, the next threshold, and who says so."""

from __future__ import annotations

from typing import Any

from reidrisk.context.checklist import Checklist, Practice, data, practices
from reidrisk.context.context import Context
from reidrisk.context.preset import Rung
from reidrisk.context.sources import OURS, cited, source
from reidrisk.context.thresholds import CUSTODIAN, lacking, permission


def controls(context: Context) -> dict[str, Any]:
    """The level of controls and the practices behind it."""
    sheet = context.controls.checklist
    return {
        "level": context.controls.level,
        "from": context.controls.origin,
        "practices": len(practices()),
        "answered": len(sheet.answers) if sheet else 0,
        "in_place": len(sheet.in_place) if sheet else 0,
        "missing": [one.id for one in sheet.missing] if sheet else [],
        "without_evidence": [one.id for one in sheet.unproved] if sheet else [],
        "not_applicable": [one.id for one in sheet.not_applicable] if sheet else [],
        "checklist": [_row(one, sheet) for one in practices()] if sheet else [],
        "rule": data()["levels"]["rule"],
        "ours": sheet is not None,
        "source": f"{source(data()['source'])}, {data()['detail']}",
    }


def _row(practice: Practice, sheet: Checklist) -> dict[str, Any]:
    answer = sheet.answers.get(practice.id)
    return {
        "practice": practice.id,
        "group": data()["groups"][practice.group],
        "text": practice.text,
        "guidelines": list(practice.marks),
        "boards": practice.boards,
        "core": practice.is_core,
        "answer": answer.state if answer else None,
        "evidence": answer.evidence if answer else "",
        "reason": answer.reason if answer else "",
    }


def next_threshold(context: Context) -> dict[str, Any] | None:
    """The next higher threshold, and what stands in its way."""
    if not context.chosen.later:
        return None
    rung = context.chosen.later[0]
    gaps = _gaps(rung, context.controls.checklist)
    return {
        "cell_size": rung.threshold.cell_size,
        "probability": rung.threshold.probability,
        "reason": rung.threshold.reason,
        "allowed": permission(rung, context.ground).allowed,
        "missing": gaps,
        "missing_count": len(gaps),
        "level_needed": rung.needs,
        "access_needed": "non_public" if rung.needs and context.access != "non_public" else None,
    }


def _gaps(rung: Rung, sheet: Checklist | None) -> list[dict[str, str]]:
    """Practices that lack, or whose proof does; without a checklist all of them."""
    if rung.needs is None:
        return []
    lacks = (sheet or Checklist({})).needed_for(rung.needs)
    return [{"practice": one.id, "text": lacking(one, what), "lacks": what} for one, what in lacks]


def sources(context: Context) -> list[str]:
    """Of everything that was counted."""
    used = [context.preset.source, context.chosen.rung.source]
    if context.access != "public":
        used += ["ipc_2016", "el_emam_2013"]
    if context.access == "non_public":
        used += [data()["source"], "kniola_2016"]
    named = [name for name in used if name != CUSTODIAN]
    return cited([*named, "scaiano_2016", OURS])
