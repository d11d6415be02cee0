"""Addresses, organizations, telephone numbers and record numbers of a note."""

from __future__ import annotations

import numpy as np

from reidrisk.demo import vocabulary as words
from reidrisk.demo.entity import Entity, pick, plain, shares
from reidrisk.demo.plan import SOCIAL_WORK

_ORGANIZATIONS = {
    "facility": words.FACILITIES,
    "agency": words.AGENCIES,
    "pharmacy": words.PHARMACIES,
    "employer": words.EMPLOYERS,
}
_PHONES = ("unitphone", "homephone", "clinicphone", "kinphone", "pharmacyphone", "fax")
_RECORDS = ("account", "encounter", "member", "docid")


def homes(counts: dict[str, int], *, rng: np.random.Generator) -> list[Entity]:
    """Street, city, state and ZIP code of the home, which agree, and at most one other of each."""
    name, short, zip2 = pick(words.STATES, rng=rng)
    found: list[Entity] = []
    for part, type_ in (("street", "STREET"), ("city", "CITY"), ("state", "STATE"), ("zip", "ZIP")):
        mentions = counts.get(type_, 0)
        away = int(mentions > 1 and rng.random() < _AWAY[type_])
        if mentions:
            writing = _home_writing(part, (name, short, zip2), rng=rng)
            found.append(Entity(part, type_, mentions - away, writing, ("full",)))
        if away:
            found.append(_other(part, type_, not_this=writing["full"], rng=rng))
    return found


_AWAY = {"STREET": 0.5, "CITY": 0.3, "STATE": 0.25, "ZIP": 0.0}


def _home_writing(part: str, state: tuple[str, ...], *, rng: np.random.Generator) -> dict[str, str]:
    if part == "street":
        return {"full": _street(rng=rng)}
    if part == "city":
        return {"full": pick(words.TOWNS, rng=rng)}
    if part == "state":
        return {"full": state[0], "abbr": state[1]}
    return {"full": f"{state[2]}{rng.integers(1000):03d}"}


def _other(part: str, type_: str, *, not_this: str, rng: np.random.Generator) -> Entity:
    text = not_this
    while text == not_this:
        if part == "street":
            text = _street(rng=rng)
        else:
            text = pick(words.TOWNS if part == "city" else [row[0] for row in words.STATES], rng=rng)
    return plain(f"other{part}", type_, 1, text)


def _street(*, rng: np.random.Generator) -> str:
    road = f"{rng.integers(2, 4990)} {pick(words.STREETS, rng=rng)} {pick(words.STREET_KINDS, rng=rng)}"
    return f"{road}, Apt {rng.integers(1, 40)}{pick('ABCD', rng=rng)}" if rng.random() < 0.3 else road


def organizations(mentions: int, *, kind: str, rng: np.random.Generator) -> list[Entity]:
    """Mostly one, seldom two or three; never two of one kind."""
    distinct = min(3, 1 + int(rng.binomial(mentions - 1, 0.2)))
    parts = ["agency", "facility"] if kind == SOCIAL_WORK else ["facility", "agency"]
    parts.append(pick(("pharmacy", "employer"), rng=rng))
    heads = rng.permutation(len(words.ORGANIZATION_HEADS))
    found = []
    for part, head, count in zip(parts, heads, shares(mentions, distinct, rng=rng), strict=False):
        text = f"{words.ORGANIZATION_HEADS[head]} {pick(_ORGANIZATIONS[part], rng=rng)}"
        forms = {"full": text, "short": words.ORGANIZATION_HEADS[head]}
        found.append(Entity(part, "ORGANIZATION", count, forms, ("full",)))
    return found


def phones(mentions: int, *, rng: np.random.Generator) -> list[Entity]:
    """Numbers of the range reserved for fiction, most of them mentioned once."""
    order = rng.permutation(len(_PHONES))
    distinct = max(-(-mentions // 2), int(rng.integers(1, mentions + 1)))
    counts = [mentions // distinct + (at < mentions % distinct) for at in range(distinct)]
    lines = rng.permutation(100)
    area = int(rng.integers(201, 990))
    return [
        _phone(_PHONES[at], count, area=area, line=int(line))
        for at, line, count in zip(order, lines, counts, strict=False)
    ]


def _phone(part: str, mentions: int, *, area: int, line: int) -> Entity:
    forms = {"us": f"({area}) 555-01{line:02d}", "dashed": f"{area}-555-01{line:02d}"}
    return Entity(part, "PHONE", mentions, forms, ("us", "dashed"))


def record_numbers(mentions: int, *, rng: np.random.Generator) -> list[Entity]:
    """The medical record number first, repeated in long notes, then numbers of single events."""
    own = min(mentions, 1 + int(rng.binomial(2, min(1.0, mentions / 12))))
    found = [plain("mrn", "ID", own, f"{rng.integers(10**6, 10**8)}")]
    once = [part for part in _RECORDS if rng.random() < 0.6][: mentions - own]
    found += [plain(part, "ID", 1, _record(part, rng=rng)) for part in once]
    rest = mentions - own - len(once)
    numbers = {_record("accession", rng=rng): None for _ in range(rest)}
    while len(numbers) < rest:
        numbers[_record("accession", rng=rng)] = None
    return found + [plain("accession", "ID", 1, number) for number in numbers]


def _record(part: str, *, rng: np.random.Generator) -> str:
    digits = f"{rng.integers(10**6, 10**7)}"
    if part == "accession":
        return f"{pick('SRHC', rng=rng)}{digits[:2]}-{digits[2:]}"
    return {"account": "A00", "encounter": "E-", "member": "XQK", "docid": "DOC-"}[part] + digits
