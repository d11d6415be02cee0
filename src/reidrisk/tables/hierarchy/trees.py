"""Trees of categories, written as nested mappings and lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.listed import Listed, listed
from reidrisk.tables.hierarchy.matching import written

HINT = "Write categories as names with lists below them, such as Heart: [infarction, angina]."


def tree_rule(spec: Spec) -> tuple[Listed, bool]:
    """The hierarchy of a tree, and whether it needs a level that tells nothing above it."""
    place = spec.at("tree")
    paths = list(_leaves(spec.need("tree", hint=HINT), (), place))
    if not paths:
        raise InvalidSetting(f"{place} has no categories.", hint=HINT)
    height = max(len(path) for path, _ in paths)
    table = [_row(path, height) for path, _ in paths]
    names = _names(spec, height)
    columns = list(zip(*table, strict=True))
    found = listed(place, columns, names, places=[where for _, where in paths])
    single_root = height > 1 and len({row[-1] for row in table}) == 1
    return found, spec.flag("suppress", default=not single_root)


def _leaves(node: Any, above: tuple[str, ...], place: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every leaf with its path from the top, and where it stands."""
    if isinstance(node, Mapping):
        for key, below in node.items():
            name = _name(key, place)
            where = f"{place}.{name}"
            if below is None:
                yield (*above, name), where
            elif isinstance(below, Mapping | list | tuple) and not below:
                raise InvalidSetting(f"{where} has nothing below it.", hint=HINT)
            else:
                yield from _leaves(below, (*above, name), where)
    elif isinstance(node, list | tuple):
        for at, item in enumerate(node):
            yield from _leaves(item, above, f"{place}[{at}]")
    else:
        yield (*above, _name(node, place)), place


def _name(given: Any, place: str) -> str:
    if given is None or given == "":
        raise InvalidSetting(f"{place} has a category without a name.", hint=HINT)
    return written(given)


def _row(path: tuple[str, ...], height: int) -> list[str]:
    """Leaf first; a leaf less deep than others stays itself until its own parents begin."""
    return [path[-1]] * (height - len(path)) + list(reversed(path))


def _names(spec: Spec, height: int) -> list[str]:
    if spec.content.get("names") is None:
        return [str(level) for level in range(height)]
    given = spec.items("names", hint="Name the levels from the leaves up, such as [diagnosis, group].")
    if len(given) != height:
        raise InvalidSetting(
            f"{spec.at('names')} has {len(given)} names for {height} levels.",
            hint="Name every level of the tree from the leaves up; the suppressed top has its own name.",
        )
    for place, name in given:
        if not isinstance(name, str) or not name:
            raise InvalidSetting(f"{place} is no name.", hint="Write a text.")
    return [name for _, name in given]
