"""The proof of released resources of FHIR: they are read again, beside the originals."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from reidrisk.engine.linked import LinkedProof, ProofCheck, fhir_patient, fhir_resources

WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{5,}")
"""What may be an id, a number or a name."""
NAMES = ("family", "given")
Days = dict[str, Counter[int]]


def prove_fhir(
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    people: tuple[list[str], list[str]],
    offsets: Mapping[str, int],
) -> LinkedProof:
    """Check the files that were written: `people` are old and new ids, `offsets` days by old id."""
    olds, news = people
    old_of = dict(zip(news, olds, strict=True))
    resources = {table: list(fhir_resources(path)) for table, path in after.items()}
    patients = [
        str(one["id"]) for some in resources.values() for one in some if one["resourceType"] == "Patient"
    ]
    checks = (
        _people(patients, old_of, set(olds)),
        _references(resources),
        _rows(before, resources, old_of),
        _dates(before, resources, old_of, offsets),
        _originals(before, after),
    )
    return LinkedProof(len(set(patients)), checks)


def _check(name: str, title: str, checked: int, bad: int, what: str) -> ProofCheck:
    return ProofCheck(name, title, bad == 0, f"{bad:,} {what}", checked, bad)


def _people(patients: list[str], old_of: Mapping[str, str], originals: set[str]) -> ProofCheck:
    bad = len(patients) - len(set(patients)) + sum(one not in old_of or one in originals for one in patients)
    return _check(
        "people", "One pseudonym per person", len(patients), bad, "ids are double, strange or original"
    )


def _references(resources: Mapping[str, list[dict[str, Any]]]) -> ProofCheck:
    ids = {f"{one['resourceType']}/{one['id']}" for some in resources.values() for one in some}
    texts = [text for some in resources.values() for one in some for text in _of(one, "reference")]
    lost = sum(text not in ids for text in texts)
    return _check(
        "keys", "Every key has its parent", len(texts), lost, "references name a resource that is not there"
    )


def _of(value: Any, name: str) -> Iterator[str]:
    """All texts under a name, at any depth."""
    if isinstance(value, Mapping):
        for key, inside in value.items():
            if key == name and isinstance(inside, str):
                yield inside
            yield from _of(inside, name)
    elif isinstance(value, list):
        for inside in value:
            yield from _of(inside, name)


def _rows(
    before: Mapping[str, str], resources: Mapping[str, list[dict[str, Any]]], old_of: Mapping[str, str]
) -> ProofCheck:
    kept = set(old_of.values())
    then = Counter(
        (table, str(person))
        for table, path in before.items()
        for one in fhir_resources(path)
        if (person := fhir_patient(one)) in kept
    )
    now = Counter(
        (table, old_of.get(str(fhir_patient(one)), ""))
        for table, some in resources.items()
        for one in some
        if fhir_patient(one) is not None
    )
    bad = sum(then[one] != now[one] for one in then | now)
    return _check(
        "rows", "Every person has as many rows as before", len(then), bad, "counts of a person differ"
    )


def _dates(
    before: Mapping[str, str],
    resources: Mapping[str, list[dict[str, Any]]],
    old_of: Mapping[str, str],
    offsets: Mapping[str, int],
) -> ProofCheck:
    """Every released day of a person is an original one, moved by the person's number of days."""
    then: dict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
    for path in before.values():
        for one in fhir_resources(path):
            person = str(one["id"]) if one["resourceType"] == "Patient" else fhir_patient(one)
            for where, day in _days(one):
                then[str(person)][where, day] += 1
    checked = bad = 0
    for some in resources.values():
        for one in some:
            own = str(one["id"]) if one["resourceType"] == "Patient" else str(fhir_patient(one))
            person = old_of.get(own, "")
            for where, day in _days(one):
                checked += 1
                original = (where, day - offsets.get(person, 0))
                bad += not offsets.get(person) or then[person][original] < 1
                then[person][original] -= 1
    return _check("offset", "One offset per person", checked, bad, "dates moved by another number of days")


def _days(value: Any, path: str = "") -> Iterator[tuple[str, int]]:
    """All full dates with where they stand."""
    if isinstance(value, Mapping):
        for name, inside in value.items():
            yield from _days(inside, f"{path}.{name}" if path else f"{value.get('resourceType')}.{name}")
    elif isinstance(value, list):
        for inside in value:
            yield from _days(inside, path)
    elif isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", value):
        yield path, date.fromisoformat(value[:10]).toordinal()


def _originals(before: Mapping[str, str], after: Mapping[str, str]) -> ProofCheck:
    """No id, identifier, telephone number or name of the originals stands anywhere in the files."""
    known: set[str] = set()
    for path in before.values():
        for one in fhir_resources(path):
            known |= {
                str(one.get("id")),
                *_of(one.get("identifier"), "value"),
                *_of(one.get("telecom"), "value"),
            }
            known |= {name for part in NAMES for name in _names(one.get("name"), part)}
    words = {word for text in known for word in WORD.findall(text) if any(sign.isdigit() for sign in word)}
    found = {
        word
        for path in after.values()
        for one in fhir_resources(path)
        for text in _texts(one)
        for word in WORD.findall(text)
        if word in words
    }
    return _check("ids", "No original id is left", len(words), len(found), "original ids or names are left")


def _names(value: Any, part: str) -> Iterator[str]:
    for one in value if isinstance(value, list) else ():
        found = one.get(part) if isinstance(one, Mapping) else None
        yield from found if isinstance(found, list) else [found] if isinstance(found, str) else []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inside in value.items():
            if name not in ("code", "system", "url", "profile"):
                yield from _texts(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _texts(inside)
    elif isinstance(value, str):
        yield value


def released_files(folder: Path, names: Mapping[str, str]) -> dict[str, str]:
    """The written files by table."""
    return {table: str(folder / name) for table, name in names.items()}
