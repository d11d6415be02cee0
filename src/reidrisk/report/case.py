"""What a report is about: an assessment, or results that are shown like one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from reidrisk.assess.manifest import MANIFEST, manifest_bytes, root_of
from reidrisk.assess.signature import read_signatures
from reidrisk.core.audience import INTERNAL, SHARED, Audience, audience_of, with_audience
from reidrisk.core.evidence import with_evidence
from reidrisk.core.result import Result
from reidrisk.core.shared_figures import shared
from reidrisk.core.wording import UNDECIDED, path_text
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.report.kind import when_shown
from reidrisk.report.parts import Reason
from reidrisk.report.traced import JsonField, Trace, in_place_of, traced
from reidrisk.report.views import KINDS, kind_of

ASSESSMENT, CONTEXT = "assessment", "context_score"
FILE = "assessment.json"
"""The name of an assessment in its folder."""

Given = Result | Mapping[str, Any] | str | Path
EMPTY: dict[str, Any] = {
    "release": {},
    "context": None,
    "reasons": [],
    "remedies": [],
    "parts": [],
    "agreement": [],
    "sensitivity": [],
    "monitoring": None,
    "inventory": [],
    "unmeasured": [],
    "settings": {},
    "versions": {},
    "seed": None,
}
"""What an assessment may leave out."""
PART_KINDS = ("text", "table", "population", "document", "relational", "joint")
"""A kind of result starts with the kind of its part."""
TASKS = {
    "table_deidentified": "deidentify",
    "table_attack": "attack",
    "table_transformed": "transform",
    "table_utility": "utility",
}
"""The task of a part, where it is not to measure the risk."""


def case_of(given: Given | Sequence[Given], *, audience: Audience = INTERNAL) -> dict[str, Any]:
    """The dictionary of an assessment; other results get the same form, without a context.

    A shared case contains only what may be passed on; so does a case of shared results.
    """
    return _case(_dictionaries(given), audience)


def traced_case(
    given: Given | Sequence[Given], *, audience: Audience = INTERNAL
) -> tuple[dict[str, Any], Trace]:
    """The same case, of values that remember their field in the JSON file.

    Fields are those of the assessment or the result that was given. Several results count as one file, which
    `result_json` writes. What is shared has the fields of the shared case: nothing else may be told about it.
    """
    found, trace = _dictionaries(given), Trace()
    top = JsonField(trace)
    if audience == SHARED or any(audience_of(one) == SHARED for one in found):
        return traced(_case(found, audience), top), trace
    if len(found) == 1:
        return _case([traced(found[0], top)], audience), trace
    parts, number = JsonField(trace, top, "parts"), count()
    fields = [
        JsonField(trace, top, "context")
        if one.get("kind") == CONTEXT
        else JsonField(trace, JsonField(trace, parts, next(number)), "result")
        for one in found
    ]
    return _case([traced(one, at) for one, at in zip(found, fields, strict=True)], audience), trace


def _case(found: Sequence[dict[str, Any]], audience: Audience) -> dict[str, Any]:
    case = with_evidence(with_audience(_internal_case(found)))
    results = [part["result"] for part in case["parts"] if part["result"] is not None]
    if SHARED in (audience, *map(audience_of, (case, *results))):
        return shared(case)
    return case


def result_json(given: Sequence[Given], *, audience: Audience = INTERNAL) -> str:
    """A result as JSON text for an audience; several results become one assessment without a context."""
    found = with_audience(_dictionary(given[0])) if len(given) == 1 else case_of(given, audience=audience)
    shown = shared(found) if audience == SHARED else found
    return json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _dictionaries(given: Given | Sequence[Given]) -> list[dict[str, Any]]:
    many = [given] if isinstance(given, Result | Mapping | str | Path) else list(given)
    if not many:
        raise InvalidSetting("A report needs at least one result.", hint="Give a folder or result files.")
    return [_dictionary(one) for one in many]


def _internal_case(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    assessments = [one for one in found if one.get("kind") == ASSESSMENT]
    contexts = [one for one in found if one.get("kind") == CONTEXT]
    if not assessments and len(contexts) < 2:
        results = [one for one in found if one.get("kind") != CONTEXT]
        return EMPTY | _as_assessment(results) | {"context": contexts[0] if contexts else None}
    if len(found) > 1 or not assessments:
        raise InvalidSetting(
            "A report shows one assessment, or several results with at most one context.",
            hint="Write one report for each assessment or context.",
        )
    return {**EMPTY, **assessments[0]}


def _dictionary(given: Given) -> dict[str, Any]:
    if isinstance(given, Result):
        return given.to_dict()
    found = dict(given) if isinstance(given, Mapping) else {**_read(Path(given)), **_seal(Path(given))}
    if audience_of(found) == SHARED:
        found = shared(found)
    known = dict.fromkeys((ASSESSMENT, CONTEXT, *KINDS))
    if found.get("kind") not in known:
        raise BadData(
            f"A result of kind {found.get('kind')!r} cannot be reported.",
            hint=f"Give a result of one of these kinds: {', '.join(known)}.",
        )
    return found


def _seal(path: Path) -> dict[str, Any]:
    """The root hash and the signatures of the folder of an assessment; nothing for other files."""
    if not path.is_dir() or not (path / MANIFEST).exists():
        return {}
    signatures = [one.to_dict() for one in read_signatures(path)]
    return {"root": root_of(manifest_bytes(path)), "signatures": signatures}


def _read(path: Path) -> dict[str, Any]:
    """A result file, or the assessment in a folder."""
    file = path / FILE if path.is_dir() else path
    name = path_text(file)
    hint = "Give a file that was written with --json."
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        first = "Run reidrisk assess first." if path.is_dir() else ""
        raise UnreadableFile.missing(name, hint=first) from None
    except (OSError, ValueError, RecursionError):
        raise UnreadableFile(f"{name} is not a result file.", hint=hint) from None
    if not isinstance(content, dict):
        raise UnreadableFile(f"{name} contains no result.", hint=hint)
    return content


def _as_assessment(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One part per result; acceptable only if every result that decides is."""
    parts = [_part(result, number) for number, result in enumerate(results, start=1)]
    decided = [part["judged"]["acceptable"] for part in parts if part["judged"]["acceptable"] is not None]
    acceptable = all(decided) if decided else None
    first = results[0] if results else {}
    return {
        "kind": "assessment",
        "version": first.get("version", "unknown"),
        "acceptable": acceptable,
        "versions": first.get("versions", {}),
        "seed": first.get("seed"),
        "verdict": {"acceptable": acceptable, "sentence": _sentence(parts, acceptable=acceptable)},
        "reasons": [
            {"part": part["name"], "text": reason.text, "holds": reason.holds}
            for part in parts
            for reason in _reasons(part["result"])
        ],
        "parts": parts,
        **_inventory(parts),
    }


