"""What parts of a release tell about each person, counted together.

Values of tables form the class of a person, and what documents tell, or what is known to have leaked from
texts, refines it: "not told" is a value. A value at the level of a table beside it, or above, adds nothing.
Events of all parts may be known, with the distances between their dates if these were moved by one offset
per person. What may leak from texts and documents counts with its probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.engine.linked import NO_DAY
from reidrisk.errors import InvalidSetting
from reidrisk.relational.exposure import JoinKnowledge, static_of
from reidrisk.relational.told import Coarser, adds_nothing
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.joined import JoinedKnown, joined_risk, repeated, runs
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from reidrisk.stats.keys import distinct
from reidrisk.stats.leaked_values import LeakKind, leak_chance, left_after_leaks, mean_share

LeakMode = Literal["model", "observed"]
Texts = tuple[str | None, ...]
QUANTILES = np.append((np.arange(49) + 0.5) / 49, [0.025, 0.975])
"""Of the recall: to average over, then the worst and the best that are compatible with the evidence."""


@dataclass(frozen=True, slots=True, eq=False)
class TextLeaks:
    """Values of people in texts, how often they occur, and what is known about their leaking."""

    kinds: tuple[LeakKind, ...]
    values: tuple[Texts, ...] = field(repr=False)
    """By kind: the value of each person; None without one."""
    instances: Ints = field(repr=False)
    """By person and kind."""
    leaked: Bools | None = field(default=None, repr=False)
    """By person and kind: whether the value leaked, if all texts of the people were evaluated."""
    direct: float | Floats = 0.0
    """Chance that a direct identifier of a person leaks and is recognized: of everybody, or by person."""
    direct_leaked: Floats | None = field(default=None, repr=False)
    """By person: the same where it is known what leaked."""

    def direct_chances(self) -> Floats:
        """By person: the chance that a direct identifier leaks."""
        return np.array(np.broadcast_to(self.direct, len(self.instances)), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class MovedDays:
    """Dates of events that moved by one offset per person, so that distances between them are known."""

    day: Ints = field(repr=False)
    """By row of an event: its true day, or NO_DAY."""
    shift: Ints = field(repr=False)
    """By person of the part: the offset."""
    most: int | None
    """The largest offset; None if any is possible."""


@dataclass(frozen=True, slots=True, eq=False)
class JointPart:
    """What one part tells about people, by the keys that link them before they are renamed."""

    name: str
    people: tuple[str, ...] = field(repr=False)
    attributes: Mapping[str, Texts] = field(default_factory=dict, repr=False)
    """By attribute: the released value of each person; None if it is empty."""
    told: Mapping[str, Texts] = field(default_factory=dict, repr=False)
    """By attribute: what a document tells about a person; None if nothing."""
    tables: tuple[str, ...] = ()
    person: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)
    table: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)
    event: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)
    days: MovedDays | None = field(default=None, repr=False)
    """None if events have no dates, or dates count as values."""
    leaks: TextLeaks | None = field(default=None, repr=False)
    coarser: Mapping[str, Coarser] = field(default_factory=dict, repr=False)
    """By attribute: what each of its released values tells on higher levels of its hierarchy."""

    def __post_init__(self) -> None:
        if len(set(self.people)) < len(self.people):
            raise InvalidSetting(
                f"The part {self.name} has a person twice.", hint="The link must name each person once."
            )


@dataclass(frozen=True, slots=True)
class JointSettings:
    """How parts are combined."""

    known: int = 2
    leaks: LeakMode = "model"
    same: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By attribute: where it stands, as PART.NAME; a told value that the table shows adds nothing."""
    seed: int = 7
    budget: int = JoinKnowledge().budget

    def attribute_of(self, place: str) -> str:
        """The attribute that stands at PART.NAME: a name of `same`, or its own."""
        return next((name for name, places in self.same.items() if place in places), place)

    def same_as(self, place: str) -> list[str]:
        """Other places with the same attribute."""
        return [
            other for places in self.same.values() if place in places for other in places if other != place
        ]


