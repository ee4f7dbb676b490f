"""A verdict depends on the texts alone, not on where they are cut into blocks."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.question.checker import (
    BuiltinChecker,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    TokenChecker,
)
from deepoj_judgement.commands.judge.checkers import lines, text_blocks, token_stream
from deepoj_judgement.commands.judge.checkers.compare import compare
from deepoj_judgement.commands.judge.checkers.unicode_forms import case_folded, composed

MEASURED = settings(
    max_examples=100,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
ATOMS = ["a", "ab", "1.5", "É", "E", "\u0301", "\u0323", "한", "\u1112", "\u1161", "\u11ab", "ß"]
WHITE = [" ", "\t", "  \t ", "\n", "\r\n", "\r", "\v", "\f", "   \n"]
TEXT = st.lists(st.sampled_from([*ATOMS, *WHITE]), max_size=14).map(lambda parts: "".join(parts).encode())
RAW = st.tuples(
    st.sampled_from([b"", b"\xef\xbb\xbf"]), TEXT, st.sampled_from([b"", b"\xff", b"\xc3", b" \n"])
)
CHECKERS: list[BuiltinChecker] = [
    ExactChecker(),
    LineChecker(),
    LineChecker(ignore_trailing_space=False),
    LineChecker(collapse_spaces=True, normalise_unicode=True),
    LineChecker(collapse_spaces=True, ignore_trailing_space=False),
    TokenChecker(),
    TokenChecker(case_sensitive=False, normalise_unicode=True),
    FloatChecker(absolute="1e-6"),
    IcpcChecker(),
    IcpcChecker(space_change_sensitive=True),
]


def cut(text: bytes, length: int) -> Iterator[bytes]:
    return (text[start : start + length] for start in range(0, len(text), length))


def spelt(checker: BuiltinChecker, text: bytes) -> bytes:
    """The same answer, spelt otherwise where the checker does not mind."""
    if isinstance(checker, IcpcChecker):
        return text
    if getattr(checker, "normalise_unicode", False):
        text = unicodedata.normalize("NFD", text.decode(errors="surrogateescape")).encode(
            errors="surrogateescape"
        )
    return b"\xef\xbb\xbf" + text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(
        b"\n", b"\r\n"
    )


@pytest.mark.parametrize("checker", CHECKERS, ids=str)
@MEASURED
@given(RAW, RAW, st.integers(1, 5), st.integers(1, 5))
def test_verdicts_do_not_depend_on_where_blocks_are_cut(
    monkeypatch: pytest.MonkeyPatch,
    checker: BuiltinChecker,
    ours: tuple[bytes, ...],
    theirs: tuple[bytes, ...],
    chunk: int,
    longest: int,
) -> None:
    output, answer = b"".join(ours), b"".join(theirs)
    other = spelt(checker, answer)

    def words() -> list[CheckerWord]:
        return [compare(checker, io.BytesIO(text), io.BytesIO(answer)).word for text in (output, other)]

    whole = words()
    assert whole[1] is CheckerWord.RIGHT
    with monkeypatch.context() as short:
        for module, name, value in (
            (text_blocks, "CHUNK", chunk),
            (lines, "CHUNK", chunk),
            (lines, "LONGEST_GAP", longest),
            (token_stream, "LONGEST_TOKEN", max(chunk, longest)),
        ):
            short.setattr(module, name, value)
        if isinstance(checker, FloatChecker):
            # What is shorter than the longest token is a number.
            short.undo()
            short.setattr(text_blocks, "CHUNK", chunk)
        assert words() == whole


@MEASURED
@given(st.lists(st.sampled_from(ATOMS), max_size=40), st.integers(1, 7))
def test_text_is_composed_alike_however_it_is_cut(atoms: list[str], length: int) -> None:
    text = "".join(atoms)
    assert b"".join(composed(cut(text.encode(), length))).decode() == unicodedata.normalize("NFC", text)


@MEASURED
@given(st.text(max_size=30), st.integers(1, 7))
def test_any_text_is_composed_and_folded_alike_however_it_is_cut(text: str, length: int) -> None:
    raw = text.encode(errors="replace")
    text = raw.decode()
    assert b"".join(composed(cut(raw, length))).decode() == unicodedata.normalize("NFC", text)
    assert b"".join(case_folded(cut(raw, length))).decode().casefold() == text.casefold()


@pytest.mark.parametrize("length", [1, 7, 64, 10_000])
def test_more_marks_than_any_letter_has_are_cut_by_their_own_number(length: int) -> None:
    text = ("x" * 50 + "e" + "\u0301\u0323" * 100 + "é").encode()
    assert b"".join(composed(cut(text, length))) == b"".join(composed([text]))
