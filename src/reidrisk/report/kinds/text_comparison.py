"""De-identification tools compared on one gold standard."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import UNDECIDED
from reidrisk.report.blocks import text_improvements
from reidrisk.report.blocks.settings import plain, versions
from reidrisk.report.blocks.text_counts import ROLES, misaligned_annotations
from reidrisk.report.blocks.text_guide import COMPARISON_GUIDE
from reidrisk.report.charts import intervals
from reidrisk.report.charts.canvas import Chart, shorten
from reidrisk.report.charts.differences import Gap, draw_gaps, height
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, only_in_terminal, reasons_of
from reidrisk.report.kinds import text_risk
from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict
from reidrisk.report.plain_text import heading, wrap
from reidrisk.report.section import Section
from reidrisk.report.traced import size

LIMITS = {"direct": "upper limit of the benchmark", "quasi": "threshold"}
MOST_PAIRS = 15


def name_of(result: ResultDict) -> str:
    """The names of the tools, or their number."""
    names = [tool["name"] for tool in result["tools"]]
    return " / ".join(names) if size(names) < 4 else f"{count(size(names))} tools"


def gold_of(result: ResultDict) -> str:
    """The gold standard, by the last part of its path."""
    return short_path(str(result["settings"].get("gold", "the gold standard")))


def about(result: ResultDict) -> str:
    """What was compared, in a sentence."""
    release = result["settings"]["release"]
    return (
        f"All tools were evaluated on {gold_of(result)}, the same {count(result['documents'])} "
        f"documents. Profile: {result['settings']['profile']}. Release: "
        f"{release['access'].replace('_', '-')}, {release['treatment']}."
    )


def verdict(result: ResultDict) -> Verdict:
    """How many tools are acceptable, with one reason per tool."""
    tools = result["tools"]
    good = sum(tool["acceptable"] for tool in tools)
    word = f"{count(good)} of {count(size(tools))} tools are acceptable" if good else "No tool is acceptable"
    undecided = [tool for tool in tools if tool.get("decision") == "undecided"]
    if undecided:
        which = "any tool" if len(undecided) == len(tools) else ", ".join(tool["name"] for tool in undecided)
        word = f"{UNDECIDED} on {which}" if not good else f"{word}; {UNDECIDED.lower()} on {which}"
    word = "All tools are acceptable" if result["acceptable"] else word
    safest = safer(result)
    return Verdict(result["acceptable"], reasons_of(result), f"{safest}. {word}" if safest else word)


def safer(result: ResultDict) -> str:
    """Which of two tools is safer, and for which identifiers; empty if this may be due to chance.

    A tool is safer without more words only if this is shown for every role in which the tools differ.
    """
    if len(result["differences"]) != 1:
        return ""
    row = result["differences"][0]
    differing = [role for role in ROLES if row[role] and not _equal(row[role])]
    decided = [role for role in differing if row[role]["lower"]]
    lower = {row[role]["lower"] for role in decided}
    if len(lower) != 1:
        return ""
    one = lower.pop()
    which = "" if decided == differing else f" for {ROLES[decided[0]].lower()}"
    return f"{row[one]} is safer than {row['b' if one == 'a' else 'a']}{which}"


def _equal(part: ResultDict) -> bool:
    """Whether no document tells the tools apart."""
    return part["value"] == 0 and not part["plain"]["only_a"] and not part["plain"]["only_b"]


def in_order(result: ResultDict) -> list[ResultDict]:
    """The tools, the lowest risk first."""
    place = {name: at for at, name in enumerate(result["ranking"])}
    return sorted(result["tools"], key=lambda tool: place[tool["name"]])


def tools(result: ResultDict) -> Table:
    """One row per tool, the lowest risk first."""
    rows = tuple(
        (
            tool["name"],
            *(text for role in ROLES for text in (probability(tool[role]["value"]), span(tool[role]))),
            percent(tool["masking"]["recall"]),
            percent(tool["precision"]),
            _acceptable(tool),
        )
        for tool in in_order(result)
    )
    limits = [result["tools"][0][role]["threshold"] for role in ROLES]
    return Table(
        "Tools side by side",
        (
            "Mean risk with its interval, the lowest risk first. The upper limit must not exceed "
            f"{probability(limits[0])} for direct identifiers (the upper limit of the benchmark) and "
            f"{probability(limits[1])} for quasi-identifiers (the threshold)."
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
        "Tools are sorted by the larger of both risks, each divided by its largest acceptable value.",
    )


def _acceptable(tool: ResultDict) -> str:
    if tool.get("decision") == "undecided":
        return "undecided"
    return "yes" if tool["acceptable"] else "NO"


def differences(result: ResultDict, role: str) -> Table | None:
    """The difference between the risks of each pair of tools, and whether it may be due to chance."""
    rows = tuple(
        (
            f"{row['a']} - {row['b']}",
            _with_sign(row[role]["value"]),
            f"{_with_sign(row[role]['low'])} to {_with_sign(row[role]['high'])}",
            _lower(row, role),
            count(row[role]["plain"]["only_a"]),
            count(row[role]["plain"]["only_b"]),
        )
        for row in result["differences"]
        if row[role] is not None
    )
    if not rows:
        return None
    few = any(
        row[role] and row[role]["method"] == "shares of leaking documents" for row in result["differences"]
    )
    return Table(
        f"Differences: {ROLES[role].lower()}",
        (
            "Risk of the first tool minus risk of the second, on the same documents. If the interval "
            "includes 0, the difference may be due to chance."
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
                "documents that leak only with the first tool",
                is_number=True,
                short="only first leaks",
            ),
            Column(
                "documents that leak only with the second tool",
                is_number=True,
                short="only second leaks",
            ),
        ),
        rows,
        (
            "If fewer than five documents leak, the table shows the difference between the observed shares. "
            if few
            else ""
        )
        + "Each interval applies to one pair. With many pairs, some intervals will miss the true difference.",
    )


def _lower(row: ResultDict, role: str) -> str:
    lower = row[role]["lower"]
    return "undecided" if lower is None else str(row[lower])


def _with_sign(value: float | None) -> str:
    """A difference with its sign.

    >>> _with_sign(0.0312), _with_sign(-0.2), _with_sign(0.0)
    ('+0.0312', '-0.2000', '0')
    """
    if value is None:
        return MISSING
    return f"+{probability(value)}" if value > 0 else probability(value)


def improvements(result: ResultDict) -> Table:
    """What would make each tool acceptable."""
    rows = tuple((tool["name"], text_improvements.brief(tool)) for tool in in_order(result))
    return Table(
        "What each tool needs",
        (
            "The smallest improvement in recall that makes the risk acceptable: of one type if that is "
            "enough, otherwise of several types together (the last one only as far as needed)."
        ),
        (
            Column("tool"),
            Column("improvement", is_prose=True),
        ),
        rows,
    )


def improvement_lines(result: ResultDict) -> list[str]:
    """For a terminal: one paragraph per tool."""
    table = improvements(result)
    lines = heading(table.title, table.explanation)
    for tool in in_order(result):
        lines += wrap(f"{tool['name']}: {text_improvements.brief(tool)}", rest=" " * 4)
    return lines


def misaligned(result: ResultDict) -> Table | None:
    """Annotations that did not fit their text: those of the gold standard once, then those of each tool."""
    found = {tool["name"]: tool["misaligned"] for tool in result["tools"] if tool.get("misaligned")}
    if not found:
        return None
    first = next(iter(found.values()))
    places = [place for place in first["places"] if place["side"] == "gold"]
    places += [
        {**place, "side": name}
        for name, one in found.items()
        for place in one["places"]
        if place["side"] == "tool"
    ]
    counts = {name: first[name] for name in ("gold_skipped", "gold_moved")}
    for name in ("tool_skipped", "tool_moved"):
        counts[name] = sum(one[name] for one in found.values())
    return misaligned_annotations({"misaligned": {**counts, "places": places}})


def settings(result: ResultDict) -> Facts:
    """The settings, which are the same for all tools."""
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
            "seed; the same for every tool",
        ),
    ]
    return Facts(
        "Settings", "The same for all tools. Other settings may lead to a different order.", tuple(facts)
    )


def _more(_: ResultDict) -> list[str]:
    return ["", *wrap("For the details of a tool, evaluate it alone or use --html or --json.")]


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The risks of the tools and their differences, for each role."""
    found = [
        chart for role in ROLES for chart in (_risk_chart(result, role), _difference_chart(result, role))
    ]
    return tuple(chart for chart in found if chart is not None)


