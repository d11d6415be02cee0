"""Map annotation types to roles: direct identifier, quasi-identifier, or ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

import yaml

from reidrisk.core.yaml_file import ReferenceFreeLoader
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.text.corpus import ROLES, Annotation, Role

SECTIONS = (*ROLES, "groups", "labels", "unmasked")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TypeMap:
    """The user's roles of types. They override roles in annotations, and both override the defaults."""

    roles: Mapping[str, Role] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    """From a type to the group it is counted with, such as PATIENT and DOCTOR to NAMES."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """From a tool's label to the type or group it means; used where labels are compared."""
    unmasked: frozenset[str] = frozenset()
    """Labels with which the tool marks something without masking it."""
    wide_labels: Mapping[str, str] = field(default_factory=dict)
    """From a type or group to the tool's label that covers it and others: CITY and ZIP to LOCATION."""

    def __post_init__(self) -> None:
        for kind, role in self.roles.items():
            if role not in ROLES:
                raise InvalidSetting.among(f"The role of type {kind!r}", str(role), ROLES)
        members = {kind: self.roles[group] for kind, group in self.groups.items() if group in self.roles}
        for kind, role in members.items():
            if self.roles.get(kind, role) != role:
                raise _contradiction(
                    f"Type {kind!r} and its group {self.groups[kind]!r} have different roles."
                )
        alone = {kind: role for kind, role in self.roles.items() if kind not in self.groups.values()}
        kept = {name: getattr(self, name) for name in ("groups", "labels", "wide_labels")}
        for name, content in {"roles": alone | members, **kept}.items():
            object.__setattr__(self, name, MappingProxyType(dict(content)))

    def to_dict(self) -> dict[str, Any]:
        """JSON types, so that a result can be repeated."""
        return {
            "roles": dict(self.roles),
            "groups": dict(self.groups),
            "labels": dict(self.labels),
            "wide_labels": dict(self.wide_labels),
            "unmasked": sorted(self.unmasked),
        }

    @classmethod
    def choose(cls, choice: str | None) -> TypeMap:
        """From a YAML file, or from text such as `PATIENT=direct,DATE=quasi`."""
        if choice is None:
            return cls()
        if "=" in choice and not _is_file(choice):
            pairs = [part.partition("=") for part in choice.split(",") if part.strip()]
            return cls(roles=_once((kind.strip(), cast("Role", role.strip())) for kind, _, role in pairs))
        return cls.from_dict(_load_yaml(Path(choice)), source=choice)

    @classmethod
    def from_dict(cls, given: object, *, source: str = "the types") -> TypeMap:
        """From the content of a types file: lists under direct, quasi and ignored, or TYPE: role."""
        if not isinstance(given, dict):
            raise _malformed(source)
        roles: list[tuple[str, Role]] = []
        for section, content in given.items():
            if section in ROLES:
                roles += [(kind, cast("Role", section)) for kind in _names(content, source)]
            elif section not in SECTIONS and isinstance(content, str):
                roles.append((str(section), cast("Role", content)))
            elif section not in SECTIONS:
                raise _malformed(source)
        groups = _mapping(given.get("groups"), source)
        members = _once((kind, group) for group, kinds in groups.items() for kind in _names(kinds, source))
        stated = _mapping(given.get("labels"), source)
        labels = {label: str(kind) for label, kind in stated.items() if not isinstance(kind, list)}
        lists = [(label, kinds) for label, kinds in stated.items() if isinstance(kinds, list)]
        wide = _once((kind, label) for label, kinds in lists for kind in _names(kinds, source))
        unmasked = frozenset(_names(given.get("unmasked", []), source))
        return cls(_once(roles), members, labels, unmasked, wide)

    def role(self, annotation: Annotation) -> tuple[Role | None, str]:
        """The role of an annotation and where it comes from; None if it is unknown."""
        if annotation.type in self.roles:
            return self.roles[annotation.type], "your types"
        if annotation.role is not None:
            return annotation.role, "the annotation"
        return default_roles().get(annotation.type.upper(), (None, "nobody"))

    def counted_as(self, kind: str) -> str:
        """The group of a type, or the type itself."""
        return self.groups.get(kind, kind)

    def label_stands_for(self, label: str) -> str:
        """The type or group that a tool's label means, or the label itself if it means several."""
        return self.compared_as(self.counted_as(self.labels.get(label, label)))

    def compared_as(self, kind: str) -> str:
        """What a type or group is called where labels are compared."""
        return self.wide_labels.get(kind, kind)


@lru_cache(maxsize=1)
def default_roles() -> dict[str, tuple[Role | None, str]]:
    """Role and scheme of every type in the public schemes."""
    text = files("reidrisk.text").joinpath("data/default_types.yaml").read_text(encoding="utf-8")
    found: dict[str, tuple[Role | None, str]] = {}
    for scheme, roles in yaml.safe_load(text).items():
        for role, kinds in roles.items():
            for kind in kinds:
                found.setdefault(kind, (role, f"the {scheme} scheme"))
    return found


class _StrictLoader(ReferenceFreeLoader):
    """A YAML loader that refuses duplicate keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        """Refuse a key that is given twice."""
        keys = [key.value for key, _ in node.value]
        twice = {str(key) for key in keys if keys.count(key) > 1}
        if twice:
            raise _contradiction(f"The types file names {', '.join(sorted(twice))} twice.")
        return super().construct_mapping(node, deep)


def _is_file(choice: str) -> bool:
    try:
        return Path(choice).is_file()
    except (OSError, ValueError):  # too long, or with characters that no file name has
        return False


def _load_yaml(path: Path) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8-sig"), Loader=_StrictLoader)  # noqa: S506 - a safe loader
    except InvalidSetting:
        raise
    except FileNotFoundError:
        raise UnreadableFile.missing(path) from None
    except (OSError, UnicodeDecodeError):
        raise UnreadableFile(
            f"The types file {path} cannot be read as UTF-8 text.", hint="Check its encoding."
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError, KeyError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise UnreadableFile(
            f"The types file {path}{where} is not valid YAML.",
            hint="Write lists under direct:, quasi: and ignored:.",
        ) from None


def _once(pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    """A dictionary of the pairs; contradictions are refused."""
    found: dict[str, T] = {}
    for kind, value in pairs:
        if not kind:
            raise InvalidSetting("A type has no name.", hint="Write TYPE=role, such as PATIENT=direct.")
        if found.setdefault(kind, value) != value:
            raise _contradiction(f"Type {kind!r} is mapped twice with different results.")
    return found


def _contradiction(problem: str) -> InvalidSetting:
    return InvalidSetting(problem, hint="State the role and the group of each type only once.")


def _names(content: object, source: str) -> list[str]:
    if not isinstance(content, list) or not all(isinstance(name, str | int) for name in content):
        raise _malformed(source)
    return [str(name) for name in content]


def _mapping(content: object, source: str) -> dict[str, Any]:
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise _malformed(source)
    return {str(name): value for name, value in content.items()}


def _malformed(source: str) -> InvalidSetting:
    return InvalidSetting(
        f"{source} does not map types to roles.",
        hint=(
            "Write lists of types under direct:, quasi: and ignored:, or lines such as PATIENT: direct; "
            "groups: maps a name to a list of types, labels: a tool's label to a type or a list of types."
        ),
    )