@dataclass(frozen=True, slots=True, eq=False)
class PartsMeasure:
    """The risk of every person through some parts."""

    risk: Floats = field(repr=False)
    high: Floats = field(repr=False)
    """The upper limit, which decides."""
    support: Ints = field(repr=False)
    """By person: how many fit, without what may leak; never more than there are."""
    average: float
    average_high: float
    by_known: tuple[JoinedKnown, ...] = field(repr=False)

    @property
    def highest(self) -> float:
        """The upper limit of the most exposed person."""
        return float(self.high.max())

    def among(self, there: Bools) -> PartsMeasure:
        """The same among more people, of whom the parts tell nothing."""
        risk, high = np.zeros(len(there)), np.zeros(len(there))
        support = np.full(len(there), len(there), dtype=np.int64)
        risk[there], high[there], support[there] = self.risk, self.high, self.support
        return replace(self, risk=risk, high=high, support=support)

    def share_above(self, threshold: Threshold) -> float:
        """Share of people above the threshold."""
        return float(np.count_nonzero(self.above(threshold))) / len(self.high)

    def above(self, threshold: Threshold) -> Bools:
        """By person: whether the upper limit is above the threshold."""
        return np.asarray(self.high > threshold.probability * (1 + 1e-9))

    def to_dict(self) -> dict[str, Any]:
        """How many people have which risk, as JSON types: nothing about a single person."""
        return {
            "risk": runs(self.risk),
            "high": runs(self.high),
            "average": self.average,
            "average_high": self.average_high,
            "by_known": [one.to_dict() for one in self.by_known],
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> PartsMeasure:
        """Read what `to_dict` wrote; people come in the order of their risk."""
        known = tuple(JoinedKnown.from_dict(one) for one in given["by_known"])
        return cls(
            repeated(given["risk"]),
            repeated(given["high"]),
            known[-1].floor,
            given["average"],
            given["average_high"],
            known,
        )

    def figures(self, threshold: Threshold) -> dict[str, Any]:
        """As JSON types."""
        return {
            "highest": self.highest,
            "average": self.average,
            "average_high": self.average_high,
            "share_above_threshold": self.share_above(threshold),
            "acceptable": self.highest <= threshold.probability * (1 + 1e-9),
        }


def measure_parts(parts: Sequence[JointPart], keys: tuple[str, ...], settings: JointSettings) -> PartsMeasure:
    """The risk of the people `keys` through these parts.

    Whoever is in some of the parts is told nothing by the others; whoever is in none has no risk.
    """
    present = {key for part in parts for key in part.people}
    if len(present) < len(keys):
        there = np.array([key in present for key in keys])
        own = measure_parts(parts, tuple(key for key in keys if key in present), settings)
        return own.among(there)
    place_of = {key: place for place, key in enumerate(keys)}
    columns = _columns(parts, place_of, settings)
    static = static_of(columns, len(keys))
    events = _JointEvents.of(parts, place_of)
    found = events.risk(static, settings)
    worst = found[-1]
    shown = _TableValues.of(parts, place_of, settings)
    risk, high = _with_leaks(parts, place_of, static, worst.floor, shown)
    in_text = _in_texts(parts, place_of, settings)
    if in_text.any() and not in_text.all():
        # whoever is in no text still has the others of that sort beside them, whatever leaks
        apart = static_of({**columns, "in texts": in_text.astype(np.int64)}, len(keys))
        most = np.where(in_text, 1.0, 1 / events.risk(apart, settings)[-1].floor)
        risk, high = np.minimum(risk, most), np.minimum(high, most)
    more = float(np.mean(high - 1 / worst.floor))
    average = worst.average + float(np.mean(risk - 1 / worst.floor))
    return PartsMeasure(
        risk, high, worst.floor, min(1.0, average), min(1.0, worst.average_limits[1] + more), found
    )


def _columns(
    parts: Sequence[JointPart], place_of: Mapping[str, int], settings: JointSettings
) -> dict[str, Ints]:
    """Released values, and what is told beyond them; parts that tell the same attribute tell it once."""
    shown = _TableValues.of(parts, place_of, settings)
    told: dict[str, list[set[str]]] = {}
    for part in parts:
        for name, values in {**part.told, **_leaked(part, settings)}.items():
            place = f"{part.name}.{name}"
            new = shown.beyond(place, _aligned(part, values, place_of))
            own = told.setdefault(settings.attribute_of(place), [set() for _ in place_of])
            for known, value in zip(own, new, strict=True):
                known.update(() if value is None else (value,))
    columns = {name: _codes(values) for name, values in shown.values.items()}
    for name, sets in told.items():
        columns[f"{name} (told)"] = _codes([" | ".join(sorted(one)) if one else None for one in sets])
    return columns


@dataclass(frozen=True, slots=True)
class _TableValues:
    """What tables show of each person, and what that tells on higher levels."""

    values: dict[str, list[str | None]]
    coarser: dict[str, Coarser]
    settings: JointSettings

    @classmethod
    def of(
        cls, parts: Sequence[JointPart], place_of: Mapping[str, int], settings: JointSettings
    ) -> _TableValues:
        values = {
            f"{part.name}.{name}": _aligned(part, own, place_of)
            for part in parts
            for name, own in part.attributes.items()
        }
        coarser = {f"{part.name}.{name}": own for part in parts for name, own in part.coarser.items()}
        return cls(values, coarser, settings)

    def beyond(self, place: str, told: list[str | None]) -> list[str | None]:
        """Told values without those that a table with the same attribute shows, on its level or above."""
        for other in self.settings.same_as(place):
            if other not in self.values:
                continue
            pairs, above = zip(told, self.values[other], strict=True), self.coarser.get(other)
            told = [None if one is None or adds_nothing(one, two, above) else one for one, two in pairs]
        return told


def _aligned(part: JointPart, values: Texts, place_of: Mapping[str, int]) -> list[str | None]:
    found: list[str | None] = [None] * len(place_of)
    for key, value in zip(part.people, values, strict=True):
        found[place_of[key]] = value
    return found


def _codes(values: Sequence[str | None]) -> Ints:
    number = {value: code for code, value in enumerate(sorted({one for one in values if one is not None}))}
    return np.array([len(number) if one is None else number[one] for one in values], dtype=np.int64)


def _leaked(part: JointPart, settings: JointSettings) -> dict[str, Texts]:
    """Values that are known to have leaked tell as much as a document does."""
    leaks = part.leaks
    if leaks is None or settings.leaks != "observed":
        return {}
    if leaks.leaked is None:
        raise InvalidSetting(
            f"It is not known what leaked from {part.name}.",
            hint="Write leaks: model, or evaluate all texts.",
        )
    return {
        kind.name: tuple(
            value if leaked else None
            for value, leaked in zip(leaks.values[place], leaks.leaked[:, place], strict=True)
        )
        for place, kind in enumerate(leaks.kinds)
    }


@dataclass(frozen=True, slots=True, eq=False)
class _JointEvents:
    """The events of all parts; codes and tables of different parts differ."""

    person: Ints
    event: Ints
    table_of: Ints
    """By event; one entry more, so that the last table is there."""
    tables: int
    day: Ints
    """True day by row, or NO_DAY."""
    shift: Ints
    """By person: the offset of all dates."""
    most: int | None

    @classmethod
    def of(cls, parts: Sequence[JointPart], place_of: Mapping[str, int]) -> _JointEvents:
        nothing = np.zeros(0, dtype=np.int64)
        person, event, day, table_of = [nothing], [nothing], [nothing], [nothing]
        tables = codes = 0
        for part in parts:
            if not part.tables:
                continue
            here = np.array([place_of[key] for key in part.people], dtype=np.int64)
            number = int(part.event.max(initial=-1)) + 1
            of = np.full(number, tables, dtype=np.int64)
            of[part.event] = part.table + tables
            person.append(here[part.person])
            event.append(part.event + codes)
            day.append(part.days.day if part.days is not None else np.full(len(part.event), NO_DAY))
            table_of.append(of)
            tables, codes = tables + len(part.tables), codes + number
        table_of.append(np.array([max(tables - 1, 0)]))
        shift, most = _offsets(parts, place_of)
        return cls(
            np.concatenate(person),
            np.concatenate(event),
            np.concatenate(table_of),
            tables,
            np.concatenate(day),
            shift,
            most,
        )

    def risk(self, static: Ints, settings: JointSettings) -> tuple[JoinedKnown, ...]:
        """The risk of people in these classes, by the number of events that are known."""
        known = settings.known if self.tables else 0
        dated = self.day != NO_DAY
        if dated.any():
            day = np.where(dated, self.day, 0)
            rows = DatedRows(self.person, self.event, self.table_of, day, dated, self.shift, self.most)
            lists: EventLists | DatedLists = DatedLists.of(rows, static)
        else:
            keys = distinct(self.person * len(self.table_of) + self.event)
            person, event = keys // len(self.table_of), keys % len(self.table_of)
            ones = np.ones(len(keys), dtype=np.int64)
            lists = event_lists(Pairs(person, event, ones, self.table_of), static)
        return joined_risk(lists, known, seed=settings.seed, budget=settings.budget).by_known


def _offsets(parts: Sequence[JointPart], place_of: Mapping[str, int]) -> tuple[Ints, int | None]:
    """The offset of each person, and the largest that an adversary expects; all parts must agree."""
    shift, known = np.zeros(len(place_of), dtype=np.int64), np.zeros(len(place_of), dtype=np.bool_)
    found: set[int | None] = set()
    for part in parts:
        if part.days is None:
            continue
        here = np.array([place_of[key] for key in part.people], dtype=np.int64)
        found.add(part.days.most)
        if len(found) > 1 or (known[here] & (shift[here] != part.days.shift)).any():
            raise InvalidSetting(
                f"The part {part.name} moves dates of a person by another number of days than a part "
                "before it.",
                hint="Release all parts with the same key and the same range of offsets.",
            )
        shift[here], known[here] = part.days.shift, True
    return shift, next(iter(found), None)


def _in_texts(parts: Sequence[JointPart], place_of: Mapping[str, int], settings: JointSettings) -> Bools:
    """By person: whether values of theirs may leak from texts."""
    found = np.zeros(len(place_of), dtype=np.bool_)
    if settings.leaks == "model":
        for part in parts:
            if part.leaks is not None:
                here = np.array([place_of[key] for key in part.people], dtype=np.int64)
                found[here[(part.leaks.instances > 0).any(axis=1) | (part.leaks.direct_chances() > 0)]] = True
    return found


def _with_leaks(
    parts: Sequence[JointPart],
    place_of: Mapping[str, int],
    static: Ints,
    support: Ints,
    shown: _TableValues,
) -> tuple[Floats, Floats]:
    """The mean risk and the upper limit of every person, with what may leak."""
    settings = shown.settings
    risk = 1.0 / support
    high = risk.copy()
    sources = [(part, part.leaks) for part in parts if part.leaks is not None]
    if settings.leaks == "model" and any(leaks.kinds for _, leaks in sources):
        risk, high = _leak_model(sources, place_of, static, support, shown)
    for part, leaks in sources:
        here = np.array([place_of[key] for key in part.people], dtype=np.int64)
        seen = leaks.direct_leaked if settings.leaks == "observed" else None
        chance = leaks.direct_chances() if seen is None else seen
        risk[here] = chance + (1 - chance) * risk[here]
        high[here] = chance + (1 - chance) * high[here]
    return risk, high


def _leak_model(
    sources: Sequence[tuple[JointPart, TextLeaks]],
    place_of: Mapping[str, int],
    static: Ints,
    support: Ints,
    shown: _TableValues,
) -> tuple[Floats, Floats]:
    """R of everybody, for the people who fit the worst that may be known.

    People in no text leak nothing: their risk rises only because others stand out. As many people in texts as
    possible are among those who fit, and each leaks with the largest chance of all. With one kind, those who
    share the value are those of the class whose texts have it, less those who do not fit; each of them leaks
    with the smallest chance. With several kinds every leak counts as if nobody else had the value. Each is
    the worst that is possible, and another part never makes it less. The limit is that of the worst recall.
    """
    kept = np.ones((len(QUANTILES), len(static)))
    in_text = np.zeros(len(static), dtype=np.bool_)
    alike = np.ones(len(static), dtype=np.int64)
    kinds = sum(len(leaks.kinds) for _, leaks in sources)
    for part, leaks in sources:
        for place, kind in enumerate(leaks.kinds):
            values = shown.beyond(f"{part.name}.{kind.name}", _aligned(part, leaks.values[place], place_of))
            number = np.zeros(len(static), dtype=np.int64)
            number[[place_of[key] for key in part.people]] = leaks.instances[:, place]
            number[[value is None for value in values]] = 0
            in_text |= number > 0
            for row, recall in enumerate(kind.recall(QUANTILES)):
                kept[row] *= 1 - leak_chance(np.full(len(static), recall), number, kind.recognition)
            if kinds == 1:
                cells = np.stack([static, in_text, _codes(values)], axis=1)
                _, of, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
                alike = np.where(in_text, count[of.ravel()], 1)
    sharing = np.clip(alike - (np.bincount(static)[static] - support), 1, support)
    texts = int(np.count_nonzero(in_text))
    others = np.clip(texts - in_text, 0, support - sharing)
    chances = 1 - kept
    fewest, most = (chances[:, in_text].min(axis=1), chances.max(axis=1)) if texts else (0 * kept[:, 0],) * 2
    left = _left(support - others, others, most)
    none = (1 - fewest[:, None]) ** (sharing - 1)
    risks = chances * mean_share(sharing, fewest) + kept * none * left
    return risks[:-2].mean(axis=0), np.amax(risks[1:], axis=0)


def _left(surely: Ints, others: Ints, chances: Floats) -> Floats:
    """By chance and person: the risk of whoever fits beside those of whom nothing leaked."""
    cells, of = np.unique(np.column_stack([surely, others]), axis=0, return_inverse=True)
    found = [left_after_leaks(int(stay), int(go), chances) for stay, go in cells]
    return np.column_stack(found)[:, of.ravel()]
