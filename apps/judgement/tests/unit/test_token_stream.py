"""Texts cut anywhere are compared like whole ones."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_judgement.commands.judge.checkers import token_stream
from deepoj_judgement.commands.judge.checkers.exact import compare_texts
from deepoj_judgement.commands.judge.checkers.token_stream import TokenStream
from deepoj_judgement.commands.judge.checkers.tokens import compare_pieces
from deepoj_judgement.commands.judge.steps.reusable_box import ROOM_BYTES, ReusableBox

MEASURED = settings(
    max_examples=100,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
# Few letters, so that two texts are often nearly the same.
TEXT = st.lists(st.sampled_from([b"a", b"b", b"aa", b"abab", b" ", b"\n", b" \n"]), max_size=12).map(b"".join)
CUTS = st.integers(1, 5)


def cut(text: bytes, length: int) -> Iterator[bytes]:
    return (text[start : start + length] for start in range(0, len(text), length))


@pytest.fixture
def short_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk is never longer than the longest token, so five is the least that makes sense here."""
    monkeypatch.setattr(token_stream, "LONGEST_TOKEN", 5)


@pytest.mark.usefixtures("short_tokens")
@MEASURED
@given(TEXT, TEXT, CUTS, CUTS)
def test_tokens_are_the_same_however_the_texts_are_cut(
    ours: bytes, theirs: bytes, our_cut: int, their_cut: int
) -> None:
    said = compare_pieces(TokenStream(cut(ours, our_cut)), TokenStream(cut(theirs, their_cut))).word
    assert (said is CheckerWord.RIGHT) == (ours.split() == theirs.split())


@pytest.mark.usefixtures("short_tokens")
@MEASURED
@given(TEXT, TEXT, CUTS, CUTS)
def test_white_space_counts_when_it_is_a_token(
    ours: bytes, theirs: bytes, our_cut: int, their_cut: int
) -> None:
    said = compare_pieces(
        TokenStream(cut(ours, our_cut), spaces=True), TokenStream(cut(theirs, their_cut), spaces=True)
    ).word
    assert (said is CheckerWord.RIGHT) == (ours == theirs)


@pytest.mark.usefixtures("short_tokens")
@MEASURED
@given(TEXT, TEXT, CUTS, CUTS)
def test_the_place_of_a_difference_is_the_same_however_the_texts_are_cut(
    ours: bytes, theirs: bytes, our_cut: int, their_cut: int
) -> None:
    """Tokens here are shorter than the longest, so each begins where it begins in the text."""
    ours, theirs = (re.sub(rb"\S{5,}", b"abab", text) for text in (ours, theirs))
    whole = compare_pieces(TokenStream(cut(ours, 100)), TokenStream(cut(theirs, 100)))
    assert compare_pieces(TokenStream(cut(ours, our_cut)), TokenStream(cut(theirs, their_cut))) == whole


@MEASURED
@given(TEXT, TEXT, CUTS, CUTS)
def test_texts_are_equal_however_they_are_cut(
    ours: bytes, theirs: bytes, our_cut: int, their_cut: int
) -> None:
    said = compare_texts(cut(ours, our_cut), cut(theirs, their_cut)).word
    assert (said is CheckerWord.RIGHT) == (ours == theirs)


async def test_a_box_is_used_until_it_is_full() -> None:
    happened: list[str] = []

    @asynccontextmanager
    async def box() -> AsyncIterator[list[str]]:
        happened.append("open")
        yield happened
        happened.append("close")

    async def furnish(held: list[str]) -> None:
        held.append("furnish")

    async with ReusableBox(box, furnish) as room:
        for size in (1, ROOM_BYTES - 1, 1, 2 * ROOM_BYTES):
            (await room.with_space(size)).append(f"{size > ROOM_BYTES}")
    opened = ["open", "furnish"]
    assert happened == [
        *opened,
        "False",
        "False",
        "close",
        *opened,
        "False",
        "close",
        *opened,
        "True",
        "close",
    ]
