"""Small faults that a test should notice: one operator, number or condition of a function at a time.

Texts, annotations and messages of errors are left alone: a fault there decides nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.MatMult: ast.Mult,
}  # fmt: skip
NAMES = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
    "floor": "ceil", "ceil": "floor", "cumsum": "cumprod", "log1p": "expm1", "expm1": "log1p",
    "argmin": "argmax", "argmax": "argmin", "cdf": "sf", "sf": "cdf",
}  # fmt: skip
Function = ast.FunctionDef | ast.AsyncFunctionDef
Change = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault in one function."""

    file: str
    function: str
    """Its qualified name, as in `Class.method`."""
    number: int
    """Which of the faults of the function, in the order of its tree."""
    line: int
    what: str

    @property
    def name(self) -> str:
        """For people: file, line and what was changed."""
        return f"{self.file}:{self.line} {self.what}"


def mutants_of(file: str, source: str) -> Iterator[Mutant]:
    """Every fault of every function of a file."""
    for name, function in _functions(ast.parse(source)):
        for number, (line, what) in enumerate(_faults(function)):
            yield Mutant(file, name, number, line, what)


def mutated_code(mutant: Mutant, source: str, path: str) -> CodeType:
    """The code of the function with its fault."""
    tree = ast.parse(source)
    function = dict(_functions(tree))[mutant.function]
    _put(function, mutant.number)
    return _compiled(tree, path)[mutant.function]


def marked_codes(file: str, source: str, path: str, *, mark: str) -> dict[str, CodeType]:
    """By function: its code, which first calls the builtin `mark` with the file and its name."""
    tree = ast.parse(source)
    for name, function in _functions(tree):
        said = ast.Constant(f"{file}|{name}")
        call = ast.Expr(ast.Call(ast.Name(mark, ast.Load()), [said], []))
        function.body.insert(1 if ast.get_docstring(function) is not None else 0, call)
    return _compiled(tree, path)


def _compiled(tree: ast.Module, path: str) -> dict[str, CodeType]:
    """The code of each function; of several with one name, that of the last."""
    module = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    by_place = {(one.co_qualname, one.co_firstlineno): one for one in _codes(module)}
    return {name: by_place[name, first_line(function)] for name, function in _functions(tree)}


def first_line(function: Function) -> int:
    """Where a function begins, with its decorators."""
    return min([function.lineno, *(one.lineno for one in function.decorator_list)])


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


def _functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """The functions of a module and the methods of its classes; what is inside them belongs to them."""
    found: dict[str, Function] = {}
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                found[prefix + child.name] = child  # of overloads, the last is the function
            elif isinstance(child, ast.ClassDef):
                waiting.append((f"{prefix}{child.name}.", child))
            elif isinstance(child, ast.If | ast.Try | ast.With):
                waiting.append((prefix, child))
    yield from found.items()


def _faults(function: Function) -> Iterator[tuple[int, str]]:
    for node in _nodes(function):
        for what, _ in _changes(node):
            yield getattr(node, "lineno", function.lineno), what


def _put(function: Function, number: int) -> None:
    at = 0
    for node in _nodes(function):
        for _, change in _changes(node):
            if at == number:
                change()
                return
            at += 1
    raise LookupError


def _nodes(function: Function) -> Iterator[ast.AST]:
    """What a function does; not its texts, annotations, decorators, defaults and errors."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        waiting = [*_children(node), *waiting]


def _children(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value else []
    return list(node.body) if isinstance(node, Function) else list(ast.iter_child_nodes(node))


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """What can be changed at a node, with the function that does it."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            yield from _swapped(node.ops, at, COMPARISONS.get(type(operator)))  # type: ignore[arg-type]
    elif isinstance(node, ast.BinOp | ast.AugAssign) and not _is_text(node):
        new = ARITHMETIC.get(type(node.op))
        if new is not None:
            yield f"{type(node.op).__name__} -> {new.__name__}", _setter(node, "op", new())
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{type(node.op).__name__} -> {other.__name__}", _setter(node, "op", other())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield (
            f"without {type(node.op).__name__}",
            _setter(node, "op", ast.UAdd() if isinstance(node.op, ast.USub) else None),
        )
    elif isinstance(node, ast.Constant):
        yield from _constant(node)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition negated", _setter(node, "test", ast.UnaryOp(ast.Not(), copy.deepcopy(node.test)))
    elif isinstance(node, ast.Name | ast.Attribute):
        yield from _renamed(node)
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield "returns None", _setter(node, "value", ast.Constant(None))


def _swapped(operators: list[ast.AST], at: int, new: type[ast.AST] | None) -> Iterator[tuple[str, Change]]:
    if new is not None:
        yield (
            f"{type(operators[at]).__name__} -> {new.__name__}",
            lambda: operators.__setitem__(at, new()),
        )


def _constant(node: ast.Constant) -> Iterator[tuple[str, Change]]:
    value = node.value
    if isinstance(value, bool):
        yield f"{value} -> {not value}", _setter(node, "value", not value)
    elif isinstance(value, int | float):
        yield f"{value} -> {value + 1}", _setter(node, "value", value + 1)


def _renamed(node: ast.Name | ast.Attribute) -> Iterator[tuple[str, Change]]:
    field = "id" if isinstance(node, ast.Name) else "attr"
    old = getattr(node, field)
    if old in NAMES and isinstance(node.ctx, ast.Load):
        yield f"{old} -> {NAMES[old]}", _setter(node, field, NAMES[old])


def _setter(node: ast.AST, field: str, value: object) -> Change:
    def change() -> None:
        if isinstance(node, ast.UnaryOp) and value is None:  # `not x` becomes `not not x`
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
        else:
            setattr(node, field, value)

    return change


def _is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether texts are joined or filled in."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )
