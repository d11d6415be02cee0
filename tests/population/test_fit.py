from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.census import STATES
from reidrisk.population.fit import FitSettings, fit_population, margin_of
from reidrisk.population.people import Population
from reidrisk.population.read import read_population
from reidrisk.stats.distinctness import occupied_bins
from tests.population.census2000 import census2000

COUNTY = ("state", "county")


def occupied(people: Population) -> NDArray[np.float64]:
    """Expected bins with people in each row, 365 to a year of age."""
    assert people.ages is not None
    return occupied_bins(people.counts, 365.0 * people.ages.years)


def total_risk(people: Population) -> float:
    """In per cent."""
    return 100 * float(occupied(people).sum()) / people.people


def read(folder: Path, text: str, name: str) -> Population:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_population(path, open_band_years=15)


def as_rows(people: Population, *names: str) -> dict[tuple[str | int, ...], int]:
    found: dict[tuple[str | int, ...], int] = {}
    for at, count in enumerate(people.counts.tolist()):
        own: list[str | int] = [
            people.labels[name][people.codes[name][at]] for name in names if name != "age"
        ]
        if "age" in names and people.ages is not None:
            own.append(int(people.ages.first[at]))
        found[tuple(own)] = found.get(tuple(own), 0) + count
    return found


@pytest.mark.parametrize("year", ["2000-base", 2005, 2010])
def test_margins_of_wyoming_give_the_risks_of_its_real_table(shared: Path, year: int | str) -> None:
    real = read_population(shared / "census" / "co-est00int-alldata-56.csv", open_band_years=15, year=year)
    by_race = margin_of(real, areas=COUNTY, fields=("race",), ages=False)
    by_sex = margin_of(real, areas=COUNTY, fields=("sex",), ages=False)
    by_age = margin_of(real, areas=COUNTY, fields=())
    fitted = fit_population([by_race, by_sex, by_age])
    assert fitted.people == real.people
    assert fitted.modelled == "iterative proportional fitting of 3 margins"
    assert total_risk(fitted) == pytest.approx(total_risk(real), abs=0.5)
    for county in real.labels["county"]:
        own, modelled = real.of("county", [county]), fitted.of("county", [county])
        assert total_risk(modelled) == pytest.approx(total_risk(own), abs=0.5), county
    for margin, names in ((by_race, ("race",)), (by_sex, ("sex",)), (by_age, ("age",))):
        assert as_rows(fitted, "county", *names) == as_rows(margin, "county", *names)


def test_margins_of_the_nation_give_the_risks_of_the_paper(shared: Path) -> None:
    """Limited Dataset fields, Table 1 of doi:10.1136/jamia.2009.000026."""
    margins, start = census2000(shared / "census")
    wanted = {"DE": 37.58, "RI": 35.25, "NY": 25.69, "CA": 19.28, "TX": 36.90}
    codes = [STATES[state] for state in wanted]
    fitted = fit_population(
        [margin.of("state", codes) for margin in margins],
        start=[start[0], *(table.of("state", codes) for table in start[1:])],
    )
    for state, paper in wanted.items():
        assert total_risk(fitted.of("state", [STATES[state]])) == pytest.approx(paper, abs=0.5), state
    race = margins[0].of("state", codes)
    assert as_rows(fitted, "county", "race") == as_rows(race, "county", "race")
    assert fitted.ages is not None
    assert sorted(set(zip(fitted.ages.first.tolist(), fitted.ages.years.tolist(), strict=True)))[-3:] == [
        (100, 5),
        (105, 5),
        (110, 1),
    ]


def test_a_start_gives_its_proportions_where_no_margin_speaks(tmp_path: Path) -> None:
    by_age = read(tmp_path, "county,age_lo,age_hi,n\na,0,9,100\na,10,,50\nb,0,9,10\nb,10,,90\n", "age.csv")
    years = "".join(f"{age},{age},{30 if age < 2 else 5}\n" for age in range(10))
    nation = read(tmp_path, f"age_lo,age_hi,n\n{years}10,19,40\n20,,60\n", "nation.csv")
    fitted = fit_population([by_age], start=[nation])
    found = as_rows(fitted, "county", "age")
    assert found["a", 0] == pytest.approx(30, abs=1)
    assert found["a", 5] == pytest.approx(5, abs=1)
    assert (found["b", 10], found["b", 20]) == pytest.approx((36, 54), abs=1)
    assert fitted.ages is not None
    assert set(fitted.ages.years[fitted.ages.first == 20]) == {15}


