"""What a checker costs grows with the length of the texts and not faster, whatever is in them."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import inf

import pytest

from deepoj_domain.question.checker import (
    BuiltinChecker,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    TokenChecker,
)
from deepoj_judgement.commands.judge.checkers.compare import compare
from deepoj_judgement.commands.judge.checkers.token_stream import LONGEST_TOKEN
from deepoj_judgement.commands.judge.java_classes import classes_in

GROWTH = 8
# What grows with the square would be 64 times as much; a loaded machine adds little to CPU time.
MOST = 3 * GROWTH
SIZES = (LONGEST_TOKEN // GROWTH - 16, LONGEST_TOKEN - 16, 4 * LONGEST_TOKEN)
# Below this the first call of anything decides.
LEAST_SECONDS = 0.002
CHECKERS: list[BuiltinChecker] = [
    ExactChecker(),
    LineChecker(),
    LineChecker(collapse_spaces=True, normalise_unicode=True),
    LineChecker(ignore_trailing_space=False),
    TokenChecker(),
    TokenChecker(case_sensitive=False, normalise_unicode=True),
    FloatChecker(absolute="1e-6", relative="1e-6"),
    IcpcChecker.parse(["float_tolerance", "1e-6", "space_change_sensitive"]),
]


def filled(unit: bytes) -> Callable[[int], bytes]:
    return lambda size: unit * (size // len(unit))


TEXTS: dict[str, tuple[Callable[[int], bytes], Callable[[int], bytes]]] = {
    "digits with an exponent out of range": (
        lambda size: b"1" * size + b"e1000000",
        lambda size: b"1" * size + b"e1000001",
    ),
    "an exponent of many digits": (lambda size: b"1e" + b"9" * size, lambda size: b"1e" + b"8" * size),
    "zeros before and after the point": (
        lambda size: b"0" * (size // 2) + b"." + b"0" * (size // 2),
        lambda size: b"0" * size,
    ),
    "a fraction of many digits": (lambda size: b"0." + b"3" * size, lambda size: b".3" + b"3" * size),
    "digits that are no number": (lambda size: b"1" * size + b"..", lambda size: b"1" * size + b".e"),
    "signs": (filled(b"+"), filled(b"-")),
    "points": (filled(b"."), filled(b"1.")),
    "numbers on the border": (filled(b"0.300001 "), filled(b"0.3 ")),
    "spaces": (lambda size: filled(b" ")(size) + b"x", lambda size: filled(b"\t")(size) + b"x"),
    "spaces at the end": (filled(b" "), lambda size: b"\n"),  # noqa: ARG005 — one size
    "line ends": (filled(b"\n"), filled(b"\r")),
    "spaces and line ends": (filled(b" \n"), filled(b"\t\r\n")),
    "letters and long white space": (filled(b"a "), lambda size: (b"a" + b" " * 9_999) * (size // 10_000)),
    "marks out of order": (filled("\u0301\u0323".encode()), filled("\u0323\u0301".encode())),
    "parts of syllables": (filled("\u1112\u1161\u11ab".encode()), filled("한".encode())),
    "letters that grow": (filled("ΐß".encode()), filled("ΐẞ".encode())),
    "bytes that are no text": (filled(b"\xff\xc3"), filled(b"\xff\xc3 ")),
}


def cost(act: Callable[[], object], most: float = 0) -> float:
    """Return the lesser of two, or the first where it is not more than the most it may be."""
    times: list[float] = []
    while len(times) < 2 and min(times, default=inf) > most:
        begun = time.thread_time()
        act()
        times.append(time.thread_time() - begun)
    return max(min(times), LEAST_SECONDS)


def assert_linear(act: Callable[[int], object]) -> None:
    act(SIZES[0])
    *shorter, longest = SIZES
    costs = [cost(partial(act, size)) for size in shorter]
    costs.append(cost(partial(act, longest), MOST * costs[-1]))
    for less, more in pairwise(costs):
        assert more <= MOST * less, costs


@pytest.mark.parametrize("checker", CHECKERS, ids=str)
@pytest.mark.parametrize("texts", TEXTS)
def test_a_comparison_costs_no_more_than_its_length(checker: BuiltinChecker, texts: str) -> None:
    ours, theirs = TEXTS[texts]
    assert_linear(lambda size: compare(checker, io.BytesIO(ours(size)), io.BytesIO(theirs(size))))
    assert_linear(lambda size: compare(checker, io.BytesIO(theirs(size)), io.BytesIO(ours(size))))


@pytest.mark.parametrize(
    "source",
    [
        filled(b"/*"),
        filled(b'"'),
        filled(b'"""'),
        filled(b'"""\\'),
        filled(b"'\\"),
        filled(b"//"),
        filled(b"{"),
        filled(b"class A{}"),
        filled(b"package "),
        lambda size: b"package " + b"a" * size,
        lambda size: b"package" + b" " * size,
        lambda size: b"package " + b"a" * (size // 2) + b";" + b"class A{}" * (size // 20),
        lambda size: b"public class " + b"A" * size + b"{}",
    ],
)
def test_a_source_is_searched_for_classes_in_one_pass(source: Callable[[int], bytes]) -> None:
    assert_linear(lambda size: classes_in(source(size)))
