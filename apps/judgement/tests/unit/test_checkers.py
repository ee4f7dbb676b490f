"""What counts as the same answer, and what a setter is told when it is not."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.question.checker import (
    BuiltinChecker,
    ExactChecker,
    FloatChecker,
    LineChecker,
    TokenChecker,
)
from deepoj_judgement.commands.judge.checkers.compare import compare
from deepoj_judgement.commands.judge.checkers.lines import LONGEST_GAP
from deepoj_judgement.commands.judge.checkers.text_blocks import CHUNK, chunks
from deepoj_judgement.commands.judge.checkers.token_stream import LONGEST_TOKEN, TokenStream
from deepoj_packages.shared.line_validator import difference

RIGHT, WRONG, PRESENTATION = CheckerWord.RIGHT, CheckerWord.WRONG, CheckerWord.BADLY_PRESENTED
BOM = b"\xef\xbb\xbf"
COMPOSED, DECOMPOSED = "é".encode(), "e\u0301".encode()
EPSILON = FloatChecker(absolute="1e-6", relative="1e-6")

TABLE: list[tuple[BuiltinChecker, bytes, bytes, CheckerWord]] = [
    # line ends, byte order marks
    (ExactChecker(), b"a\r\nb\r\n", b"a\nb\n", RIGHT),
    (ExactChecker(), b"a\rb\r", b"a\nb\n", RIGHT),
    (ExactChecker(), BOM + b"a\n", b"a\n", RIGHT),
    (ExactChecker(), b"a", b"a\n", PRESENTATION),
    (ExactChecker(), b"a \n", b"a\n", PRESENTATION),
    (ExactChecker(), b"b\n", b"a\n", WRONG),
    (ExactChecker(), b"", b"a\n", WRONG),
    (LineChecker(), b"a\r\nb", b"a\nb\n", RIGHT),
    (LineChecker(), BOM + b"a\r\n", b"a\n", RIGHT),
    (LineChecker(), b"a  \t\nb\n\n\n", b"a\nb\n", RIGHT),
    (LineChecker(), b"a\n\nb\n", b"a\nb\n", PRESENTATION),
    (LineChecker(), b"a  b\n", b"a b\n", PRESENTATION),
    (LineChecker(collapse_spaces=True), b"a \t b\n", b"a b\n", RIGHT),
    (LineChecker(ignore_trailing_space=False), b"a \n", b"a\n", PRESENTATION),
    (LineChecker(ignore_trailing_space=False), b"a", b"a\n", RIGHT),
    (LineChecker(), b"a c\n", b"a b\n", WRONG),
    (TokenChecker(), b" 1\r\n\t2 \n", b"1 2\n", RIGHT),
    (TokenChecker(), b"12", b"1 2", WRONG),
    (TokenChecker(), b"1", b"1 2", WRONG),
    (TokenChecker(), b"1 2 3", b"1 2", WRONG),
    (TokenChecker(), b"YES", b"Yes", WRONG),
    (TokenChecker(case_sensitive=False), b"YES", b"Yes", RIGHT),
    # Unicode
    (TokenChecker(), DECOMPOSED, COMPOSED, WRONG),
    (TokenChecker(normalise_unicode=True), DECOMPOSED, COMPOSED, RIGHT),
    (LineChecker(normalise_unicode=True), b"x " + DECOMPOSED + b"\n", b"x " + COMPOSED + b"\n", RIGHT),
    (TokenChecker(normalise_unicode=True), b"\xff", b"\xfe", WRONG),
    (TokenChecker(), b"\xff", b"\xff ", RIGHT),
    # numbers
    (EPSILON, b"3.14159265\n", b"3.1415926\r\n", RIGHT),
    (EPSILON, b"1.00001", b"1.0", WRONG),
    (EPSILON, b"1000000.5", b"1000000.0", RIGHT),
    (FloatChecker(absolute="1e-6"), b"1000000.5", b"1000000.0", WRONG),
    (FloatChecker(absolute="1e-9"), b"0.000000001", b"0", RIGHT),
    (FloatChecker(absolute="1e-9"), b"0.0000000011", b"0", WRONG),
    (FloatChecker(relative="0.1"), b"0.0001", b"0", WRONG),
    (EPSILON, b"1e0 .5 -0", b"1.0 0.5 0", RIGHT),
    (EPSILON, b"nan", b"1", WRONG),
    (EPSILON, b"inf", b"1e999999", WRONG),
    (EPSILON, b"1e999999", b"-1e999999", WRONG),
    (EPSILON, b"1e00000002 1e-000000000000", b"100.0000001 1.", RIGHT),
    (EPSILON, b"1e-99999999999999999999999", b"0", RIGHT),
    (EPSILON, b"1e99999999999999999999999", b"2e99999999999999999999999", WRONG),
    (EPSILON, b"9e999999999999999998", b"-9e999999999999999998", WRONG),
    (EPSILON, b"12345678901234567890e1000000", b"12345678901234567890e+1000000", RIGHT),
    (EPSILON, b"1e 1e+ e1 . + 1.2.3 1e2e3 1e2.5", b"1e 1e+ e1 . + 1.2.3 1e2e3 100", WRONG),
    (FloatChecker(absolute="0.1"), b"0.3", b"0.2", RIGHT),
    (FloatChecker(absolute="0.1"), b"0.3000000000000000000000000000001", b"0.2", WRONG),
    (FloatChecker(relative="1e-9"), b"1000000001", b"1e0009", RIGHT),
    (EPSILON, b"yes 1.0000001", b"yes 1", RIGHT),
    (EPSILON, b"no 1", b"yes 1", WRONG),
]


@pytest.mark.parametrize(("checker", "output", "answer", "word"), TABLE)
def test_checker_eol_unicode_float_epsilon(
    checker: BuiltinChecker, output: bytes, answer: bytes, word: CheckerWord
) -> None:
    said = [compare(checker, io.BytesIO(output), io.BytesIO(answer)).word for _ in range(2)]
    assert said == [word, word]


@pytest.mark.parametrize(
    ("checker", "output", "answer", "message"),
    [
        (TokenChecker(), b"1 2\n3 x\n", b"1 2\n3 4\n", "line 2, column 3: expected '4', got 'x'"),
        (TokenChecker(), b"1\n", b"1 2\n", "line 2, column 1: expected '2', got the end"),
        (TokenChecker(), b"1\n\n 2\n", b"1\n", "line 3, column 2: expected the end, got '2'"),
        (LineChecker(), b"a\nxyz\n", b"a\nxYz\n", "line 2, column 2: expected 'Yz', got 'yz'"),
        (ExactChecker(), b"a\r\nb", b"a\nc", "line 2, column 1: expected 'c', got 'b'"),
        (ExactChecker(), b"a" * 100, b"b", "line 1, column 1: expected 'b', got '" + "a" * 60 + "'…"),
    ],
)
def test_the_first_difference_is_named_with_its_place(
    checker: BuiltinChecker, output: bytes, answer: bytes, message: str
) -> None:
    assert compare(checker, io.BytesIO(output), io.BytesIO(answer)).message == message


def test_a_line_end_cut_by_a_chunk_is_one_line_end() -> None:
    text = b"x" * (CHUNK - 1) + b"\r\ny"
    assert b"".join(chunks(io.BytesIO(text))) == b"x" * (CHUNK - 1) + b"\ny"


def tokens(text: bytes) -> list[bytes]:
    found: list[bytes] = []
    pieces = TokenStream(chunks(io.BytesIO(text)))
    while block := pieces.ahead():
        found += block
        pieces.advance(len(block))
    return found


@pytest.mark.parametrize("length", [LONGEST_TOKEN - 1, LONGEST_TOKEN, LONGEST_TOKEN + 1, 3 * LONGEST_TOKEN])
@pytest.mark.parametrize("before", [0, 1, CHUNK - 1, CHUNK])
def test_tokens_of_any_length_at_any_place_are_split_alike(length: int, before: int) -> None:
    token = b"z" * length
    pieces = tokens(b" " * before + token + b" end")
    assert pieces == tokens(token + b"\nend")
    assert b"".join(pieces).replace(b" ", b"") == token + b"end"


def test_a_long_token_is_not_two_short_ones() -> None:
    one = b"z" * (2 * LONGEST_TOKEN)
    two = b"z" * LONGEST_TOKEN + b" " + b"z" * LONGEST_TOKEN
    assert compare(TokenChecker(), io.BytesIO(two), io.BytesIO(one)).word is WRONG


class Counting(io.BytesIO):
    largest = 0

    def read(self, size: int | None = -1, /) -> bytes:
        Counting.largest = max(Counting.largest, -1 if size is None else size)
        assert size is not None
        assert size > 0, "a checker reads piece by piece"
        return super().read(size)


@pytest.mark.parametrize("checker", [ExactChecker(), LineChecker(), TokenChecker(), EPSILON])
def test_large_outputs_are_read_in_pieces(checker: BuiltinChecker) -> None:
    numbers = random.Random(1)  # noqa: S311 — the same text each time
    answer = b"\n".join(b"%d" % numbers.randrange(10**9) for _ in range(200_000))
    assert compare(checker, Counting(answer + b"\r\n"), Counting(answer + b"\n")).word is RIGHT
    assert Counting.largest == CHUNK


LINE = b" ".join(b"%d" % number for number in range(250_000))


@pytest.mark.parametrize(
    "output",
    [
        LINE + b"\r\n",
        BOM + LINE + b"\n",
        *(b"7" + b" " * spaces + b"\n" + LINE for spaces in (1, 5, 11)),
        b"7\n" + LINE + b" " * (3 << 20) + b"\n",
    ],
    ids=["CR LF", "byte order mark", "1 space before", "5 spaces before", "11 spaces before", "spaces after"],
)
@pytest.mark.parametrize(
    "checker", [LineChecker(), LineChecker(collapse_spaces=True, normalise_unicode=True)]
)
def test_a_line_may_be_longer_than_any_block(checker: LineChecker, output: bytes) -> None:
    answer = (b"7\n" if output.startswith(b"7") else b"") + LINE + b"\n"
    assert compare(checker, io.BytesIO(output), io.BytesIO(answer)).word is RIGHT


@pytest.mark.parametrize("length", [LONGEST_GAP - 1, LONGEST_GAP, LONGEST_GAP + 1, 3 * LONGEST_GAP])
def test_white_space_inside_a_line_counts_however_long_it_is(length: int) -> None:
    answer = b"a" + b" " * length + b"b\n"
    shifted = b"\n" + answer, b"\n" + answer + b" "
    assert compare(LineChecker(), *map(io.BytesIO, shifted)).word is RIGHT
    other = b"a" + b" " * (length - 1) + b"\tb \n"
    assert compare(LineChecker(), io.BytesIO(other), io.BytesIO(answer)).word is PRESENTATION


def test_a_token_too_long_for_a_number_is_text() -> None:
    """Its first piece alone would be near."""
    ours, theirs = (b"1" * (LONGEST_TOKEN - 1) + last + b"5" for last in (b"1", b"2"))
    assert compare(EPSILON, io.BytesIO(ours), io.BytesIO(theirs)).word is WRONG


PIECES = (b"a", b"b", b" ", b"\t", b"\v", b"\f", b"\n", b"\r", b"\r\n", BOM)
TEXTS = st.lists(st.sampled_from(PIECES)).map(b"".join)


@given(TEXTS, TEXTS)
@example(b" \n\n a \r\n", b"\n\n a")
@example(BOM + BOM, b"")
@example(b"a\r\r\nb", b"a\n\nb")
def test_the_program_that_an_export_carries_compares_lines_as_we_do(ours: bytes, theirs: bytes) -> None:
    same = compare(LineChecker(), io.BytesIO(ours), io.BytesIO(theirs)).word is RIGHT
    assert (difference(io.BytesIO(ours), io.BytesIO(theirs)) is None) is same