def _inventory(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What leaves with each result, by its part."""
    return {
        key: [
            in_place_of(row, {"part": part["name"], **row})
            for part in parts
            for row in part["result"].get(key) or ()
        ]
        for key in ("inventory", "unmeasured")
    }


def _sentence(parts: Sequence[Mapping[str, Any]], *, acceptable: bool | None) -> str:
    if acceptable is None:
        return "Nothing is decided: no threshold was given, and the results were not judged by a context."
    judged = "They were not judged by a context."
    if acceptable:
        return f"Every result with a threshold is acceptable. {judged}"
    refused = [part["judged"] for part in parts if part["judged"]["acceptable"] is False]
    if all(one.get("decision") == "undecided" for one in refused):
        return f"{UNDECIDED}. {judged}"
    return f"At least one result is not acceptable. {judged}"


def _part(result: dict[str, Any], number: int) -> dict[str, Any]:
    kind = result["kind"]
    own = {name: result[name] for name in ("decision", "documents_needed") if name in result}
    unknown: tuple[dict[str, Any] | None, dict[str, Any]] = (None, _risk_figures(None, None))
    before, after = when_shown(lambda: _figures(result), result, unknown)
    return {
        "name": f"{number}. {kind_of(result).title_of(result)}",
        "kind": next((name for name in PART_KINDS if kind.startswith(name)), kind),
        "task": TASKS.get(kind, "risk"),
        "status": "measured",
        "error": None,
        "inputs": [],
        "judged": after
        | own
        | {
            "acceptable": result["acceptable"] if result.get("decided", True) else None,
            "sentence": " ".join(reason.text for reason in _reasons(result)),
            "weakest_grade": result.get("weakest_grade"),
        },
        "initial": before,
        "final": {"statistic": after["statistic"], "risk": after["risk"]} if after["statistic"] else None,
        "measures": _measures(result),
        "result": result,
    }


def _measures(result: dict[str, Any]) -> list[str]:
    """What was done to documents, in sentences."""
    done = result["measures"] if result["kind"] == "document_risk" else []
    told = [f"{one['measure']} ({', '.join(one['variables']) or '–'}): {one['detail']}." for one in done]
    return in_place_of(done, told)


def _reasons(result: dict[str, Any]) -> tuple[Reason, ...]:
    return kind_of(result).verdict_of(result).reasons


def _figures(result: dict[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The risk before anything was done, if it was measured, and the risk that is judged."""
    kind = result["kind"]
    if kind == "text_risk":
        return None, _text_figures(result)
    if kind == "table_risk":
        return None, _table_figures(result, result["threshold"])
    if kind == "table_deidentified":
        before = {"statistic": "highest risk of a record", "risk": result["before"]["prosecutor"]["highest"]}
        solved = result["after"] is not None
        return before, _table_figures(result["after"] if solved else result["before"], result["threshold"])
    if kind == "population_risk" and not result["unknown"]:
        share = result["total_risk"]["share"]
        return None, _risk_figures("share of people expected to be re-identified", share)
    if kind == "document_risk":
        return _document_figures(result)
    return None, _risk_figures(None, None)


def _document_figures(result: dict[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    before, threshold = result["initial"]["highest"], result["threshold"]
    if result["highest"] is None:
        return None, _risk_figures(None, None)
    statistic = "highest risk of a participant"
    after = _risk_figures(statistic, result["highest"], threshold["probability"])
    return {"statistic": statistic, "risk": before}, after | {"cell_size": threshold["cell_size"]}


def _text_figures(result: dict[str, Any]) -> dict[str, Any]:
    """The risk that is the larger multiple of its limit."""
    found = [
        _risk_figures(f"upper limit of the risk from {shown}", part["high"], part["threshold"])
        | {"low": part["low"], "high": part["high"]}
        for role, shown in (("direct", "direct identifiers"), ("quasi", "quasi-identifiers"))
        if (part := result[role])["value"] is not None
    ]
    return max(found, key=lambda one: one["risk"] / one["threshold"], default=_risk_figures(None, None))


def _table_figures(risk: dict[str, Any], threshold: dict[str, Any]) -> dict[str, Any]:
    highest = risk["prosecutor"]["highest"]
    if risk.get("longitudinal"):
        highest = max(highest, risk["longitudinal"]["by_known"][-1]["highest"])
    judged = _risk_figures("highest risk of a record", highest, threshold["probability"])
    return judged | {"cell_size": threshold["cell_size"]}


def _risk_figures(
    statistic: str | None, risk: float | None, threshold: float | None = None
) -> dict[str, Any]:
    return {
        "statistic": statistic,
        "risk": risk,
        "low": None,
        "high": None,
        "attempt": None,
        "overall": risk,
        "threshold": threshold,
        "cell_size": None,
    }
