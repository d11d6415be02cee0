"""Tools compared on one gold standard, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.blocks.settings import plain
from reidrisk.report.content import text_improvements
from reidrisk.report.content.text_risk import ROLES
from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict


def name_of(result: dict[str, Any]) -> str:
    """The tools, or how many there are."""
    names = [tool["name"] for tool in result["tools"]]
    return " / ".join(names) if len(names) < 4 else f"{count(len(names))} tools"


def gold_of(result: dict[str, Any]) -> str:
    """The gold standard by the last part of its path."""
    return short_path(str(result["settings"].get("gold", "the gold standard")))


def about(result: dict[str, Any]) -> str:
    """What was compared on what."""
    release = result["settings"]["release"]
    return (
        f"Judged on {gold_of(result)}, {count(result['documents'])} documents, the same "
        f"for all. Profile: {result['settings']['profile']}. Release: "
        f"{release['access'].replace('_', '-')}, {release['treatment']}."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """How many tools are acceptable; one reason a tool."""
    tools = result["tools"]
    good = sum(tool["acceptable"] for tool in tools)
    said = f"{count(good)} of {count(len(tools))} tools acceptable" if good else "No tool is acceptable"
    pairs = zip(result["reasons"], tools, strict=True)
    reasons = tuple(Reason(text, tool["acceptable"]) for text, tool in pairs)
    return Verdict(
        result["acceptable"],
        reasons,
        "All tools are acceptable" if result["acceptable"] else said,
    )


def in_order(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The tools, the least risk first."""
    place = {name: at for at, name in enumerate(result["ranking"])}
    return sorted(result["tools"], key=lambda tool: place[tool["name"]])


def tools(result: dict[str, Any]) -> Table:
    """One row a tool, the least risk first."""
    rows = tuple(
        (
            tool["name"],
            *(text for role in ROLES for text in (probability(tool[role]["value"]), span(tool[role]))),
            percent(tool["masking"]["recall"]),
            percent(tool["precision"]),
            "yes" if tool["acceptable"] else "NO",
        )
        for tool in in_order(result)
    )
    limits = [result["tools"][0][role]["threshold"] for role in ROLES]
    return Table(
        "Tools side by side",
        (
            "Mean risk with its interval, least risk first. The upper limit of direct "
            f"identifiers must not exceed {probability(limits[0])} (the benchmark's), that of "
            f"quasi-identifiers {probability(limits[1])}."
        ),
        (
            Column("tool"),
            Column("direct", is_number=True),
            Column(
                f"{level(result['benchmark']['level'])} interval",
                is_number=True,
            ),
            Column("quasi", is_number=True),
            Column(
                f"{level(result['benchmark']['level'])} interval",
                is_number=True,
            ),
            Column(
                "words masked",
                is_number=True,
                short="masking recall",
            ),
            Column("precision", is_number=True),
            Column("acceptable"),
        ),
        rows,
        "Order: by the larger of both risks, each as a multiple of what is allowed.",
    )


def differences(result: dict[str, Any], role: str) -> Table | None:
    """Every two tools: the difference of their risks, and whether it is more than chance."""
    rows = tuple(
        (
            f"{row['a']} - {row['b']}",
            _signed(row[role]["value"]),
            f"{_signed(row[role]['low'])} to {_signed(row[role]['high'])}",
            _lower(row, role),
            count(row[role]["plain"]["only_a"]),
            count(row[role]["plain"]["only_b"]),
        )
        for row in result["differences"]
        if row[role] is not None
    )
    if not rows:
        return None
    few = any(row[role] and row[role]["method"] != "paired bootstrap" for row in result["differences"])
    return Table(
        f"Differences: {ROLES[role].lower()}",
        (
            "The plug-in risk that the first tool leaves less that of the second, from the "
            "same resampled documents for both. If the interval holds 0, chance may be all "
            "there is."
        ),
        (
            Column("tools"),
            Column("difference", is_number=True),
            Column(
                f"{level(result['benchmark']['level'])} interval",
                is_number=True,
            ),
            Column("lower risk"),
            Column(
                "documents that leak under the first only",
                is_number=True,
                short="only first leaks",
            ),
            Column(
                "documents that leak under the second only",
                is_number=True,
                short="only second leaks",
            ),
        ),
        rows,
        (
            (("Where fewer than five documents leak, the difference of plain shares stands instead.") + " ")
            if few
            else ""
        )
        + "Each interval holds for its pair alone; among many pairs some will miss the truth.",
    )


def improvements(result: dict[str, Any]) -> Table:
    """What each tool would need."""
    rows = tuple((tool["name"], text_improvements.brief(tool)) for tool in in_order(result))
    return Table(
        "What each would need",
        (
            "The least change that makes the risk acceptable: of one type if that is enough, "
            "otherwise of several together (the last one as far as needed)."
        ),
        (
            Column("tool"),
            Column("improvement", is_prose=True),
        ),
        rows,
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed, the same for all."""
    given = result["settings"]
    threshold = result["threshold"]
    facts = [
        Fact(
            "gold",
            gold_of(result),
            "the gold standard",
        ),
        *(Fact(name, plain(value)) for name, value in given["release"].items()),
        Fact("threshold", f"{threshold['probability']:.4g}: {threshold['reason']}"),
        *(Fact(name, plain(value)) for name, value in given.items() if name not in ("gold", "release")),
        Fact(
            "seed",
            str(result["seed"]),
            "the same resampled documents for every tool",
        ),
    ]
    return Facts("Settings", "The same for all tools. Other choices can give another order.", tuple(facts))


def _lower(row: dict[str, Any], role: str) -> str:
    lower = row[role]["lower"]
    return "undecided" if lower is None else str(row[lower])


def _signed(value: float | None) -> str:
    """A difference with its sign.

    >>> _signed(0.0312), _signed(-0.2), _signed(0.0)
    ('+0.0312', '-0.2000', '0')
    """
    if value is None:
        return MISSING
    return f"+{probability(value)}" if value > 0 else probability(value)
