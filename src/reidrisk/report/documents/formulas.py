"""The equations behind the figures, with the meaning of their letters and their sources."""

from __future__ import annotations

from reidrisk.report.document import Formula
from reidrisk.report.formula import Fraction, Name, Number, Over, power, row, sub
from reidrisk.report.parts import Fact

_ONE = Number("1")
_RECOGNITION = "recognition where recall reaches the cutoff of the gate, otherwise 1"
_CLASS = "number of records in equivalence class j"
_PEOPLE = "people with the same area, sex, race and age"

FORMULAS: dict[str, Formula] = {
    "overall": Formula(
        "Risk including the chance of an attempt",
        row(
            *("Pr", "(", "reid", ")", "=", "Pr", "(", "reid", "|", "attempt", ")", "×"),
            *("Pr", "(", "attempt", ")"),
        ),
        "The probability of re-identification equals the probability of re-identification given an attempt "
        "times the probability of an attempt.",
        (Fact("reid", "a person is re-identified"), Fact("attempt", "someone tries to re-identify a person")),
        "El Emam, Guide to the De-Identification of Personal Health Information (2013), as cited by IPC "
        "Ontario (2016)",
    ),
    "context": Formula(
        "Chance of an attempt if the data are not public",
        row(
            *("Pr", "(", "attempt", ")", "=", "max", "(", "d", ",", "1", "−"),
            *(power(row("(", "1", "−", "p", ")"), "m"), ",", "b", ")"),
        ),
        "The probability of an attempt is the largest of d, one minus the m-th power of one minus p, and b.",
        (
            Fact("d", "chance of a deliberate attempt, from controls and from motives and capacity"),
            Fact("p", "share of the population that has the characteristic"),
            Fact("m", "number of people whom a person knows"),
            Fact("b", "chance of a breach"),
        ),
        "IPC Ontario, De-identification Guidelines for Structured Data (2016)",
    ),
    "direct": Formula(
        "Texts, direct identifiers",
        row(
            *("D", "=", "A", "(", "1", "−", Over("∏", Name("i")), "(", "1", "−", sub("g", "i")),
            *(sub("w", "i"), "(", "1", "−", sub("r", "i"), ")", ")", ")"),
        ),
        "D equals A times one minus the product over all types i of one minus g i times w i times one minus "
        "r i.",
        (
            Fact("D", "probability that a document is re-identified through a direct identifier"),
            Fact("A", "chance of an attempt"),
            Fact("w", "share of documents that contain type i"),
            Fact("r", "all-or-nothing recall of type i"),
            Fact("g", _RECOGNITION),
        ),
        "Scaiano et al. (2016), equations 16 and 18",
    ),
    "quasi": Formula(
        "Texts, quasi-identifiers",
        row(
            *("Q", "=", "A", "Pr", "(", "X", "≥", "t", ")", ",", "X", "∼", "Binomial", "(", "n", ",", "g"),
            *("(", "1", "−", power("r", "m"), ")", ")"),
        ),
        "Q equals A times the probability that X is at least t, where X has a binomial distribution of n "
        "values that leak with the chance g times one minus r to the power of m.",
        (
            Fact("Q", "probability that a document is re-identified through quasi-identifiers"),
            Fact("t", "number of leaked values that re-identify a person, usually two"),
            Fact("n", "distinct values in a document"),
            Fact("m", "instances of a value"),
            Fact("r", "recall of an instance"),
            Fact("g", _RECOGNITION),
        ),
        "Scaiano et al. (2016), equations 17 and 19",
    ),
    "observed": Formula(
        "Texts, limits of the observed risk",
        row(
            *(
                "Pr",
                "(",
                Over("∑", Name("j")),
                sub("G", "j"),
                "(",
                sub("Y", "j"),
                "−",
                "U",
                sub("m", "j"),
                ")",
            ),
            *("+", sub("G", "0"), "(", "b", "−", "U", ")", "m", "≤", "0", ")", "=", "u"),
        ),
        "U is the upper limit: the sum over all units of G j times Y j minus U m j, plus G 0 times b minus U "
        "times m, is at most 0 with the probability u.",
        (
            Fact("G", "independent exponential weights"),
            Fact("Y", "observed risk summed over the documents of a unit: 0 where nothing leaked"),
            Fact("m", "documents of a unit; without an index, those of the largest one"),
            Fact("b", "largest possible risk of a document"),
            Fact("u", "level, 0.975 for two-sided 95 % limits"),
        ),
        "Gaffke (2005); Learned-Miller and Thomas (2019). For shares: Clopper and Pearson (1934)",
    ),
    "limits": Formula(
        "Texts, conditions",
        row(sub("D", "high"), "≤", sub("B", "high"), ",", sub("Q", "high"), "≤", "τ"),
        "The upper limit of D does not exceed that of the benchmark B, and the upper limit of Q does not "
        "exceed the threshold tau.",
        (
            Fact("high", "upper limit of the interval"),
            Fact("B", "remaining risk of a tool of accepted quality"),
            Fact("τ", "threshold"),
        ),
        "Scaiano et al. (2016), sections on the benchmark and equation 22",
    ),
    "combined": Formula(
        "Documents, leak and catch together",
        row("R", "=", "c", "+", "Q", "(", "1", "−", "c", ")"),
        "R equals c plus Q times one minus c.",
        (
            Fact("R", "probability that a participant is re-identified"),
            Fact("c", "risk of the replacement values, one over the smallest class"),
            Fact("Q", "risk from leaked values"),
        ),
        "Scaiano et al. (2016), equation 8, for the scenario of Kumar and Sareen (2017)",
    ),
    "highest": Formula(
        "Tables, highest risk of a record",
        row(
            *(sub("R", "max"), "=", Fraction(_ONE, row(Over("min", Name("j")), sub("f", "j")))),
            *("≤", Fraction(_ONE, Name("k"))),
        ),
        "R max is one over the smallest f j, and must not exceed one over k.",
        (Fact("f", _CLASS), Fact("k", "cell size")),
        "El Emam et al. (2009), Can J Hosp Pharm 62(4)",
    ),
    "average": Formula(
        "Tables, average risk of the records",
        row(
            *(sub("R", "mean"), "=", Fraction(_ONE, Name("n")), Over("∑", Name("j")), sub("f", "j")),
            *("×", Fraction(_ONE, sub("f", "j")), "=", Fraction(Name("J"), Name("n"))),
        ),
        "R mean is one over n times the sum over all classes of f j times one over f j, which is J over n.",
        (Fact("f", _CLASS), Fact("J", "number of classes"), Fact("n", "number of records")),
        "Kniola (2016), PhUSE DH09",
    ),
    "loss": Formula(
        "De-identification, the search",
        row(
            *(Over("min", Name("l")), "L", "(", "l", ")", ",", Over("min", Name("j")), sub("f", "j")),
            *("≥", "k", ",", "s", "≤", sub("s", "max")),
        ),
        "The levels l with the smallest loss L, such that the smallest class f j is at least k and no more "
        "than s max is suppressed.",
        (
            Fact("l", "a level of generalization for each quasi-identifier, none above its maximum"),
            Fact("L", "loss of detail"),
            Fact("k", "cell size"),
            Fact("s", "share of records with a suppressed value"),
        ),
        "El Emam et al. (2009), J Am Med Inform Assoc 16(5)",
    ),
    "bins": Formula(
        "Populations, g-distinct people",
        row(
            *(sub("h", "g"), "=", Over("∑", row("i", "≤", "g")), "i", "b", "Pr", "(", "X", "=", "i", ")"),
            *(",", "X", "∼", "Binomial", "(", "n", ",", Fraction(_ONE, Name("b")), ")"),
        ),
        "h of g is the sum over i up to g of i times b times the probability that X equals i, where X has a "
        "binomial distribution of n people with the chance one over b.",
        (
            Fact("h", "people who share all released values with at most g minus 1 others"),
            Fact("n", _PEOPLE),
            Fact("b", "number of values that the released facts can take among them, such as days of birth"),
        ),
        "Benitez and Malin (2010); Golle (2006)",
    ),
    "total": Formula(
        "Populations, expected correct matches",
        row(
            *("T", "=", "b", "(", "1", "−"),
            *(power(row("(", "1", "−", Fraction(_ONE, Name("b")), ")"), "n"), ")"),
        ),
        "T equals b times one minus the n-th power of one minus one over b.",
        (
            Fact("T", "people whom an attacker who tries to match everybody matches correctly"),
            Fact("n", _PEOPLE),
            Fact("b", "number of values that the released facts can take among them"),
        ),
        "Benitez and Malin (2010)",
    ),
}
"""By the names that the kinds of results use."""
