"""Documents are a contract between services of different ages: golden files fix their shapes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from deepoj_domain import documents
from deepoj_domain.documents import JUDGE_RESULT, JUDGING, MANIFEST, Shape
from deepoj_domain.judgement.manifest import JudgeHost, Manifest
from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import CHECKERS, Checker, Convention, Grader, ProgramChecker, SourceFile
from deepoj_domain.question.limits import LanguageAllowance, Limits
from deepoj_domain.question.submission_form import IncludedFiles, SubmissionForm
from deepoj_domain.question.suite import Bundle, GroupScoring
from deepoj_domain.testing import QUESTION, some_judging
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
OLDER: Final = replace(some_judging(), allowance=OWN, checker=PROGRAM, languages=frozenset({PYTHON}))
INTERACTOR: Final = replace(PROGRAM, interactive=True, checker=PROGRAM)
INCLUDED: Final = IncludedFiles(
    languages=frozenset({PYTHON}),
    files=tuple(SourceFile(name, hash_of(b"2")) for name in ("grader.py", "head.py", "tail.py")),
    main="grader.py",
    source_name="solution.py",
    before="head.py",
    after="tail.py",
)
FIRST, *OTHERS = OLDER.suite.cases
CALLED: Final = replace(
    OLDER.suite,
    cases=(
        replace(FIRST, arguments=("", "a b"), files=(SourceFile("a.txt", hash_of(b"3")),)),
        *(replace(each, of_source=True) for each in OTHERS),
    ),
    bundles=(
        Bundle(
            name="together",
            parts=tuple(group.name for group in OLDER.suite.groups),
            scoring=GroupScoring.GRADED,
            points=Score.points(100),
            unbounded=True,
            grader_arguments=("best",),
        ),
    ),
)
GRADER: Final = Grader(sources=(SourceFile("grade.py", hash_of(b"6")),), language=PYTHON)
EXAMPLES: Final[tuple[tuple[Shape[Any], object], ...]] = (
    (
        JUDGING,
        replace(
            OLDER,
            suite=CALLED,
            checker=INTERACTOR,
            form=SubmissionForm(included=(INCLUDED,)),
            grader=GRADER,
            source_checker=replace(PROGRAM, convention=Convention.SOURCE),
        ),
    ),
    (
        MANIFEST,
        Manifest(
            revision=RevisionRef(QUESTION, 3),
            spec=hash_of(b"4"),
            data=hash_of(b"5"),
            source=hash_of(b"6"),
            language=PYTHON,
            toolchain="Python 3.11.2 #0a1b",
            checker_toolchains=("g++ 12 #2c3d",),
            compile=(("/usr/bin/g++", "-O2", "{main}"),),
            run=("/usr/bin/python3", "{main}"),
            environment=("PYTHONHASHSEED=0",),
            limits=Limits(1000, 2048, 16),
            host=JudgeHost(
                worker="host-1",
                version="1.2.3",
                architecture="x86_64",
                processor="one",
                cores=4,
                kernel="Linux 6.1",
                layers=("seccomp", "degraded: no cgroup"),
                speed_percent=125,
            ),
            from_cache=True,
        ),
    ),
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


@pytest.mark.parametrize(("name", "value"), [("judging.v1", OLDER)])
def test_a_document_of_an_older_version_is_still_read(name: str, value: object) -> None:
    assert Document(JUDGING, InvalidValueError).decode((GOLDEN / f"{name}.json").read_bytes()) == value


def test_every_document_has_a_golden_file_and_every_golden_file_a_document() -> None:
    shapes = [each for each in vars(documents).values() if isinstance(each, Shape)]
    declared = {each.name for each in shapes}
    older = {name for each in shapes for name in each.older}
    assert {path.name.removesuffix(".json") for path in GOLDEN.iterdir()} == declared | older
    assert {shape.name for shape, _ in EXAMPLES} == declared


def test_every_checker_has_a_name_to_be_kept_under() -> None:
    assert set(CHECKERS.values()) == set(Checker.__args__)
