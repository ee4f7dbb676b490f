"""The site from memory: pages, assets, and nothing else."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from litestar.types import Receive, Scope, Send

from deepoj_bff.inbound.http.access_log import AccessLog
from deepoj_bff.inbound.http.compressed_answers import accepted_encodings
from deepoj_bff.inbound.http.site_pages import SiteFile, SitePages, load_site, policy_of

PAGE = b"<!doctype html><title>Deep-OJ</title><script src=/assets/main-1a2b.js></script>"
SCRIPT = b"document.title = 'Deep-OJ'\n" * 20


async def no_api(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


class NoContent:
    async def at(self, path: str, query: bytes, accept_language: str) -> SiteFile | None:  # noqa: ARG002 — the port's
        return None


def client_of(directory: Path) -> httpx.AsyncClient:
    app = AccessLog(SitePages(no_api, load_site(directory), NoContent()), https=False)
    # Both are ASGI, but each library has its own types for it.
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://oj.test")  # type: ignore[arg-type]


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    directory = tmp_path / "site"
    (directory / "assets").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("not of the site")
    (directory / "index.html").write_bytes(PAGE)
    (directory / "robots.txt").write_text("User-agent: *\n")
    (directory / "manifest.json").write_text("{}")
    (directory / "pages.json").write_text("{}")
    (directory / "assets/main-1a2b.js").write_bytes(SCRIPT)
    (directory / "assets/main-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT, mtime=0))
    (directory / "assets/main-1a2b.js.br").write_bytes(b"in brotli")
    (directory / "assets/font-77.woff2").write_bytes(b"font")
    async with client_of(directory) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/", "/problems/aplusb", "/contests/1/board", "/nothing/like/this", "/apiary"]
)
async def test_every_address_that_is_no_file_is_the_page(site: httpx.AsyncClient, path: str) -> None:
    answer = await site.get(path)
    assert (answer.status_code, answer.content) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


async def test_what_stands_in_the_page_is_named_by_its_hash() -> None:
    policy = policy_of("<script>a()</script><style>p{}</style><script src=x></script>").split("; ")
    assert "script-src 'self' 'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='" in policy
    [styles] = [each for each in policy if each.startswith("style-src ")]
    assert styles.count("'sha256-") == 1


async def test_the_page_may_load_only_what_is_ours_and_is_framed_by_nobody(site: httpx.AsyncClient) -> None:
    headers = (await site.get("/")).headers
    policy = headers["content-security-policy"]
    for part in (
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types deepoj",
    ):
        assert part in policy.split("; ")
    assert "unsafe" not in policy
    assert headers.get_list("content-security-policy") == [policy]
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("", None),
        ("br;q=0", None),
        ("zstd", None),
        ("gzip;q=x", None),
    ],
)
async def test_an_asset_comes_in_the_best_encoding_the_client_takes(
    site: httpx.AsyncClient, accepted: str, encoding: str | None
) -> None:
    request = site.build_request("GET", "/assets/main-1a2b.js", headers={"accept-encoding": accepted})
    answer = await site.send(request, stream=True)
    raw = b"".join([part async for part in answer.aiter_raw()])
    assert answer.headers.get("content-encoding") == encoding
    assert raw == {"br": b"in brotli", "gzip": gzip.compress(SCRIPT, mtime=0), None: SCRIPT}[encoding]
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]


async def test_who_has_a_file_is_told_so_in_each_encoding(site: httpx.AsyncClient) -> None:
    seen = set()
    for path, accepted in (("/", ""), ("/assets/main-1a2b.js", ""), ("/assets/main-1a2b.js", "gzip")):
        headers = {"accept-encoding": accepted}
        etag = (await site.get(path, headers=headers)).headers["etag"]
        again = await site.get(path, headers={**headers, "if-none-match": etag})
        assert (again.status_code, again.content) == (304, b"")
        seen.add(etag)
    assert len(seen) == 3


async def test_head_is_get_without_the_body(site: httpx.AsyncClient) -> None:
    answer = await site.head("/problems")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(PAGE))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
async def test_pages_are_only_read(site: httpx.AsyncClient, method: str) -> None:
    answer = await site.request(method, "/problems")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert answer.json()["type"] == "urn:deepoj:error:method-not-allowed"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets//etc/passwd",
        "/../secret.txt",
        "/assets/main-1a2b.js.gz",
        "/assets/",
        "/assets/other.js",
        "/manifest.json",
        "/pages.json",
        "/assets/main-1a2b.js%00",
    ],
)
async def test_only_files_of_the_site_exist(site: httpx.AsyncClient, path: str) -> None:
    answer = await site.get(path)
    assert answer.status_code == 404 or answer.content == PAGE
    assert "not of the site" not in answer.text


async def test_an_unknown_asset_is_not_the_page(site: httpx.AsyncClient) -> None:
    assert (await site.get("/assets/other.js")).status_code == 404


async def test_files_beside_the_page_are_asked_about_each_time(site: httpx.AsyncClient) -> None:
    answer = await site.get("/robots.txt")
    assert (answer.text, answer.headers["cache-control"]) == ("User-agent: *\n", "no-cache")


@pytest.mark.parametrize("path", ["/api", "/api/nothing"])
async def test_the_api_is_not_of_the_site(site: httpx.AsyncClient, path: str) -> None:
    assert (await site.get(path)).status_code == 418


async def test_an_unknown_address_of_the_api_stays_json(client: httpx.AsyncClient) -> None:
    for path in ("/api", "/api/", "/api/nothing"):
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


async def test_a_site_that_was_not_built_says_so(tmp_path: Path) -> None:
    async with client_of(tmp_path / "site") as client:
        answer = await client.get("/problems")
    assert answer.status_code == 200
    assert "/api/openapi" in answer.text


def test_an_encoding_is_accepted_unless_its_weight_is_nothing() -> None:
    assert accepted_encodings("GZIP ; q=1, br;q=0.0,deflate; q=0.5") == {"gzip", "deflate"}
