"""Files that arrive, without a browser: limits by size and content, names, what is left of a refused one."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from reidrisk.web import uploads
from reidrisk.web.pages import new
from tests.web.serving import Client, client_of
from tests.web.small import SECRET, write_release, write_table


@pytest.fixture
def client(tmp_path: Path) -> Client:
    (tmp_path / "served").mkdir()
    return client_of(tmp_path / "served")


@pytest.fixture
def staged(client: Client) -> str:
    return str(client.post("/new").json()["url"])


def files_left(client: Client) -> list[str]:
    root: Path = client.app_served.root
    return sorted(one.name for one in root.rglob("*") if one.is_file() and ".reidrisk" not in one.parts)


def test_a_file_arrives_as_it_is(client: Client, staged: str) -> None:
    content = b"a,b\n1,2\n" * 1000
    assert client.put(f"{staged}/file", params={"name": "visits.csv"}, content=content).status_code == 200
    (found,) = client.app_served.root.rglob("visits.csv")
    assert found.read_bytes() == content
    assert found.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "name",
    [
        *("../up.csv", "/etc/up.csv", "a/b.csv", "a\\b.csv", "..", ".hidden.csv", "a\x00.csv", "C:x.csv"),
        *("release.yaml", "x" * 300 + ".csv", "", "a.csv.", "~a.csv", "a\n.csv"),
    ],
)
def test_a_name_is_never_a_path(client: Client, staged: str, name: str) -> None:
    answer = client.put(f"{staged}/file", params={"name": name}, content=b"a,b\n1,2\n")
    assert answer.status_code == 422
    assert files_left(client) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"%PDF-1.7 "),
        ("a.csv", b"PK\x03\x04 "),
        ("a.csv", b"\x7fELF\x02\x01"),
        ("a.csv", b"a,b\n\0\0\0"),
        ("a.pdf", b"a,b\n1,2\n"),
        ("a.xlsx", b"a,b\n1,2\n"),
        ("a.parquet", b"a,b\n1,2\n"),
        ("a.exe", b"MZ\x90"),
        ("a", b"a,b\n1,2\n"),
        ("a.csv", b""),
        ("a.xlsx", b"PK\x03\x04 that is damaged"),
    ],
)
def test_the_content_must_be_what_the_name_says(
    client: Client, staged: str, name: str, content: bytes
) -> None:
    answer = client.put(f"{staged}/file", params={"name": name}, content=content)
    assert answer.status_code == 422
    assert files_left(client) == []


def test_a_file_that_is_too_large_is_counted_while_it_arrives(
    client: Client, staged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new, "MOST_BYTES", 1000)
    answer = client.put(f"{staged}/file", params={"name": "a.csv"}, content=b"a,b\n" * 500)
    assert answer.status_code == 413
    monkeypatch.setattr(uploads.arrive, "__kwdefaults__", {"most": 1000})

    def pieces() -> Iterator[bytes]:
        for _ in range(50):
            yield b"a,b\n" * 10

    answer = client.put(f"{staged}/file", params={"name": "a.csv"}, content=pieces())
    assert answer.status_code == 413
    assert "larger than" in answer.text
    assert files_left(client) == []


def test_an_archive_that_grows_out_of_proportion_is_refused(client: Client, staged: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"0" * 50 * 2**20)
    answer = client.put(f"{staged}/file", params={"name": "a.zip"}, content=packed.getvalue())
    assert answer.status_code == 422
    assert files_left(client) == []


def test_a_file_is_never_replaced(client: Client, staged: str) -> None:
    for content, code in ((b"a\n1\n", 200), (b"b\n2\n", 422)):
        answer = client.put(f"{staged}/file", params={"name": "a.csv"}, content=content)
        assert answer.status_code == code
    (found,) = client.app_served.root.rglob("a.csv")
    assert found.read_bytes() == b"a\n1\n"
    assert files_left(client) == ["a.csv"]


def test_there_are_only_so_many_files(client: Client, staged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_FILES", 2)
    codes = [
        client.put(f"{staged}/file", params={"name": f"{at}.csv"}, content=b"a\n1\n").status_code
        for at in range(3)
    ]
    assert codes == [200, 200, 413]


@pytest.mark.parametrize("staged", ["/new/x", "/new/..", "/new/0123456789abcdef"])
def test_files_arrive_only_where_a_release_was_begun(client: Client, staged: str) -> None:
    assert client.put(f"{staged}/file", params={"name": "a.csv"}, content=b"a\n1\n").status_code == 404
    assert client.post(f"{staged}/make").status_code == 404


def test_only_a_preparer_makes_releases(tmp_path: Path) -> None:
    for role in ("reviewer", "approver"):
        client = client_of(tmp_path, "somebody", (role,))
        assert client.get("/new").status_code == 403
        assert client.post("/new").status_code == 403
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".new")]


def test_only_a_preparer_changes_a_release(tmp_path: Path) -> None:
    folder = write_release(tmp_path / "one")
    before = (folder / "release.yaml").read_bytes()
    for role in ("reviewer", "approver"):
        client = client_of(tmp_path, "somebody", (role,))
        data = {"sha256": "0" * 64, "kind": "table", "title": "x", "name": "visits.csv"}
        for path in ("files/visits/leave", "files/visits/kind", "files/add", "roles/visits", "copy"):
            assert client.post(f"/r/one/{path}", data=data).status_code == 403, path
        assert client.put("/r/one/files/file", params={"name": "a.csv"}, content=b"a\n").status_code == 403
    assert (folder / "release.yaml").read_bytes() == before


def test_a_release_is_drafted_as_the_command_does_it(client: Client, staged: str, tmp_path: Path) -> None:
    from reidrisk.assess.drafting import draft_files

    table = write_table(tmp_path / "visits.csv")
    client.put(f"{staged}/file", params={"name": "visits.csv"}, content=table.read_bytes())
    answer = client.post(f"{staged}/make", data={"title": "My visits"})
    assert answer.headers["location"] == "/r/my-visits/files"
    made = client.app_served.root / "my-visits"
    expected = draft_files([made / "uploads" / "visits.csv"], folder=made).text
    assert (made / "release.yaml").read_text() == expected.replace('"Release of visits"', "My visits")
    page = client.get("/r/my-visits/files")
    assert page.status_code == 200
    assert SECRET not in page.text
    log = (made / ".reidrisk" / "log.jsonl").read_text()
    assert "serve: new release" in log
    assert SECRET not in log


def test_an_unknown_file_is_asked_about(client: Client, staged: str, tmp_path: Path) -> None:
    table = write_table(tmp_path / "visits.csv")
    client.put(f"{staged}/file", params={"name": "visits.csv"}, content=table.read_bytes())
    client.put(f"{staged}/file", params={"name": "report.pdf"}, content=b"%PDF-1.7\n" + SECRET.encode())
    assert client.post(f"{staged}/make").headers["location"] == staged
    page = client.get(staged)
    assert "report.pdf is a document" in page.text
    assert SECRET not in page.text
    assert str(tmp_path) not in page.text
    assert client.post(f"{staged}/remove", data={"name": "report.pdf"}).status_code == 303
    assert client.post(f"{staged}/make").headers["location"] == "/r/visits/files"
