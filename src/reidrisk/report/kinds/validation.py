"""A validation of the program on one machine: checks, requirements, and what was seen."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.blocks.settings import versions
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Fact, Facts, Guide, Reason, Source, Table, Verdict
from reidrisk.report.traced import size

PHASES = {"IQ": "installation", "OQ": "operation"}
WORDS = {"pass": "pass", "fail": "FAIL", "not run": "not run"}
DIGITS = 12


def name_of(result: ResultDict) -> str:
    """The program and the platform."""
    return f"{result['installation']['program']} on {result['installation']['python']}"


def about(result: ResultDict) -> str:
    """How many checks were made."""
    return f"{plural(size(result['checks']), 'check')} of installation and operation."


def verdict(result: ResultDict) -> Verdict:
    """Whether no check failed, and what was not run."""
    left = result["counts"]["not_run"]
    word = "Failed" if not result["acceptable"] else f"Passed, {left} not run" if left else "Passed"
    reasons = tuple(
        Reason(text, holds) for text, holds in zip(result["reasons"], result["holds"], strict=True)
    )
    return Verdict(result["acceptable"], reasons, word)


def checks(result: ResultDict) -> Table:
    """Every check in a line."""
    rows = tuple(
        (
            one["id"],
            one["title"],
            WORDS[one["result"]],
            f"{one['seconds']:.1f}",
            one["seen"] or one["why"] or "",
        )
        for one in result["checks"]
    )
    return Table(
        "Checks",
        "IQ: installation qualification. OQ: operational qualification.",
        (
            Column("id"),
            Column("check"),
            Column("result"),
            Column("seconds", is_number=True),
            Column("seen", is_prose=True),
        ),
        rows,
        marked=tuple(at for at, one in enumerate(result["checks"]) if one["result"] == "fail"),
    )


def short_checks(result: ResultDict) -> Table:
    """For the terminal: without what was seen."""
    whole = checks(result)
    return Table(
        whole.title,
        whole.explanation,
        whole.columns[:4],
        tuple(row[:4] for row in whole.rows),
        marked=whole.marked,
    )


def traceability(result: ResultDict) -> Table:
    """From requirements to checks."""
    results = {row["requirement"]: row for row in result["traceability"]}
    rows = tuple(
        (
            one["id"],
            one["text"],
            one["source"],
            ", ".join(results[one["id"]]["checks"]),
            WORDS[results[one["id"]]["result"]],
        )
        for one in result["requirements"]
    )
    return Table(
        "Traceability matrix",
        "Which checks show that a requirement is met.",
        (
            Column("id"),
            Column("requirement", is_prose=True),
            Column("source", is_prose=True),
            Column("checks", is_prose=True),
            Column("result"),
        ),
        rows,
    )


def installation(result: ResultDict) -> Facts:
    """The installation that was validated."""
    own = result["installation"]
    files = own["files"]
    compared = (
        "compared with the list of the wheel" if files["compared_with_wheel"] else "recorded, not compared"
    )
    facts = [
        Fact("program", own["program"]),
        Fact("Python", own["python"]),
        Fact("system", own["system"]),
        Fact("cores", str(own["cores"])),
        *((Fact("machine", own["machine"]),) if own["machine"] else ()),
        Fact("files of the program", f"{count(files['number'])}, {compared}"),
        Fact(
            "root hash of the files", files["root_sha256"], "SHA-256 over the hashes and paths of all files"
        ),
        Fact("packages", "; ".join(_packages(own["packages"]))),
    ]
    return Facts(
        "Installation", "What was validated. Another installation needs its own validation.", tuple(facts)
    )


def _packages(packages: list[dict[str, Any]]) -> list[str]:
    found = {one["package"]: one["installed"] or "not installed" for one in packages}
    return [f"{name} {version}" for name, version in sorted(found.items())]


def performed(result: ResultDict) -> Facts:
    """Who, when, where."""
    own = result["performed"]
    facts = (
        Fact("performed by", own["by"] or "not stated"),
        Fact("place", own["where"] or "not stated"),
        Fact("time", own["at"], f"by the clock {own['clock']}"),
        Fact("mode", result["settings"]["mode"]),
    )
    return Facts("Who, when, where", "The name of the machine is recorded only if you ask for it.", facts)


def value_rows(result: ResultDict) -> tuple[tuple[str, ...], ...]:
    """Every single value that was compared."""
    return tuple(
        (one["id"], value["id"], _number(value["expected"]), _number(value["seen"]), value["source"])
        for one in result["checks"]
        for value in one["values"]
    )


def _number(value: Any) -> str:
    """A value for the table; the JSON file has all digits."""
    if isinstance(value, bool) or value is None:
        return "undefined" if value is None else str(value).lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return "; ".join(f"{name} {_number(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(_number(one) for one in value)
    return str(value)


GUIDE = Guide(
    (
        Fact("IQ", "installation qualification", "The right program is installed on a suitable system."),
        Fact("OQ", "operational qualification", "It computes what it should on this system."),
        Fact(
            "not run",
            "a check that this system cannot run",
            "Its reason is given; it is neither passed nor failed.",
        ),
    ),
    (
        "A validation says that this installation computes as published and tested. It does not say that a "
        "release of your data is acceptable, nor does it qualify your process (performance qualification).",
        "Simulations show that limits hold in the scenarios that were drawn, not in all.",
        "The time comes from the clock of the machine, which anyone with the rights can change.",
    ),
    (
        Source("US Food and Drug Administration. 21 CFR Part 11, Electronic records; electronic signatures."),
        Source("ISPE. GAMP 5: A risk-based approach to compliant GxP computerized systems."),
    ),
)
KIND = Kind(
    title="Validation",
    name_of=name_of,
    about=about,
    verdict=verdict,
    headline=lambda result: f"Validation of {name_of(result)}: {about(result)}",
    shows=(
        Show(checks, terminal=short_checks),
        Show(traceability, terminal=False),
        Show(installation, terminal=False),
        Show(performed),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "How many checks passed on each installation.",
        "installation",
        (
            (Column("passed", is_number=True), lambda result: count(result["counts"]["pass"])),
            (Column("failed", is_number=True), lambda result: count(result["counts"]["fail"])),
            (Column("not run", is_number=True), lambda result: count(result["counts"]["not_run"])),
        ),
    ),
)
