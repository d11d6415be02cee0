"""Settings written as YAML, to be read and changed by people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from reidrisk.core.files import write_text


def write_yaml(path: str | Path, content: Any) -> None:
    """Write plain settings, which `read_yaml` reads back as they were."""
    text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    write_text(path, text)
