"""The lines of the app's security, each a test. No browser is needed to attack."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request
from fastapi.responses import HTMLResponse

from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.web import page, server
from reidrisk.web.accounts import (
    LOCKED_SECONDS,
    MOST_FAILURES,
    Account,
    Accounts,
    read_accounts,
    write_accounts,
)
from reidrisk.web.app import create_app, open_session
from reidrisk.web.security import CSP, IDLE_SECONDS, PREVIEW_CSP, Sessions, Site
from reidrisk.web.server import Serving, serve
from tests.cli.running import PROGRAM, Run
from tests.web.serving import HOST, ORIGIN, Client, TestClient, client_of, running

WEB = Path(page.__file__).parent
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
SECRET = "Zebulon-Quartz"  # noqa: S105
PASSWORD = "a long password for tests"  # noqa: S105
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    """A folder with one release, and a secret beside it."""
    root = tmp_path / "served"
    (root / "one").mkdir(parents=True)
    (root / "one" / "release.yaml").write_text("reidrisk: 1\nrelease: {name: One}\nparts: []\n")
    (tmp_path / "secret.txt").write_text(SECRET)
    return root


@pytest.fixture
def known(releases: Path) -> Client:
    """A client with a session."""
    return client_of(releases)


@pytest.fixture
def stranger(releases: Path) -> TestClient:
    """A client without a session."""
    app = create_app(releases, Site(HOST))
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False, follow_redirects=False)


# --- who may ask ---


def every_path(client: TestClient) -> list[str]:
    """All routes, with names that exist."""
    known = {"release": "one", "part": "notes", "name": "app.js"}
    paths = client.app.openapi()["paths"]  # type: ignore[attr-defined]
    return [re.sub(r"\{(\w+)\}", lambda one: known.get(one[1], "x"), path) for path in paths]


def test_nothing_is_reachable_without_a_session(stranger: TestClient) -> None:
    public = {"/open"}
    paths = every_path(stranger)
    assert {"/", "/r/one", "/static/app.js", "/csrf", "/theme"} <= set(paths)
    for path in paths:
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
            answer = stranger.request(method, path, headers={"Origin": ORIGIN})
            if path not in public:
                assert answer.status_code == 401, (method, path)
            assert "One" not in answer.text
    for style in ("/static/app.css", "/static/report.css", "/static/icon.svg"):
        assert stranger.get(style).status_code == 200


def test_a_cookie_that_nobody_got_is_refused(stranger: TestClient) -> None:
    for value in ("", "x", "0" * 43):
        stranger.cookies.set(Site(HOST).cookie, value)
        assert stranger.get("/").status_code == 401


def test_the_token_opens_one_session(stranger: TestClient) -> None:
    token = stranger.app.state.served.token.text  # type: ignore[attr-defined]
    assert len(token) >= 43, "256 bits"
    assert stranger.get("/open", params={"token": "x" * 43}).status_code == 403
    answer = stranger.get("/open", params={"token": token}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert stranger.get("/").status_code == 200
    other = TestClient(stranger.app, base_url=ORIGIN)
    assert other.get("/open", params={"token": token}).status_code == 403
    assert other.get("/").status_code == 401


def test_the_token_is_in_no_log(releases: Path) -> None:
    """Of the real program: it prints the link once, and nothing about requests."""
    words = [PROGRAM, "serve", str(releases), "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        host, _, rest = link.removeprefix("http://").partition("/")
        connection = http.client.HTTPConnection(host)
        for path in (f"/{rest}", f"/{rest}", "/?token=x", "/nothing"):
            connection.request("GET", path)
            connection.getresponse().read()
        connection.close()
        process.terminate()
        out, err = process.communicate(timeout=30)
    token = rest.partition("=")[2]
    assert len(token) >= 43
    assert token not in out
    assert token not in err
    kept = "".join(one.read_text(errors="replace") for one in releases.rglob("*") if one.is_file())
    assert token not in kept


def test_cookies_are_closed_to_scripts_and_other_sites(stranger: TestClient) -> None:
    token = stranger.app.state.served.token.text  # type: ignore[attr-defined]
    cookie = stranger.get("/open", params={"token": token}).headers["set-cookie"]
    assert [one.strip() for one in cookie.split(";")[1:]] == ["HttpOnly", "SameSite=Strict", "Path=/"]
    secure = Site("risk.example:443", is_tls=True)
    set_there = secure.set_cookie(secure.cookie, "x")
    assert set_there.startswith("__Host-reidrisk-443=x; HttpOnly; SameSite=Strict; Path=/; Secure")


def test_the_cookie_of_the_colors_is_closed_too(known: Client) -> None:
    cookie = known.post("/theme", data={"theme": "dark"}).headers["set-cookie"]
    assert cookie.endswith("HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000")


# --- where a request comes from ---


@pytest.mark.parametrize(
    "host",
    ["localhost:8123", "127.0.0.1", "127.0.0.1:8124", "evil.example", "127.0.0.1:8123.evil.example", ""],
)
def test_the_host_must_be_exactly_ours(known: Client, host: str) -> None:
    for path in ("/", "/open", "/static/app.css", "/nothing"):
        assert known.get(path, headers={"Host": host}).status_code == 421


def raw(origin: str, request: bytes) -> bytes:
    host, port = origin.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(request)
        found = b""
        while piece := connection.recv(65536):
            found += piece
        return found


@pytest.fixture
def real(releases: Path) -> Iterator[Any]:
    with running(releases) as found:
        yield found


def test_two_hosts_or_none_are_refused(real: Any) -> None:
    host = real.origin.removeprefix("http://").encode()
    end = b"Connection: close\r\n\r\n"
    two = b"GET / HTTP/1.1\r\nHost: " + host + b"\r\nHost: evil.example\r\n" + end
    answer = raw(real.origin, two)
    assert answer.startswith(b"HTTP/1.1 400")
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value}\r\n".encode() in answer
    assert b"\r\nserver:" not in answer.lower()
    assert raw(real.origin, b"GET / HTTP/1.1\r\n" + end).startswith(b"HTTP/1.1 400")
    whole = b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n" + end
    assert raw(real.origin, whole).startswith(b"HTTP/1.1 421")


def test_paths_that_lead_out_are_not_found(real: Any) -> None:
    """As they are sent by no browser: nothing on the way may tidy them up."""
    host = real.origin.removeprefix("http://")
    cookie = real.cookie()
    for path in (
        "/r/../../secret.txt",
        "/r/%2e%2e/files",
        "/r/..%2f..%2fsecret.txt",
        "/r/one/%2e%2e/%2e%2e/secret.txt",
        "/r//etc/passwd",
        "/r/%2fetc%2fpasswd",
        "/r/one%00/files",
        "/r/C:%5Cwindows",
        "/static/../page.py",
        "/static/%2e%2e%2fpage.py",
        "/static/..%2f..%2f..%2fsecret.txt",
        "/static/",
        "/static/htmx.LICENSE.txt",
        "/r/",
        "/r/.",
        "/r/.reidrisk",
    ):
        request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie['name']}={cookie['value']}\r\n"
        answer = raw(real.origin, request.encode() + b"Connection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 404"), path
        assert SECRET.encode() not in answer
        assert b"root:" not in answer


@pytest.mark.parametrize(
    "origin", [None, "null", "http://127.0.0.1:8124", "https://127.0.0.1:8123", "http://evil.example"]
)
def test_a_change_needs_our_origin(known: Client, origin: str | None) -> None:
    known.headers.pop("Origin")
    answer = known.post(
        "/theme", data={"theme": "dark"}, headers={} if origin is None else {"Origin": origin}
    )
    assert answer.status_code == 403


def test_a_change_needs_the_secret_of_the_session(known: Client) -> None:
    right = known.headers.pop("X-CSRF-Token")
    fields = {"theme": "dark"}
    assert known.post("/theme", data=fields).status_code == 403
    assert known.post("/theme", data={**fields, "csrf": "wrong"}).status_code == 403
    assert known.post("/theme", data=fields, headers={"X-CSRF-Token": right + "x"}).status_code == 403
    assert known.post("/theme", json={**fields, "csrf": right}).status_code == 403
    assert known.post("/theme", files={"csrf": (None, right)}).status_code == 403
    assert known.post("/theme", data={**fields, "csrf": right}).status_code == 303
    assert known.post("/theme", data=fields, headers={"X-CSRF-Token": right}).status_code == 303


def test_the_secret_of_another_session_does_not_help(known: Client) -> None:
    served = known.app_served
    other = served.sessions.find(served.sessions.begin(None, ()))
    answer = known.post("/theme", data={"theme": "dark"}, headers={"X-CSRF-Token": other.csrf})
    assert answer.status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "other"])
def test_another_site_cannot_have_us_asked(known: Client, site: str) -> None:
    for method, path in (("GET", "/"), ("GET", "/static/app.js"), ("GET", "/csrf"), ("POST", "/theme")):
        assert known.request(method, path, headers={"Sec-Fetch-Site": site}).status_code == 403
    for fine in ("same-origin", "none"):
        assert known.get("/", headers={"Sec-Fetch-Site": fine}).status_code == 200


def test_a_form_that_is_too_large_is_refused(known: Client) -> None:
    known.headers.pop("X-CSRF-Token")
    assert known.post("/theme", data={"theme": "x" * 2**21}).status_code == 413
    many = "&".join(f"a{number}=1" for number in range(30_000))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert known.post("/theme", content=many, headers=headers).status_code == 400


def test_a_form_that_is_said_to_be_too_large_is_not_waited_for(known: Client) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(10**12)}
    del known.headers["x-csrf-token"]
    assert known.post("/theme", headers=headers, content=b"theme=dark").status_code == 413


def test_a_form_leads_only_to_our_own_pages(known: Client) -> None:
    for back in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:1", "/a\r\nX: 1"):
        answer = known.post("/theme", data={"theme": "dark", "back": back})
        assert answer.headers["location"] == "/"


# --- what leaves ---


def test_every_answer_has_the_headers(known: Client, stranger: TestClient) -> None:
    answers = [
        known.get("/"),
        known.get("/static/app.js"),
        known.get("/nothing"),
        known.get("/r/none/files"),
        known.get("/", headers={"Host": "evil.example"}),
        known.post("/theme", data={"theme": "dark"}),
        known.post("/theme", data={"theme": "dark"}, headers={"Origin": "null"}),
        known.delete("/theme"),
        known.request("OPTIONS", "/"),
        stranger.get("/"),
        stranger.get("/static/report.css"),
    ]
    assert {one.status_code for one in answers} >= {200, 303, 401, 403, 404, 405, 421}
    for one in answers:
        assert {name: one.headers.get(name) for name in HEADERS} == HEADERS, one.request.url
        assert "server" not in one.headers
        assert "access-control-allow-origin" not in one.headers


def test_the_policy_is_exactly_this() -> None:
    assert CSP == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src 'self'; "
        "object-src 'none'"
    )
    assert "unsafe" not in CSP
    assert "sandbox" in PREVIEW_CSP
    assert "script-src" not in PREVIEW_CSP


def test_a_preview_may_be_framed_by_us_and_runs_nothing(releases: Path) -> None:
    app = create_app(releases, Site(HOST))

    @app.load_pages().get("/preview")
    def preview() -> Any:
        return HTMLResponse("<p>report</p>", headers={"X-Reidrisk-Preview": "1"})

    answer = Client(app).get("/preview")
    assert answer.headers["content-security-policy"] == PREVIEW_CSP
    assert "x-frame-options" not in answer.headers
    assert "x-reidrisk-preview" not in answer.headers


def test_nothing_is_told_to_others(releases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newer versions of FastAPI can send what was asked for to an address in the environment."""
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    app = create_app(releases, Site(HOST))
    found = getattr(app, "_native_telemetry", None)
    assert found is None or not found.enabled()


