"""The form of a release file: every setting, what it takes and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from reidrisk.assess.form.fields import (
    Choice,
    Day,
    Exactly,
    Field,
    FileName,
    Flag,
    Number,
    Schema,
    Text,
    Whole,
)
from reidrisk.assess.form.shapes import AnyOf, Anything, Entry, Group, ListOf, TableOf
from reidrisk.core.place import Place
from reidrisk.core.schema import TREATMENTS
from reidrisk.documents.risk.settings import SCENARIOS
from reidrisk.stats.disclosure.limits import Distance, Diversity, Likeness
from reidrisk.stats.lattice.inputs import LOSSES
from reidrisk.text.settings import TextSettings

VERSION = 1
KINDS = ("text", "table", "population", "documents")
SHARE = Number(0, 1)
COLUMNS = ListOf(Text("column"))
REDUCE = TableOf(Choice(("first", "min", "max", "set")))
RECOGNITION = AnyOf((SHARE, ListOf(SHARE, 3), TableOf(Anything("number")), Text("0.1,0.2,0.3 or beta:a,b")))
STEPS = Entry(
    ListOf(Anything("kind: and its settings")),
    "Transformations in turn, before anything is measured or searched; see the guide to transformations.",
)
KEY = Entry(FileName(), "The secret of pseudonyms, and of what is drawn or shifted.")
OUT = Entry(FileName(), "Where the table is written, if it is acceptable.")
HIERARCHIES = AnyOf((FileName(), TableOf(Anything("rules of a hierarchy"))))

RELEASE = Group(
    {
        "name": Entry(Text(), "What is released.", needed=True),
        "purpose": Entry(Text(), "What the data are for."),
        "custodian": Entry(Text(), "Who is responsible for the data."),
        "recipient": Entry(Text(), "Who gets them."),
        "prepared_by": Entry(Text(), "Who made this assessment."),
        "date": Entry(Day(), "Of the assessment; the clock is never asked."),
        "review_months": Entry(Whole(most=1200), "After how many months it is to be looked at again."),
    }
)

_NAME = Entry(Text(), "A name of its own: letters, digits, - and _.", needed=True)


def _setting(kind: Any) -> Field:
    if get_origin(kind) is Literal:
        return Choice(tuple(str(word) for word in get_args(kind)))
    kinds: dict[Any, Field] = {bool: Flag(), int: Whole(0), float: Number(), str: Text()}
    return kinds[kind]


def _text_settings() -> Group:
    """Every option of a text evaluation, from its own declaration."""
    hints = get_type_hints(TextSettings)
    about = "See the reference of options of a text evaluation."
    return Group(
        {one.name: Entry(_setting(hints[one.name]), about) for one in dataclass_fields(TextSettings)}
    )


TEXT = Group(
    {
        "name": _NAME,
        "kind": Entry(
            Choice(("text",)), "A text de-identification tool against a gold standard.", needed=True
        ),
        "gold": Entry(FileName(), "The gold standard: a file or folder of annotations.", needed=True),
        "tool": Entry(FileName(), "What the tool marked in the same documents.", needed=True),
        "gold_format": Entry(Text("name of a format"), "If it is not to be found out."),
        "tool_format": Entry(Text("name of a format"), "If it is not to be found out."),
        "treatment": Entry(
            Choice(("redaction", "resynthesis")), "What is done to caught identifiers.  [redaction]"
        ),
        "recognition": Entry(
            RECOGNITION,
            "With resynthesis: the chance that a leaked original is told from surrogates.",
        ),
        "types": Entry(
            AnyOf((Text("path, or TYPE=role,…"), TableOf(Anything("roles")))),
            "Which types are direct, quasi or ignored.",
        ),
        "ignore_words": Entry(Text("`none`, `default` or a path"), "Words that need no masking.  [default]"),
        "patient": Entry(Text("regular expression"), "Joins the documents of one patient by their ids."),
        "settings": Entry(_text_settings(), "Options of the evaluation; `profile` is one of them."),
    },
    "A text part: what a de-identification tool leaves in documents.",
)

_TABLE: Mapping[str, Entry] = {
    "name": _NAME,
    "kind": Entry(Choice(("table",)), "A data set, as it is or to be de-identified.", needed=True),
    "table": Entry(Text("path, folder, pattern or URL"), "The table.", needed=True),
    "quasi": Entry(COLUMNS, "Columns an intruder may know."),
    "unit": Entry(Text("column"), "Which rows are one person or visit."),
    "reduce": Entry(REDUCE, "For what varies in a unit: the rule that makes it one value."),
    "direct": Entry(
        AnyOf((COLUMNS, TableOf(Choice(TREATMENTS)))), "Columns that name people, and what is done to them."
    ),
    "sensitive": Entry(COLUMNS, "Columns that are secret but not known to intruders."),
    "hierarchies": Entry(HIERARCHIES, "How each column may be generalized."),
    "events": Entry(COLUMNS, "In a table of events, many a person: columns that make an event."),
    "known": Entry(Whole(0), "How many events of a person the adversary knows, 0 to 5.  [2]"),
    "count_events": Entry(Flag(), "Whether the same event counts as often as it happened.  [false]"),
}

_SECRETS: Mapping[str, Entry] = {
    "l": Entry(Number(1), "At least so many values of a sensitive column in every class."),
    "t": Entry(SHARE, "At most this distance of a class from the whole table."),
    "beta": Entry(Number(0), "At most this relative gain of a sensitive value."),
    "delta": Entry(Number(0), "At most so many doublings or halvings of a sensitive value."),
    "diversity": Entry(Choice(get_args(Diversity)), "How `l` counts values.  [distinct]"),
    "c": Entry(Number(0), "With recursive diversity: its c.  [3]"),
    "distance": Entry(Choice(get_args(Distance)), "How far values are apart for `t`.  [auto]"),
    "likeness": Entry(Choice(get_args(Likeness)), "The form of `beta`.  [basic]"),
}

TABLE = Group(
    {
        **_TABLE,
        **_SECRETS,
        "quasi": Entry(COLUMNS, "Columns an intruder may know.", needed=True),
        "deidentify": Entry(Flag(), "Whether the table is to be de-identified.  [false]"),
        "steps": STEPS,
        "key": KEY,
        "out": Entry(FileName(), "With steps: where the table is written, if it is acceptable."),
        "population": Entry(Text("path or URL"), "Everybody who could be in the table, same columns."),
        "adversary": Entry(
            Choice(("prosecutor", "journalist")),
            "Whose risk decides; a journalist needs a population, or a sample of it.  [prosecutor]",
        ),
        "sampling_fraction": Entry(SHARE, "The share of a population not at hand that is in the table."),
        "population_size": Entry(Whole(), "How many people the table was drawn from."),
        "special": Entry(Whole(), "Count records that sets of up to so many columns single out."),
        "previous": Entry(Text("path or URL"), "Another release of the same data, coded alike."),
        "weights": Entry(Text("column"), "Survey weights: how many people each record stands for."),
        "rare": Entry(FileName(), "A list of rare codes; records that hold one are counted."),
        "rare_columns": Entry(COLUMNS, "Where to look for the codes."),
    },
    "A table part that is measured as it is, or after transformations.",
)

UTILITY = Group(
    {
        "queries": Entry(TableOf(Text("SQL")), "SELECTs on the table `data`, by a name of your own."),
        "models": Entry(ListOf(Anything("`cost ~ age, sex`, or target and features")), "Regressions."),
        "columns": Entry(COLUMNS, "Columns to compare.  [all that both tables have]"),
        "propensity": Entry(Flag(), "Whether a model tries to tell the tables apart.  [false]"),
        "interactions": Entry(ListOf(COLUMNS), "Pairs of columns whose products that model has."),
        "limits": Entry(
            TableOf(Number(0)),
            "Largest losses: query, query_largest, model, propensity, distribution, association.",
        ),
        "rows": Entry(Whole(100), "Of each table, at most, in models and scores.  [100000]"),
        "seconds": Entry(Number(0), "For each query.  [60]"),
        "folds": Entry(Whole(2), "Of cross-validation.  [5]"),
        "level": Entry(SHARE, "Of intervals of coefficients.  [0.95]"),
        "cell_size": Entry(Whole(), "Groups of fewer records are never named.  [5]"),
        "show_groups": Entry(Flag(), "Name large groups of queries that differ most.  [false]"),
    },
    "What users of a table want to know of it.",
)

DEIDENTIFY = Group(
    {
        **_TABLE,
        **_SECRETS,
        "deidentify": Entry(Flag(), "True: generalize and suppress until it is acceptable.", needed=True),
        "config": Entry(FileName(), "All of the settings below from a file of `table deidentify`."),
        "steps": STEPS,
        "key": KEY,
        "out": OUT,
        "cell_size": Entry(Whole(), "The smallest class to try.  [the context's]"),
        "ladder": Entry(ListOf(Whole()), "Cell sizes to try in turn; the context says which may be used."),
        "max_suppression": Entry(SHARE, "Share of records that may lose a value.  [0.05]"),
        "max_event_suppression": Entry(
            SHARE, "With events: share of rows with one that may be left out.  [0.05]"
        ),
        "max_cell_suppression": Entry(SHARE, "Share of records that may lose their value of one variable."),
        "average": Entry(SHARE, "Largest average risk, beside the cell size."),
        "method": Entry(
            Choice(("global", "local", "mondrian", "microaggregate")),
            "One level a variable, as much as each record needs, cuts, or means of groups.  [global]",
        ),
        "aggregate": Entry(Choice(("mean", "median")), "With microaggregate: what numbers become.  [mean]"),
        "suppress": Entry(Choice(("cells", "records")), "Single cells or whole records.  [cells]"),
        "reading": Entry(Choice(("value", "wildcard")), "How a suppressed cell is read.  [value]"),
        "order": Entry(Choice(("auto", "keep", "content")), "The order of the rows.  [auto]"),
        "loss": Entry(Choice(tuple(LOSSES)), "What is lost, and least in the answer.  [loss_gm]"),
        "weights": Entry(TableOf(Number(0)), "What a loss in a variable counts.  [1]"),
        "max_level": Entry(TableOf(AnyOf((Whole(0), Text("level")))), "Maximum acceptable generalization."),
        "derived": Entry(TableOf(Anything("from, to, unit")), "Variables computed from two dates."),
        "layouts": Entry(TableOf(COLUMNS), "Choices of variables, in order of preference."),
        "solutions": Entry(ListOf(Anything("name and levels")), "Proposals to be shown beside the answer."),
        "utility": Entry(UTILITY, "What users of the table want to know of it: measured, not decided by."),
    },
    "A table part that is de-identified.",
)

ATTACK = Group(
    {
        "name": _NAME,
        "kind": Entry(Choice(("table",)), "A data set that is attacked before it goes out.", needed=True),
        "table": Entry(Text("path, folder, pattern or URL"), "The table as it would go out.", needed=True),
        "against": Entry(Text("path or URL"), "The original, or people with their names.", needed=True),
        "quasi": Entry(COLUMNS, "Columns an intruder may know.", needed=True),
        "control": Entry(Text("path or URL"), "People like them who are not in the table."),
        "secret": Entry(COLUMNS, "What the intruder wants to infer."),
        "known": Entry(COLUMNS, "What inference starts from.  [the quasi-identifiers]"),
        "sets": Entry(ListOf(COLUMNS, 2), "Two sets of columns to be linked.  [halves of quasi]"),
        "id": Entry(Text("column"), "Tells who is who in both tables.  [order of rows]"),
        "unit": Entry(Text("column"), "Which rows of `against` are one person.  [every row]"),
        "guesses": Entry(Whole(), "Of each attack.  [2000]"),
        "neighbours": Entry(Whole(), "Of linkability: nearest records of which one must be shared.  [1]"),
        "confidence": Entry(Number(0, 1), "How sure a probable link must be to be claimed.  [0.9]"),
        "hierarchies": Entry(HIERARCHIES, "What generalized values stand for."),
    },
    "A table part that is attacked.",
)

POPULATION = Group(
    {
        "name": _NAME,
        "kind": Entry(Choice(("population",)), "What a policy exposes in a population.", needed=True),
        "population": Entry(Text("path"), "Counts of people.", needed=True),
        "policy": Entry(
            Text("`limited`, `safe`, fields, or a path"), "What is released of each person.", needed=True
        ),
        "compare": Entry(
            AnyOf((Text("policy"), ListOf(Text("policy")))), "Other policies that it is held against."
        ),
        "attacker": Entry(Text("`general`, `voter`, fields or a path"), "Who attacks.  [general]"),
        "price": Entry(Number(0), "Of the attacker's list."),
        "voter_lists": Entry(FileName(), "A table of voter lists of your own."),
        "state": Entry(AnyOf((Text(), ListOf(Text()))), "Only this state, or these."),
        "areas": Entry(COLUMNS, "Which columns are areas, the coarsest first."),
        "by": Entry(Text("column"), "Areas whose risk is told apart."),
        "dataset": Entry(Text("path"), "Records of people of the population; their risk is told."),
        "counted_in": Entry(Whole(1000), "The year in which the population was counted."),
        "g": Entry(ListOf(Whole()), "Group sizes.  [1, 3, 5, 10]"),
        "max_share": Entry(
            TableOf(SHARE), "Largest acceptable shares, by g or `total`, in place of the context's threshold."
        ),
        "across": Entry(Flag(), "The attacker does not know the state.  [false]"),
        "birth_dates": Entry(
            Text("`uniform`, `leap` or a path"), "How births spread over a year.  [uniform]"
        ),
        "days": Entry(Whole(12), "Days in a year of birth.  [365]"),
        "open_band_years": Entry(Whole(), "Years of birth in the open age band at the top."),
        "year": Entry(AnyOf((Whole(), Text())), "Which estimate of a file of the Bureau's."),
    },
    "A population part: what a sharing policy exposes.",
)

DOCUMENTS = Group(
    {
        "name": _NAME,
        "kind": Entry(Choice(("documents",)), "Clinical documents of a trial.", needed=True),
        "study": Entry(FileName(), "The study: a YAML file that names data and documents.", needed=True),
        "scenario": Entry(Choice(SCENARIOS), "How the documents are published.", needed=True),
        "findings": Entry(
            FileName(), "What was found in the documents.  [detected where a scenario needs it]"
        ),
        "review": Entry(FileName(), "Findings of which a sample was reviewed.  [the study's]"),
        "recognition": Entry(
            RECOGNITION,
            "With scenario replaced: the chance that a leaked original is told from others.",
        ),
        "settings": Entry(
            TableOf(Anything("value")),
            "combine, catch, given_catch, direct_limit, remaining, profile; options of texts.",
        ),
    },
    "A documents part: what clinical documents leave.",
)


class Part(Field):
    """A part of any kind."""

    said = "part"

    def check(self, value: Any, place: Place) -> None:
        """By its kind."""
        if not isinstance(value, Mapping):
            raise place.wrong("is no mapping of settings.", hint="Begin it with name: and kind:.")
        if value.get("kind") is None:
            raise place.wrong("needs the setting 'kind'.", hint=f"Choose one of: {', '.join(KINDS)}.")
        Choice(KINDS).check(value["kind"], place.at("kind"))
        form_of(value).check(value, place)

    def json_schema(self) -> Schema:
        """Any of them."""
        groups = (TEXT, TABLE, DEIDENTIFY, ATTACK, POPULATION, DOCUMENTS)
        return {"anyOf": [group.json_schema() for group in groups]}


def form_of(part: Mapping[str, Any]) -> Group:
    """The form that a part must have."""
    if part["kind"] == "table":
        return DEIDENTIFY if part.get("deidentify") else ATTACK if part.get("against") else TABLE
    return {"text": TEXT, "population": POPULATION, "documents": DOCUMENTS}[str(part["kind"])]


FORM = Group(
    {
        "reidrisk": Entry(Exactly(VERSION), "The version of this form.", needed=True),
        "release": Entry(RELEASE, "What is released, by whom, to whom.", needed=True),
        "context": Entry(
            AnyOf((FileName(), TableOf(Anything("see the guide to contexts")))),
            "Who gets the data under which controls, or the path of a file that says so.",
        ),
        "seed": Entry(Whole(0), "Same seed, same answer.  [7]"),
        "parts": Entry(ListOf(Part()), "Texts, tables, populations, documents.", needed=True),
    }
)


def json_schema() -> Schema:
    """The whole form for an editor."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "reidrisk release file",
        **FORM.json_schema(),
    }
