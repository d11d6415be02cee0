"""Resources of FHIR R4 (NDJSON), read as a table: one row per resource, with what links and dates it."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from reidrisk.engine.duckdb.failures import damaged, without_values
from reidrisk.engine.duckdb.scan import Form, Scan
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.packages import needed

SUFFIXES = (".ndjson", ".ndjson.gz")
CHUNK = 5_000
WHAT = "resources of FHIR (NDJSON)"
SUBJECTS = ("subject", "patient", "beneficiary", "individual", "for")
CODES = ("code", "medicationCodeableConcept", "vaccineCode", "type", "class")
DATES = (
    "onsetDateTime", "performedDateTime", "occurrenceDateTime", "effectiveDateTime", "authoredOn",
    "recordedDate", "date", "issued",
)  # fmt: skip
PERIODS = ("period", "performedPeriod", "effectivePeriod", "onsetPeriod", "occurrencePeriod")
US_CORE = "http://hl7.org/fhir/us/core/StructureDefinition/us-core-"
PERSONAL = ("gender", "birth_date", "state", "marital_status", "race", "ethnicity", "deceased")
LINKED = ("id", "patient", "encounter", "code", "date")


def is_fhir(path: Path) -> bool:
    """Whether a file of lines holds resources."""
    if not path.name.lower().endswith(SUFFIXES):
        return False
    first = next(resources(path), None)
    return isinstance(first, Mapping) and "resourceType" in first


def resources(path: Path) -> Iterator[dict[str, Any]]:
    """The resources of a file, one after the other."""
    opened = gzip.open if path.name.lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    found = json.loads(line)
                    if not isinstance(found, dict):
                        raise ValueError
                    yield found
    except (OSError, ValueError, EOFError, zlib.error, RecursionError):
        raise damaged(str(path), WHAT) from None


def read_fhir(session: Session, path: Path) -> Scan:
    """A row per resource, all columns texts."""
    arrow = needed("pyarrow")
    first = next(resources(path), {})
    columns = ("id", *PERSONAL) if first.get("resourceType") == "Patient" else LINKED
    schema = arrow.schema((name, arrow.string()) for name in columns)
    with without_values(str(path)):
        relation = session.staged_batches(schema, _batches(arrow, path, schema))
    return Scan(relation, (), Form(name=path.name.split(".")[0]))


def _batches(arrow: Any, path: Path, schema: Any) -> Iterator[Any]:
    rows = (_row(one) for one in resources(path))
    while chunk := list(islice(rows, CHUNK)):
        arrays = [arrow.array([row.get(name) for row in chunk], type=arrow.string()) for name in schema.names]
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _row(one: Mapping[str, Any]) -> dict[str, str | None]:
    if one.get("resourceType") == "Patient":
        return {"id": one.get("id"), **_personal(one)}
    context = one.get("context")
    encounter = one.get("encounter") or (context.get("encounter") if isinstance(context, Mapping) else None)
    return {
        "id": one.get("id"),
        "patient": patient_of(one),
        "encounter": _id(encounter, "Encounter"),
        "code": _code(one),
        "date": _date(one),
    }


def patient_of(one: Mapping[str, Any]) -> str | None:
    """The id of the patient whom a resource is about."""
    found = (_id(one.get(name), "Patient") for name in SUBJECTS)
    return next((name for name in found if name is not None), None)


def _id(reference: Any, kind: str) -> str | None:
    if isinstance(reference, list):
        reference = reference[0] if reference else None
    text = reference.get("reference") if isinstance(reference, Mapping) else None
    if not isinstance(text, str) or f"{kind}/" not in text:
        return None
    return text.rpartition(f"{kind}/")[2].split("/")[0]


def _code(one: Mapping[str, Any]) -> str | None:
    for name in CODES:
        concept = one.get(name)
        concept = concept[0] if isinstance(concept, list) and concept else concept
        if not isinstance(concept, Mapping):
            continue
        codings = concept.get("coding") or [concept]
        code = codings[0].get("code") if codings and isinstance(codings[0], Mapping) else None
        if code is not None:
            return str(code)
    return None


def _date(one: Mapping[str, Any]) -> str | None:
    plain = (one.get(name) for name in DATES)
    starts = (one[name].get("start") for name in PERIODS if isinstance(one.get(name), Mapping))
    return next((str(text) for text in (*plain, *starts) if isinstance(text, str)), None)


def _personal(one: Mapping[str, Any]) -> dict[str, str | None]:
    address = (one.get("address") or [{}])[0]
    extensions = {
        str(part.get("url")).removeprefix(US_CORE): part
        for part in one.get("extension") or ()
        if isinstance(part, Mapping)
    }
    return {
        "gender": one.get("gender"),
        "birth_date": one.get("birthDate"),
        "state": address.get("state"),
        "marital_status": _code({"code": one.get("maritalStatus")}),
        "race": _extension(extensions.get("race")),
        "ethnicity": _extension(extensions.get("ethnicity")),
        "deceased": one.get("deceasedDateTime"),
    }


def _extension(one: Mapping[str, Any] | None) -> str | None:
    for part in (one or {}).get("extension") or ():
        coding = part.get("valueCoding")
        if isinstance(coding, Mapping):
            return str(coding.get("code"))
    return None
