"""Documents are a contract between services of different ages: golden files fix their shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from deepoj_domain import documents
from deepoj_domain.documents import JUDGE_RESULT, JUDGING, Shape
from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.score import Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.allowance import LanguageAllowance
from deepoj_domain.question.checker import CHECKERS, Checker, Convention, ProgramChecker, SourceFile
from deepoj_domain.question.limits import Limits
from deepoj_domain.testing import some_judging
from deepoj_kit.documents import Document

GOLDEN: Final = Path(__file__).parents[1] / "golden"
PYTHON: Final = language_slug("python3")
PROGRAM: Final = ProgramChecker(
    sources=(SourceFile("main.py", hash_of(b"1")),),
    language=PYTHON,
    convention=Convention.TESTLIB,
    arguments=("-x",),
    limits=Limits(1000, 2048, 16),
)
OWN: Final = replace(
    some_judging().allowance, per_language=(LanguageAllowance(language=PYTHON, time_ms=9000),)
)
EXAMPLES: Final[tuple[tuple[Shape[Any], object], ...]] = (
    (JUDGING, replace(some_judging(), allowance=OWN, checker=PROGRAM, languages=frozenset({PYTHON}))),
    (
        JUDGE_RESULT,
        JudgeResult(
            Verdict.WRONG_ANSWER,
            (GroupScore("easy", Score.points("10.5")),),
            Usage(120, 2048),
            (
                CaseResult.accepted("1", Usage(3, 1024)),
                CaseResult("2", Verdict.WRONG_ANSWER, Share(250_000), Usage(5, 7), 1, 9, "line 3 differs"),
                CaseResult.skipped("3"),
                CaseResult("4", Verdict.ACCEPTED, points=Score.points("33.333333")),
            ),
            "warning: unused",
            "submissions/1/attempts/1",
        ),
    ),
)


@pytest.mark.parametrize(("shape", "example"), EXAMPLES, ids=lambda each: getattr(each, "name", ""))
def test_the_shape_of_a_document_is_the_one_of_its_golden_file(shape: Shape[Any], example: object) -> None:
    """When this fails, services of another age break too: give the new shape a new version instead."""
    document = Document(shape, InvalidValueError)
    golden = GOLDEN / f"{shape.name}.json"
    pretty = msgspec.json.format(document.encode(example), indent=2).decode() + "\n"
    assert pretty == golden.read_text(encoding="utf-8")
    assert document.decode(golden.read_bytes()) == example


def test_every_document_has_a_golden_file_and_every_golden_file_a_document() -> None:
    declared = {each.name for each in vars(documents).values() if isinstance(each, Shape)}
    assert {path.name.removesuffix(".json") for path in GOLDEN.iterdir()} == declared
    assert {shape.name for shape, _ in EXAMPLES} == declared


def test_every_checker_has_a_name_to_be_kept_under() -> None:
    assert set(CHECKERS.values()) == set(Checker.__args__)
