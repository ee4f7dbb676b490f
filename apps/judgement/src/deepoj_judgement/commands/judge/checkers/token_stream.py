"""Texts as tokens, a block at a time: equal blocks are compared at the speed of C."""

import re
from collections.abc import Callable, Iterator

from deepoj_judgement.commands.judge.checkers.text_blocks import Place

LONGEST_TOKEN = 64 * 1024
"""A longer one comes in pieces, cut where its own length says and not where the blocks do."""
_SPACE = b" \t\n\v\f\r"
_WORDS = re.compile(rb"[^ \t\n\v\f\r]+")
_RUNS = re.compile(rb"[^ \t\n\v\f\r]+|[ \t\n\v\f\r]+")
# No token begins with a space, so one long token never equals two short ones.
_CONTINUED = b" "


class TokenStream:
    """The tokens of a text, and where in it they are. `spaces`: white space is a token too."""

    def __init__(
        self, chunks: Iterator[bytes], fold: Callable[[bytes], bytes] = bytes, *, spaces: bool = False
    ) -> None:
        """`fold` gives equal spellings of one byte one form; it leaves white space as it is."""
        self._blocks = _blocks(chunks)
        self._fold = fold
        self._pattern = _RUNS if spaces else _WORDS
        self._start = Place()
        self._text = self._folded = b""
        self._continued = False
        self._tokens: list[bytes] | None = []
        """None while nobody has asked for the tokens of the block."""
        self._at = 0

    def ahead(self) -> list[bytes]:
        """Return what is left of the block, or the next one; an empty list at the end of the text."""
        while self._load():
            if self._tokens is None:
                self._tokens = self._split(self._folded)
                # What is continued may be the white space before the first token.
                if self._continued and self._tokens and self._folded.startswith(self._tokens[0]):
                    self._tokens[0] = _CONTINUED + self._tokens[0]
            if self._at < len(self._tokens):
                return self._tokens[self._at :] if self._at else self._tokens
        return []

    def advance(self, count: int) -> None:
        self._at += count

    def here(self) -> tuple[Place, bytes | None]:
        """Say where the next token begins and how it is spelt; at the end of the text, where that is."""
        for number, found in enumerate(self._pattern.finditer(self._text)):
            if number == self._at:
                return self._start.after(self._text[: found.start()]), found.group()
        return self._start.after(self._text), None

    def untouched(self) -> tuple[bytes, bool] | None:
        """Return the next block, folded, and whether it begins inside a token; None when it is in use."""
        return (self._folded, self._continued) if self._load() and self._tokens is None else None

    def pass_over(self) -> None:
        """Leave the block at hand behind."""
        self._start = self._start.after(self._text)
        self._text, self._tokens, self._at = b"", [], 0

    def _load(self) -> bool:
        """Have a block at hand that is not used up; False at the end of the text."""
        if self._tokens is None or self._at < len(self._tokens):
            return True
        following = next(self._blocks, None)
        if following is None:
            return False
        self.pass_over()
        self._text, self._continued = following
        self._folded = self._fold(self._text)
        self._tokens = None
        return True

    def _split(self, text: bytes) -> list[bytes]:
        # Twice as fast as the pattern that says the same.
        return text.split() if self._pattern is _WORDS else self._pattern.findall(text)


def skip_same(ours: TokenStream, theirs: TokenStream) -> None:
    """Pass over blocks that both texts have next, without looking for tokens in them."""
    while (block := ours.untouched()) is not None and block == theirs.untouched():
        ours.pass_over()
        theirs.pass_over()


def _blocks(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield texts cut between a token and white space, or inside one of them that is too long.

    The second value says that a text begins inside.
    """
    text, continued = b"", False
    for chunk in _short(chunks):
        text += chunk
        while _first_run(text) > LONGEST_TOKEN:
            yield text[:LONGEST_TOKEN], continued
            text, continued = text[LONGEST_TOKEN:], True
        if cut := _last_run(text):
            yield text[:cut], continued
            text, continued = text[cut:], False
    if text:
        yield text, continued


def _short(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut chunks that grew when they were folded: only the first run of a text can then be too long."""
    for chunk in chunks:
        for start in range(0, len(chunk), LONGEST_TOKEN):
            yield chunk[start : start + LONGEST_TOKEN]


def _first_run(text: bytes) -> int:
    """Return how long the token or white space is that the text begins with."""
    found = _RUNS.match(text)
    return found.end() if found else 0


def _last_run(text: bytes) -> int:
    """Return where the token or white space begins that the text ends with: more of it may follow."""
    words = text.rstrip(_SPACE)
    return len(words) if len(words) < len(text) else len(text) - len(text.rsplit(None, 1)[-1])
