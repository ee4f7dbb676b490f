"""What of a statement's HTML may stay: an explicit list, and addresses only where we know them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final
from urllib.parse import quote, unquote

import nh3

ASSET_BEGIN: Final = "\ufdd0"
"""Before the name of an asset; no text has this character."""
ASSET_END: Final = "\ufdd1"
MOST_HTML: Final = 2 * 1024 * 1024
_MOST_DEPTH: Final = 200

_TEXT: Final = frozenset({
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl", "dt",
    "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li",
    "mark", "ol", "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "summary", "sup", "table",
    "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var",
})  # fmt: skip
_MATH: Final = frozenset({
    "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom",
    "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable",
    "mtd", "mtext", "mtr", "munder", "munderover", "none",
})  # fmt: skip
# Taken out with all that is in them. Of other unknown elements the text stays.
_DROPPED: Final = frozenset({
    "annotation", "annotation-xml", "embed", "iframe", "maction", "noembed", "noframes", "noscript",
    "object", "plaintext", "script", "select", "style", "svg", "template", "textarea", "title", "xmp",
})  # fmt: skip
_ATTRIBUTES: Final[Mapping[str, set[str]]] = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "img": {"alt", "height", "src", "title", "width"},
    "ol": {"start"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
    "math": {"display"},
    "menclose": {"notation"},
    "mfrac": {"linethickness"},
    "mi": {"mathvariant"},
    "mn": {"mathvariant"},
    "mo": {"accent", "fence", "form", "lspace", "mathvariant", "maxsize", "minsize", "movablelimits",
           "rspace", "separator", "stretchy"},
    "mover": {"accent"},
    "mpadded": {"height", "lspace", "voffset", "width"},
    "mspace": {"depth", "height", "width"},
    "mstyle": {"displaystyle", "mathvariant", "scriptlevel"},
    "mtable": {"columnalign", "columnspacing", "displaystyle", "rowspacing"},
    "mtd": {"columnalign", "columnspan", "rowspan"},
    "mtext": {"mathvariant"},
    "munder": {"accentunder"},
}  # fmt: skip
_FREE_TEXT: Final = frozenset({"alt", "title"})
_PLAIN_VALUE: Final = re.compile(r"[A-Za-z0-9.%+ -]{0,60}")
_LINK: Final = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
_ALIGNMENT: Final = re.compile(r' style="text-align: ?(left|right|center);?"')
_WIDTH: Final = re.compile(r' style="width: ?(\d{1,3})(?:\.\d{1,9})?%;?"')
_IMAGES: Final = ("", ".png", ".jpg", ".jpeg", ".svg", ".gif", ".webp")


class OversizeError(Exception):
    """The result is too large or nested too deeply for a browser to be given."""


def sanitised(html: str, assets: Mapping[str, bool]) -> str:
    """`assets` tells by name whether it is an image."""

    def value_of(_: str, attribute: str, value: str) -> str | None:
        match attribute:
            case "src":
                return _address(value, [name for name, image in assets.items() if image])
            case "href":
                return _address(value, assets) or (value if _LINK.match(value) else None)
            case _ if attribute in _FREE_TEXT or _PLAIN_VALUE.fullmatch(value):
                return value
            case _:
                return None

    plain = _WIDTH.sub(r' width="\1%"', _ALIGNMENT.sub(r' align="\1"', html))
    made = nh3.clean(
        plain,
        tags=set(_TEXT | _MATH),
        clean_content_tags=set(_DROPPED),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=value_of,
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto"},
    )
    if len(made.encode()) > MOST_HTML or _depth(made) > _MOST_DEPTH:
        raise OversizeError
    return made


def lost_images(html: str, assets: Mapping[str, bool]) -> list[str]:
    """Name the pictures that `sanitised` has no address for, each once."""
    parser = _Images()
    parser.feed(html)
    images = [name for name, image in assets.items() if image]
    return [name for name in dict.fromkeys(parser.named) if _address(name, images) is None]


def without_marks(text: str) -> str:
    return text.replace(ASSET_BEGIN, "\ufffd").replace(ASSET_END, "\ufffd")


def _address(value: str, names: Mapping[str, bool] | list[str]) -> str | None:
    wanted = unquote(value).removeprefix("./")
    found = next((wanted + suffix for suffix in _IMAGES if wanted + suffix in names), None)
    return None if found is None else f"{ASSET_BEGIN}{quote(found)}{ASSET_END}"


class _Depth(HTMLParser):
    depth = most = 0
    _EMPTY: Final = frozenset({"br", "hr", "img"})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag not in self._EMPTY:
            self.depth += 1
            self.most = max(self.most, self.depth)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._EMPTY:
            self.depth -= 1


class _Images(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.named: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.named.append(dict(attrs).get("src") or "without a name")


def _depth(html: str) -> int:
    parser = _Depth()
    parser.feed(html)
    return parser.most
