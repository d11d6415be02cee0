"""Tools compared on one gold standard, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import text_improvements
from reidrisk.report.content.text_risk import ROLES, short_path
from reidrisk.report.content.text_settings import plain
from reidrisk.report.numbers import MISSING, count, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say


def name_of(result: dict[str, Any]) -> str:
    """The tools, or how many there are."""
    names = [tool["name"] for tool in result["tools"]]
    return (
        " / ".join(names)
        if len(names) < 4
        else say("content.text_comparison.tools", number=count(len(names)))
    )


def gold_of(result: dict[str, Any]) -> str:
    """The gold standard by the last part of its path."""
    return short_path(str(result["settings"].get("gold", say("content.text_comparison.the_gold_standard"))))


def about(result: dict[str, Any]) -> str:
    """What was compared on what."""
    release = result["settings"]["release"]
    return say(
        "content.text_comparison.judged_on_documents",
        gold_of=gold_of(result),
        documents=count(result["documents"]),
        profile=result["settings"]["profile"],
        access=release["access"].replace("_", "-"),
        treatment=release["treatment"],
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """How many tools are acceptable; one reason a tool."""
    tools = result["tools"]
    good = sum(tool["acceptable"] for tool in tools)
    said = (
        say("content.text_comparison.of_tools_acceptable", good=count(good), number=count(len(tools)))
        if good
        else say("content.text_comparison.no_tool_is")
    )
    pairs = zip(result["reasons"], tools, strict=True)
    reasons = tuple(Reason(text, tool["acceptable"]) for text, tool in pairs)
    return Verdict(
        result["acceptable"],
        reasons,
        say("content.text_comparison.all_tools_are") if result["acceptable"] else said,
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
        say("content.text_comparison.tools_side_by"),
        say(
            "content.text_comparison.mean_risk_with",
            limits=probability(limits[0]),
            limits_2=probability(limits[1]),
        ),
        (
            Column(say("content.text_comparison.tool")),
            Column(say("content.text_comparison.direct"), is_number=True),
            Column(
                say("content.text_comparison.interval", level=level(result["benchmark"]["level"])),
                is_number=True,
            ),
            Column(say("content.text_comparison.quasi"), is_number=True),
            Column(
                say("content.text_comparison.interval", level=level(result["benchmark"]["level"])),
                is_number=True,
            ),
            Column(
                say("content.text_comparison.words_masked"),
                is_number=True,
                short=say("content.text_comparison.masking_recall"),
            ),
            Column(say("content.text_comparison.precision"), is_number=True),
            Column(say("content.text_comparison.acceptable")),
        ),
        rows,
        say("content.text_comparison.order_by_the"),
    )


def differences(result: dict[str, Any], role: str) -> Table | None:
    """Every two tools: the difference of their risks, and whether it is more than chance."""
    rows = tuple(
        (
            f"{row['a']} - {row['b']}",
            _signed(row[role]["value"]),
            say(
                "content.text_comparison.to",
                signed=_signed(row[role]["low"]),
                signed_2=_signed(row[role]["high"]),
            ),
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
        say("content.text_comparison.differences", roles=ROLES[role].lower()),
        say("content.text_comparison.the_plug_in"),
        (
            Column(say("content.text_comparison.tools_2")),
            Column(say("content.text_comparison.difference"), is_number=True),
            Column(
                say("content.text_comparison.interval", level=level(result["benchmark"]["level"])),
                is_number=True,
            ),
            Column(say("content.text_comparison.lower_risk")),
            Column(
                say("content.text_comparison.documents_that_leak"),
                is_number=True,
                short=say("content.text_comparison.only_first_leaks"),
            ),
            Column(
                say("content.text_comparison.documents_that_leak_under"),
                is_number=True,
                short=say("content.text_comparison.only_second_leaks"),
            ),
        ),
        rows,
        ((say("content.text_comparison.where_fewer_than") + " ") if few else "")
        + say("content.text_comparison.each_interval_holds"),
    )


def improvements(result: dict[str, Any]) -> Table:
    """What each tool would need."""
    rows = tuple((tool["name"], text_improvements.brief(tool)) for tool in in_order(result))
    return Table(
        say("content.text_comparison.what_each_would"),
        say("content.text_comparison.the_least_change"),
        (
            Column(say("content.text_comparison.tool")),
            Column(say("content.text_comparison.improvement"), is_prose=True),
        ),
        rows,
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was assumed, the same for all."""
    given = result["settings"]
    threshold = result["threshold"]
    facts = [
        Fact(
            say("content.text_comparison.gold"),
            gold_of(result),
            say("content.text_comparison.the_gold_standard"),
        ),
        *(Fact(name, plain(value)) for name, value in given["release"].items()),
        Fact(
            say("content.text_comparison.threshold"), f"{threshold['probability']:.4g}: {threshold['reason']}"
        ),
        *(Fact(name, plain(value)) for name, value in given.items() if name not in ("gold", "release")),
        Fact(
            say("content.text_comparison.seed"),
            str(result["seed"]),
            say("content.text_comparison.the_same_resampled"),
        ),
    ]
    return Facts(
        say("content.text_comparison.settings"), say("content.text_comparison.the_same_for"), tuple(facts)
    )


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
