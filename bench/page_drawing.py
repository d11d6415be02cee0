"""The benchmark page, drawn from its JSON file alone: no figure of the page is written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

HEAD = """# Benchmarks

`make bench` measures and writes this page, with all figures in [benchmarks.json](benchmarks.json). No figure
is typed in: run it on your machine to get your own page. `make bench QUICK=1` uses smaller data and takes at
most ten minutes instead of two hours.

How to read it:

- Each row compares reidrisk with a peer from the package index, or with a physical limit: the least that any
  program must do, such as reading the file once.
- *Times as fast* is the peer's time divided by ours: higher is better. *Times the limit* is our time divided
  by that of the limit: lower is better.
- Times are the shortest of several runs, ours and the other in turns. The ratio of processor time is next to
  it, because other work on the machine disturbs it less.
- A first run that compiles loops is not counted: the machine code is kept on disk for all later ones.
- Goals were set before the run. A goal that is missed is explained below its table.
"""
VERDICTS = {True: "met", False: "**missed**"}


def draw(found: dict[str, Any]) -> str:
    """The whole page as Markdown."""
    parts = [HEAD, *_made(found["made"])]
    sections: dict[str, list[dict[str, Any]]] = {}
    for measure in found["measures"]:
        sections.setdefault(measure["section"], []).append(measure)
    for title, measures in sections.items():
        parts += ["", f"## {title}", ""]
        parts += list(_section(measures))
    return "\n".join(parts).replace("\n\n\n", "\n\n").rstrip() + "\n"


def _made(made: dict[str, Any]) -> Iterator[str]:
    machine = made["machine"]
    yield "## The run"
    yield ""
    yield "| | |"
    yield "| --- | --- |"
    yield f"| run | {made['mode']}, {made['date']}, {made['seconds'] / 60:.0f} minutes |"
    yield (
        f"| machine | {machine['processor']}, {machine['cores']} cores, {machine['gigabytes']:.0f} GB, "
        f"{machine['system']} |"
    )
    yield f"| load before the run | {machine['load']:.1f} processes for {machine['cores']} cores |"
    yield f"| versions | {', '.join(f'{name} {version}' for name, version in made['versions'].items())} |"
    yield f"| peers | {', '.join(_peer(*one) for one in made['peers'].items())} |"
    if machine["load"] > machine["cores"] / 2:
        yield ""
        yield (
            "**Other programs were running.** Seconds are longer than on an idle machine. Where the "
            "processor time is within a goal in seconds, the goal was missed for that reason alone."
        )


def _peer(name: str, peer: dict[str, str]) -> str:
    return (
        f"{name} {peer['version']}"
        if "version" in peer
        else f"{name}: not installable here ({peer['missing']})"
    )


def _section(measures: list[dict[str, Any]]) -> Iterator[str]:
    rows = [row for measure in measures for row in measure["rows"]]
    if rows:
        yield "| question | data | reidrisk | compared with | ratio | processor time | goal | |"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
        yield from map(_row, rows)
    for row in rows:
        yield from _remarks(row)
    for measure in measures:
        for curve in measure["curves"]:
            yield from _curve(curve)
        if measure["problem"]:
            yield ""
            yield f"Not measured in this run (`{measure['name']}`): {measure['problem']}."


def _row(row: dict[str, Any]) -> str:
    goal, ratio = row["goal"], row["ratio"]
    kind = goal["kind"]
    cells = [row["question"], row["data"], _amount(row["ours"])]
    if kind == "seconds":
        cells += ["", "", f"{row['ours']['cpu']:.2f} s", f"at most {goal['value']:g} s"]
    elif kind == "loss":
        cells += [f"{row['against']}: {_amount(row['other'])}", f"{ratio['clock']:.2f} of the peer's", ""]
        cells += [f"at most {goal['value']:g}"]
    else:
        unit = "times as fast" if kind == "peer" else "times the limit"
        cells += [f"{row['against']}: {_amount(row['other'])}", f"{_figure(ratio['clock'])} {unit}"]
        cells += [_figure(ratio["cpu"]), f"at {'least' if kind == 'peer' else 'most'} {goal['value']:g}"]
    return f"| {' | '.join([*cells, VERDICTS[ratio['met']]])} |"


def _amount(found: Any) -> str:
    if isinstance(found, float | int):
        return f"{found:.3f}"
    memory = "" if found["megabytes"] is None else f", {found['megabytes']:,.0f} MB"
    return f"{_seconds(found['seconds'])}{memory}"


def _seconds(seconds: float) -> str:
    return (
        f"{1000 * seconds:.1f} ms"
        if seconds < 0.1
        else f"{seconds:.2f} s"
        if seconds < 100
        else f"{seconds:,.0f} s"
    )


def _figure(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2f}"


def _remarks(row: dict[str, Any]) -> Iterator[str]:
    """Why a goal was missed, and what else the run said."""
    said = [] if row["ratio"]["met"] else [f"Goal missed. {row['goal']['why']}"]
    if row["goal"]["kind"] == "seconds" and not row["ratio"]["met"] and row["ratio"]["cpu"] <= 1:
        said.append("The processor time is within the goal.")
    if row["notes"]:
        said.append(f"{'; '.join(row['notes'])}.")
    if said:
        yield ""
        yield f"*{row['question']}.* {' '.join(said)}"


def _curve(curve: dict[str, Any]) -> Iterator[str]:
    floor = bool(curve["against"])
    yield ""
    yield f"### {curve['question']}, by {curve['axis']}"
    yield ""
    yield f"Data: {curve['data']}." + (f" Compared with {curve['against']}." if floor else "")
    yield ""
    more = "compared with | ratio | " if floor else ""
    yield f"| {curve['axis']} | reidrisk | processor time | {more}memory | |"
    yield f"| ---: | ---: | ---: | {'---: | ---: | ' if floor else ''}---: | --- |"
    yield from (_point(point, floor=floor) for point in curve["points"])
    yield ""
    if curve["exponent"] is None:
        yield "Too few points for an exponent."
        return
    met = curve["tail"] <= curve["goal"]
    yield (
        f"Time grows with {curve['axis']} to the power of {curve['exponent']:.2f} over all points, and of "
        f"{curve['tail']:.2f} between the last two. Goal for the last two: at most {curve['goal']:g}, "
        f"{VERDICTS[met]}.{'' if met else ' ' + curve['why']}"
    )


def _point(point: dict[str, Any], *, floor: bool) -> str:
    ours = point["ours"]
    cells = [
        f"{point['size']:,}",
        *([_seconds(ours["seconds"]), _seconds(ours["cpu"])] if ours else ["", ""]),
    ]
    if floor:
        other = point["floor"]
        cells += [_seconds(other["seconds"]) if other else ""]
        cells += [_figure(ours["seconds"] / other["seconds"]) if ours and other else ""]
    cells.append(f"{ours['megabytes']:,.0f} MB" if ours and ours["megabytes"] else "")
    return f"| {' | '.join([*cells, point['note']])} |"
