"""Requests that schemathesis makes up from the app's own schema, with names that exist: none gets a 500.

The running app serves no schema; it is made here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import schemathesis

from reidrisk.report.assessment_folder import assess_and_report
from reidrisk.web.app import create_app
from reidrisk.web.security import Site
from tests.assess.builders import write_data, write_file
from tests.web import documents
from tests.web.serving import HOST, Client

SMALL, EXAMPLES = "small", 4
STARTS = ("run/start", "demo/start", "verify", "verdict/try", "document/{part}/work", "make")
"""The ends of paths whose POST starts a process or a long computation."""
PARTS = {"text": "notes", "population": "state", "document": documents.PART}
"""Parts of the releases by the kind of their page; others are tables."""


def make_releases(root: Path) -> None:
    """Releases of all kinds of parts, assessed; requests may change them."""
    folder = root / SMALL
    folder.mkdir(parents=True)
    write_data(folder)
    assess_and_report(write_file(folder, "notes", "records", "state"), folder / "assessment")
    documents.write_trial(root)


def operations() -> Iterator[Any]:
    app = create_app(Path(), Site(HOST))
    schema = schemathesis.openapi.from_dict(app.openapi())
    every: list[Any] = list(schema.get_all_operations())
    for found in every:
        operation = found.ok()
        is_started = operation.method.upper() == "POST" and operation.path.endswith(STARTS)
        if not is_started and operation.path not in ("/logout", "/open"):
            yield operation


OPERATIONS = list(operations())


def test_pages_of_all_kinds_are_tried() -> None:
    paths = {one.path for one in OPERATIONS}
    for kind in ("table", "text", "document", "population", "files", "roles", "context", "verdict", "log"):
        assert any(f"/{kind}" in path for path in paths), kind


def test_no_request_is_answered_by_a_defect(tmp_path: Path) -> None:
    """In one test, because the requests change the releases."""
    make_releases(tmp_path / "served")
    client = Client(create_app(tmp_path / "served", Site(HOST)))
    defects: list[tuple[str, str, int]] = []
    codes: Counter[int] = Counter()
    for operation in OPERATIONS:
        answers = _answers(client, operation)
        codes.update(answers)
        defects += [
            (operation.method, operation.path, code) for code in answers if code >= 500 and code != 501
        ]
    assert not defects
    assert codes[200] > len(OPERATIONS) / 2, codes


def _answers(client: Client, operation: Any) -> list[int]:
    """The codes of the answers to made-up requests."""
    known, found = _known(operation.path), []

    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    @hypothesis.given(case=operation.as_strategy(), is_known=hypothesis.strategies.integers(0, 3))
    def ask(case: Any, is_known: int) -> None:
        if is_known and case.path_parameters:
            case.path_parameters = {**case.path_parameters, **known}
        given = case.as_transport_kwargs(base_url=str(client.base_url))
        given["headers"] = {
            str(name): str(value).encode("latin-1", "replace")
            for name, value in (given.get("headers") or {}).items()
            if name.lower() not in ("user-agent", "x-schemathesis-testcaseid", "host", "cookie")
        }
        found.append(client.request(**{name: given[name] for name in given if name in USED}).status_code)

    ask()
    return found


USED = ("method", "url", "params", "headers", "data", "json", "files", "content")


def _known(path: str) -> dict[str, str]:
    """Names that exist, for the parameters of a path."""
    kind = path.split("/")[3] if path.count("/") > 2 else ""
    found = {
        "release": documents.RELEASE if kind == "document" else SMALL,
        "part": PARTS.get(kind, "records"),
    }
    return {name: value for name, value in found.items() if f"{{{name}}}" in path}
