"""A matcher that works as Python's does, by backtracking, and counts its steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

op: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

Groups = dict[int, tuple[int, int]]


class StepCounter:
    """Searches a text with one expression and counts every look at a character."""

    def __init__(self, expression: re.Pattern[str]) -> None:
        self._nodes = list(parser.parse(expression.pattern, expression.flags & ~re.UNICODE))
        self._tests: dict[int, Callable[[str], bool]] = {}
        self.steps = 0

    def search_all(self, text: str) -> int:
        """Steps of finding all matches one after the other; the text has no line ends to speak of."""
        at = 0
        while at <= len(text):
            end = next(self._run(self._nodes, text, at, {}), None)
            at = at + 1 if end is None or end == at else end
        return self.steps

    def _run(self, nodes: list[Any], text: str, at: int, groups: Groups) -> Iterator[int]:
        self.steps += 1
        if not nodes:
            yield at
            return
        (kind, value), rest = nodes[0], nodes[1:]
        for end in self._node(kind, value, text, at, groups):
            yield from self._run(rest, text, end, groups)

    def _node(self, kind: Any, value: Any, text: str, at: int, groups: Groups) -> Iterator[int]:
        if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            if at < len(text) and self._test(kind, value)(text[at]):
                yield at + 1
        elif kind is op.SUBPATTERN:
            for end in self._run(list(value[3]), text, at, groups):
                if value[0] is not None:
                    groups[value[0]] = (at, end)
                yield end
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from self._run(list(branch), text, at, groups)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            yield from self._repeat(value[0], value[1], list(value[2]), text, at, groups)
        else:
            yield from self._look(kind, value, text, at, groups)

    def _repeat(
        self, least: int, most: int, body: list[Any], text: str, at: int, groups: Groups
    ) -> Iterator[int]:
        if len(body) == 1 and body[0][0] in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            test, end = self._test(*body[0]), at
            while end < len(text) and end - at < most and test(text[end]):
                end += 1
                self.steps += 1
            yield from range(end, at + least - 1, -1)
            return
        if most > 0:
            for end in self._run(body, text, at, groups):
                if end > at:
                    yield from self._repeat(max(0, least - 1), most - 1, body, text, end, groups)
        if least == 0:
            yield at

    def _look(self, kind: Any, value: Any, text: str, at: int, groups: Groups) -> Iterator[int]:
        if kind is op.AT:
            if re.compile({op.AT_BOUNDARY: r"\b", op.AT_END: r"\Z", op.AT_BEGINNING: r"\A"}[value]).match(
                text, at
            ):
                yield at
        elif kind is op.GROUPREF:
            start, end = groups[value]
            if text.startswith(text[start:end], at):
                yield at + end - start
        else:
            direction, body = value
            begin = at if direction > 0 else at - body.getwidth()[1]
            found = begin >= 0 and any(True for _ in self._run(list(body), text, begin, dict(groups)))
            if found == (kind is op.ASSERT):
                yield at

    def _test(self, kind: Any, value: Any) -> Callable[[str], bool]:
        key = id(value) if kind is op.IN else hash((kind, value))
        if key not in self._tests:
            self._tests[key] = _test(kind, value)
        return self._tests[key]


def _test(kind: Any, value: Any) -> Callable[[str], bool]:
    if kind is op.LITERAL:
        return lambda character: ord(character) == value
    if kind is op.NOT_LITERAL:
        return lambda character: ord(character) != value
    if kind is op.ANY:
        return lambda character: character != "\n"
    negated = value[0][0] is op.NEGATE
    tests = [_member(*item) for item in value if item[0] is not op.NEGATE]
    return lambda character: any(test(character) for test in tests) != negated


def _member(kind: Any, value: Any) -> Callable[[str], bool]:
    if kind is op.LITERAL:
        return lambda character: ord(character) == value
    if kind is op.RANGE:
        return lambda character: value[0] <= ord(character) <= value[1]
    shown = {
        op.CATEGORY_DIGIT: r"\d",
        op.CATEGORY_NOT_DIGIT: r"\D",
        op.CATEGORY_WORD: r"\w",
        op.CATEGORY_NOT_WORD: r"\W",
        op.CATEGORY_SPACE: r"\s",
        op.CATEGORY_NOT_SPACE: r"\S",
    }[value]
    return lambda character: re.match(shown, character) is not None
