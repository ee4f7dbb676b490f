"""What the question service says about a revision is what a judge worker understands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import (
    Checker,
    Communication,
    Convention,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    SourceFile,
    TokenChecker,
)
from deepoj_domain.question.limits import LanguageAllowance
from deepoj_domain.question.revision import Judging
from deepoj_domain.testing import some_judging
from deepoj_judgement.commands.judge.spec import JudgeSpec, spec_of
from deepoj_kit.documents import Document
from deepoj_packages.read_package import read_directory
from deepoj_question.outbound.packages.judging_reader import Defaults
from deepoj_question.outbound.packages.revision_of_package import package_of

EXAMPLES = sorted(path.parent for path in Path(__file__).parents[2].glob("examples/*/problem.yaml"))
PYTHON = language_slug("python3")
PROGRAM = ProgramChecker(
    sources=(SourceFile("main.py", hash_of(b"1")), SourceFile("lib/a.py", hash_of(b"2"))),
    language=PYTHON,
    convention=Convention.TESTLIB,
    interactive=True,
    scores=True,
    arguments=("-x", ""),
)
MANAGER = replace(PROGRAM, convention=Convention.CMS, communication=Communication(copies=3, by_name=True))


DOCUMENT = Document(JUDGING, InvalidValueError)


def told(judging: Judging) -> JudgeSpec:
    """Through the wire and back."""
    return spec_of(DOCUMENT.decode(DOCUMENT.encode(judging)))


@pytest.mark.parametrize(
    "checker",
    [
        ExactChecker(),
        LineChecker(ignore_trailing_space=False, collapse_spaces=True, normalise_unicode=True),
        TokenChecker(case_sensitive=False),
        FloatChecker(absolute="1e-9", relative="1e-6"),
        IcpcChecker(case_sensitive=True, absolute="1e-9"),
        PROGRAM,
        MANAGER,
    ],
    ids=lambda checker: type(checker).__name__,
)
def test_every_checker_arrives(checker: Checker) -> None:
    assert told(replace(some_judging(), checker=checker)).checker == checker


def test_limits_and_languages_arrive() -> None:
    base = some_judging()
    own = replace(base.allowance, per_language=(LanguageAllowance(language=PYTHON, time_ms=9000),))
    spec = told(replace(base, allowance=own, languages=frozenset({PYTHON})))
    assert (spec.limits.cpu_ms, spec.limits.memory_kib, spec.limits.output_kib) == (1000, 256 << 10, 1 << 10)
    [(language, limits)] = spec.language_limits
    assert (language, limits.cpu_ms, limits.memory_kib) == (PYTHON, 9000, 256 << 10)
    assert spec.languages == frozenset({PYTHON})
    assert told(base).languages is None


@pytest.mark.parametrize("directory", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_arrive_as_their_packages_say(directory: Path, tmp_path: Path) -> None:
    package = package_of(read_directory(directory), "", Defaults(1000, 1 << 28), tmp_path)
    judging = package.content.judging
    spec = told(judging)
    assert (spec.suite, spec.languages) == (judging.suite, judging.languages)
    assert spec.checker == judging.checker
    assert spec.limits.cpu_ms == judging.allowance.time_ms


def test_the_examples_are_there() -> None:
    assert len(EXAMPLES) >= 6
