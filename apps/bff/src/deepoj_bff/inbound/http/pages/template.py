"""The page that the build wrote, with room for content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deepoj_bff.inbound.http.pages.markup import Markup, element

_MARKS: Final = (
    '<html lang="en">',
    "<title>Deep-OJ</title>",
    "</head>",
    '<div id="site"></div>',
    "<noscript>",
)
_END: Final = "</noscript>"
END: Final = "end"
"""The id of the last part of the content."""


@dataclass(frozen=True, slots=True)
class Template:
    pieces: tuple[str, ...]
    """What stands before, between and after the marks."""

    @classmethod
    def of(cls, page: str) -> Template:
        pieces = []
        for mark in _MARKS:
            before, found, page = page.partition(mark)
            if not found:
                raise ValueError(f"the page has no {mark}")
            pieces.append(before)
        return cls((*pieces, page.partition(_END)[2]))

    def filled(self, locale: str, title: str, modules: list[str], body: Markup, known: bytes) -> bytes:
        # Not before the content is seen: the site's start turns them into what a browser fetches.
        later = [element("link", rel="later", href=f"/assets/{name}") for name in modules]
        # Seen as a whole: what is seen in parts moves.
        whole = element("link", rel="expect", blocking="render", href=f"#{END}")
        # In the place of its own sentence for those without a script: the content has them.
        put = (
            f'<html lang="{locale}">',
            element("title", title),
            f"{whole}{''.join(later)}</head>",
            f'<div id="site">{body}</div>',
            f'<script type="application/json">{known.decode()}</script>',
        )
        return "".join(sum(zip(self.pieces, (*put, ""), strict=True), ())).encode()
