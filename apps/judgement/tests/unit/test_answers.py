"""Answers as they are submitted: a text or files, and the tricks they may hold."""

from __future__ import annotations

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import Group, Suite
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.program import CompileFailed, SourceTree
from deepoj_judgement.commands.judge.steps.answers import read_answers

DATA = hash_of(b"")
NAMES = ("sample/1", "secret/1", "secret/2-big")
SUITE = Suite((Group("all", Score.points(1)),), tuple(Case(name, "all", DATA, DATA) for name in NAMES))


def of_text(text: str) -> object:
    read = read_answers(SourceCode.parse(text), SUITE)
    return read.log.decode() if isinstance(read, CompileFailed) else dict(read)


def of_files(*names: str) -> object:
    read = read_answers(SourceTree(dict.fromkeys(names, b"3")), SUITE)
    return read.log.decode() if isinstance(read, CompileFailed) else dict(read)


def test_each_answer_of_a_text_stands_below_the_name_of_its_case() -> None:
    text = "=== secret/1\n1 2\n3\n\n===   2-big ===\r\nx = y\n==== \n=== sample/1\n"
    assert of_text(text) == {
        "secret/1": b"1 2\n3\n\n",
        "secret/2-big": b"x = y\n==== \n",
        "sample/1": b"",
    }


def test_a_file_is_named_like_its_case_and_its_ending_is_free() -> None:
    assert of_files("secret/1.out", "2-big.txt") == {"secret/1": b"3", "secret/2-big": b"3"}


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (of_text("3"), "no case is named: begin each answer with a line such as === 1\n"),
        (of_text("=== 1\n3"), "there is no case '1'\n"),
        (of_text("=== ../../etc/passwd\n3"), "there is no case '../../etc/passwd'\n"),
        (of_text("=== secret/1\n3\n=== secret/1\n4"), "there are two answers for 'secret/1'\n"),
        (of_text("=== secret/2-big\n3\n=== 2-big\n4"), "there are two answers for '2-big'\n"),
        (of_text(f"=== {'x' * 5000}\n3"), f"there is no case '{'x' * 60}'\n"),
        (of_files("../secret/1.out"), "there is no case '../secret/1'\n"),
        (of_files("/secret/1.out"), "there is no case '/secret/1'\n"),
        (of_files("secret/1.out", "secret/1.txt"), "there are two answers for 'secret/1'\n"),
        (of_files("1"), "there is no case '1'\n"),
    ],
)
def test_what_belongs_to_no_case_is_told(read: object, said: str) -> None:
    assert read == said


def test_a_text_that_is_made_to_be_slow_is_not() -> None:
    assert of_text("=== " + " " * 30_000 + "\n" + "=" * 30_000) != {}
