"""Statements in HTML, rewritten in Markdown: what a browser would show, without what it would run."""

import re
from collections.abc import Mapping
from html import unescape

MOST_CHARACTERS = 256 * 1024
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]*[\s/>]")
_BLOCKS = frozenset({"p", "div", "section", "article", "blockquote", "table", "ul", "ol", "center", "hr"})
_HEADINGS = {f"h{level}": "#" * max(3, level) + " " for level in range(1, 7)}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_SILENT = frozenset({"script", "style", "head", "title", "iframe", "object", "template"})
_MATH = re.compile(r"(\${1,2}[^$]{1,2000}\${1,2})")
_SPECIAL = re.compile(r"([\\`*_<\[\]])")
# One after the other in one pass: the parser of the standard library takes quadratic time for hostile texts.
_TOKEN = re.compile(r"<!--|<[^<>]*>|[^<]+|<")
_NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_ATTRIBUTE = re.compile(r"""\b(src|class)=("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f\v\xa0]+")
_GAPS = re.compile(r"\n[ \t]*\n[ \t\n]*")


def markdown_of(html: str, pictures: Mapping[str, str]) -> str:
    """`pictures`: by the address the HTML gives, under which name they lie beside the statement."""
    if not _TAG.search(html):
        # Some write plain text, or Markdown, where HTML is expected.
        return unescape(html).strip() + "\n"
    reader = _Reader(pictures)
    reader.read(html[:MOST_CHARACTERS])
    return _GAPS.sub("\n\n", "".join(reader.pieces)).strip() + "\n"


class _Reader:
    def __init__(self, pictures: Mapping[str, str]) -> None:
        self.pieces: list[str] = []
        self._pictures = pictures
        self._silent = self._verbatim = self._formula = 0
        self._in_source = False

    def read(self, html: str) -> None:
        at = 0
        while token := _TOKEN.match(html, at):
            at = token.end()
            if token[0] == "<!--":
                end = html.find("-->", at)
                at = len(html) if end < 0 else end + len("-->")
            elif tag := _NAME.match(token[0]) if token[0].endswith(">") else None:
                self._tag(tag[2].lower(), token[0], closing=bool(tag[1]))
            elif not token[0].startswith(("<!", "<?")):
                self._text(unescape(token[0]))

    def _tag(self, name: str, text: str, *, closing: bool) -> None:
        if closing:
            self._end(name)
            return
        found = ((key.lower(), unescape(value.strip("\"'"))) for key, value in _ATTRIBUTE.findall(text))
        self._start(name, dict(found))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._silent += tag in _SILENT
        if self._silent or self._within_formula(tag, attributes):
            return
        if tag == "pre":
            self._verbatim += 1
            self.pieces.append("\n\n```\n")
        elif tag == "br":
            self.pieces.append("\n" if self._verbatim else "\\\n")
        elif tag == "img":
            self._picture(attributes.get("src", ""))
        elif not self._verbatim:
            self.pieces.append(_opening(tag))

    def _end(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif self._silent:
            return
        elif self._formula:
            self._formula -= tag == "span"
            self._in_source = False
        elif tag == "pre" and self._verbatim:
            self._verbatim -= 1
            self.pieces.append("\n```\n\n")
        elif not self._verbatim:
            self.pieces.append(_closing(tag))

    def _text(self, data: str) -> None:
        if self._silent or (self._formula and not self._in_source):
            return
        if self._in_source:
            self.pieces.append(f"${_SPACES.sub(' ', data).strip()}$")
            return
        self.pieces.append(data.replace("```", "`` `") if self._verbatim else _escaped(data))

    def _within_formula(self, tag: str, attributes: dict[str, str]) -> bool:
        """KaTeX writes a formula three times; its TeX source is the one that is kept."""
        if self._formula or (tag == "span" and "katex" in attributes.get("class", "").split()):
            self._formula += tag == "span"
            self._in_source = tag == "annotation"
            return True
        return False

    def _picture(self, source: str) -> None:
        name = self._pictures.get(source)
        self.pieces.append(f"![]({name})" if name else "*(picture)*")


def _opening(tag: str) -> str:
    if tag in _BLOCKS:
        return "\n\n"
    if tag in _HEADINGS:
        return "\n\n" + _HEADINGS[tag]
    if tag == "li":
        return "\n- "
    if tag == "tr":
        return "\n"
    if tag in {"td", "th"}:
        return " "
    return {"code": "`", "sub": "<sub>", "sup": "<sup>"}.get(tag, _MARKS.get(tag, ""))


def _closing(tag: str) -> str:
    if tag in _BLOCKS or tag in _HEADINGS:
        return "\n\n"
    if tag == "tr":
        return "\\\n"
    return {"code": "`", "sub": "</sub>", "sup": "</sup>"}.get(tag, _MARKS.get(tag, ""))


def _escaped(text: str) -> str:
    """Letters that Markdown would understand stand for themselves, but not within formulas."""
    parts = _MATH.split(_SPACES.sub(" ", text))
    return "".join(part if at % 2 else _SPECIAL.sub(r"\\\1", part) for at, part in enumerate(parts))
