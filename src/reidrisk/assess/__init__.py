"""From a release file to one verdict: measure every part, judge them in their context.

The room has the name of its public function, and Python puts an imported room in the function's place.
So the room can be called: `reidrisk.assess("release.yaml")` is `reidrisk.assess.run.assess`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A module that does what its function does."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """See `reidrisk.assess.run.assess`."""
        from reidrisk.assess.run import assess

        return assess(*given, **named)


sys.modules[__name__].__class__ = _Room
