"""From a release file to one verdict: measure every part, then judge it in the context of the release.

The package has the name of its public function, and Python replaces the function by an imported package.
So the package can be called: `reidrisk.assess("release.yaml")` is `reidrisk.assess.run.assess`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    """A package that can be called like its function."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """See `reidrisk.assess.run.assess`."""
        from reidrisk.assess.run import assess

        return assess(*given, **named)


sys.modules[__name__].__class__ = _CallablePackage
