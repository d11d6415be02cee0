"""Values of all kinds, and the surrogates of a small document."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from hypothesis import strategies as st

from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import RealValuesInMemory
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.surrogates import FoundValue, Surrogates

KEY = b"a key for tests, thirty-two bytes"
FIRSTS = ("John", "Renée", "Mei-Ling", "Zbigniew", "Ngozi", "Ximena", "Bartholomew", "Aoife")
LASTS = ("Smith", "O'Neil", "García-Núñez", "van den Berg", "Obermeier", "Nguyễn", "Tallchief", "Zzyzx")


def surrogates(
    values: Iterable[FoundValue],
    person: str = "p1",
    *,
    key: bytes = KEY,
    settings: ResynthesisSettings | None = None,
) -> Surrogates:
    """As a document set of one document would have them."""
    found, settings = list(values), settings or ResynthesisSettings()
    keyed = KeyedDraw(key)
    real = RealValuesInMemory(keyed, [one.text for one in found])
    return Surrogates(found, person, draw=Draw(keyed, real), settings=settings)


@st.composite
def names(draw: st.DrawFn) -> FoundValue:
    first, last = draw(st.sampled_from(FIRSTS)), draw(st.sampled_from(LASTS))
    forms = (
        f"{first} {last}", f"{last}, {first}", f"Mr. {last}", f"{first[0]}. {last}", first, last,
        f"{first} {last}".upper(), f"{last}'s", f"{first} Q. {last}",
    )  # fmt: skip
    return FoundValue(draw(st.sampled_from(["NAME", "PATIENT", "DOCTOR"])), draw(st.sampled_from(forms)))


DATE_FORMS = ("%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y", "%d %b %Y", "%Y%m%d", "%m/%d/%y")
days = st.dates(date(1970, 1, 1), date(2048, 12, 31))
codes = st.from_regex(r"[A-Z0-9]{2,4}-?[0-9]{4,9}", fullmatch=True).map(
    lambda code: FoundValue("MEDICALRECORD", code)
)
phones = st.from_regex(r"\([2-9][0-9]{2}\) [2-9][0-9]{2}-[0-9]{4}", fullmatch=True).map(
    lambda text: FoundValue("PHONE", text)
)
words = st.sampled_from(
    [
        ("CITY", "Springfield"), ("CITY", "Alderbrook"), ("STATE", "Ohio"), ("STATE", "CA"),
        ("COUNTRY", "Peru"),
        ("ZIP", "44106"), ("HOSPITAL", "Mercy General Hospital"), ("STREET", "12 Elm Street"), ("AGE", "72"),
        ("AGE", "ninety-four"), ("PROFESSION", "nurse"), ("EMAIL", "ann.lee@mercy.org"), ("PET", "Fluffy"),
        ("DEPARTMENT", "Cardiology"), ("URL", "www.mercy.org"), ("USERNAME", "alee7"), ("IPADDR", "10.0.0.7"),
    ]
).map(lambda pair: FoundValue(*pair))  # fmt: skip
dates = st.tuples(days, st.sampled_from(DATE_FORMS)).map(
    lambda pair: FoundValue("DATE", pair[0].strftime(pair[1]))
)
odd = st.tuples(
    st.sampled_from(["NAME", "DATE", "AGE", "PHONE", "CITY", "IDNUM", "EMAIL", "MINE"]),
    st.text(min_size=1, max_size=30),
).map(lambda pair: FoundValue(*pair))
values = st.one_of(names(), dates, codes, phones, words)
