"""The site: its pages and assets from memory, before the framework (ADR 0120).

Only names that were there at the start exist, so no address leads to any other file. Every address outside
/api that is no file is a page of the site. What a guest may read is in it already where that is at hand
(ADR 0142); the rest is shown by the script in the page.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources.abc import Traversable
from mimetypes import guess_type
from typing import Final, Protocol

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from deepoj_bff.inbound.http.compressed_answers import accepted_encodings
from deepoj_bff.inbound.http.errors import PROBLEM_JSON, ApiError, ErrorType, as_problem

_INDEX: Final = "index.html"
# What the build tells its own checks and those who make pages.
_NOT_SERVED: Final = frozenset({"/manifest.json", "/pages.json"})
_ASSETS: Final = "/assets/"
_METHODS: Final = ("GET", "HEAD")
# The best first.
_SUFFIXES: Final = {"br": ".br", "gzip": ".gz"}
_IDENTITY: Final = "identity"
_TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
}
_HTML: Final = "text/html; charset=utf-8"
_ASK_FIRST: Final = "no-cache"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types deepoj"
)
_SCRIPT: Final = re.compile("<script>(.*?)</script>", re.DOTALL)
_STYLE: Final = re.compile("<style>(.*?)</style>", re.DOTALL)
_NOT_BUILT: Final = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Deep-OJ</title>
<p>The pages of this site have not been built. The API is here: <a href="/api/openapi">/api/openapi</a>.</p>
</html>
"""

Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class SiteFile:
    media_type: str
    cache_control: str
    bodies: Mapping[str, bytes]
    """By content encoding; `identity` is always there."""
    digest: str
    policy: str
    vary: str = "accept-encoding"

    @classmethod
    def made(cls, body: bytes, gzipped: bytes, policy: str) -> SiteFile:
        """Return a page that was made for those who ask in this language."""
        bodies = {_IDENTITY: body, "gzip": gzipped}
        return cls(_HTML, _ASK_FIRST, bodies, _digest(body), policy, "accept-encoding, accept-language")

    @property
    def size(self) -> int:
        return sum(map(len, self.bodies.values()))

    def chosen(self, accept_encoding: str) -> str:
        accepted = accepted_encodings(accept_encoding)
        return next((each for each in _SUFFIXES if each in accepted and each in self.bodies), _IDENTITY)

    def headers(self, encoding: str) -> list[Header]:
        headers = [
            (b"content-type", self.media_type.encode()),
            (b"cache-control", self.cache_control.encode()),
            (b"etag", self.etag(encoding).encode()),
            (b"content-security-policy", self.policy.encode()),
            (b"cross-origin-opener-policy", b"same-origin"),
        ]
        if len(self.bodies) > 1:
            headers.append((b"vary", self.vary.encode()))
        if encoding != _IDENTITY:
            headers.append((b"content-encoding", encoding.encode()))
        return headers

    def etag(self, encoding: str) -> str:
        return f'"{self.digest}-{encoding}"'


Site = Mapping[str, SiteFile]
"""By address; the page itself is at `/`."""


def load_site(directory: Traversable) -> Site:
    """Read all files; a site that was not built has one page that says so."""
    found = dict(_walk(directory, "/")) if directory.is_dir() else {}
    originals = {
        name: body for name, body in found.items() if not _is_encoded(name, found) and name not in _NOT_SERVED
    }
    index = originals.pop(f"/{_INDEX}", None)
    if index is None:
        return {"/": _file(f"/{_INDEX}", _NOT_BUILT, {})}
    site = {name: _file(name, body, found) for name, body in originals.items()}
    return {**site, "/": _file(f"/{_INDEX}", index, found)}


def _walk(directory: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in directory.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()


def _is_encoded(name: str, found: Mapping[str, bytes]) -> bool:
    return any(name.endswith(suffix) and name.removesuffix(suffix) in found for suffix in _SUFFIXES.values())


def _file(name: str, body: bytes, found: Mapping[str, bytes]) -> SiteFile:
    encoded = {each: found[name + suffix] for each, suffix in _SUFFIXES.items() if name + suffix in found}
    # The name of an asset has the hash of its content.
    control = "public, max-age=31536000, immutable" if name.startswith(_ASSETS) else _ASK_FIRST
    policy = policy_of(body.decode() if name == f"/{_INDEX}" else "")
    return SiteFile(_media_type(name), control, {_IDENTITY: body, **encoded}, _digest(body), policy)


def policy_of(page: str) -> str:
    """Return the policy under which a page that the build wrote runs what stands in it, and nothing else."""
    return _POLICY.format(scripts=_hashes(_SCRIPT, page), styles=_hashes(_STYLE, page))


def _hashes(inside: re.Pattern[str], page: str) -> str:
    digests = (sha256(each.encode()).digest() for each in inside.findall(page))
    return "".join(f" 'sha256-{b64encode(each).decode()}'" for each in digests)


def _digest(body: bytes) -> str:
    return sha256(body).hexdigest()[:32]


def _media_type(name: str) -> str:
    suffix = name[name.rfind(".") :]
    found = _TYPES.get(suffix) or guess_type(name)[0] or "application/octet-stream"
    return f"{found}; charset=utf-8" if found.startswith("text/") else found


class Pages(Protocol):
    async def at(self, path: str, query: bytes, accept_language: str) -> SiteFile | None:
        """Return the page of an address with what a guest may read in it; None: there is no such content."""
        ...


class SitePages:
    def __init__(self, app: ASGIApp, site: Site, pages: Pages) -> None:
        self._app = app
        self._site = site
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["path"] == "/api" or scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        is_asset = scope["path"].startswith(_ASSETS)
        scope["path_template"] = f"{_ASSETS}{{name}}" if is_asset else "/{page}"
        if scope["method"] not in _METHODS:
            await _refuse(scope, send, ErrorType.METHOD_NOT_ALLOWED, [(b"allow", b"GET, HEAD")])
        elif is_asset and scope["path"] not in self._site:
            await _refuse(scope, send, ErrorType.NOT_FOUND, [])
        else:
            await _answer(scope, send, await self._found(scope))

    async def _found(self, scope: HTTPScope) -> SiteFile:
        path = scope["path"]
        if path != "/" and path in self._site:
            return self._site[path]
        language = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        return await self._pages.at(path, scope["query_string"], language) or self._site["/"]


async def _answer(scope: HTTPScope, send: Send, file: SiteFile) -> None:
    given = {name: value.decode("latin-1") for name, value in scope["headers"]}
    encoding = file.chosen(given.get(b"accept-encoding", ""))
    headers = file.headers(encoding)
    body = file.bodies[encoding]
    status = 200
    if file.etag(encoding) in given.get(b"if-none-match", ""):
        status, body = 304, b""
    else:
        headers.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    sent = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": sent, "more_body": False})


async def _refuse(scope: HTTPScope, send: Send, kind: ErrorType, headers: list[Header]) -> None:
    error = ApiError(kind, kind.value.slug.replace("-", "_"), kind.title)
    body = msgspec.json.encode(as_problem(error, str(scope["state"].get("request_id", ""))))
    headers += ((b"content-type", PROBLEM_JSON.encode()), (b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": kind.status, "headers": headers})
    sent = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": sent, "more_body": False})
