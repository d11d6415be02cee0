"""Change settings in the text of a YAML file: comments, order and all other lines stay as they are.

The text is compared with the content that it should have, and only the places that differ are written anew.
At the end the new text is read again: it has exactly that content, or the change is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import SequenceMatcher
from typing import Any

import yaml

from reidrisk.core.yaml_file import PlainLoader, parsed, yaml_text, yaml_value
from reidrisk.errors import InvalidSetting, ReidRiskError

WIDEST = 100
"""Longer values get lines of their own."""
_COMMENT = re.compile(r"( {2,})#")
STEP = 2
"""Spaces that a level of new lines is indented by."""


def edit_yaml(text: str, content: Any, *, source: str) -> str:
    """The text changed so that it reads as `content`; `source` names it in errors."""
    whole = text if text.endswith("\n") or not text else f"{text}\n"
    wanted = _plain(content, source)
    node, now = parsed(whole, source, _composed)
    if is_same(now, wanted):
        return text
    edit = _Edit(whole)
    if node is None:
        edit.replace(len(whole), len(whole), "\n".join(_block(wanted, 0)) + "\n")
    else:
        edit.change(node, now, wanted, None)
    made = edit.text()
    try:
        _, found = parsed(made, source, _composed)
    except ReidRiskError:
        found = _UNREADABLE
    if not is_same(found, wanted):
        raise InvalidSetting(
            f"{source} is written in a way in which this change cannot be made with its comments kept.",
            hint="Change the file in an editor.",
        )
    return made


_UNREADABLE = object()


def is_same(one: Any, other: Any) -> bool:
    """Whether two contents are the same: 1, 1.0, true and "1" all differ.

    >>> is_same({"a": [1, None]}, {"a": [1, None]}), is_same(1, True), is_same(1, 1.0)
    (True, False, False)
    """
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(is_same(*pair) for pair in zip(one, other, strict=True))
    return type(one) is type(other) and bool(one == other)


def _composed(loader: PlainLoader) -> tuple[yaml.Node | None, Any]:
    node = loader.get_single_node()
    return node, None if node is None else loader.construct_document(node)


def _plain(value: Any, source: str) -> Any:
    """The value as the types that YAML reads."""
    if isinstance(value, Mapping):
        return {key: _plain(one, source) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one, source) for one in value]
    if value is None or isinstance(value, str | int | float | date):
        return value
    raise InvalidSetting(
        f"{source}: a value of the type {type(value).__name__} cannot be written.",
        hint="Use texts, numbers, true, false, null, dates, lists and mappings.",
    )


def _line_text(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key_text(key)}: {_line_text(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(_line_text(one) for one in value)}]"
    return value.isoformat() if isinstance(value, date) else yaml_value(value)


def _key_text(key: Any) -> str:
    return "null" if key == "null" else yaml_text(key) if isinstance(key, str) else yaml_value(key)


def _fits(value: Any, column: int) -> bool:
    """Whether a value is best written on the line of its key."""
    is_deep = isinstance(value, Mapping | list) and any(
        isinstance(one, Mapping | list) and one
        for one in (value.values() if isinstance(value, Mapping) else value)
    )
    return (
        not value
        or not isinstance(value, Mapping | list)
        or (not is_deep and column + len(_line_text(value)) <= WIDEST)
    )


def _block(value: Any, indent: int) -> Iterator[str]:
    """The lines of a mapping or list, one entry each."""
    space = " " * indent
    if isinstance(value, Mapping) and value:
        for key, one in value.items():
            yield from _entry(f"{space}{_key_text(key)}:", one, indent + STEP)
    elif isinstance(value, list) and value:
        for one in value:
            if isinstance(one, Mapping) and (len(one) > 1 or not _fits(one, indent + STEP)):
                first, *rest = _block(one, indent + STEP)
                yield from (f"{space}- {first.lstrip()}", *rest)
            else:
                yield from _entry(f"{space}-", one, indent + STEP)
    else:
        yield f"{space}{_line_text(value)}"


def _entry(start: str, value: Any, indent: int) -> Iterator[str]:
    if _fits(value, len(start) + 1):
        yield f"{start} {_line_text(value)}"
    else:
        yield start
        yield from _block(value, indent)


@dataclass
class _Edit:
    """Pieces of a text that are replaced; none of them overlap."""

    before: str
    pieces: list[tuple[int, int, str]] = field(default_factory=list)

    def replace(self, start: int, end: int, text: str) -> None:
        self.pieces.append((start, end, text))

    def text(self) -> str:
        """The text with all pieces replaced; what is added at a place comes before what is replaced there."""
        found, at = [], 0
        order = sorted(range(len(self.pieces)), key=lambda n: (*self._place(n), n))
        for start, end, new in (self.pieces[number] for number in order):
            found += [self.before[at : max(start, at)], new]
            at = max(end, at)
        return "".join([*found, self.before[at:]])

    def _place(self, number: int) -> tuple[int, bool]:
        start, end, _ = self.pieces[number]
        return start, end > start

    def change(self, node: yaml.Node, now: Any, wanted: Any, key: yaml.Node | None) -> None:
        """Make a node read as wanted; `key` is its key, if it is an entry of a block mapping."""
        if is_same(now, wanted):
            return
        is_changed = False
        if isinstance(node, yaml.MappingNode) and isinstance(wanted, dict) and set(now) & set(wanted):
            is_changed = self._change_mapping(node, now, wanted)
        elif isinstance(node, yaml.SequenceNode) and isinstance(wanted, list) and now and wanted:
            is_changed = self._change_list(node, now, wanted)
        if not is_changed:
            self._replace_value(node, wanted, key)

    def _change_mapping(self, node: yaml.MappingNode, now: dict[Any, Any], wanted: dict[Any, Any]) -> bool:
        """Change single entries; false if the whole mapping must be written anew."""
        entries = list(zip(node.value, now, strict=True))
        kept = [pair for pair, name in entries if name in wanted]
        new = {name: value for name, value in wanted.items() if name not in now}
        if node.flow_style and len(kept) < len(entries):
            return False
        for pair, name in entries:
            if name in wanted:
                self.change(pair[1], now[name], wanted[name], None if node.flow_style else pair[0])
        if not node.flow_style:
            self._remove_entries(entries, wanted)
        if not new:
            return True
        if node.flow_style:
            more = "".join(f", {_key_text(name)}: {_line_text(value)}" for name, value in new.items())
            self.replace(_end(kept[-1][1], self.before), _end(kept[-1][1], self.before), more)
        else:
            self._add_lines(kept[-1][1], _block(new, kept[0][0].start_mark.column))
        return True

    def _remove_entries(
        self, entries: Sequence[tuple[tuple[yaml.Node, yaml.Node], Any]], wanted: Mapping[Any, Any]
    ) -> None:
        first_kept = next(at for at, (_, name) in enumerate(entries) if name in wanted)
        begins = entries[0][0][0].start_mark.index
        if first_kept and self.before[self._line_start(begins) : begins].strip():  # after the dash of a list
            self.replace(begins, entries[first_kept][0][0].start_mark.index, "")
            entries = entries[first_kept:]
        for (key, value), name in entries:
            if name not in wanted:
                start = self._line_start(key.start_mark.index)
                self.replace(start, self._line_end(_end(value, self.before)), "")

    def _change_list(self, node: yaml.SequenceNode, now: list[Any], wanted: list[Any]) -> bool:
        """Change single items; false if the whole list must be written anew."""
        if len(now) == len(wanted) and node.flow_style:
            for item, old, new in zip(node.value, now, wanted, strict=True):
                self.change(item, old, new, None)
            return True
        dashes = [self._dash(node, item) for item in node.value]
        if node.flow_style or any(dash is None for dash in dashes):
            return False
        steps = SequenceMatcher(None, list(map(_name, now)), list(map(_name, wanted)), autojunk=False)
        codes = steps.get_opcodes()
        if all(code == "delete" or (code == "insert" and not start) for code, start, *_ in codes):
            return False
        for code, start, end, first, last in codes:
            pairs = min(end - start, last - first) if code in {"equal", "replace"} else 0
            for at in range(pairs):
                self.change(node.value[start + at], now[start + at], wanted[first + at], None)
            for at in range(start + pairs, end):
                begins = self._line_start(dashes[at] or 0)
                self.replace(begins, self._line_end(_end(node.value[at], self.before)), "")
            if first + pairs < last:
                more = _block(wanted[first + pairs : last], node.start_mark.column)
                before = start + pairs
                if before:
                    self._add_lines(node.value[before - 1], more)
                else:
                    begins = self._line_start(dashes[0] or 0)
                    self.replace(begins, begins, "".join(f"{line}\n" for line in more))
        return True

    def _replace_value(self, node: yaml.Node, wanted: Any, key: yaml.Node | None) -> None:
        start, end = node.start_mark.index, _end(node, self.before)
        if key is None:
            space = " " if start == end and self.before[start - 1 : start] in {":", "-"} else ""
            self.replace(start, end, f"{space}{_line_text(wanted)}")
            return
        colon = self.before.index(":", key.end_mark.index) + 1
        is_below = self._line_start(start) > colon
        indent = key.start_mark.column + STEP
        column = colon - self._line_start(colon) + 1
        if is_below:  # the line of the key may have a comment
            self.replace(self._line_start(start), self._line_end(end), "")
        if _fits(wanted, column):
            start = colon
            end = colon if is_below else end
            new = f" {_line_text(wanted)}"
            comment = _COMMENT.match(self.before, end)
            if comment:  # it stays in its column
                new += " " * max(len(comment[1]) + end - start - len(new), 2)
                end += len(comment[1])
            self.replace(start, end, new)
            return
        if not is_below:
            self.replace(colon, end, "")
        below = self._line_start(start) if is_below else self._line_end(end)
        self.replace(below, below, "".join(f"{line}\n" for line in _block(wanted, indent)))

    def _add_lines(self, after: yaml.Node, lines: Iterator[str]) -> None:
        place = self._line_end(_end(after, self.before))
        self.replace(place, place, "".join(f"{line}\n" for line in lines))

    def _dash(self, node: yaml.SequenceNode, item: yaml.Node) -> int | None:
        """The place of the dash of an item; None if something else is before it on its line."""
        column, start = node.start_mark.column, self._line_start(item.start_mark.index)
        while self.before[start + column : start + column + 1] != "-" and start > node.start_mark.index:
            start = self._line_start(start - 1)
        is_first = not self.before[start : start + column].strip()
        return (
            start + column if is_first and self.before[start + column : start + column + 1] == "-" else None
        )

    def _line_start(self, at: int) -> int:
        return self.before.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        """The beginning of the next line."""
        found = self.before.find("\n", at)
        return len(self.before) if found < 0 else found + 1


def _end(node: yaml.Node, text: str) -> int:
    """Where a node ends; that of a block includes neither the comments nor the empty lines after it."""
    if isinstance(node, yaml.ScalarNode):
        start, end = node.start_mark.index, node.end_mark.index
        return start + len(text[start:end].rstrip()) if node.style in {"|", ">"} else end
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(node, yaml.MappingNode) else last, text)


def _name(item: Any) -> str:
    """What makes an item of a list the same: its name, or all of it."""
    own = item.get("name") if isinstance(item, Mapping) else None
    return f"name {own}" if own is not None else _line_text(item)
