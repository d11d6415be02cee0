"""The certificate of a validation: result, installation, operation, traceability, signatures."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Chapter, Notice, Prose, ReportDocument, Signature
from reidrisk.report.kinds import validation
from reidrisk.report.parts import Column, Fact, Facts, Table

AUDIENCE = "everybody: it contains no data of patients."
SCOPE = (
    "This certificate records an installation qualification (IQ) and an operational qualification (OQ) of "
    "the program on one machine. Every check states the requirement, the test, what was expected and what "
    "was seen.",
    "It does not qualify a process (performance qualification): whether the program suits your use, and "
    "whether a release is acceptable, is for you to decide and to document.",
)


def certificate(result: dict[str, Any]) -> ReportDocument:
    """The document; `result` is the dictionary of a validation."""
    own = result["performed"]
    return ReportDocument(
        "Certificate of validation",
        result["installation"]["program"],
        (
            Fact("Result", validation.verdict(result).word),
            Fact("Time", own["at"], f"by the clock {own['clock']}"),
            Fact("Performed by", own["by"] or "________________"),
            Fact("Place", own["where"] or "________________"),
            Fact("Root hash of the program's files", result["installation"]["files"]["root_sha256"]),
        ),
        (
            Chapter("result", "Result", _result(result)),
            Chapter("installation", "Installation qualification", _phase(result, "IQ")),
            Chapter("operation", "Operational qualification", _phase(result, "OQ")),
            Chapter("traceability", "Traceability matrix", (validation.traceability(result),)),
            Chapter("values", "Values that were compared", (_values(result),), is_appendix=True),
        ),
        template="certificate",
        version=result["version"],
        date=own["at"][:10],
        audience=AUDIENCE,
    )


def _result(result: dict[str, Any]) -> tuple[Block, ...]:
    return (
        validation.verdict(result),
        *(Notice(text) for text in result["warnings"]),
        Prose(SCOPE),
        Signature(("Performed by", "Reviewed by", "Approved by")),
    )


def _phase(result: dict[str, Any], phase: str) -> tuple[Block, ...]:
    """A table of the checks of a phase, then each of them."""
    own = [one for one in result["checks"] if one["phase"] == phase]
    texts = {one["id"]: f"{one['text']} ({one['source']})" for one in result["requirements"]}
    blocks: list[Block] = [validation.installation(result)] if phase == "IQ" else []
    blocks.append(
        Table(
            "Checks",
            "Each is described below.",
            (Column("id"), Column("check"), Column("result"), Column("seconds", is_number=True)),
            tuple(
                (one["id"], one["title"], validation.WORDS[one["result"]], f"{one['seconds']:.1f}")
                for one in own
            ),
        )
    )
    return (*blocks, *(_check(one, texts) for one in own))


def _check(one: dict[str, Any], texts: dict[str, str]) -> Facts:
    seen = one["seen"] or f"Not run. {one['why']}"
    return Facts(
        f"{one['id']} {one['title']}",
        "",
        (
            *(Fact(f"Requirement {name}", texts[name]) for name in one["requirements"]),
            Fact("Test", one["test"]),
            Fact("Expected", one["expected"]),
            Fact("Seen", seen),
            Fact("Result", validation.WORDS[one["result"]]),
        ),
    )


def _values(result: dict[str, Any]) -> Table:
    return Table(
        "Single values",
        "The JSON file has all digits, the tolerances are those of the values' sources.",
        (
            Column("check"),
            Column("value", is_prose=True),
            Column("expected", is_prose=True),
            Column("seen", is_prose=True),
            Column("source", is_prose=True),
        ),
        validation.value_rows(result),
    )