def test_no_schema_and_no_documentation_are_served(known: Client) -> None:
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert known.get(path).status_code == 404


def test_an_error_shows_no_trace_value_or_path(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = create_app(releases, Site(HOST))

    @app.load_pages().get("/breaks")
    def breaks(request: Request) -> None:
        raise ValueError(f"{SECRET} in {request.url}")

    client = Client(app)
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.get("/breaks", headers=headers)
        assert answer.status_code == 500
        assert answer.headers["content-security-policy"] == CSP
        number = re.search(r"report the number ([0-9a-f]{8})", answer.text)
        assert number
        told = capsys.readouterr()
        assert number[1] in told.err
        assert "ValueError at test_security.py" in told.err
        for text in (answer.text, told.out, told.err):
            assert SECRET not in text
            assert "Traceback" not in text
            assert str(releases) not in text


def test_a_request_that_is_not_valid_is_not_repeated(known: Client) -> None:
    answer = known.post("/theme", data={"theme": SECRET * 20})
    assert answer.status_code == 422
    assert SECRET not in answer.text


def test_an_error_of_ours_is_a_page_or_a_fragment(releases: Path) -> None:
    app = create_app(releases, Site(HOST))

    @app.load_pages().get("/refuses")
    def refuses() -> None:
        raise InvalidSetting("<b>It</b> is wrong.", hint="Correct it.")

    whole, part = (Client(app).get("/refuses", headers=one) for one in ({}, {"HX-Request": "true"}))
    assert whole.status_code == part.status_code == 422
    assert "<html" in whole.text
    assert "<html" not in part.text
    for one in (whole, part):
        assert "&lt;b&gt;It&lt;/b&gt; is wrong." in one.text
        assert "Correct it." in one.text


# --- paths ---


def test_only_release_folders_directly_below_are_served(
    releases: Path, known: Client, tmp_path: Path
) -> None:
    (releases / "plain").mkdir()
    hidden = releases / ".hidden"
    outside = tmp_path / "outside"
    for folder in (hidden, outside, releases / "one" / "inner"):
        folder.mkdir()
        (folder / "release.yaml").write_text("reidrisk: 1\n")
    (releases / "link").symlink_to(outside)
    (releases / "half").mkdir()
    (releases / "half" / "release.yaml").symlink_to(outside / "release.yaml")
    assert known.get("/r/one").status_code == 303
    for name in ("plain", ".hidden", "link", "half", "inner", "one%2finner", "@", "%", "~", "x" * 5000):
        assert known.get(f"/r/{name}").status_code == 404, name


def test_the_served_folder_itself_can_be_the_release(releases: Path) -> None:
    client = client_of(releases / "one")
    assert 'href="/r/@"' in client.get("/").text
    assert client.get("/r/@").status_code == 303
    assert client.get("/r/@/files").status_code == 200
    assert client.get("/r/one/files").status_code == 404


def test_confined_paths(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "out").symlink_to(tmp_path)
    assert page.confined(tmp_path / "in", "a", "b") == tmp_path / "in" / "a" / "b"
    for names in (("..",), ("../x",), ("/etc/passwd",), ("out", "x"), ("a\0b",), ("a", "..", "..", "x")):
        with pytest.raises(page.NotFound):
            page.confined(tmp_path / "in", *names)


def test_what_others_wrote_is_shown_as_text(releases: Path) -> None:
    planted = "<img src=x onerror=alert(1)>"
    for folder in (releases / "two", releases / "<b>name"):
        folder.mkdir()
        (folder / "release.yaml").write_text(
            f"reidrisk: 1\nrelease: {{name: {json.dumps(planted)}}}\nparts:\n"
            f"  - {{name: {json.dumps(planted)}, kind: {json.dumps(planted)}}}\n"
        )
    text = client_of(releases).get("/").text
    assert planted not in text
    assert text.count("&lt;img src=x onerror=alert(1)&gt;") >= 2
    assert "<b>name" not in text


# --- templates ---


@pytest.mark.parametrize("path", TEMPLATES, ids=[one.name for one in TEMPLATES])
def test_templates_need_no_inline_code_and_nothing_from_elsewhere(path: Path) -> None:
    text = re.sub(r"\{[%#].*?[%#]\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for script in re.findall(r"<script\b[^>]*>(.*?)</script>", text, re.DOTALL):
        assert not script.strip()
    assert not re.search(r"<style\b|\sstyle\s*=", text, re.IGNORECASE)
    markup = re.sub(r"\{\{.*?\}\}", "", text, flags=re.DOTALL)
    assert not re.search(r"\son[a-z]+\s*=", markup, re.IGNORECASE), "handlers in attributes"
    assert not re.search(r"hx-on|\bjs:|javascript:|hx-vars|hx-eval", text, re.IGNORECASE)
    for trigger in re.findall(r"hx-trigger\s*=\s*\"([^\"]*)\"", text):
        assert "[" not in trigger, "a filter of a trigger compiles code"
    addresses = re.findall(r"(?:href|src|action|hx-(?:get|post|put|patch|delete))\s*=\s*[\"']([^\"']*)", text)
    assert not [one for one in addresses if re.match(r"[a-z]+:|//", one, re.IGNORECASE)]
    assert not re.search(r"https?://", text), "nothing is loaded from elsewhere"
    unescaped = re.findall(r"\{\{([^}]*)\|\s*safe", text)
    assert set(map(str.strip, unescaped)) <= {"card.svg"}


def test_forms_that_post_carry_the_secret() -> None:
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        for form in re.findall(r"<form\b[^>]*method=\"post\".*?</form>", text, re.DOTALL | re.IGNORECASE):
            assert "csrf()" in form or 'action="/login"' in form, path.name


def test_scripts_compile_no_code() -> None:
    """They put in fragments that the server has rendered and escaped, as htmx does, and compile nothing."""
    for path in (WEB / "static").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        if not path.name.startswith("htmx"):
            assert not re.search(r"\beval\(|new Function|document\.write|https?://(?!www\.w3\.org)", text)


# --- accounts ---


@pytest.fixture(scope="module")
def accounts() -> list[Account]:
    return [Account.new(f"a {role}", role, PASSWORD) for role in ("preparer", "reviewer", "approver")]


@pytest.fixture
def login(releases: Path, accounts: list[Account]) -> TestClient:
    app = create_app(releases, Site(HOST), accounts=Accounts(accounts))
    return TestClient(
        app,
        base_url=ORIGIN,
        raise_server_exceptions=False,
        follow_redirects=False,
        headers={"Origin": ORIGIN},
    )


def test_passwords_are_hashed_in_a_file_for_its_owner(tmp_path: Path, accounts: list[Account]) -> None:
    file = tmp_path / "accounts.json"
    write_accounts(file, accounts)
    assert file.stat().st_mode & 0o777 == 0o600
    assert PASSWORD not in file.read_text()
    assert read_accounts(file) == accounts
    assert len({one.salt for one in accounts}) == len(accounts)
    file.chmod(0o644)
    with pytest.raises(ReidRiskError, match="Other users"):
        read_accounts(file)


def test_accounts_are_added_and_removed_by_a_command(tmp_path: Path, command: Run) -> None:
    file, password = tmp_path / "accounts.json", tmp_path / "password"
    password.write_text(PASSWORD)
    password.chmod(0o600)
    assert command("account", "add", file, "Ann", "--role", "preparer", "--password-file", password)[0] == 0
    code, out, err = command("account", "add", file, "Ben", "--role", "approver", "--password-file", password)
    assert (code, err) == (0, "")
    assert PASSWORD not in out
    assert [(one.name, one.role) for one in read_accounts(file)] == [("Ann", "preparer"), ("Ben", "approver")]
    assert read_accounts(file)[0].fits(PASSWORD)
    assert command("account", "remove", file, "Ann")[0] == 0
    assert [one.name for one in read_accounts(file)] == ["Ben"]
    assert command("account", "remove", file, "Ann")[0] == 2
    password.write_text("short")
    assert command("account", "add", file, "Cid", "--role", "approver", "--password-file", password)[0] == 2


@pytest.mark.parametrize("text", ["{}", "[]", "x", '{"kind": "accounts", "accounts": [{"name": "a"}]}'])
def test_another_file_is_no_file_of_accounts(tmp_path: Path, text: str) -> None:
    file = tmp_path / "accounts.json"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(ReidRiskError, match="not a file of accounts"):
        read_accounts(file)


def test_with_accounts_only_a_login_opens(login: TestClient) -> None:
    token = login.app.state.served.token.text  # type: ignore[attr-defined]
    assert login.get("/open", params={"token": token}).status_code == 401
    assert login.get("/").status_code == 401
    wrong = login.post("/login", data={"name": "a preparer", "password": "wrong"})
    assert wrong.status_code == 401
    unknown = login.post("/login", data={"name": "nobody", "password": "wrong"})
    assert unknown.status_code == 401
    assert "wrong" in unknown.text
    login.cookies.set(Site(HOST).cookie, "chosen-by-an-attacker")
    right = login.post("/login", data={"name": "a preparer", "password": PASSWORD})
    assert right.status_code == 200
    assert PASSWORD not in right.text
    value = right.headers["set-cookie"].split(";")[0].partition("=")[2]
    assert len(value) >= 43
    assert value != "chosen-by-an-attacker"
    assert login.get("/").status_code == 200
    assert "a preparer, preparer" in login.get("/").text


def test_logging_out_ends_the_session(login: TestClient) -> None:
    login.post("/login", data={"name": "a preparer", "password": PASSWORD})
    secret = login.get("/csrf").json()["csrf"]
    kept = login.cookies.get(Site(HOST).cookie)
    assert login.post("/logout", headers={"X-CSRF-Token": secret}).status_code == 303
    login.cookies.set(Site(HOST).cookie, str(kept))
    assert login.get("/").status_code == 401


def test_five_wrong_passwords_close_the_account_for_a_while(accounts: list[Account]) -> None:
    now = [0.0]
    guarded = Accounts(accounts, clock=lambda: now[0])
    for _ in range(MOST_FAILURES):
        account, problem = guarded.check("a preparer", "wrong")
        assert account is None
        assert problem is not None
        assert not problem.is_locked
    account, problem = guarded.check("a preparer", PASSWORD)
    assert account is None
    assert problem is not None
    assert problem.is_locked
    other, _ = guarded.check("a reviewer", PASSWORD)
    assert other is not None
    now[0] += LOCKED_SECONDS + 1
    again, _ = guarded.check("a preparer", PASSWORD)
    assert again is not None


def test_an_idle_session_ends() -> None:
    assert IDLE_SECONDS == 30 * 60
    sessions = Sessions(idle=0.0)
    assert sessions.find(sessions.begin("a", ("preparer",))) is None
    kept = Sessions(idle=60)
    assert kept.find(kept.begin("a", ("preparer",))) is not None


ROLES = ("preparer", "reviewer", "approver")


@pytest.mark.parametrize("own", ROLES)
@pytest.mark.parametrize("needed", ROLES)
def test_each_role_may_do_its_own(releases: Path, own: str, needed: str) -> None:
    app = create_app(releases, Site(HOST))

    @app.load_pages().post("/do")
    def do(request: Request) -> Any:
        page.need_role(request, needed)
        return HTMLResponse("done")

    answer = Client(app, "somebody", (own,)).post("/do")
    assert answer.status_code == (200 if own == needed else 403)


@pytest.mark.parametrize(
    "given",
    [
        {"host": "192.0.2.1"},
        {"host": "192.0.2.1", "auth": Path("a")},
        {"host": "192.0.2.1", "tls_cert": Path("a"), "tls_key": Path("b")},
        {"host": "risk.example", "auth": Path("a"), "tls_cert": Path("b")},
        {"host": "0.0.0.0"},  # noqa: S104
        {"host": "0.0.0.0", "auth": Path("a"), "tls_cert": Path("b"), "tls_key": Path("c")},  # noqa: S104
        {"host": "::", "auth": Path("a"), "tls_cert": Path("b"), "tls_key": Path("c")},
        {"tls_cert": Path("a")},
    ],
)
def test_others_are_let_in_only_with_accounts_and_tls(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetting):
        serve(Serving(tmp_path, **given), say=lambda _: None, browser=False)


@pytest.mark.parametrize(
    "content",
    [
        "a: &a [1]\nb: *a\n",
        "release: {name: !!python/object/apply:os.system [true]}\n",
        "[" * 300,
        "reidrisk: 1\nparts: 3\n",
        "\x00",
    ],
)
def test_a_broken_release_does_not_tell_where_the_folder_is(releases: Path, content: str) -> None:
    (releases / "broken").mkdir()
    (releases / "broken" / "release.yaml").write_text(content, encoding="utf-8")
    client = client_of(releases)
    for path in ("/", *(f"/r/broken/{name}" for name in ("files", "roles", "context", "run", "verdict"))):
        answer = client.get(path)
        assert answer.status_code in (200, 422), path
        assert str(releases) not in answer.text, path
    assert "/r/broken" in client.get("/").text


def test_who_goes_away_leaves_no_defect_behind(releases: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with running(releases) as server:
        host = server.origin.removeprefix("http://")
        cookie = server.cookie()
        session = server.app.state.served.sessions.find(cookie["value"])
        assert session is not None
        head = (
            f"PUT /r/one/files/file?name=a.csv HTTP/1.1\r\nHost: {host}\r\nOrigin: {server.origin}\r\n"
            f"Cookie: {cookie['name']}={cookie['value']}\r\nX-CSRF-Token: {session.csrf}\r\n"
            "Content-Length: 1000\r\n\r\na,b"
        )
        with socket.create_connection(("127.0.0.1", int(host.partition(":")[2]))) as open_socket:
            open_socket.sendall(head.encode())
            open_socket.shutdown(socket.SHUT_WR)
            open_socket.recv(1000)
    assert "defect" not in capfd.readouterr().err
    assert [one.name for one in (releases / "one").rglob("*") if one.is_file()] == ["release.yaml"]


def test_pages_are_loaded_ahead_only_after_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    served = SimpleNamespace(server_state=SimpleNamespace(total_requests=0))
    loaded: list[str] = []
    monkeypatch.setattr(server, "PAUSE", 0.01)
    monkeypatch.setattr(server, "import_module", loaded.append)
    app = SimpleNamespace(load_pages=lambda: loaded.append("pages"))
    thread = Thread(target=server._load_ahead, args=(served, app))
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    assert loaded == []
    served.server_state.total_requests = 1
    thread.join(10)
    assert loaded == ["pages", *server.LOADED_AHEAD]
    assert all(find_spec(name) for name in server.LOADED_AHEAD)


def test_the_command_refuses_a_host_without_accounts(tmp_path: Path, command: Run) -> None:
    code, _, err = command("serve", tmp_path, "--no-browser", "--host", "192.0.2.1")
    assert code == 2
    assert "--auth FILE" in err
    assert "reidrisk account add" in err


def test_the_link_is_encrypted_where_others_reach_it(
    releases: Path, tmp_path: Path, accounts: list[Account]
) -> None:
    """The real program with accounts and a certificate, on a name that leads to this machine."""
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    _write_certificate(cert, key)
    write_accounts(tmp_path / "accounts.json", accounts)
    words = [PROGRAM, "serve", str(releases), "--no-browser", "--host", "localhost", "--tls-cert", str(cert)]
    words += ["--tls-key", str(key), "--auth", str(tmp_path / "accounts.json")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        try:
            assert re.fullmatch(r"https://localhost:\d+/", link)
            context = ssl.create_default_context(cafile=str(cert))
            host = link.removeprefix("https://").rstrip("/")
            connection = http.client.HTTPSConnection(host, context=context, timeout=20)
            connection.request("GET", "/login")
            answer = connection.getresponse()
            assert answer.status == 200
            assert answer.headers["strict-transport-security"]
            answer.read()
            connection.close()
        finally:
            process.terminate()


def _write_certificate(cert: Path, key: Path) -> None:
    """A certificate of our own for localhost, of today."""
    code = """
import sys, datetime
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
now = datetime.datetime.now(datetime.timezone.utc)
made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
    .not_valid_after(now + datetime.timedelta(days=1))
    .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    .sign(key, hashes.SHA256()))
open(sys.argv[1], "wb").write(made.public_bytes(serialization.Encoding.PEM))
open(sys.argv[2], "wb").write(key.private_bytes(serialization.Encoding.PEM,
    serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
"""
    subprocess.run([sys.executable, "-c", code, str(cert), str(key)], check=True)


def test_a_click_is_logged_without_a_value(releases: Path) -> None:
    from reidrisk.core.trail import read_trail

    app = create_app(releases, Site(HOST))

    @app.load_pages().post("/show/{release}")
    def show(request: Request, folder: page.ReleaseFolder) -> Any:
        page.log_click(request, folder, "show leak 3 of notes")
        return HTMLResponse(SECRET)

    assert Client(app, "Ann").post("/show/one").text == SECRET
    trail = read_trail(releases / "one")
    assert trail.holds
    assert [(one["name"], one["command"]) for one in trail.entries] == [
        ("Ann", "serve: show leak 3 of notes")
    ]
    assert SECRET not in (releases / "one" / ".reidrisk" / "log.jsonl").read_text()


def test_sessions_are_bounded() -> None:
    app_sessions = Sessions(idle=None)
    names = [app_sessions.begin(None, ()) for _ in range(1100)]
    assert app_sessions.find(names[-1]) is not None
    assert app_sessions.find(names[0]) is None


def test_open_session_is_for_everything_on_the_users_own_machine(releases: Path) -> None:
    app = create_app(releases, Site(HOST))
    found = app.state.served.sessions.find(open_session(app))
    assert found is not None
    assert found.roles == ROLES


def test_a_stranger_loads_no_page_and_the_first_page_waits_for_no_other(tmp_path: Path) -> None:
    app = create_app(tmp_path, Site(HOST))
    known = Client(app)
    stranger = TestClient(app, base_url=ORIGIN, follow_redirects=False)
    assert known.get("/").status_code == 200
    assert stranger.get("/new").status_code == 401
    assert not app.has_all_pages
    assert known.get("/new").status_code == 200
    assert app.has_all_pages
    assert app.load_pages() is app.load_pages()
    assert known.get("/").status_code == 200
    assert known.get("/nothing").status_code == 404
