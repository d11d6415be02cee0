"""Reads study.yaml; whatever is wrong is named by its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.context.preset import preset, threshold_of
from reidrisk.context.qualitative import QualitativeRisk, qualitative_risk
from reidrisk.core.place import SettingPlace
from reidrisk.core.spec import Spec, whole
from reidrisk.core.threshold import Threshold
from reidrisk.core.yaml_file import read_lined_yaml
from reidrisk.documents.study.recall import RecallFigures
from reidrisk.documents.study.schema import SUBJECT, StudySchema
from reidrisk.documents.study.study import Deidentified, ReleasedTables, ReleaseRules, Study
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import hierarchies_from

_KEYS = (
    "study",
    "subject",
    "ipd",
    "schema",
    "documents",
    "deidentified",
    "sections",
    "threshold",
    "review",
    "qualitative",
)
_FACTORS = ("identifiers", "population", "participants", "centres")


def read_study(path: str | Path) -> Study:
    """The study that a YAML file describes; the paths in it start from its folder."""
    file = Path(path)
    lined = read_lined_yaml(file)
    place = SettingPlace(file.name, (), lined.lines)
    content = lined.content
    if not isinstance(content, Mapping):
        raise InvalidSetting(
            f"{file.name} is no mapping of settings.", hint="Begin with study: NAME and ipd: {adsl: FILE}."
        )
    return _StudyReader(file.parent, place).study(Spec.of(content, place=file.name))


@dataclass(frozen=True, slots=True)
class _StudyReader:
    """One file; relative paths in it start from a folder."""

    folder: Path
    place: SettingPlace

    def study(self, spec: Spec) -> Study:
        for key in spec.content:
            if key not in _KEYS:
                unknown = InvalidSetting.among("A setting of a study", key, _KEYS)
                line = self.place.at(key).file_and_line
                raise InvalidSetting(f"{line}: {unknown.problem}", hint=unknown.hint)
        tables = self._tables(spec)
        schema = self._schema(spec)
        rules = self._deidentified(spec)
        sections = self._sections(spec)
        with self.place.at("schema" if schema else "sections").names_line():
            return Study(
                tables,
                schema,
                subject=spec.text("subject", SUBJECT),
                documents=tuple(str(self.folder / str(one)) for one in _list(spec, "documents")),
                name=spec.text("study", self.place.file.rsplit(".", 1)[0]),
                deidentified=rules,
                sections=sections,
                threshold=self._threshold(spec),
                review=self._review(spec),
                recall=self._recall(spec),
                qualitative=self._qualitative(spec),
            )

    def _below(self, spec: Spec, key: str, *, hint: str) -> Spec | None:
        """The settings under a key, or None if it is not there."""
        found = spec.content.get(key)
        if found is None:
            return None
        if not isinstance(found, Mapping) or not found:
            raise self.place.at(key).wrong("is no mapping, or an empty one.", hint=hint)
        return Spec.of(found, place=f"{self.place.file}: {key}")

    def _path(self, spec: Spec, key: str) -> Path:
        return self.folder / spec.text(key, "")

    def _tables(self, spec: Spec) -> dict[str, Path]:
        hint = "Write ipd: {adsl: data/adsl.xpt}, first the table with one row a participant."
        spec.need("ipd", hint=hint)
        ipd = self._below(spec, "ipd", hint=hint)
        with self.place.at("ipd").names_line():
            return {} if ipd is None else {name: self._path(ipd, name) for name in ipd.content}

    def _schema(self, spec: Spec) -> StudySchema | None:
        hint = "Write schema: {quasi: [AGE, SEX]}, or leave it out where names are those of CDISC."
        schema = self._below(spec, "schema", hint=hint)
        if schema is None:
            return None
        with self.place.at("schema").names_line():
            schema.allow(("direct", "quasi", "dates", "events", "text", "other"))
            events = schema.content.get("events") or {}
            if not isinstance(events, Mapping):
                raise InvalidSetting("events is no mapping.", hint="Write events: {ae: [AETERM, AESTDTC]}.")
            return StudySchema(
                quasi=tuple(_list(schema, "quasi")),
                direct=tuple(_list(schema, "direct")),
                dates=tuple(_list(schema, "dates")),
                events={str(table): tuple(_listed(columns)) for table, columns in events.items()},
                text=_named(schema, "text", hint="Write text: {AETERM: drop}.", otherwise="drop"),
                other=_named(schema, "other", hint="Write other: {COLUMN: REASON}."),
            )

    def _deidentified(self, spec: Spec) -> Deidentified | None:
        given = self._below(spec, "deidentified", hint="Write rules: key, recode, shift, levels; or tables.")
        if given is None:
            return None
        with self.place.at("deidentified").names_line():
            if "tables" in given.content:
                given.allow(("tables", "link"))
                return self._released(given)
            given.allow(("key", "recode", "shift", "hierarchies", "levels"))
            return self._rules(given)

    def _released(self, given: Spec) -> ReleasedTables:
        hint = (
            "Write tables: {adsl: released/adsl.csv} and link: FILE with two columns, original and released."
        )
        tables = given.need("tables", hint=hint)
        if not isinstance(tables, Mapping):
            raise InvalidSetting(f"{given.at('tables')} is no mapping.", hint=hint)
        given.need("link", hint=hint)
        paths = {str(name): self.folder / str(path) for name, path in tables.items()}
        return ReleasedTables(paths, self._path(given, "link"))

    def _rules(self, given: Spec) -> ReleaseRules:
        shift = given.content.get("shift")
        days = None
        if shift is not None:
            spec = Spec.of(shift, place=given.at("shift"))
            spec.allow(("days",))
            days = whole(spec.need("days", hint="Write shift: {days: 365}."), spec.at("days"))
        hierarchies = given.content.get("hierarchies")
        levels = given.content.get("levels") or {}
        if not isinstance(levels, Mapping):
            raise InvalidSetting(f"{given.at('levels')} is no mapping.", hint="Write levels: {AGE: 5 years}.")
        return ReleaseRules(
            key=None if given.content.get("key") is None else self._path(given, "key"),
            recode=tuple(_list(given, "recode")),
            shift_days=days,
            hierarchies=hierarchies_from(
                hierarchies, folder=self.folder, place=f"{given.at('hierarchies')}: "
            )
            if hierarchies
            else {},
            levels={str(name): level for name, level in levels.items()},
        )

    def _sections(self, spec: Spec) -> dict[str, Any]:
        given = spec.content.get("sections") or {}
        if not isinstance(given, Mapping):
            raise self.place.at("sections").wrong(
                "is no mapping.", hint='Write sections: {"16.2": leave_out}.'
            )
        return {str(section): rule for section, rule in given.items()}

    def _threshold(self, spec: Spec) -> Threshold | None:
        given = self._below(spec, "threshold", hint="Write threshold: {cell_size: 11}.")
        if given is None:
            return None
        with self.place.at("threshold").names_line():
            given.allow(("cell_size", "probability", "preset", "variant", "reason"))
            if "preset" not in given.content:
                return threshold_of(given, reason=f"named in {self.place.file}")
            policy, _ = preset(given.text("preset", ""), place=given.at("preset"), folder=self.folder)
            rung = policy.base(given.content.get("variant"), "medium", place=given.place)
            if rung is None:
                raise InvalidSetting(
                    f"The preset {policy.name} names no number.", hint="Write threshold: {cell_size: 11}."
                )
            return rung.threshold

    def _review(self, spec: Spec) -> Path | None:
        given = self._below(spec, "review", hint="Write review: {findings: reviewed.json}.")
        if given is None:
            return None
        with self.place.at("review").names_line():
            given.allow(("findings", "recall"))
            if ("findings" in given.content) == ("recall" in given.content):
                raise InvalidSetting(
                    "review names findings or figures of recall, one of both.",
                    hint="Write review: {findings: reviewed.json}.",
                )
            return self._path(given, "findings") if "findings" in given.content else None

    def _recall(self, spec: Spec) -> RecallFigures | None:
        review = spec.content.get("review")
        if not isinstance(review, Mapping) or "recall" not in review:
            return None
        with self.place.at("review").at("recall").names_line():
            return RecallFigures.of(Spec.of(review["recall"], place="review.recall"))

    def _qualitative(self, spec: Spec) -> QualitativeRisk | None:
        hint = f"Name {', '.join(_FACTORS)}, each low, moderate or high."
        given = self._below(spec, "qualitative", hint=hint)
        if given is None:
            return None
        with self.place.at("qualitative").names_line():
            given.allow(_FACTORS)
            for factor in _FACTORS:
                given.need(factor, hint=hint)
            return qualitative_risk(**{name: str(given.content[name]) for name in _FACTORS})


def _list(spec: Spec, key: str) -> list[Any]:
    return _listed(spec.content.get(key))


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, list | tuple) else [given]


def _named(spec: Spec, key: str, *, hint: str, otherwise: str | None = None) -> dict[str, Any]:
    """Variables by name; of a list, all with the same."""
    given = spec.content.get(key) or {}
    if otherwise is not None and isinstance(given, list):
        given = dict.fromkeys(given, otherwise)
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"{spec.at(key)} is no mapping.", hint=hint)
    return {str(name): value for name, value in given.items()}