def test_without_a_start_people_spread_evenly_over_years(tmp_path: Path) -> None:
    one = read(tmp_path, "county,age_lo,age_hi,n\na,0,9,100\na,10,29,60\n", "one.csv")
    two = read(tmp_path, "county,sex,n\na,F,80\na,M,80\n", "two.csv")
    three = read(tmp_path, "county,age_lo,age_hi,n\na,0,1,20\na,2,29,140\n", "three.csv")
    found = as_rows(fit_population([one, two, three]), "age")
    assert found == {(0,): 20, (2,): 80, (10,): 60}


def test_a_coarse_margin_holds_over_its_areas(tmp_path: Path) -> None:
    text = "state,county,n\n1,a,30\n1,b,70\n2,c,50\n"
    county = read(tmp_path, text, "county.csv")
    state = read(tmp_path, "state,sex,n\n1,F,60\n1,M,40\n2,F,10\n2,M,40\n", "state.csv")
    fitted = fit_population([county, state])
    assert as_rows(fitted, "state", "sex") == {
        ("1", "F"): 60,
        ("1", "M"): 40,
        ("2", "F"): 10,
        ("2", "M"): 40,
    }
    assert as_rows(fitted, "county") == {("a",): 30, ("b",): 70, ("c",): 50}
    assert as_rows(fitted, "county", "sex")["a", "F"] == 18


def test_margins_of_other_days_are_refused_or_rescaled(tmp_path: Path) -> None:
    april = read(tmp_path, "county,sex,n\na,F,50\na,M,50\nb,F,20\nb,M,20\n", "april.csv")
    july = read(tmp_path, "county,race,n\na,x,77\na,y,33\nb,x,20\nb,y,20\n", "july.csv")
    with pytest.raises(BadData, match="disagree by up to 10 people") as error:
        fit_population([april, july])
    assert "rescaling" in error.value.hint
    fitted = fit_population([april, july], settings=FitSettings(rescale=True))
    assert as_rows(fitted, "county", "sex") == as_rows(april, "county", "sex")
    assert as_rows(fitted, "county", "race")["a", "x"] == 70
    assert any("disagreed by up to 10 people" in note for note in fitted.notes)


def test_margins_that_agree_in_pairs_but_not_together_are_refused(tmp_path: Path) -> None:
    """Three categories, each pair of which must differ: two have only two values."""
    pairs = [("p", "q"), ("q", "r"), ("p", "r")]
    margins = [
        read(tmp_path, f"county,{one},{two},n\na,0,1,50\na,1,0,50\n", f"{one}{two}.csv") for one, two in pairs
    ]
    with pytest.raises(BadData, match="cannot be met together"):
        fit_population(margins, settings=FitSettings(rounds=50))


def test_refusals(tmp_path: Path) -> None:
    county = read(tmp_path, "state,county,n\n1,a,30\n1,b,70\n", "county.csv")
    with pytest.raises(InvalidSetting, match="no margin"):
        fit_population([])
    elsewhere = read(tmp_path, "state,n\n1,100\n2,5\n", "state.csv")
    with pytest.raises(BadData, match="counts 5 people in areas that the finest margin lacks"):
        fit_population([county, elsewhere])
    with pytest.raises(InvalidSetting, match="areas district"):
        fit_population([county, read(tmp_path, "district,n\n1,100\n2,5\n", "district.csv")])
    sexes = read(tmp_path, "state,county,sex,n\n1,a,F,30\n1,b,M,70\n", "sexes.csv")
    others = read(tmp_path, "state,sex,n\n1,Female,30\n1,Male,70\n", "others.csv")
    with pytest.raises(BadData, match="2 values that other margins do not have"):
        fit_population([sexes, others])
    with pytest.raises(InvalidSetting, match="settings of the fit are out of range"):
        FitSettings(tolerance=0)


def test_groups_with_bands_of_their_own_are_refused(tmp_path: Path) -> None:
    odd = read(tmp_path, "county,age_lo,age_hi,n\na,0,9,3\na,10,19,3\nb,0,14,3\nb,15,19,3\n", "odd.csv")
    with pytest.raises(BadData, match="age bands differ"):
        fit_population([odd])


def test_progress_is_told_by_block(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    county = read(tmp_path, "state,county,n\n1,a,30\n2,b,70\n", "county.csv")
    fit_population([county], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
