"""Numbers and texts of a JSON file that remember the field they come from, also after arithmetic.

A report is built a second time from such values. Wherever one of them is written into a text, it leaves a
mark, so that `figures` can tell which field each figure of the report comes from.
"""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar, cast

from reidrisk.core.audience import SharedResult

T = TypeVar("T", dict[str, Any], list[Any])
NUMBER = re.compile(r"(?<![\w.,/])\d(?:[\d,]*\d)?(?:[./-]\d+)*(?:e[+-]?\d+)?(?!\w)")
"""A figure in a text, such as 0.0384, 1,544, 1/5 or 2026-11-01: digits that are not part of a word."""
OPEN, MIDDLE, CLOSE = "\U0001d800", "\U0001d801", "\U0001d802"
"""Signs of a script that no report uses. They count as printable, so that nothing replaces them."""
_DIGITS = {ord(str(digit)): 0x1D810 + digit for digit in range(10)}
_BACK = {sign: digit for digit, sign in _DIGITS.items()}
_MARK = re.compile(f"{OPEN}([^{OPEN}{MIDDLE}{CLOSE}]+){MIDDLE}([^{OPEN}{MIDDLE}{CLOSE}]*){CLOSE}")
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*")
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "negative": operator.neg,
    "absolute": abs,
    "round": round,
    "floor": math.floor,
    "ceiling": math.ceil,
}
"""What can be done with traced numbers."""
ENTRIES, NUMBER_OF, NONE_OF, KEY = "entries of", "number of", "none of", "key of"
"""The length of a list, how many of its entries were chosen or that none was, and the key of an entry."""


@dataclass(frozen=True, slots=True)
class FigureMark:
    """A traced value that was written into a text."""

    origin: Origin
    value: float | str
    form: str
    """How the number was formatted."""


@dataclass(slots=True)
class Trace:
    """The marks of one report, and the texts of its JSON file that contain figures."""

    marks: list[FigureMark] = field(default_factory=list)
    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    """The number of each mark: the same figure in the same form always leaves the same mark."""
    texts: dict[str, JsonField] = field(default_factory=dict)
    """The first field with each text."""

    def mark(self, origin: Origin, value: float | str, *, shown: str, form: str = "") -> str:
        """A shown value between signs that name its mark."""
        number = self.numbers.setdefault((_code(origin), value, form), len(self.marks))
        if number == len(self.marks):
            self.marks.append(FigureMark(origin, value, form))
        return f"{OPEN}{str(number).translate(_DIGITS)}{MIDDLE}{shown}{CLOSE}"

    def read(self, marked: str) -> tuple[str, list[tuple[int, int, FigureMark]]]:
        """A text without its marks, and from where to where each of them reached."""
        plain, found, last = "", [], 0
        for mark in _MARK.finditer(marked):
            plain += marked[last : mark.start()]
            end = len(plain) + len(mark[2])
            found.append((len(plain), end, self.marks[int(mark[1].translate(_BACK))]))
            plain, last = plain + mark[2], mark.end()
        return plain + marked[last:], found


def without_marks(text: str) -> str:
    """A text as it would be without tracing; KeyError if it has no marks."""
    if OPEN not in text:
        raise KeyError(text)
    return unmarked(text)


def unmarked(text: str) -> str:
    """A text as a reader sees it: the same figure from two fields leaves two marks.

    >>> unmarked("100 %")
    '100 %'
    """
    return _MARK.sub(r"\2", text)


@dataclass(frozen=True, slots=True, eq=False)
class JsonField:
    """A place in a JSON file."""

    trace: Trace
    above: JsonField | None = None
    key: str | int = ""

    @property
    def steps(self) -> tuple[str | int, ...]:
        """The keys and places from the whole file to the field."""
        found: list[str | int] = []
        here = self
        while here.above is not None:
            found.append(here.key)
            here = here.above
        return tuple(reversed(found))


