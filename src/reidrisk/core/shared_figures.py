"""What a shared result shows, declared for each figure of each kind. What is not declared is not shown.

Ask of every figure: does it help someone who holds the released table to find a suppressed or generalized
value? Counts and shares of the source, before and after, do: subtract those of the release. So do means,
measures of association and entropies with all their digits, hashes of the source and seeds: a guess can be
checked against them. Choices and names do not, nor does what the recipients can count in the release itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reidrisk.core.audience import (
    OUT,
    SHARED,
    Chosen,
    Each,
    Place,
    Rule,
    SharedResult,
    ShareOf,
    apply_rule,
    at_least,
    base_of,
    blank,
    class_risk,
    class_risk_or_none,
    clauses,
    count,
    empty,
    file_name,
    keep,
    not_shown,
    reading_notes,
    row_count,
    sentences,
    step,
    two_digits,
    without_numbers,
)
from reidrisk.core.wording import probability

Rules = Mapping[str, Rule]


def _omit(names: str) -> dict[str, Rule]:
    return dict.fromkeys(names.split(), OUT)


def _keep(names: str) -> dict[str, Rule]:
    return dict.fromkeys(names.split(), keep)


def _is_shared(_value: Any, _: Place) -> str:
    return SHARED


def _result(value: Any, _: Place) -> Any:
    """A result within another one."""
    return shared(value) if isinstance(value, Mapping) else None


def _judged(value: Any, place: Place) -> Any:
    """Show the risk that decides; that of a class below the cell size is not shown."""
    kind = place.find("kind")
    shown = value if kind in ("text", "population") else class_risk_or_none(value, place)
    return two_digits(shown, place)


SETTINGS = Chosen(
    {
        **_keep(
            "quasi sensitive unit reduce events method suppress reading loss max_suppression "
            "max_cell_suppression max_level ladder layouts derived treatments weights suppressed_as order "
            "other text direct null date_format profile cell_size"
        ),
        "table": file_name,
        "records": lambda value, _: value if isinstance(value, str) else None,
    }
)
"""Choices that recipients may know. Paths, keys, seeds and parameters of random steps are not among them."""
READ_SETTINGS = Chosen({**SETTINGS.rules, "read_as": reading_notes})
"""Settings of kinds that read one table; notes on several tables begin with their paths."""
COMMON: Rules = {
    **_keep("kind version acceptable decided versions threshold conditions evidence weakest_grade"),
    "audience": _is_shared,
    "rounded_to": keep,
    "left_out": keep,
    "settings": SETTINGS,
    "seed": OUT,
    "reasons": without_numbers,
    "holds": empty,
    "notes": without_numbers,
    "warnings": without_numbers,
    "undefined": OUT,
    "inventory": _keep("part item role treatment status reason"),
    "unmeasured": _keep("item role reason"),
}
"""Keys that several kinds have. Reasons are written anew, since the sentences of a result give counts."""
RECORDS = ShareOf("records")
STEPS: Rules = {
    "steps": {"kind": keep, "text": clauses, "worth": not_shown, "columns": keep, "by_column": OUT},
    "steps_linkage": blank,
    "step_notes": without_numbers,
}
TABLE_RISK: Rules = {
    **STEPS,
    "settings": READ_SETTINGS,
    "rows": row_count,
    "records": count,
    "classes": count,
    "smallest_class": at_least,
    **_keep("adversary journalist_rule identity_acceptable"),
    "prosecutor": {"highest": class_risk, "average": RECORDS, "share_above_threshold": RECORDS},
    "journalist": {
        "highest": class_risk,
        "average": blank,
        "share_above_threshold": RECORDS,
        "reason": keep,
        "estimated_by": keep,
        "highest_limit": class_risk,
        "average_limit": blank,
    },
    "marketer": {"average": blank, **_omit("expected_matches low high level")},
    "unique_share": RECORDS,
    "longitudinal": Chosen(_keep("known columns acceptable")),
    **_omit(
        "risk_curve class_sizes without_column singling_out rare_codes population_estimate "
        "attribute_disclosure special_uniques differencing subgroups"
    ),
}
BEFORE: Rules = {
    **COMMON,
    **TABLE_RISK,
    "classes": blank,
    "prosecutor": {"highest": class_risk, "average": blank, "share_above_threshold": RECORDS},
    "unique_share": blank,
    "longitudinal": blank,
}
"""The source: how many records it had, and how many of them were above the threshold."""
SOLUTION_RECORDS = ShareOf("solution.records")
SOLUTION: Rules = {
    **_keep("levels level_numbers proof optimal"),
    "level_shares": Each(Each(RECORDS)),
    "records": count,
    "suppressed_records": count,
    "suppressed_share": RECORDS,
    "removed_records": count,
    "blank_records": count,
    "removed_rows": OUT,
    "suppressed_cells": lambda _, place: _total(place),
    "cell_share": lambda _, place: _cell_share(place),
    "by_column": Each(count),
    "by_column_share": Each(RECORDS),
    "cells_per_record": OUT,
    "cell_suppression": {**_keep("method optimal"), **_omit("bound gap")},
    "utility": {
        "loss": step,
        "loss_name": keep,
        "precision": step,
        "granularity": step,
        **_omit("discernibility entropy search_loss by_column variance_lost"),
    },
}
VARIABLES: Rules = {
    **_keep("column level level_number levels max_level reason"),
    "level_shares": Each(SOLUTION_RECORDS),
    "values_before": blank,
    "values_after": blank,
    "missing_before": count,
    "suppressed_cells": count,
    "suppressed_share": SOLUTION_RECORDS,
    "information_kept": blank,
    "unique_before": blank,
    "unique_after": blank,
    **_omit("distribution other_labels"),
}
CODEBOOK: Rules = {**_keep("column role type_before type_after position"), "treatment": clauses}
DEIDENTIFIED: Rules = {
    **{name: rule for name, rule in STEPS.items() if name != "step_notes"},
    **_keep("method layout"),
    "settings": READ_SETTINGS,
    "solution": SOLUTION,
    "variables": VARIABLES,
    "codebook": CODEBOOK,
    "before": BEFORE,
    "after": _result,
    "threshold_ladder": {
        **_keep("cell_size probability outcome layout requires"),
        "suppressed_share": blank,
        "nearest": blank,
        "without_hierarchy": OUT,
    },
    "files": Each(file_name),
    "usefulness": blank,
    "fully_suppressed": {"column": keep, "reason": clauses, "choice": OUT},
    "reduced": {
        **_keep("column rule"),
        "people": count,
        "rows_changed": row_count,
        "rows": row_count,
    },
    **_omit("candidates readings associations lattice sampled_search named_solutions events text rare_codes"),
}
"""Left out: how many rows each removed person has, which columns have many values in the source, and the
choice that would keep a lost column, since it is found by searching the source."""
ROLE_RISK: Rules = {
    **dict.fromkeys(("value", "plug_in", "low", "high", "threshold", "limit"), two_digits),
    **_keep("level interval acceptable decision reason plain_count_exceeds"),
    "with_attempt": {
        **dict.fromkeys(("value", "low", "high", "threshold"), two_digits),
        "level": keep,
    },
    "other_interval": {
        **dict.fromkeys(("value", "low", "high"), two_digits),
        **_keep("level interval sided engine draws"),
    },
    **_omit("plug_in_by_document documents_needed model drawing_error"),
}
JUDGED: Rules = {
    **_keep("acceptable decision statistic attempt threshold cell_size evidence weakest_grade"),
    **_omit("documents_needed"),
    **dict.fromkeys(("risk", "overall"), _judged),
    **dict.fromkeys(("low", "high"), two_digits),
    "sentence": lambda _, place: reason_text(place.around[-1]),
}
"""The figures of a part that are compared with its limit."""
ASSESSMENT: Rules = {
    **_keep("release context verdict agreement"),
    "parts": {
        **_keep("name kind task status"),
        "error": blank,
        "inputs": empty,
        "judged": JUDGED,
        "initial": {"statistic": keep, "risk": class_risk_or_none},
        "final": {"statistic": keep, "risk": class_risk_or_none},
        "measures": sentences,
        "result": _result,
    },
    "reasons": empty,
    **_omit("settings remedies sensitivity monitoring"),
}
POPULATION: Rules = {
    **_keep("policy attacker unknown within cost_reason rule"),
    "population": Chosen(_keep("source name people areas")),
    "total_risk": {"share": two_digits, "expected": OUT, "people": OUT},
    **_omit(
        "by_area cost_per_reidentification curve fields g_distinct g_distinct_people g_range groups people "
        "price unique smallest_group"
    ),
}
SHOWN: Mapping[str, Rules] = {
    "validation": _keep(
        "settings reasons holds warnings counts performed installation requirements checks traceability"
    ),
    "assessment": ASSESSMENT,
    "context_score": _keep(
        "preset access controls motives invasion attempt deliberate risks context_risk threshold rule "
        "statistic cap next_threshold agreement precedents sources undefined notes"
    ),
    "table_risk": TABLE_RISK,
    "table_deidentified": DEIDENTIFIED,
    "table_transformed": {
        **STEPS,
        "settings": READ_SETTINGS,
        "rows_before": count,
        "rows_after": count,
        "source": file_name,
        "out": file_name,
    },
    "table_utility": {
        "records": Each(count),
        "limits": Chosen(_keep("name met")),
        **_omit("associations columns models propensity queries sampled"),
    },
    "table_attack": {
        "records": count,
        "people": count,
        "criteria": Chosen(_keep("name question possible")),
        **_keep("prediction_holds"),
        **_omit(
            "control_records inference linkability linkage predicted probabilistic_linkage singling_out "
            "truth unmatched_records sampled"
        ),
    },
    "table_suggestion": {
        **_keep("quasi scenario unit"),
        "rows": count,
        **_omit("columns hipaa next_step to_consider ambiguous_dates hierarchies hierarchies_file"),
    },
    "table_hipaa": {
        **_keep("safe_harbor limited_data_set not_checked"),
        "rows": count,
        **_omit("identifiers"),
    },
    "table_hierarchies": {"rows": count, **_omit("columns")},
    "table_exploration": {
        "records": count,
        **_keep("threshold"),
        **_omit("layout lattice candidates nearest selected by_cell_size"),
    },
    "table_classes": {"records": count, **_omit("classes_below records_below classes")},
    "text_risk": {
        "direct": ROLE_RISK,
        "quasi": ROLE_RISK,
        "documents": count,
        "decision": keep,
        "benchmark": {
            "level": keep,
            **dict.fromkeys(("value", "low", "high"), two_digits),
            "with_attempt": {"level": keep, **dict.fromkeys(("value", "low", "high"), two_digits)},
        },
        **_omit(
            "by_group by_type combined crosschecks document_groups gate_comparison gates improvements "
            "labelled leaks_per_document masking not_evaluated observed precision quasi_model records "
            "type_map alignment misaligned unmatched documents_needed clusters likely_clusters strata "
            "baseline by_document"
        ),
    },
    "text_comparison": {"documents": count, **_omit("benchmark differences ranking tools")},
    "text_what_if": _omit("after before documents recall recognition types"),
    "text_sample": _omit("chance_to_show_upper_limit documents needed sampled strata drawn"),
    "text_agreement": _omit(
        "all_documents annotators by_type conflicts definitions documents merged overall pairs places "
        "settled words"
    ),
    "text_deidentification": {
        "documents": count,
        "mode": keep,
        **_omit(
            "by_source by_type characters documents_without_findings out replaced resumed source seconds"
        ),
    },
    "text_attack": {
        "documents": count,
        **_omit(
            "attacks best bootstrap by_type instances leaks method recognition recognition_option risks trade"
        ),
    },
    "text_training": _omit("all_direct by_type calibration documents groups knob labelled masking model"),
    "document_risk": {
        **_keep("scenario study qualitative"),
        "highest": class_risk_or_none,
        "participants": count,
        "initial": {"highest": class_risk_or_none, "level": keep, "why": OUT},
        "final": {"highest": class_risk_or_none, "level": keep, "why": OUT},
        "measures": {"measure": keep, "variables": keep, "detail": clauses},
        "variables": {
            **_keep("variable role treatment in_data"),
            **_omit("values_before values_after unique_before unique_after information_kept"),
            **_omit("replaced unchanged redacted left_out kept"),
        },
        "confidential": keep,
        **_omit("catch combined criteria documents known leak review sections subjects"),
    },
    "joint_risk": {
        "settings": Chosen(_keep("parts known leaks same")),
        "people": count,
        "highest": class_risk,
        "method": keep,
        "breaking": keep,
        "unlinked": {"part": keep, "reason": keep},
        **_omit("average average_high share_above_threshold bounds by_known parts risk_curve"),
    },
    "relational_risk": {
        "settings": Chosen(_keep("quasi events known know offset")),
        "place": file_name,
        "people": count,
        "highest": class_risk,
        "highest_is_lower_bound": keep,
        "journalist": {
            "highest": class_risk,
            "average": blank,
            "share_above_threshold": blank,
            "reason": keep,
        },
        **_omit(
            "events by_known classes tables without_columns risk_curve smallest_supports remedies undefined"
        ),
        "release": _result,
    },
    "relational_attack": {
        "settings": Chosen(_keep("known know offset")),
        "people": count,
        "highest": class_risk,
        **_omit("linkage offsets ids orders undefined"),
    },
    "relational_deidentified": {
        "settings": Chosen(
            _keep(
                "profile quasi events sensitive known dates levels orphans max_suppression "
                "max_event_suppression"
            )
        ),
        "place": file_name,
        "highest": class_risk,
        "protection": {
            "levels": keep,
            "dates_removed": keep,
            "keys_removed": keep,
            "twins_removed": keep,
            "heuristic": keep,
            "loss": step,
            "events_lost": step,
            "static_lost": step,
            **_omit("people_left_out rows rows_left_out values_left_out nodes evaluated"),
        },
        "after": _result,
        "release": _result,
        "before": OUT,
    },
    "document_tables": {
        "study": keep,
        "highest": class_risk_or_none,
        "participants": count,
        "variables": {"table": keep, "variable": keep, "role": keep, "treatment": keep},
        **_omit("known tables"),
    },
    "document_detection": _omit(
        "by_section by_source by_type by_variable documents findings mentioned participants"
    ),
    "document_review": _omit(
        "agreement by_type conflicts decided documents drawn findings measured needed pages pairs reviewers"
    ),
    "document_anonymization": {
        "mode": keep,
        **_omit("by_section by_type documents fates findings same_values values"),
    },
    "document_proof": {
        "holds": keep,
        **_omit(
            "covered document files given hits not_searched pictures places readers sha256 values "
            "values_found values_skipped"
        ),
    },
    "relational_release": {
        "variables": {
            **_keep("table variable label role treatment source"),
            **_omit("filled left loss"),
        },
        "keys": {"child": keep, "parent": keep},
        **_keep("database"),
        **_omit("orphans people people_left_out proof tables"),
    },
    "relational_proof": _omit("checks people people_released database"),
    "relational_suggestion": {
        **_keep("database person"),
        "columns": {"table": keep, "column": keep, "role": keep, "treatment": keep, "reason": OUT},
        **_omit("keys tables"),
    },
    "population_risk": POPULATION,
    "population_comparison": {
        **_keep("attacker trust_differential_reason"),
        "population": Chosen(_keep("source name people areas")),
        **_omit("by_area pairs rank_changes risks trust_differential"),
    },
    "population_explorer": {
        **_keep("attacker measure target"),
        "population": Chosen(_keep("source name people areas")),
        **_omit("limited policies safe"),
    },
}
"""By kind, besides `COMMON`."""


def rules_of(kind: str) -> Rules:
    """Return the rule of every figure of a kind; an unknown kind has only the common ones."""
    return {**COMMON, **SHOWN.get(kind, {})}


def shared(result: Mapping[str, Any]) -> SharedResult:
    """Return what recipients of the data and the public may see of a result.

    A shared result stays as it is.

    >>> shared({"kind": "table_risk", "records": 81, "smallest_class": 1, "seed": 7})["records"]
    80
    """
    base = base_of(result)
    shown = apply_rule(result, rules_of(str(result.get("kind"))), Place(base, ()))
    found = {**{name: shown[name] for name in ("kind", "version") if name in shown}, "audience": SHARED}
    found |= {"rounded_to": base, "left_out": _left_out(result, shown), **shown, **_reasons(result)}
    return SharedResult({**found, "audience": SHARED})


def _left_out(result: Mapping[str, Any], shown: SharedResult) -> list[str]:
    """Return the names of the figures that were left out, now or before."""
    return sorted({*(result.get("left_out") or ()), *_missing(result, shown)})


def _missing(result: Any, shown: Any, path: str = "") -> Iterator[str]:
    if isinstance(result, Mapping) and isinstance(shown, SharedResult):
        for name, value in result.items():
            if name in shown:
                yield from _missing(value, shown[name], f"{path}{name}.")
            else:
                yield f"{path}{name}"
    elif isinstance(result, list) and isinstance(shown, list):
        for one, other in zip(result, shown, strict=False):
            yield from _missing(one, other, path)


def _reasons(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reasons of a shared result, without the sentences that give counts."""
    if result.get("kind") == "context_score":
        return {
            "reasons": list(result["reasons"]),
            **({"holds": result["holds"]} if "holds" in result else {}),
        }
    if result.get("kind") != "assessment":
        own = result.get("holds")
        holds = own if isinstance(own, bool) else [_decided(result)]
        return {"reasons": [reason_text(result)], "holds": holds}
    return {
        "reasons": [
            {"part": part["name"], "text": reason_text(part["judged"]), "holds": part["judged"]["acceptable"]}
            for part in result["parts"]
        ],
        "verdict": {**result["verdict"], "sentence": _sentence(result)},
    }


