"""`draft_release`: a commented release file for files that exist, to be read and completed by a person."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from reidrisk.assess.form.release import VERSION
from reidrisk.assess.looked import Looked, look, sides
from reidrisk.errors import InvalidSetting

HEAD = """\
# A release, its context and its parts. Written by `reidrisk init`: read every line, and correct it.
# Check it and get a verdict:  reidrisk assess release.yaml --out assessment
reidrisk: {version}                  # the version of this form

release:
  name: {name}
  # purpose: "..."           # what the data are for
  # custodian: "..."         # who is responsible for the data
  # recipient: "..."         # who gets them
  # prepared_by: "..."       # who makes this assessment
  # date: 2026-11-01         # of the assessment; no clock is asked
  review_months: 12          # after how many months it is looked at again

context:                     # may also be the path of a file, made by: reidrisk context score
  preset: hospital           # or ema, health_canada, hipaa, ipc, cell_size_3 to cell_size_30, or a file
  access: public             # public, semi_public (terms of use), or non_public (a known recipient)
  # controls: medium         # at a known recipient: low, medium or high; better a checklist of practices:
  # checklist: checklist.yaml
  # motives: low             # of the recipient: low, medium or high
  # threshold: {{cell_size: 5, reason: "who chose it and why"}}

seed: 7                      # same seed, same answer

parts:
"""
WIDTH = 27


def draft_release(files: Sequence[str | Path]) -> str:
    """The YAML of a release file for these files; nothing of a cell or a text is in it."""
    if not files:
        raise InvalidSetting("No file is named.", hint="Name the files that are to be released.")
    found = [look(file) for file in files]
    names = _Names()
    lines: list[str] = []
    for gold, tool in sides([one for one in found if one.kind == "text"]):
        lines += [*_text(names.of("notes"), gold, tool), ""]
    for one in found:
        if one.kind == "table":
            lines += [*_table(names.of(_stem(one.path)), one), ""]
        elif one.kind == "population":
            lines += [*_population(names.of(_stem(one.path)), one), ""]
        elif one.kind == "documents":
            lines += [*_documents(names.of("documents"), one), ""]
    title = json.dumps(f"Release of {', '.join(names.taken)}", ensure_ascii=False)
    return HEAD.format(version=VERSION, name=title) + "\n".join(lines[:-1]) + "\n"


class _Names:
    """A name for each part, none twice."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def of(self, wanted: str) -> str:
        """The name that is wanted, with a number if it is taken."""
        name, number = wanted, 2
        while name.lower() in (other.lower() for other in self.taken):
            name, number = f"{wanted}-{number}", number + 1
        self.taken.append(name)
        return name


def _stem(path: str) -> str:
    bare = re.sub(r"[?#].*", "", path).rstrip("/")
    return re.sub(r"[^A-Za-z0-9_-]+", "-", Path(bare).name.split(".")[0]).strip("-_")[:60] or "part"


def _line(key: str, value: str, remark: str = "", *, first: bool = False) -> str:
    text = f"  {'- ' if first else '  '}{key}: {value}"
    if not remark:
        return text
    return f"{text:<{WIDTH + 2}}# {remark}" if len(text) <= WIDTH else f"    # {remark}:\n{text}"


def _quoted(text: str) -> str:
    """Plain where YAML reads it back as it is."""
    plain = re.fullmatch(r"[A-Za-z_./][\w ./-]*", text) and text.lower() not in {"true", "false", "null"}
    return text if plain and text == text.strip() else json.dumps(text, ensure_ascii=False)


def _listed(names: Sequence[str]) -> str:
    return f"[{', '.join(_quoted(name) for name in names)}]"


def _text(name: str, gold: Looked, tool: Looked | None) -> Iterator[str]:
    yield _line("name", name, first=True)
    yield _line("kind", "text", "a text de-identification tool against a gold standard")
    yield _line("gold", _quoted(gold.path), "what people marked")
    if tool is None:
        yield "    tool: TO-BE-NAMED        # what the tool marked in the same documents"
    else:
        yield _line("tool", _quoted(tool.path), "what the tool marked; by its name: exchange them if wrong")
    yield _line("treatment", "redaction", "or resynthesis: caught identifiers replaced by surrogates")
    yield "    # recognition: 0.27      # with resynthesis: how often a leak is told from surrogates"
    yield "    # types: types.yaml      # which types are direct, quasi or ignored"


def _table(name: str, one: Looked) -> Iterator[str]:
    found = one.suggestion
    yield _line("name", name, first=True)
    yield _line("kind", "table", "a data set")
    yield _line("table", _quoted(one.path))
    quasi = found.quasi if found else ()
    if quasi:
        yield _line("quasi", _listed(quasi), "suggested: columns that an intruder may know")
    else:
        yield "    quasi: []                # none was recognised: name the columns that an intruder may know"
    unit = found.unit if found else None
    if unit:
        yield _line("unit", _quoted(unit.column), "suggested: its rows are one person or visit")
        if unit.varying:
            rules = ", ".join(f"{_quoted(column)}: set" for column in unit.varying)
            yield _line("reduce", f"{{{rules}}}", "for what varies within a unit")
    direct = found.of_role("direct identifier") if found else ()
    if direct:
        columns = ", ".join(f"{_quoted(column)}: drop" for column in direct)
        yield _line("direct", f"{{{columns}}}", "seem to name people: drop, pseudonym, number or keep")
    yield "    # hierarchies: rules.yaml # how each column may be generalized"
    yield "    # deidentify: true       # search the least loss that makes it acceptable; needs hierarchies"
    yield f"    # out: {name}-released.csv  # with deidentify: where the table is written, if acceptable"


def _population(name: str, one: Looked) -> Iterator[str]:
    yield _line("name", name, first=True)
    yield _line("kind", "population", "what a sharing policy exposes")
    yield _line("population", _quoted(one.path))
    if {"county", "sex", "race"} <= {*one.areas, *one.fields}:
        yield _line("policy", "limited", "what is released of each person: limited, safe, or fields")
        yield _line("compare", "safe", "another policy that it is held against")
    else:
        told = ",".join(("year_of_birth", *one.fields))
        yield _line("policy", _quoted(told), "what is released of each person: fields, or a file")
    yield _line("attacker", "general", "who attacks: general, voter, or the fields of a list")
    if len(one.areas) > 1:
        yield _line("by", _quoted(one.areas[-1]), "areas whose risk is told apart")


def _documents(name: str, one: Looked) -> Iterator[str]:
    yield _line("name", name, first=True)
    yield _line("kind", "documents", "clinical documents of a trial")
    yield _line("study", _quoted(one.path), "names the data of participants and the documents")
    yield _line("scenario", "ipd", "everybody in the data; after a full review of the documents")
    yield "    # scenario: ipd_mentioned # or only who is mentioned; redacted, replaced, or qualitative"
    yield "    # findings: findings.json # of: reidrisk document detect"
    yield "    # recognition: 0.27      # with replaced: how often a leak is told from replaced values"