@dataclass(frozen=True, slots=True, eq=False)
class Calculation:
    """What was calculated from fields and other numbers."""

    sign: str
    parts: tuple[Origin | float, ...]
    code: int
    """The same for the same calculation with the same fields."""

    @classmethod
    def of(cls, sign: str, *parts: Origin | float) -> Calculation:
        """A calculation with its code."""
        return cls(sign, parts, hash((sign, *map(_code, parts))))

    @property
    def trace(self) -> Trace:
        """The trace of its fields."""
        return next(fields_of(self)).trace


Origin = JsonField | Calculation


def _code(part: Origin | float) -> int:
    return part.code if isinstance(part, Calculation) else hash(part)


def fields_of(origin: Origin) -> Iterator[JsonField]:
    """All fields of a calculation, from left to right; sums can be too deep for recursion."""
    waiting: list[Origin | float] = [origin]
    while waiting:
        one = waiting.pop()
        if isinstance(one, JsonField):
            yield one
        elif isinstance(one, Calculation):
            waiting += reversed(one.parts)


def path_text(steps: tuple[str | int, ...]) -> str:
    """A path as people write it.

    >>> path_text(("parts", 2, "result", "by type", "NAME")), path_text(("a", "*"))
    ('parts[2].result["by type"].NAME', 'a[*]')
    """
    text = ""
    for step in steps:
        if isinstance(step, int) or step == "*":
            text += f"[{step}]"
        elif _PLAIN_NAME.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


def _result(value: Any, sign: str, *parts: Origin | float) -> Any:
    """The result of a calculation; a number that does not change it is not mentioned."""
    first, last = parts[0], parts[-1]
    if sign == "+" and 0 in (first, last):
        return traced(value, first if last == 0 else last)  # type: ignore[arg-type]
    return traced(value, Calculation.of(sign, *parts))


