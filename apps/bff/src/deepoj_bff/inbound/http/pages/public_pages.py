"""Pages with content, by their addresses. Where there is none to show, the script shows what there is."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from importlib.resources.abc import Traversable
from typing import Final
from urllib.parse import parse_qsl

import msgspec
from cachetools import LRUCache

from deepoj_bff.inbound.http.compressed_answers import compressed
from deepoj_bff.inbound.http.pages.board import board_page
from deepoj_bff.inbound.http.pages.contests import contest_page, contests_page
from deepoj_bff.inbound.http.pages.frame import framed
from deepoj_bff.inbound.http.pages.home import home_page
from deepoj_bff.inbound.http.pages.known import NothingToShowError
from deepoj_bff.inbound.http.pages.page import Asked, Reads, Render
from deepoj_bff.inbound.http.pages.problem import problem_page
from deepoj_bff.inbound.http.pages.problems import problems_page
from deepoj_bff.inbound.http.pages.template import Template
from deepoj_bff.inbound.http.pages.words import Plural, Words, locale_of
from deepoj_bff.inbound.http.site_pages import SiteFile, policy_of
from deepoj_kit.grpc import RemoteError

# A reader who waits longer is better served by the page without content, which asks for itself.
_DEADLINE: Final = 0.5
_KEPT_BYTES: Final = 16 * 1024**2
_MOST_QUERY: Final = 1000
_ID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_log = logging.getLogger(__name__)

Make = Callable[[Asked], Awaitable[Render]]
_PAGES: Final[Mapping[str, tuple[re.Pattern[str], Make]]] = {
    "/": (re.compile("/()"), home_page),
    "/problems": (re.compile("/problems()"), problems_page),
    "/problems/:slug": (re.compile("/problems/([a-z0-9][a-z0-9-]{0,63})"), problem_page),
    "/contests": (re.compile("/contests()"), contests_page),
    "/contests/:id": (re.compile(f"/contests/({_ID})"), contest_page),
    "/contests/:id/board": (re.compile(f"/contests/({_ID})/board"), board_page),
}


class Built(msgspec.Struct, frozen=True):
    """What the build tells those who make pages."""

    words: dict[str, dict[str, str | Plural]]
    modules: dict[str, list[str]]
    """The scripts of a page beside those of all, by the pattern of its address."""


@dataclass(frozen=True, slots=True)
class Sheets:
    template: Template
    policy: str
    built: Built

    @classmethod
    def load(cls, directory: Traversable) -> Sheets | None:
        """Read what the build wrote; None if there was none."""
        if not (directory / "pages.json").is_file():
            return None
        built = msgspec.json.decode((directory / "pages.json").read_bytes(), type=Built)
        page = (directory / "index.html").read_text()
        return cls(Template.of(page), policy_of(page), built)

    def words(self, locale: str) -> Words:
        return Words(locale, self.built.words[locale])


class PublicPages:
    def __init__(self, sheets: Sheets | None, reads: Reads) -> None:
        self._sheets = sheets
        self._reads = reads
        self._made: LRUCache[bytes, SiteFile] = LRUCache(_KEPT_BYTES, getsizeof=lambda file: file.size)

    async def at(self, path: str, query: bytes, accept_language: str) -> SiteFile | None:
        """Return the page of an address as a guest sees it; None: nothing to show, or not soon."""
        path = path.rstrip("/") or "/"
        sheets = self._sheets
        found = ((pattern, each[0].fullmatch(path), each[1]) for pattern, each in _PAGES.items())
        pattern, match, make = next((each for each in found if each[1]), ("", None, home_page))
        if sheets is None or match is None or len(query) > _MOST_QUERY:
            return None
        words = sheets.words(locale_of(accept_language))
        given = dict(reversed(parse_qsl(query.decode("latin-1"), errors="replace")))
        asked = Asked(self._reads, words, match[1], given)
        try:
            async with asyncio.timeout(_DEADLINE):
                render = await make(asked)
        except (NothingToShowError, RemoteError, TimeoutError):
            return None
        except Exception:  # noqa: BLE001 — a page without content is better than none
            _log.exception("the content of a page could not be made")
            return None
        return await self._file(sheets, pattern, path, asked, render)

    async def _file(self, sheets: Sheets, pattern: str, path: str, asked: Asked, render: Render) -> SiteFile:
        terms = self._reads.terms
        site = {"name": terms.name, "version": terms.version, "start_problem": terms.start_problem}
        known = asked.known.script(site)
        head = f"{path} {asked.words.locale} {sorted(asked.query.items())} ".encode()
        key = blake2b(head + known, digest_size=16).digest()
        kept = self._made.get(key)
        if kept is not None:
            return kept
        shown = render()
        title = f"{shown.title} · Deep-OJ" if shown.title else "Deep-OJ"
        body = framed(asked.words, terms, path, shown.body)
        modules = sheets.built.modules[pattern]
        html = sheets.template.filled(asked.words.locale, title, modules, body, known)
        file = SiteFile.made(html, await compressed(html), sheets.policy)
        if file.size <= self._made.maxsize:
            self._made[key] = file
        return file
