# ruff: noqa: E501 - sentences of the page
"""What each chart shows and what to do about it; `docs/make_charts.py` puts it next to the charts themselves.

How a chart is read is said by its caption, which is in the code that draws it.
"""

from __future__ import annotations

GUIDE: dict[str, dict[str, tuple[str, str]]] = {
    "assessment": {
        "limits": (
            "All parts of a release, each compared with its own limit.",
            "Look at the parts in the shaded area first. Click on a part to see what would bring it below its limit.",
        )
    },
    "context_score": {
        "risks": (
            "The ways in which somebody may recognize a person, and how likely each one is.",
            "Work on the largest: it is the one that counts. Better controls lower the chance of a deliberate attempt.",
        ),
        "threshold": (
            "The threshold of this context among those that others use.",
            "To reach the next threshold, put in place the practices that the result lists.",
        ),
        "practices": (
            "Which practices of the recipient are in place.",
            "Ask the recipient for evidence of those that are claimed, and put missing ones into the agreement.",
        ),
    },
    "table_risk": {
        "classes": (
            "How many records share their quasi-identifiers with how many others.",
            "If much is dark, generalize or suppress: de-identify the table with this cell size.",
        ),
        "columns": (
            "What each quasi-identifier contributes to the risk.",
            "Start with the longest bar. Make this column coarser, or do not release it.",
        ),
        "population": (
            "How many people are unique in the population, as estimated by several models from your table.",
            "Use the bold one. If the dots are far apart, give a table of the population with `--population`.",
        ),
        "secrets": (
            "How often a class gives away a sensitive value, even if nobody in it can be told apart.",
            "If there is a dark bar, de-identify with a limit on the sensitive column, such as `--l 2`.",
        ),
    },
    "table_deidentified": {
        "risk": (
            "The risk of each record before and after.",
            "The line after must reach the top before the shaded area. Otherwise the table is not acceptable.",
        ),
        "suppressed": (
            "In how many records each variable had to be suppressed.",
            "If a variable that you need loses much, give it a higher weight, or allow a coarser level of another one.",
        ),
        "values1": (
            "The distribution of one variable before and after. There is one such chart for each variable.",
            "Look for groups that disappear. If an analysis depends on one, choose another level.",
        ),
    },
    "table_exploration": {
        "risk_curve": (
            "How many records would be above the threshold at other cell sizes.",
            "Find the cell size that you can afford, and talk about the threshold before you suppress more.",
        )
    },
    "table_classes": {
        "class1": (
            "How quickly an intruder narrows down the people of one small class.",
            "The column at which the bars become short is the one to make coarser.",
        )
    },
    "table_hierarchies": {
        "levels0": (
            "How many rare values remain at each level of a hierarchy.",
            "Allow the first level at which rare values are gone, if your analysis can live with it.",
        )
    },
    "table_suggestion": {
        "differing": (
            "How many distinct values each column has, as a share of all rows.",
            "Check the dark columns first. A column with as many values as rows usually names people.",
        )
    },
    "table_hipaa": {
        "held": (
            "How many rows still have one of the identifiers that HIPAA lists.",
            "Remove every column that is shown for Safe Harbor, and the dark ones for a limited data set.",
        )
    },
    "table_transformed": {
        "steps": (
            "How much each step of a transformation changed each column.",
            "A step that changes almost nothing protects almost nobody. One that changes everything costs usefulness.",
        )
    },
    "table_attack": {
        "attacks": (
            "How often attacks on the release succeeded, next to the predicted risk.",
            "If measured success is above the prediction, do not release: rows are not what you think they are.",
        )
    },
    "table_utility": {
        "scores": (
            "How well models predict if they are trained on the release instead of the original.",
            "If the diamond is far to the left of the ring, choose other levels for the columns of this model.",
        ),
        "queries": (
            "The figures of your own queries that changed most.",
            "If a bar is dark, the release is not good enough for this query: relax a level or a limit.",
        ),
        "columns": (
            "The columns whose distribution changed most.",
            "Look at the largest ones before you tell analysts that the data are representative.",
        ),
    },
    "text_risk": {
        "direct": (
            "The probability that a text leaks a direct identifier, with its interval.",
            "Left of the line: acceptable. Right of it: improve the tool. Across it: check more documents.",
        ),
        "quasi": (
            "The probability that a text leaks enough quasi-identifiers to re-identify a person.",
            "The same. Often dates or places leak: see the recall by type.",
        ),
        "recall": (
            "How well the tool finds each type of identifier.",
            "Improve the types at the top first. A diamond far to the left of its ring means that leaks are spread"
            " over many documents.",
        ),
        "leaks": (
            "In how many documents something leaked.",
            "Look at the dark documents with the list of leaks, and correct them before a release.",
        ),
    },
    "text_comparison": {
        "direct": (
            "The risk of each tool for direct identifiers.",
            "Choose among the tools in bold. If there are none, no tool is good enough as it is.",
        ),
        "direct-differences": (
            "For each pair of tools, how much their risks differ on the same documents.",
            "Only rely on pairs in bold. For the others, chance is a possible reason; annotate more documents.",
        ),
        "quasi": ("The risk of each tool for quasi-identifiers.", "The same as for direct identifiers."),
        "quasi-differences": (
            "The same differences for quasi-identifiers.",
            "The same as for direct identifiers.",
        ),
    },
    "text_what_if": {
        "direct": (
            "What the risk would be with another recall or recognition.",
            "Find out which improvement would be enough, before you build it. This is not a verdict.",
        ),
        "quasi": ("The same for quasi-identifiers.", "The same."),
    },
    "text_sample": {
        "strata": (
            "How many documents to annotate from each part of a corpus.",
            "Annotate exactly the documents that were drawn. Your own choice would bias the result.",
        )
    },
    "text_agreement": {
        "agreement": (
            "How well annotators agree, by type.",
            "Explain the types at the top better in your guideline, and settle the conflicts.",
        )
    },
    "text_deidentification": {
        "types": (
            "What was replaced.",
            "Check that the types you expect are there. This chart does not show what was missed.",
        )
    },
    "text_attack": {
        "effect": (
            "What it is worth that leaks hide among surrogates.",
            "Use the measured recognition in your evaluation instead of a value from the literature.",
        )
    },
    "text_training": {
        "recall": (
            "How well your own detector finds each type on documents that it has not seen.",
            "Annotate more documents that contain the types at the bottom.",
        ),
        "knob": (
            "What you gain and lose by another threshold of confidence.",
            "For a release, choose a threshold at which the diamond is as far to the right as you can afford.",
        ),
        "calibration": (
            "Whether the confidence of the detector can be believed.",
            "If ring and diamond are far apart, do not use the confidence to decide which findings to review.",
        ),
    },
    "document_detection": {
        "types": ("What was found in the documents.", "Review a sample of pages. Then anonymize."),
        "sections": (
            "In which sections of the report the findings are.",
            "Plan the review: narratives and listings usually need most of it.",
        ),
    },
    "document_review": {
        "changed": (
            "Which findings reviewers corrected.",
            "If reviewers added many of one type, detection misses it. Add terms or patterns, and detect again.",
        )
    },
    "document_anonymization": {
        "types": (
            "What was replaced or redacted in the new documents.",
            "Compare with the findings. Everything that is missing was left out on purpose, and is listed.",
        )
    },
    "document_proof": {
        "places": (
            "Where values that should be gone can still be found.",
            "There must be nothing to show. If there is, do not publish the file.",
        )
    },
    "document_risk": {
        "threshold": (
            "The risk of the participants in a clinical document, in several ways of counting it.",
            "If a bold line crosses the dashed one, generalize more variables, or review more pages.",
        ),
        "classes": (
            "How many participants share their quasi-identifiers with how many others.",
            "If much is dark, generalize the study's variables further.",
        ),
    },
    "document_tables": {
        "known": (
            "The risk in the tables of a study if the adversary also knows some events of a participant.",
            "If it is above the threshold, move dates, generalize codes, or leave out rare events.",
        )
    },
    "relational_risk": {
        "known": (
            "How the risk grows with each event that somebody knows of a person.",
            "Decide how many events your adversary can know, and read the risk there.",
        ),
        "tables": (
            "Which table makes people stand out.",
            "Start with the table without which the risk is lowest.",
        ),
    },
    "relational_deidentified": {
        "known": (
            "The risk of people over all tables, before and after.",
            "The line after must be at 0 up to the number of events that you named.",
        )
    },
    "relational_release": {
        "linked": (
            "How the released tables belong together.",
            "Check that every table is there, and that arrows lead to the table of people.",
        ),
        "loss": (
            "How much of each variable was lost.",
            "If a variable that you need lost much, change its rule.",
        ),
    },
    "relational_attack": {
        "linkage": (
            "How often an attack on the linked tables found the right person, next to the prediction.",
            "If the attack does better than predicted, do not release.",
        )
    },
    "joint_risk": {
        "parts": (
            "What the parts of a release reveal together about the same people.",
            "Release fewer parts to the same recipient, or protect the part with the longest step.",
        )
    },
    "population_risk": {
        "small": (
            "How many people are alone, or in small groups, with the released fields.",
            "Read the share at your cell size. If it is too high, release coarser fields.",
        ),
        "all": (
            "The same for groups of any size.",
            "Use it if your question is about larger groups, such as 20,000 people.",
        ),
        "spread": (
            "How much the risk differs between areas.",
            "If one area is far above the others, merge it with a neighbor.",
        ),
        "order": (
            "Whether the same areas are the most exposed for small and for large groups.",
            "If lines cross, decide which group size matters to you before you rank areas.",
        ),
        "places": (
            "Whether small areas are more exposed.",
            "A size below which all areas are too exposed is a good rule for merging.",
        ),
    },
    "population_comparison": {
        "small": (
            "People in small groups under each policy.",
            "Prefer the lower line, unless you need the extra fields.",
        ),
        "all": ("The same for groups of any size.", "The same."),
        "differential": (
            "How many times more people one policy exposes than the other.",
            "Use it to say what extra trust a recipient of the finer data needs.",
        ),
        "spread1": (
            "How areas differ under one policy. There is one such chart for each policy.",
            "The same as for one policy.",
        ),
        "order1": (
            "How the ranks of areas change with g, under one policy.",
            "The same as for one policy.",
        ),
        "places": (
            "Whether small areas are more exposed, under each policy.",
            "The same as for one policy.",
        ),
    },
    "population_explorer": {
        "frontier": (
            "Which policies give the most detail for their risk.",
            "Choose a policy on the line and under the target. A policy off the line gives less for the same risk.",
        )
    },
}
"""By kind of result and name of the chart: what it is, and what to do."""