def _calculate(sign: str) -> Callable[[Any, Any], Any]:
    function = FUNCTIONS[sign]

    def calculate(self: Any, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        return _result(function(self.plain, _plain(other)), sign, self.origin, _origin(other))

    return calculate


def _calculate_reversed(sign: str) -> Callable[[Any, Any], Any]:
    function = FUNCTIONS[sign]

    def calculate(self: Any, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        return _result(function(_plain(other), self.plain), sign, _origin(other), self.origin)

    return calculate


def _change(sign: str) -> Callable[..., Any]:
    function = FUNCTIONS[sign]

    def change(self: Any, *more: int) -> Any:
        return _result(function(self.plain, *more), sign, self.origin, *more)

    return change


def _plain(value: float) -> float:
    return value.plain if isinstance(value, TracedNumber) else value


def _origin(value: float) -> Origin | float:
    return value.origin if isinstance(value, TracedNumber) else value


class TracedNumber:
    """What traced whole and decimal numbers have in common."""

    origin: Origin
    plain: Any

    __add__, __radd__ = _calculate("+"), _calculate_reversed("+")
    __sub__, __rsub__ = _calculate("-"), _calculate_reversed("-")
    __mul__, __rmul__ = _calculate("*"), _calculate_reversed("*")
    __truediv__, __rtruediv__ = _calculate("/"), _calculate_reversed("/")
    __floordiv__, __rfloordiv__ = _calculate("//"), _calculate_reversed("//")
    __mod__, __rmod__ = _calculate("%"), _calculate_reversed("%")
    __pow__, __rpow__ = _calculate("**"), _calculate_reversed("**")
    __neg__, __abs__, __round__ = _change("negative"), _change("absolute"), _change("round")
    __floor__, __ceil__ = _change("floor"), _change("ceiling")

    def __format__(self, form: str) -> str:
        return self.origin.trace.mark(self.origin, self.plain, shown=format(self.plain, form), form=form)

    def __str__(self) -> str:
        return format(self)

    def __deepcopy__(self, _: Any) -> Self:
        return self


class TracedInt(TracedNumber, int):  # type: ignore[misc]  # powers keep their field
    """A whole number."""


class TracedFloat(TracedNumber, float):  # type: ignore[misc]
    """A decimal number."""


class TracedText(str):
    """A text with a figure. It leaves a mark in other texts, and is its own mark where it is shown alone."""

    origin: Origin

    def __format__(self, form: str) -> str:
        return super().__format__(form) if form else self._marked()

    def __str__(self) -> str:
        return self

    def __add__(self, other: str) -> str:
        return self._marked() + other

    def __radd__(self, other: str) -> str:
        return other + self._marked()

    def __deepcopy__(self, _: Any) -> Self:
        return self

    def _marked(self) -> str:
        return self.origin.trace.mark(self.origin, self[:], shown=self[:])


class TracedDict(dict[str, Any]):
    """An object of a JSON file; a number of another field can be a key, with its mark."""

    origin: JsonField

    def __missing__(self, key: str) -> Any:
        return self[without_marks(key)]


class TracedShared(SharedResult):
    """An object of a shared JSON file."""

    origin: JsonField

    def __missing__(self, key: str) -> Any:
        return self[without_marks(key)] if OPEN in key else super().__missing__(key)


class TracedList(list[Any]):
    """A list of a JSON file."""

    origin: JsonField


def traced(value: Any, origin: Origin) -> Any:
    """A value that remembers its field or calculation; true, false and null stay as they are."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        number: Any = TracedInt(value) if isinstance(value, int) else TracedFloat(value)
        number.origin, number.plain = origin, value
        return number
    return _traced_content(value, origin) if isinstance(origin, JsonField) else value


def _traced_content(value: Any, at: JsonField) -> Any:
    found: Any = value
    if isinstance(value, str) and NUMBER.search(value):
        found = TracedText(value)
        at.trace.texts.setdefault(value, at)
    elif isinstance(value, dict):
        kind = TracedShared if isinstance(value, SharedResult) else TracedDict
        found = kind(_traced_entry(JsonField(at.trace, at, key), one) for key, one in value.items())
    elif isinstance(value, list | tuple):
        found = TracedList(traced(one, JsonField(at.trace, at, number)) for number, one in enumerate(value))
    if found is not value:
        found.origin = at
    return found


def _traced_entry(at: JsonField, value: Any) -> tuple[str, Any]:
    """An entry of an object; a key is a figure if it is a number."""
    key: Any = at.key
    if key.isdigit():
        key = TracedText(key)
        key.origin = Calculation.of(KEY, at)
    return key, traced(value, at)


def whole(text: str) -> int:
    """A text as a whole number, which is a figure of the report; `int` does not remember the text.

    >>> whole("12")
    12
    """
    number = int(text)
    return traced(number, text.origin) if isinstance(text, TracedText) else number


def as_key(number: int) -> str:
    """A whole number as the key of an entry; `str` would leave a mark in the key.

    >>> as_key(12)
    '12'
    """
    if not isinstance(number, TracedInt):
        return str(number)
    text = TracedText(str(number.plain))
    text.origin = number.origin
    return text


def in_place_of(given: Any, made: T) -> T:
    """What a report makes of an object or of a list, one to one: it remembers the same field.

    >>> in_place_of({"item": "age"}, {"part": "records", "item": "age"})
    {'part': 'records', 'item': 'age'}
    """
    if not isinstance(given, TracedDict | TracedList):
        return made
    found: Any = TracedDict(made) if isinstance(made, dict) else TracedList(made)
    found.origin = given.origin
    return cast("T", found)


def size(things: Sized, *, among: Sequence[Any] = ()) -> int:
    """How many there are, which is a figure of the report; `len` does not remember which list it counted.

    `among` are those that the things were chosen from: they tell where a 0 comes from.

    >>> size(["age", "sex"])
    2
    """
    number = len(things)
    own = getattr(things, "origin", None)
    if isinstance(own, JsonField):
        return _counted(number, ENTRIES, [own])
    origins = [getattr(one, "origin", None) for one in (things if isinstance(things, list | tuple) else ())]
    entries = [one for one in origins if isinstance(one, JsonField)]
    if entries and len(entries) == number:
        return _counted(number, NUMBER_OF, entries)
    others = [one.origin for one in among if isinstance(one, TracedDict | TracedShared)]
    return _counted(number, NONE_OF, others) if others and not number else number


def _counted(number: int, sign: str, entries: Sequence[JsonField]) -> int:
    found: int = traced(number, Calculation.of(sign, *entries))
    return found
