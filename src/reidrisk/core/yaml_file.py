"""Read YAML files with the line of every setting, and write them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from reidrisk.core.files import write_text
from reidrisk.core.input_limits import NESTING
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, ReidRiskError, UnreadableFile


class ReferenceFreeLoader(yaml.SafeLoader):
    """A safe YAML loader that refuses references."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse references, which can make a small file expand to a huge one, and deep nesting."""
        if self.check_event(yaml.AliasEvent):
            here = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "references are not allowed", here)
        NESTING.check(self.depth, self.name)
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1


class PlainLoader(ReferenceFreeLoader):
    """Refuses repeated keys; reads `yes`, `no` and `036` as text, and so the key `null`."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        """Refuse a key that occurs twice."""
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            name, line = (key.tag, str(key.value)), key.start_mark.line + 1
            if name in lines:
                raise InvalidSetting(
                    f"{self.name}, line {line} repeats a key of line {lines[name]}.",
                    hint="Write each key once.",
                )
            lines[name] = line
            if (key.tag, key.value) == (_NULL, "null"):
                key.tag = _STR  # the name of a setting
        return super().construct_mapping(node, deep)


_NULL, _STR = "tag:yaml.org,2002:null", "tag:yaml.org,2002:str"
_BOOL, _INT = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:int"
PlainLoader.yaml_implicit_resolvers = {
    letter: [(tag, form) for tag, form in forms if tag not in (_BOOL, _INT)]
    for letter, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
PlainLoader.add_implicit_resolver(_BOOL, re.compile(r"(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
PlainLoader.add_implicit_resolver(_INT, re.compile(r"[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))


KeyPath = tuple[str | int, ...]
"""The path to a setting: keys of mappings and positions in lists."""


@dataclass(frozen=True, slots=True)
class YamlWithLines:
    """The content of a file, and the line of every key in it."""

    content: Any
    lines: Mapping[KeyPath, int] = field(repr=False)


def read_yaml(path: Path) -> Any:
    """Read a YAML file; errors name the line, never its content."""
    return _loaded(path, lambda loader: loader.get_single_data())


def read_lined_yaml(path: Path) -> YamlWithLines:
    """Read a YAML file together with the line of each key, for error messages."""
    found: YamlWithLines = _loaded(path, _lined)
    return found


def _lined(loader: PlainLoader) -> YamlWithLines:
    node = loader.get_single_node()
    if node is None:
        return YamlWithLines(None, {})
    lines: dict[KeyPath, int] = {}
    _collect(node, (), lines)
    return YamlWithLines(loader.construct_document(node), lines)


def _collect(node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int]) -> None:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            below = (*path, str(key.value))
            lines[below] = key.start_mark.line + 1
            _collect(value, below, lines)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            _collect(value, (*path, place), lines)


def parse_lined_yaml(text: str, source: str) -> YamlWithLines:
    """The same for a text that is not in a file yet; `source` names it in errors."""
    found: YamlWithLines = parsed(text, source, _lined)
    return found


def _loaded(path: Path, load: Callable[[PlainLoader], Any]) -> Any:
    return parsed(read_yaml_text(path), path_text(path), load)


def parsed(text: str, source: str, load: Callable[[PlainLoader], Any]) -> Any:
    """What `load` makes of a text; errors name the line, never its content."""
    loader = None
    try:
        loader = PlainLoader(text)
        loader.name = source
        return load(loader)
    except ReidRiskError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise UnreadableFile(
            f"{source}, line {_line(error, text, loader)} is not plain YAML.",
            hint="Write a name and a colon, with its settings indented below. Do not use tabs or references.",
        ) from None
    finally:
        if loader is not None:
            loader.dispose()


def read_yaml_text(path: Path) -> str:
    """The text of a file, with line breaks as YAML counts them."""
    source, hint = path_text(path), "Check the file name and the encoding."
    try:
        content = path.read_bytes()
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UnreadableFile(f"{source}, line {line} cannot be read as UTF-8 text.", hint=hint) from None
    except FileNotFoundError:
        raise UnreadableFile.missing(source) from None
    except OSError:
        raise UnreadableFile(f"{source} cannot be read.", hint=hint) from None


def _line(error: Exception, text: str, loader: PlainLoader | None) -> int:
    """The line of the error, or the last line that was read."""
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return int(mark.line) + 1
    if isinstance(error, yaml.reader.ReaderError):
        return text.count("\n", 0, error.position) + 1
    return 1 if loader is None else int(loader.line) + 1


def write_yaml(path: str | Path, content: Any) -> None:
    """Write settings so that `read_yaml` reads back the same content."""
    text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    write_text(path, text)


_RESERVED = ("true", "false", "null", "yes", "no", "on", "off", "y", "n", ".inf", ".nan")
"""Texts that some readers of YAML take for something else."""


def yaml_text(text: str) -> str:
    """The text on one line, with quotes if YAML needs them.

    >>> yaml_text("age"), yaml_text("5 years"), yaml_text("no"), yaml_text("a: b"), yaml_text(".5")
    ('age', '"5 years"', '"no"', '"a: b"', '".5"')
    """
    plain = re.fullmatch(r"(?!\.\d)[A-Za-z_./][\w ./-]*", text) and text.lower() not in _RESERVED
    if plain and text == text.strip():
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def yaml_value(value: Any) -> str:
    """A value on one line: texts, numbers, lists and mappings.

    >>> yaml_value({"kind": "age", "levels": ["years", "5 years"], "suppress": True})
    '{kind: age, levels: [years, "5 years"], suppress: true}'
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{yaml_text(str(key))}: {yaml_value(one)}' for key, one in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(yaml_value(one) for one in value)}]"
    return yaml_text(value) if isinstance(value, str) else json.dumps(value)
