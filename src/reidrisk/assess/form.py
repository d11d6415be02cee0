"""The form of a release file: every setting, what it takes and what it means.

The settings of parts are in the files of their kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.assess.kind import KIND_NAMES, all_part_classes, part_class
from reidrisk.core.place import SettingPlace
from reidrisk.core.settings import (
    Choice,
    DateSetting,
    Entry,
    FixedNumber,
    JsonSchema,
    ListOf,
    MappingOf,
    SettingGroup,
    SettingType,
    TextSetting,
    WholeNumber,
    form_entries,
)
from reidrisk.core.shared_settings import CONTEXT, LIMIT_SETTINGS, SEED

VERSION = 1

SUBMISSION_FORM = SettingGroup(
    {
        "product": Entry(TextSetting(), "The medicinal product."),
        "procedure": Entry(TextSetting(), "The number of the procedure or submission at the agency."),
        "sponsor": Entry(TextSetting(), "The sponsor, applicant or manufacturer."),
        "studies": Entry(ListOf(TextSetting()), "The numbers of the studies."),
        "version": Entry(TextSetting(), "The version of the anonymization report."),
    },
    title="`release.submission`",
    about="What identifies a submission to EMA or Health Canada; printed on their report.",
)
GRADES = ("low", "medium", "high")
PRINCIPLES_FORM = SettingGroup(
    {
        "replicable": Entry(Choice(GRADES), "How stable the variable is: the same when looked up again."),
        "available": Entry(Choice(GRADES), "How easily outside sources give it together with names."),
        "reason": Entry(TextSetting(), "Why."),
    },
    takes="replicable, available, reason",
)
EXPERT_FORM = SettingGroup(
    {
        "name": Entry(TextSetting(), "Who determines that the risk is very small."),
        "qualification": Entry(TextSetting(), "Knowledge and experience of the expert, in a sentence."),
        "principles": Entry(
            MappingOf(PRINCIPLES_FORM),
            "The expert's judgment of a variable. What is not judged counts as known to the recipient if it "
            "is a quasi-identifier.",
        ),
    },
    title="`release.expert`",
    about="The expert of a determination under HIPAA; printed on its report.",
)
RELEASE_FORM = SettingGroup(
    {
        "name": Entry(TextSetting(), "What is released.", needed=True),
        "purpose": Entry(TextSetting(), "What the data are for."),
        "custodian": Entry(TextSetting(), "Who is responsible for the data."),
        "recipient": Entry(TextSetting(), "Who receives the data."),
        "prepared_by": Entry(TextSetting(), "Who made this assessment."),
        "date": Entry(DateSetting(), "Date of the assessment; today's date is not filled in."),
        "review_months": Entry(WholeNumber(most=1200), "Months until the next review."),
        "submission": Entry(SUBMISSION_FORM, "What identifies a submission to a medicines agency."),
        "expert": Entry(EXPERT_FORM, "The expert of a determination under HIPAA."),
    },
    title="`release`",
    about="Printed on the report; only the date of the next review is computed from it.",
)


LIMITS_FORM = SettingGroup(
    dict(form_entries(LIMIT_SETTINGS)),
    title="`limits`",
    about="How much of the machine the assessment may use. The result does not depend on it.",
)


class PartForm(SettingType):
    """The form of a part of any kind."""

    takes = "part"

    def check(self, value: Any, place: SettingPlace) -> None:
        """Check the part by the form of its kind."""
        if not isinstance(value, Mapping):
            raise place.wrong("is not a mapping of settings.", hint="Begin it with name: and kind:.")
        if value.get("kind") is None:
            raise place.wrong("needs the setting 'kind'.", hint=f"Choose one of: {', '.join(KIND_NAMES)}.")
        Choice(KIND_NAMES).check(value["kind"], place.at("kind"))
        part_class(value).form.check(value, place)

    def json_schema(self) -> JsonSchema:
        """Any of the forms."""
        return {"anyOf": [form.json_schema() for form in part_forms()]}


def part_forms() -> list[SettingGroup]:
    """The forms of all kinds of parts; some kinds share a form."""
    found: list[SettingGroup] = []
    for part in all_part_classes():
        if not any(part.form is form for form in found):
            found.append(part.form)
    return found


class JointForm(SettingType):
    """Groups of parts that hold the same people, or why there are none."""

    takes = "list of groups, or {none: REASON}"

    def check(self, value: Any, place: SettingPlace) -> None:
        """Check each group, or the reason."""
        if isinstance(value, Mapping):
            reason = value.get("none")
            if set(value) != {"none"} or not isinstance(reason, str) or not reason.strip():
                raise place.wrong(
                    "needs groups of parts, or a reason why no parts hold the same people.",
                    hint="Write joint: [{parts: [NAME, NAME]}], or joint: {none: REASON}.",
                )
            return
        ListOf(joint_form()).check(value, place)

    def json_schema(self) -> JsonSchema:
        """Either of both."""
        none = {"type": "object", "properties": {"none": {"type": "string"}}, "required": ["none"]}
        return {"anyOf": [{"type": "array", "items": joint_form().json_schema()}, none]}


def joint_form() -> SettingGroup:
    """The form of a group of parts."""
    from reidrisk.assess.kinds.joint import JOINT_FORM

    return JOINT_FORM


RELEASE_FILE_FORM = SettingGroup(
    {
        "reidrisk": Entry(FixedNumber(VERSION), "The version of this form.", needed=True),
        "release": Entry(RELEASE_FORM, "What is released, by whom and to whom.", needed=True),
        **form_entries((CONTEXT, SEED)),
        "limits": Entry(LIMITS_FORM, "How much memory and how many processor cores may be used."),
        "parts": Entry(ListOf(PartForm()), "Texts, tables, populations, documents.", needed=True),
        "joint": Entry(
            JointForm(), "Parts that hold the same people, or why there are none. Needed for several parts."
        ),
    },
    title="The file",
    about="`context` takes the settings of the [guide to contexts](../guides/score-a-context.md).",
)


def form_sections() -> list[SettingGroup]:
    """All groups of settings with a section on the reference page, in its order."""
    forms = (RELEASE_FILE_FORM, joint_form(), *part_forms())
    return [section for form in forms for section in form.sections()]


def json_schema() -> JsonSchema:
    """The whole form as a JSON Schema, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "reidrisk release file",
        **RELEASE_FILE_FORM.json_schema(),
    }
