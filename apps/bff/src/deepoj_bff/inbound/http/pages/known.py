"""Answers of the API as a guest gets them, for the script of a page: it need not ask for them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, urlencode

import msgspec

from deepoj_bff.queries.cache import Encoded

# As a browser's encodeURIComponent leaves them.
_PLAIN: Final = "!'()*-._~"

Parameter = tuple[str, "str | int | None"]


class NothingToShowError(Exception):
    """A guest may see nothing there."""


def address(*parts: str, query: Sequence[Parameter] = ()) -> str:
    """Return the address of a route as the site's own client writes it; the two have to be equal."""
    path = "/".join(("/api", *(quote(part, safe=_PLAIN) for part in parts)))
    given = [(name, value) for name, value in query if value not in {None, ""}]
    return f"{path}?{urlencode(given)}" if given else path


@dataclass(slots=True)
class Known:
    answers: dict[str, bytes] = field(default_factory=dict)
    parts: dict[str, bytes] = field(default_factory=dict)
    """What there is more of, or something else for who takes part: shown to a guest, and asked for again."""

    def keep(self, where: str, answer: Encoded) -> bytes:
        """Keep an answer and return it; raise if it is one of nothing."""
        self.answers[where] = body = _body(where, answer)
        return body

    def keep_part(self, where: str, answer: Encoded) -> bytes:
        self.parts[where] = body = _body(where, answer)
        return body

    def script(self, site: object) -> bytes:
        """Return the JSON of it all, in which nothing can end the element that it stands in."""
        answers, parts = _object(self.answers), _object(self.parts)
        whole = b'{"site":%b,"answers":%b,"parts":%b}' % (msgspec.json.encode(site), answers, parts)
        return whole.replace(b"<", b"\\u003c")


def _body(where: str, answer: Encoded) -> bytes:
    if answer.body is None:
        raise NothingToShowError(where)
    return answer.body


def _object(values: Mapping[str, bytes]) -> bytes:
    pairs = (msgspec.json.encode(key) + b":" + value for key, value in values.items())
    return b"{%b}" % b",".join(pairs)
