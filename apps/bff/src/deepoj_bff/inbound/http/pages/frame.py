"""What all pages have around them."""

from __future__ import annotations

from deepoj_bff.inbound.http.pages.markup import Markup, element, joined
from deepoj_bff.inbound.http.pages.page import without_script
from deepoj_bff.inbound.http.pages.template import END
from deepoj_bff.inbound.http.pages.words import Words
from deepoj_bff.queries.site import SiteTerms


def framed(words: Words, terms: SiteTerms, path: str, body: Markup) -> Markup:
    return joined(
        [
            element("a", words("nav.skip"), class_="skip", href="#content"),
            _head(words, terms, path),
            element("main", body, id="content", tabindex=-1),
            without_script(words, "without_script.page"),
            _foot(terms),
        ]
    )


def _head(words: Words, terms: SiteTerms, path: str) -> Markup:
    ways = [("/problems", words("nav.problems")), ("/contests", words("nav.contests"))]
    links = [
        element("li", element("a", text, href=href, aria_current="page" if _is_in(path, href) else None))
        for href, text in ways
    ]
    brand = element("a", terms.name, class_="brand", href="/")
    nav = element("nav", brand, element("ul", links, class_="nav-links"), aria_label=words("nav.label"))
    # Who one is, only the script knows.
    room = element("div", element("span", class_="account-room"), class_="head-tools")
    return element("header", nav, room, class_="head")


def _is_in(path: str, area: str) -> bool:
    return path == area or path.startswith(f"{area}/")


def _foot(terms: SiteTerms) -> Markup:
    name = element("span", f"{terms.name} {terms.version}", class_="muted")
    api = element("span", element("a", "API", href="/api/openapi"), class_="foot-tools")
    return element("footer", name, api, class_="foot", id=END)
