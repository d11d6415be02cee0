"""Checks as JUnit XML, which build servers show as tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from reidrisk.report.gates.checks import Check, CheckList


def junit_text(lists: Sequence[CheckList]) -> str:
    """One suite per list and one test case per check.

    A check that did not pass is a failure, and an error if a part could not be judged. Elements and
    attributes are those of the schema that Jenkins publishes, which other servers read, too.
    """
    root = Element("testsuites", {"name": "reidrisk", **_counts(one for own in lists for one in own.checks)})
    for number, own in enumerate(lists):
        named = {"name": _clean(own.title), "id": str(number), "skipped": "0"}
        suite = SubElement(root, "testsuite", {**named, **_counts(own.checks)})
        for one in own.checks:
            _case(suite, one)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _counts(checks: Iterable[Check]) -> dict[str, str]:
    states = [one.state for one in checks]
    errors, passed = states.count("error"), states.count("passed")
    return {
        "tests": str(len(states)),
        "failures": str(len(states) - errors - passed),
        "errors": str(errors),
        "time": "0",
    }


def _case(suite: Element, check: Check) -> None:
    case = SubElement(suite, "testcase", {"classname": "reidrisk", "name": _clean(check.name), "time": "0"})
    sentence = _clean(f"{check.title}: {check.sentence}")
    if check.state == "passed":
        SubElement(case, "system-out").text = sentence
        return
    name = "error" if check.state == "error" else "failure"
    own = SubElement(case, name, {"type": check.state, "message": _clean(check.word)})
    own.text = sentence


def _clean(text: str) -> str:
    """In one line, and without characters that XML forbids."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
