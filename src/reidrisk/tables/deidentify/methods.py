"""The ways to make a table releasable, by the names that users give them."""

from __future__ import annotations

from collections.abc import Callable

from reidrisk.core.threshold import Threshold
from reidrisk.tables.deidentify.by_tuple import FoundByTuple
from reidrisk.tables.deidentify.local import find_local
from reidrisk.tables.deidentify.microaggregate import find_microaggregate
from reidrisk.tables.deidentify.mondrian import find_mondrian
from reidrisk.tables.deidentify.options import Method
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.search import Found, Missing, Watch, find

Releasable = Found | FoundByTuple
Search = Callable[[Problem, Threshold, Watch], Releasable | Missing]

METHODS: dict[Method, Search] = {
    "global": find,
    "local": find_local,
    "mondrian": find_mondrian,
    "microaggregate": find_microaggregate,
}
