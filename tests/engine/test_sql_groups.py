from __future__ import annotations

import pytest

from reidrisk.engine.duckdb.queries import sql_groups


@pytest.mark.parametrize(
    ("sql", "count", "shared"),
    [
        ("SELECT sex, avg(cost) AS c, count(*) AS n FROM data GROUP BY sex", 2, {0}),
        ("SELECT count(*), year(day) AS y, sex FROM data WHERE age > 5 GROUP BY y, sex", 0, {1, 2}),
        ("SELECT sex, max(name), count(*) FROM data GROUP BY sex", 2, {0}),
        ("SELECT sex, upper(max(name)), count(*) FROM data GROUP BY ALL", 2, {0}),
        ("SELECT max(name) AS sex, sex AS s, count(*) FROM data GROUP BY ALL", 2, set()),
        ("SELECT sex, (SELECT max(name) FROM data), count(*) FROM data GROUP BY 1", 2, {0}),
        ("SELECT sex, max(max(name)) OVER (), count(*) FROM data GROUP BY 1", 2, {0}),
        ("SELECT sex, unnest(list(name)), count(*) FROM data GROUP BY 1", 2, {0}),
        ("SELECT sex, name.max(), count(*) FROM data GROUP BY 1", 2, {0}),
        ("SELECT middle(age) AS a, count(*) FROM data GROUP BY 1", 1, {0}),
        ("SELECT CASE WHEN age > 5 THEN 'old' ELSE sex END, count(*) FROM data GROUP BY 1", 1, {0}),
    ],
)
def test_groups_are_those_that_all_records_share(sql: str, count: int, shared: set[int]) -> None:
    found = sql_groups(sql)
    assert found is not None
    assert found.records == count
    assert found.shared - {count} == shared


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name, age AS n FROM data",
        "SELECT name, 1000::BIGINT AS n FROM data",
        "SELECT name, count(*) FILTER (age > 5) AS n FROM data GROUP BY 1",
        "SELECT name, count(age) AS n FROM data GROUP BY 1",
        "SELECT d.name, count(*) AS n FROM data d, range(9) GROUP BY 1",
        "SELECT name, count(*) FROM (FROM data UNION ALL FROM data) GROUP BY 1",
        "WITH data AS (FROM data, range(9)) SELECT name, count(*) FROM data GROUP BY 1",
        "SELECT name, count(*) FROM data GROUP BY 1 UNION ALL SELECT name, 9 FROM data",
        "SELECT *, count(*) FROM data GROUP BY ALL",
        "SELECT name, count(*) FROM query_table('data') GROUP BY 1",
        "SUMMARIZE data",
        "nothing",
    ],
)
def test_other_counts_are_not_believed(sql: str) -> None:
    assert sql_groups(sql) is None
