"""Offsets guessed from moved dates: the calendar of the standard library, and clinics with known habits."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.offsets import DateHabits, guessed_offset, guessed_weekday, months, weekdays

EPOCH = date(1970, 1, 1)
FIRST = (date(2020, 1, 6) - EPOCH).days
"""A Monday."""
POSSIBLE = np.arange(-60, 61)


def workdays(number: int) -> Ints:
    """Days of a clinic that is closed at weekends, from the first on."""
    days = np.arange(FIRST, FIRST + 2 * number)
    return days[[(EPOCH + timedelta(int(day))).weekday() < 5 for day in days]][:number]


def test_weekdays_and_months_are_those_of_the_calendar() -> None:
    days = np.arange(FIRST - 400, FIRST + 400)
    dates = [EPOCH + timedelta(int(day)) for day in days]
    assert weekdays(days).tolist() == [one.weekday() for one in dates]
    assert np.mean(months(days) == [one.month - 1 for one in dates]) > 0.93, "about the month"
    assert set(months(days).tolist()) == set(range(12))


def test_habits_count_every_weekday_and_month_at_least_a_little() -> None:
    habits = DateHabits.of(workdays(10))
    assert habits.weekday == pytest.approx([2.5 / 13.5] * 5 + [0.5 / 13.5] * 2)
    assert habits.month[0] == pytest.approx(10.5 / 16)
    assert (habits.first, habits.last) == (FIRST, FIRST + 11)


@pytest.mark.parametrize("offset", [-33, -1, 0, 2, 45])
def test_weekdays_tell_the_offset_up_to_whole_weeks(offset: int) -> None:
    true = workdays(15)
    habits, rng = DateHabits.of(true), np.random.default_rng(1)
    assert guessed_weekday(true + offset, habits, POSSIBLE, rng) == offset % 7
    guesses = {guessed_offset(true + offset, habits, POSSIBLE, rng, clues=["weekday"]) for _ in range(40)}
    assert {guess % 7 for guess in guesses} == {offset % 7}
    assert len(guesses) > 1, "one of the weeks at random"


def test_the_period_leaves_one_offset_if_it_is_as_long_as_the_dates() -> None:
    true = workdays(15)
    habits, rng = DateHabits.of(true), np.random.default_rng(2)
    assert guessed_offset(true + 17, habits, POSSIBLE, rng, clues=["period"]) == 17
    beyond = guessed_offset(true + 5000, habits, POSSIBLE, rng, clues=["period"])
    assert beyond in POSSIBLE, "no offset fits: any is possible"
    either = {guessed_offset(true[:1], habits, np.array([-40, 0]), rng, clues=["period"]) for _ in range(20)}
    assert either == {0}


def test_the_season_tells_winter_from_summer() -> None:
    january = FIRST + np.arange(10)
    habits, rng = DateHabits.of(january), np.random.default_rng(3)
    summer = january + 182
    assert guessed_offset(summer, habits, np.array([0, 182]), rng, clues=["season"]) == 182
    assert guessed_offset(january, habits, np.array([0, 182]), rng, clues=["season"]) == 0
    free = {guessed_offset(january, habits, np.array([0, 182]), rng, clues=[]) for _ in range(20)}
    assert free == {0, 182}, "without a clue, any is as good"