def _decided(result: Mapping[str, Any]) -> bool | None:
    return result.get("acceptable") if result.get("decided", True) else None


def reason_text(judged: Mapping[str, Any]) -> str:
    """Return the verdict on a result in a sentence that gives no count."""
    limit = judged.get("threshold")
    chance = limit.get("probability") if isinstance(limit, Mapping) else limit
    reason = f" ({limit['reason']})" if isinstance(limit, Mapping) and limit.get("reason") else ""
    at = f" at a threshold of {probability(chance)}{reason}" if chance is not None else ""
    word = {True: "Acceptable", False: "Not acceptable"}.get(_decided(judged), "Nothing was decided")  # type: ignore[arg-type]
    return f"{word}{at}."


def _sentence(result: Mapping[str, Any]) -> str:
    """Return the verdict on a release; what is not acceptable is said by the names of its parts."""
    if result["acceptable"] is not False:
        return str(result["verdict"]["sentence"])
    refused = [part["name"] for part in result["parts"] if part["judged"]["acceptable"] is not True]
    return f"Not acceptable; not within the limits: {', '.join(refused)}." if refused else "Not acceptable."


def _total(place: Place) -> Any:
    """Return the sum of the rounded counts by column, which adds nothing to them."""
    shown = [count(number, place) for number in (place.find("by_column") or {}).values()]
    known = sum(number for number in shown if not isinstance(number, str))
    few = next((number for number in shown if isinstance(number, str)), None)
    return known or few or 0


def _cell_share(place: Place) -> float | None:
    """Return the share of suppressed cells, from rounded counts; None if they are few."""
    total, columns = _total(place), place.find("by_column") or {}
    records = count(place.find("records"), place)
    if isinstance(total, str) or isinstance(records, str) or not records:
        return None
    return float(total / (records * len(columns)))
