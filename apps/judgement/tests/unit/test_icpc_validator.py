"""The default output validator: real cases with the verdict of the reference, and what its flags mean."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.question.checker import IcpcChecker
from deepoj_judgement.commands.judge.checkers.compare import compare
from deepoj_judgement.commands.judge.checkers.outcome import Checked

CASES = sorted((Path(__file__).parents[1] / "data" / "icpc-default").iterdir())
EXIT_CODES = {CheckerWord.RIGHT: 42, CheckerWord.WRONG: 43}


def checked(flags: str, output: bytes, answer: bytes) -> Checked:
    return compare(IcpcChecker.parse(flags.split()), io.BytesIO(output), io.BytesIO(answer))


def text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def test_there_are_real_cases() -> None:
    assert len(CASES) == 24


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_real_case_gets_the_verdict_of_the_reference_on_the_same_line(case: Path) -> None:
    said = checked(
        text(case / "args.txt"), (case / "user.out").read_bytes(), (case / "judge.ans").read_bytes()
    )
    assert EXIT_CODES[said.word] == int(text(case / "expected_exit_code.txt")), said
    if line := re.search(r"on line (\d+) of output", text(case / "expected_message.txt")):
        assert said.message.startswith(f"line {line[1]}, "), said


@pytest.mark.parametrize(
    ("flags", "output", "answer", "right"),
    [
        ("", b"A  b\r\n\r\n", b"a\nB", True),
        ("", b"", b" \n", True),
        ("", "É".encode(), "é".encode(), False),
        ("", b"\xef\xbb\xbfa", b"a", False),
        ("", b"1.0", b"1", False),
        ("space_change_sensitive", b"a b\n", b"a b", False),
        ("space_change_sensitive", b"a b", b"a b\n", False),
        ("space_change_sensitive", b"a\r\n", b"a\n", False),
        ("space_change_sensitive", b" a", b"a", False),
        ("space_change_sensitive", b"A\n", b"a\n", True),
        ("space_change_sensitive float_tolerance 1e-3", b"x 1.0001\n", b"x 1\n", True),
        ("float_tolerance 1e-6", b"1", b"1.0000005", True),
        ("float_tolerance 1e-6", b"YES 1", b"yes 1.0", True),
        ("float_tolerance 1e-6", b"1e6", b"1000001", True),
        ("float_tolerance 1e-6", b"1x", b"1", False),
        ("float_tolerance 1e-6", b"nan", b"NaN", True),
        ("float_absolute_tolerance 1e-6 float_relative_tolerance 1", b"2", b"1", True),
        ("float_absolute_tolerance 1e-6", b"1000001", b"1000000", False),
        ("float_relative_tolerance 1e-6", b"0.0000001", b"0", False),
        ("float_relative_tolerance 1e-6", b"-0.0", b"0", True),
        # The border itself belongs to the right answers, whatever binary numbers make of it.
        ("float_absolute_tolerance 0.1", b"1.1", b"1", True),
        ("float_absolute_tolerance 0.1", b"1.1000000000000000000000001", b"1", False),
        ("float_relative_tolerance 1e-9", b"1000000001e290", b"1e299", True),
        ("float_relative_tolerance 1e-9", b"1e400", b"1e400", True),
        ("float_relative_tolerance 1e-9", b"1.1e400", b"1e400", False),
    ],
)
def test_flags(flags: str, output: bytes, answer: bytes, *, right: bool) -> None:
    assert (checked(flags, output, answer).word is CheckerWord.RIGHT) == right
