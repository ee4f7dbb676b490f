"""Token for token, white space of any kind and amount between them."""

from collections.abc import Callable
from typing import BinaryIO

from deepoj_domain.question.checker import TokenChecker
from deepoj_judgement.commands.judge.checkers.outcome import RIGHT, Checked, differs
from deepoj_judgement.commands.judge.checkers.text_blocks import chunks, shared_start
from deepoj_judgement.commands.judge.checkers.token_stream import TokenStream, skip_same
from deepoj_judgement.commands.judge.checkers.unicode_forms import case_folded, composed

Same = Callable[[bytes, bytes], bool]


def check_tokens(checker: TokenChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    return compare_pieces(_pieces(checker, output), _pieces(checker, answer))


def _pieces(checker: TokenChecker, stream: BinaryIO) -> TokenStream:
    text = chunks(stream)
    if checker.normalise_unicode:
        text = composed(text)
    if checker.case_sensitive:
        return TokenStream(text)
    return TokenStream(case_folded(text), bytes.lower)


def never(got: bytes, expected: bytes) -> bool:  # noqa: ARG001 — different bytes are different tokens
    return False


def compare_pieces(ours: TokenStream, theirs: TokenStream, same: Same = never) -> Checked:
    """`same` is only asked about tokens whose bytes differ."""
    while True:
        skip_same(ours, theirs)
        got, expected = ours.ahead(), theirs.ahead()
        count = min(len(got), len(expected))
        alike = _alike(got[:count], expected[:count], same)
        ours.advance(alike)
        theirs.advance(alike)
        if not got and not expected:
            return RIGHT
        if alike < count or count == 0:
            return _difference(ours, theirs)


def _difference(ours: TokenStream, theirs: TokenStream) -> Checked:
    (place, got), (_, expected) = ours.here(), theirs.here()
    if got and expected and got.isspace() and expected.isspace():
        # White space may begin on the line before the one where it differs.
        place = place.after(shared_start(got, expected))
    return differs(place, expected, got)


def _alike(got: list[bytes], expected: list[bytes], same: Same) -> int:
    """Return how many tokens are alike before the first that are not."""
    if got == expected:
        return len(got)
    for number, (ours, theirs) in enumerate(zip(got, expected, strict=True)):
        if ours != theirs and not same(ours, theirs):
            return number
    return len(got)
