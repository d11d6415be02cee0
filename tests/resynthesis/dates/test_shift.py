from __future__ import annotations

from datetime import date, timedelta

import pytest

from reidrisk.detect.detector import build_detector
from reidrisk.detect.settings import DetectSettings
from reidrisk.resynthesis.dates.forms import find_dates
from reidrisk.resynthesis.dates.shift import DateShift, days_in, person_offsets
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.single import deidentify_note
from tests.resynthesis.builders import KEY

US, EU = ResynthesisSettings(), ResynthesisSettings(date_order="dmy")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2019-03-14", "2019-04-16"),
        ("3/14/2019", "4/16/2019"),
        ("03/04/19", "04/06/19"),
        ("March 14th, 2019", "April 16th, 2019"),
        ("14 MAR 2019", "16 APR 2019"),
        ("04-Mar-2020", "06-Apr-2020"),
        ("14 de marzo de 2019", "16 de abril de 2019"),
        ("14. März 2019", "16. April 2019"),
        ("20190314", "20190416"),
        ("12/31/1999 14:30", "2/2/2000 14:30"),
        ("March 3 - March 7, 2019", "April 5 - April 9, 2019"),
        ("Monday, March 4, 2019", "Saturday, April 6, 2019"),
        ("Feb 29", "Apr 2"),
        ("3/14", "4/16"),
        ("March 2019", "April 2019"),
        ("12/2019", "01/2020"),
        ("2019", "2020"),
        ("Tuesday", "Sunday"),
        ("spring of 2018", "summer of 2019"),
        ("the 14th", None),
        ("99/99/2019", None),
    ],
)
def test_every_writing_is_kept(old: str, new: str | None) -> None:
    shift = DateShift(33, ["2019-03-14"], US)
    moved = shift.move(old)
    if old == "12/2019":
        assert moved in ("01/2020", "1/2020")
    elif old == "99/99/2019":
        assert moved != old
    else:
        assert moved == new


def test_the_order_of_day_and_month_is_what_the_user_says() -> None:
    assert DateShift(33, [], EU).move("03/04/2019") == "06/05/2019"
    assert DateShift(33, [], US).move("13/04/2019") == "16/05/2019"


def test_only_whole_dates_are_days() -> None:
    assert len(days_in("2019-03-14 to 3/16/2019, then March 2019 and 3/18", US)) == 2
    assert days_in("the 14th", US) == []


@pytest.mark.parametrize("value", ["0/3", "3/0", "00/12/2019", "12-00"])
def test_a_month_or_day_zero_is_no_date(value: str) -> None:
    assert list(find_dates(value, "mdy")) == []
    assert days_in(value, ResynthesisSettings()) == []


def test_the_offset_follows_from_key_and_person_alone() -> None:
    people = [f"P{number}" for number in range(200)]
    offsets = person_offsets(people, KEY, 365)
    assert offsets.tolist() == person_offsets(people[::-1], KEY, 365).tolist()[::-1]
    assert 7 <= abs(offsets).min() <= abs(offsets).max() <= 365
    assert len(set(offsets.tolist())) > 100


def test_a_text_moves_as_the_tables_of_its_person() -> None:
    detector = build_detector(DetectSettings())
    for person in ("17", "P2"):
        [days] = person_offsets([person], KEY, ResynthesisSettings().date_days).tolist()
        moved = [date(2019, 3, day) + timedelta(days) for day in (1, 20)]
        for settings in (ResynthesisSettings(), ResynthesisSettings(names="person")):
            made = deidentify_note(
                "Seen on 2019-03-01. Admitted 2019-03-20.",
                key=KEY,
                person=person,
                settings=settings,
                detect=detector,
            )
            assert all(str(day) in made.text for day in moved)
