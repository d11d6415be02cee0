"""How to read a text evaluation: terms, limits and sources."""

from __future__ import annotations

from dataclasses import replace

from reidrisk.report.parts import Fact, Guide, Source

GUIDE = Guide(
    terms=(
        Fact(
            "Direct identifier",
            "Identifies a person by itself, such as a name, a telephone number or a medical record number.",
        ),
        Fact(
            "Quasi-identifier",
            "Does not identify a person by itself, but may do so in combination with others, such as a date, "
            "a place or an age.",
        ),
        Fact(
            "Gold standard",
            "The same documents with every identifier annotated by people. It is assumed to be correct.",
        ),
        Fact("Instance", "One occurrence of an identifier in a text."),
        Fact(
            "Caught and leaked",
            "An instance is caught if all of its words are masked. Otherwise it is a leak.",
        ),
        Fact(
            "Micro recall",
            "The share of all instances that were caught. It can look better than it is: many caught dates "
            "can hide one leaked name.",
        ),
        Fact(
            "Masking recall",
            "The share of all words of identifiers that were masked, whatever their label.",
        ),
        Fact(
            "All-or-nothing recall",
            "Among the documents that contain a type, the share in which no instance of it leaked. One leak "
            "in a document is enough for an adversary, so the risk is computed from this recall.",
        ),
        Fact(
            "Recognition",
            "The probability that an adversary recognizes a leaked original among the surrogates around it. "
            "It is 1 if identifiers are redacted, because every identifier that remains is visibly real.",
        ),
        Fact(
            "Gate",
            "Surrogates hide a leak only if leaks are rare. Recognition below 1 therefore counts only where "
            "recall reaches a cutoff, either as observed or significantly. The significant rule makes sure "
            "that a good result on a few documents is not due to chance; several types are tested together, "
            "at a stricter level.",
        ),
        Fact(
            "Attempt",
            "The probability that someone attempts re-identification at all. It is 1 for a public release.",
        ),
        Fact(
            "Benchmark",
            "The risk from direct identifiers that remains with a tool of accepted quality. A tool passes if "
            "the upper limit of its risk does not exceed the upper limit of the benchmark.",
        ),
        Fact(
            "Threshold",
            "The largest acceptable risk from quasi-identifiers, and the reason for it. A cell size of five "
            "means 1/5.",
        ),
        Fact(
            "Observed risk per document",
            "What the leaks of a document itself tell: 0 if nothing leaked, 1 if a leak is certainly "
            "recognized. Its mean estimates the risk. Its limits (observed) decide under the profile "
            "recommended, and hold without a model of how leaks arise.",
        ),
        Fact(
            "Undecided",
            "The limit is between the lower and the upper limit of the risk: too few documents were "
            "evaluated to accept or to refuse. The texts must not be released on this basis.",
        ),
        Fact(
            "Cluster",
            "Documents of one author, template or source, which may leak alike. Each counts as one draw.",
        ),
        Fact(
            "Interval of the model: uncertainty of the mean risk",
            "The range of the mean risk of documents like these, given that only some were evaluated "
            "(parameter).",
        ),
        Fact(
            "Interval of the model: risk of a random document",
            "The same, plus the variation of the risk from one document to the next (per_document).",
        ),
        Fact(
            "Plug-in",
            "The risk if the observed recalls were exact. It has no interval and never decides the verdict.",
        ),
        Fact(
            "Precision",
            "The share of masked words that needed masking. Low precision reduces usefulness, not privacy.",
        ),
    ),
    limits=(
        "Documents, or clusters, are assumed to be independent draws from what will be released. Combine the "
        "documents of one patient first, and name authors, templates or sources as clusters.",
        "The model, which does not decide under the profile recommended, also assumes that leaks of "
        "different types are independent and that recall is the same in all documents.",
        "The gold standard is assumed to be complete. Identifiers missed by its annotators are not counted.",
        "The results apply to texts like the ones evaluated. Other hospitals, years or types of notes need "
        "an evaluation of their own.",
        "Recognition, attempt, benchmark and threshold are choices. They are listed in the settings.",
        "This page is a measurement, not legal advice. The people responsible for the release decide.",
    ),
    sources=(
        Source(
            "Scaiano M, Middleton G, Arbuckle L, et al. A unified framework for evaluating the risk of "
            "re-identification of text de-identification tools. Journal of Biomedical Informatics 63 (2016) "
            "174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
        Source(
            "Clopper CJ, Pearson ES. The use of confidence or fiducial limits illustrated in the case of the "
            "binomial. Biometrika 26 (1934) 404–413.",
        ),
        Source(
            "Learned-Miller E, Thomas PS. A new confidence interval for the mean of a bounded random "
            "variable. arXiv:1905.06208 (2019).",
        ),
    ),
)

COMPARISON_GUIDE = replace(
    GUIDE,
    terms=(
        Fact(
            "Paired difference",
            "Both tools are evaluated on the same documents, and the difference is computed for each "
            "document. The effect of documents that are difficult for both tools cancels out. The limits of "
            "the mean difference need no model of leaks. With limit=model, the documents are drawn many "
            "times with replacement instead.",
        ),
        Fact(
            "Leaks only with the first tool",
            "Documents that leak with one tool but not with the other. The difference is based on these.",
        ),
        *GUIDE.terms,
    ),
    limits=(
        "The tool with the lower risk on this gold standard may be the worse one on other texts.",
        "Gates are determined once from all documents. The limits of a difference do not include the chance "
        "that a gate is wrong.",
        *GUIDE.limits,
    ),
    sources=(
        *GUIDE.sources,
        Source(
            "Bonett DG, Price RM. Adjusted Wald confidence interval for a difference of binomial proportions "
            "based on paired data. Journal of Educational and Behavioral Statistics 37 (2012) 479–488.",
            "10.3102/1076998611411915",
        ),
        Source(
            "McNemar Q. Note on the sampling error of the difference between correlated proportions or "
            "percentages. Psychometrika 12 (1947) 153–157.",
            "10.1007/BF02295996",
        ),
    ),
)

WHAT_TO_DO = {
    "direct": "If the interval ends beyond the dashed line, look at recall by type: the type that leaks in "
    "most documents is the first to improve. If the line is inside the interval, evaluate more documents.",
    "quasi": "If the interval ends beyond the dashed line, improve the types with the lowest recall, or "
    "replace identifiers with surrogates, so that a leak is harder to recognize.",
    "recall": "Improve the tool for the types at the top first: add patterns or lists for them, train it on "
    "more examples, or have people check these types.",
    "leaks": "Read some documents with many leaks. They often share a template or an author, which a rule of "
    "its own can handle.",
}
"""What a reader can do about each chart, by the chart's name."""
