"""The checks that a user repeats on their own machine, and the certificate they end in.

The package has the name of its public function, as `reidrisk.assess` has: it can be called, too.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallableValidation(ModuleType):
    """A package that can be called like its function."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """See `reidrisk.validate.run.validate`."""
        from reidrisk.validate.run import validate

        return validate(*given, **named)


sys.modules[__name__].__class__ = _CallableValidation
