"""The part that some settings mean, checked as far as it can be without reading any data."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reidrisk.assess.parts.attack import AttackPart
from reidrisk.assess.parts.deidentify import DeidentifyPart, Target
from reidrisk.assess.parts.documents import DocumentsPart
from reidrisk.assess.parts.part import Part, check_sources
from reidrisk.assess.parts.population import PopulationPart
from reidrisk.assess.parts.releasing import ReleasingPart
from reidrisk.assess.parts.steps import StepsPart
from reidrisk.assess.parts.table import TablePart
from reidrisk.assess.parts.text import TextPart
from reidrisk.context.score import ContextScore
from reidrisk.core.place import Place
from reidrisk.core.threshold import Threshold
from reidrisk.engine.write import ready_to_write
from reidrisk.tables.transform.applied import sampling_fraction
from reidrisk.tables.transform.plan import needs_key
from reidrisk.text.read import FORMATS


def part_of(given: Mapping[str, Any], place: Place, *, folder: Path, score: ContextScore) -> Part:
    """Make the part; contradictions and missing files are named by their line."""
    name, kind = str(given["name"]), str(given["kind"])
    if kind == "table" and given.get("deidentify"):
        planned = DeidentifyPart(name, given, folder, Target.of(score))
        _check_secret(planned, place)
        check_sources(planned, place)
        _check_deidentify(planned, place, score)
        return planned
    if kind == "table" and given.get("against"):
        attacked = AttackPart(name, given, folder)
        check_sources(attacked, place)
        with place.names_line(name):
            _ = attacked.plan
        return attacked
    if kind == "table" and given.get("steps"):
        changed = StepsPart(name, given, folder)
        _check_secret(changed, place)
        check_sources(changed, place)
        _check_steps(changed, place)
        _check_table(changed, place)
        return changed
    for setting in ("out", "key") if kind == "table" else ():
        if given.get(setting):
            raise place.at(setting).wrong(
                "is for a table that is changed, and this one is measured as it is.",
                hint="Write steps:, or deidentify: true.",
            )
    kinds: dict[str, type[TextPart | TablePart | PopulationPart | DocumentsPart]] = {
        "text": TextPart,
        "table": TablePart,
        "population": PopulationPart,
        "documents": DocumentsPart,
    }
    part = kinds[kind](name, given, folder)
    if isinstance(part, DocumentsPart):
        _check_documents(part, place, score)
    check_sources(part, place)
    if isinstance(part, TextPart):
        _check_text(part, place, score)
    if isinstance(part, TablePart):
        _check_table(part, place)
    if isinstance(part, PopulationPart):
        _check_population(part, place)
    return part


def _check_text(part: TextPart, place: Place, score: ContextScore) -> None:
    with place.at("settings").names_line():
        _ = part.settings
    with place.at("recognition").names_line():
        score.release(part.treatment, part.recognition)
    for side in ("gold_format", "tool_format"):
        named = part.given.get(side)
        if named is not None and named not in FORMATS:
            raise place.at(side).among(str(named), list(FORMATS))
    for key in ("types", "ignore_words", "patient"):
        with place.at(key).names_line(f"{part.name}.types"):
            _ = TextPart(part.name, {key: part.given.get(key)}, part.folder).counting


def _check_table(part: TablePart, place: Place) -> None:
    with place.names_line():
        _ = part.schema, part.sampling, part.secrets
    if part.adversary == "journalist" and not (part.given.get("population") or part.sampling):
        raise place.at("adversary").wrong(
            "is a journalist, for whom a population is needed.",
            hint="Write population: FILE, or sampling_fraction, population_size or weights.",
        )
    with place.names_line(part.name):
        part.hierarchies()
    known = (*part.schema.quasi, *part.schema.sensitive)
    _check_columns(part.given.get("hierarchies"), known, place.at("hierarchies"))


def _check_population(part: PopulationPart, place: Place) -> None:
    for key in part.limits:
        if key != "total" and not (key.isdecimal() and int(key) > 0):
            raise place.at("max_share").at(key).wrong("names no g.", hint="Write 5: 0.01 or total: 0.001.")
    with place.at("state").names_line():
        _ = part.options


def _check_documents(part: DocumentsPart, place: Place, score: ContextScore) -> None:
    if not part.study_file.is_file():
        return  # named by its line like every missing file
    with place.at("study").names_line():
        _ = part.study
    with place.at("settings").names_line():
        _ = part.settings
    with place.at("recognition").names_line():
        part.release(score)


def _check_columns(given: Any, known: Sequence[str], place: Place) -> None:
    """A rule for a misspelt column would silently do nothing; rules for columns not used here are no harm."""
    for column in given if isinstance(given, Mapping) else ():
        near = difflib.get_close_matches(str(column), known, n=1)
        if column not in known and near:
            raise place.at(str(column)).wrong(
                "names no quasi-identifier.",
                hint=f"Did you mean {near[0]!r}? Named are: {', '.join(known)}.",
            )


def _check_secret(part: ReleasingPart, place: Place) -> None:
    key = part.given.get("key")
    if key and not (part.folder / key).is_file():
        raise place.at("key").wrong(
            f"names {key}, which does not exist.", hint="Make it: reidrisk table key FILE"
        )


def _check_deidentify(part: DeidentifyPart, place: Place, score: ContextScore) -> None:
    with place.names_line(part.name):
        _ = part.schema, part.options
    layouts = [name for layout in part.config.layouts for name in layout.quasi]
    known = (*part.schema.quasi, *layouts)
    for key in ("hierarchies", "weights", "max_level"):
        _check_columns(part.given.get(key), known, place.at(key))
    _check_out(part, place)
    strictest = Threshold.from_cell_size(part.rungs[0], "tried")
    if part.states_rungs and score.rule == "cell_size" and not score.threshold.accepts(strictest.probability):
        setting = part.states_rungs if part.states_rungs in part.given else "config"
        raise place.at(setting).wrong(
            f"begins at a cell size of {part.rungs[0]}, but the context accepts at most "
            f"1/{score.threshold.cell_size}: the two contradict each other.",
            hint=f"Begin with {score.threshold.cell_size}, or leave it to the context.",
        )


def _check_out(part: ReleasingPart, place: Place) -> None:
    if part.out is None:
        return
    with place.at("out").names_line():
        ready_to_write(part.out)
    if not part.out.parent.is_dir():
        raise place.at("out").wrong("is in a folder that does not exist.", hint="Make the folder first.")
    read = [part.folder / source for source in part.sources()]
    if part.out.resolve() in [path.resolve() for path in read]:
        raise place.at("out").wrong("is a file that is read.", hint="Name another file to write.")


def _check_steps(part: StepsPart, place: Place) -> None:
    with place.names_line(part.name):
        needs_key(part.steps, part.secret)
    _check_out(part, place)
    if part.given.get("weights") and sampling_fraction(part.steps) is not None:
        raise place.at("weights").wrong(
            "no longer say how many people a record stands for once only a sample goes out.",
            hint="Write sampling_fraction: or population_size: in their place.",
        )
    for column, treatment in part.treatments.items() if part.out else ():
        if treatment not in {"drop", "keep"}:
            raise (
                place.at("direct")
                .at(column)
                .wrong(
                    f"is {treatment}, which a table that is only transformed does not know.",
                    hint="Write a step of kind: pseudonyms, drop the column, or write deidentify: true.",
                )
            )