def _risk_chart(result: ResultDict, role: str) -> Chart | None:
    tools = [tool for tool in in_order(result) if tool[role]["value"] is not None]
    if not tools:
        return None
    rows = [
        Interval(
            shorten(tool["name"], 24),
            tool[role]["value"],
            tool[role]["low"],
            tool[role]["high"],
            tool[role]["acceptable"],
        )
        for tool in tools
    ]
    part = tools[0][role]
    listed = ", ".join(f"{row.name} {row.label}" for row in rows)
    return Chart(
        role,
        f"{ROLES[role]}: risk by tool",
        (
            f"Dots are means, lines are {level(part['level'])} intervals. Acceptable tools are bold: their "
            f"interval ends before the dashed line, the {LIMITS[role]}."
        ),
        f"Mean and interval of each tool, the lowest risk first: {listed}.",
        intervals.height(len(rows)),
        partial(draw_intervals, rows=rows, limit=part["threshold"], limit_name=LIMITS[role]),
    )


def _difference_chart(result: ResultDict, role: str) -> Chart | None:
    gaps = [
        Gap(row["a"], row["b"], row[role]["value"], row[role]["low"], row[role]["high"])
        for row in result["differences"]
        if row[role] is not None
    ]
    if not gaps:
        return None
    shown = gaps[:MOST_PAIRS]
    decided = sum(gap.decided for gap in gaps)
    more = f" The first {MOST_PAIRS} pairs are shown; the table has all." if len(gaps) > MOST_PAIRS else ""
    return Chart(
        f"{role}-differences",
        f"{ROLES[role]}: differences between tools",
        (
            "Risk of the left tool minus risk of the right tool, on the same documents. Bold: the interval "
            f"excludes 0.{more}"
        ),
        f"{decided} of {len(gaps)} intervals exclude 0. The table below has every number.",
        height(len(shown)),
        partial(draw_gaps, gaps=shown),
    )


def following(result: ResultDict, prefix: str) -> list[Section]:
    """The results of each tool, the lowest risk first."""
    return [
        text_risk.KIND.section(tool, id=f"{prefix}t{number}", title=tool["name"])
        for number, tool in enumerate(in_order(result), start=1)
    ]


KIND = Kind(
    title="Comparison of de-identification tools",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Comparison of {name_of(result)}. {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(tools),
        Show(improvements, lines=improvement_lines),
        Show(partial(differences, role="direct")),
        Show(partial(differences, role="quasi")),
        Show(misaligned),
        Show(settings),
        only_in_terminal(_more),
        Show(versions, terminal=False),
    ),
    guide=COMPARISON_GUIDE,
    comparison=Comparison(
        "The tool with the lowest risk on each gold standard.",
        "tools",
        (
            (Column("gold standard"), gold_of),
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("lowest risk"), lambda result: str(result["ranking"][0])),
        ),
    ),
    following=following,
)
