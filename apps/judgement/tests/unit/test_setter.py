"""What a setter is told: expectations, time limits, languages and solutions, without a sandbox."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path, PurePosixPath

import pytest

from deepoj_domain.judgement.result import CaseResult, JudgeResult, Usage
from deepoj_domain.judgement.scoring import aggregate
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import Group, GroupScoring, Suite
from deepoj_judgement.commands.judge.errors import LanguageNotInstalledError
from deepoj_judgement.commands.judge.testing import SomeToolchains
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_judgement.commands.setter.events import Working
from deepoj_judgement.commands.setter.expectations import differences, summary
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.time_limit import (
    Measured,
    as_if_limited,
    bounds_from_above,
    bounds_from_below,
    is_too_close,
    suggested_ms,
)
from deepoj_judgement.inbound.setter.arguments import Arguments, parse
from deepoj_judgement.inbound.setter.events import encode_event
from deepoj_judgement.outbound.packages.files import LocalFiles
from deepoj_judgement.outbound.packages.solutions import find_program
from deepoj_languages.language import Language
from deepoj_languages.table import language_table
from deepoj_packages.judge_data import EMPTY
from deepoj_packages.options import Dialect
from deepoj_packages.shared.expectations import DIRECTORIES
from deepoj_packages.spec import Expectation, Outcome, ProblemLimits

NOTHING = hash_of(b"")
SUITE = Suite(
    groups=(
        Group("secret/a", Score.points(20), GroupScoring.ALL),
        Group("secret/b", Score.points(80), GroupScoring.SUM),
    ),
    cases=(
        Case("secret/a/1", "secret/a", NOTHING, NOTHING),
        Case("secret/b/1", "secret/b", NOTHING, NOTHING, Score.points(40)),
        Case("secret/b/2", "secret/b", NOTHING, NOTHING, Score.points(40)),
    ),
)


def result(*verdicts: Verdict | None, time_ms: int = 0, message: str = "") -> JudgeResult:
    cases = []
    for case, verdict in zip(SUITE.cases, verdicts, strict=True):
        made = (
            CaseResult.accepted(case.name) if verdict is Verdict.ACCEPTED else CaseResult(case.name, verdict)
        )
        cases.append(replace(made, usage=Usage(time_ms, 0), message=message))
    return aggregate(SUITE, cases)


AC, WA, PE = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.PRESENTATION_ERROR
TLE, MLE, RE = Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.RUNTIME_ERROR


@pytest.mark.parametrize(
    ("directory", "verdicts", "as_expected"),
    [
        ("accepted", (AC, AC, AC), True),
        ("accepted", (AC, WA, AC), False),
        ("accepted", (AC, None, AC), True),
        ("wrong_answer", (AC, WA, AC), True),
        ("wrong_answer", (AC, PE, AC), True),
        ("wrong_answer", (AC, AC, AC), False),
        ("wrong_answer", (AC, WA, RE), False),
        ("time_limit_exceeded", (AC, TLE, AC), True),
        ("time_limit_exceeded", (AC, TLE, WA), False),
        ("run_time_error", (AC, MLE, AC), True),
        ("run_time_error", (AC, AC, AC), False),
        ("brute_force", (AC, RE, TLE), True),
        ("rejected", (AC, AC, WA), True),
        ("rejected", (AC, AC, AC), False),
        ("compile_error", (AC, AC, AC), False),
    ],
)
def test_a_directory_says_what_is_expected(
    directory: str,
    verdicts: tuple[Verdict, ...],
    as_expected: bool,  # noqa: FBT001 — a column of the table above
) -> None:
    assert (differences((DIRECTORIES[directory],), result(*verdicts)) == ()) is as_expected


def test_a_compile_error_is_expected_where_it_is_said() -> None:
    failed = JudgeResult.compile_error("no")
    assert differences((DIRECTORIES["compile_error"],), failed) == ()
    assert differences((DIRECTORIES["accepted"],), failed) == ("it does not compile",)
    assert differences((DIRECTORIES["rejected"],), failed) == ("it does not compile",)


def test_a_broken_validator_is_never_as_expected() -> None:
    broken = result(AC, Verdict.SYSTEM_ERROR, AC, message="the checker broke")
    assert differences((), broken) == ("secret/b/1: the checker broke",)


def test_rules_may_be_about_some_cases_scores_and_messages() -> None:
    expected = (
        Expectation(cases="secret/a", permitted=frozenset({Outcome.AC})),
        Expectation(cases="secret/b", required=frozenset({Outcome.WA})),
        Expectation(score=(Decimal(60), Decimal(60))),
        Expectation(cases="secret/b", score=(Decimal(30), Decimal(50)), message="too big"),
        Expectation(final=frozenset({Outcome.WA})),
    )
    assert differences(expected, result(AC, WA, AC, message="it is too big")) == ()
    assert differences(expected, result(WA, AC, AC)) == (
        "secret/a/1 should be AC, and is WA",
        "no case in secret/b is WA",
        "it scores 80, and should score 60",
        "it scores 80, and should score 30 to 50",
        "nowhere does the output validator say 'too big'",
    )
    assert summary(expected[:3]) == "AC in secret/a, WA in secret/b, score 60"


def test_the_limit_leaves_the_slowest_its_factor() -> None:
    limits = ProblemLimits(slowest_accepted_factor=Decimal(2), time_resolution_ms=500)
    assert suggested_ms([Measured("a", 100), Measured("b", 600)], limits) == 1500
    assert suggested_ms([Measured("a", 0)], limits) == 500


def test_which_submissions_bound_the_time_limit() -> None:
    assert [name for name, each in DIRECTORIES.items() if bounds_from_below([each])] == [
        "accepted",
        "wrong_answer",
        "run_time_error",
    ]
    assert [name for name, each in DIRECTORIES.items() if bounds_from_above([each])] == [
        "time_limit_exceeded"
    ]


def test_a_longer_run_is_judged_by_the_shorter_limit() -> None:
    ran = result(AC, WA, AC, time_ms=1200)
    assert as_if_limited(SUITE, ran, 1000).verdict is TLE
    assert as_if_limited(SUITE, ran, 1000).score == Score.points(0)
    assert as_if_limited(SUITE, ran, 1200) == ran
    assert is_too_close(ran, 1000)
    assert not is_too_close(result(AC, TLE, AC, time_ms=1600), 1000)
    assert not is_too_close(result(AC, AC, AC, time_ms=10), 1000)


class Uninstalled(SomeToolchains):
    def find(self, language: LanguageSlug) -> Toolchain:
        if language == "cpp20":
            raise LanguageNotInstalledError(language, "g++")
        return super().find(language)

    def table(self) -> tuple[Language, ...]:
        return language_table()


def test_the_first_language_that_is_installed_is_chosen() -> None:
    table = {row.slug: row for row in language_table()}
    choose = ChooseLanguage(Uninstalled((Toolchain(table[LanguageSlug("cpp17")], "1", "1"),)))
    assert choose("cpp").language.slug == "cpp17"
    with pytest.raises(SetterFailedError, match="install the Debian package g") as missing:
        choose("cpp20")
    assert missing.value.reason is Reason.NOT_INSTALLED
    with pytest.raises(SetterFailedError) as unknown:
        choose("Whitespace!")
    assert unknown.value.reason is Reason.UNKNOWN_LANGUAGE


def test_a_solution_is_a_file_or_a_directory(tmp_path: Path) -> None:
    (tmp_path / "dir/lib").mkdir(parents=True)
    (tmp_path / "dir/main.py").write_text("")
    (tmp_path / "dir/lib/more.py").write_text("")
    (tmp_path / "dir/.hidden").write_text("")
    (tmp_path / "odd.txt").write_text("")
    program = find_program(tmp_path / "dir", "")
    assert (program.language, len(program.files), program.main.name) == ("python3", 2, "main.py")
    assert find_program(tmp_path / "odd.txt", "perl").language == "perl"
    for wrong in ("odd.txt", "nowhere"):
        with pytest.raises(SetterFailedError):
            find_program(tmp_path / wrong, "")


async def test_files_are_lent_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("hello")
    files = LocalFiles(tmp_path, tmp_path)
    name = files.content(PurePosixPath("a"))
    async with files.borrow([name, EMPTY]) as lent:
        assert (lent[name].path.read_text(), lent[EMPTY].size) == ("hello", 0)


def test_an_event_is_one_line_with_its_name() -> None:
    line = encode_event(Working("x", 1, 2))
    assert line.endswith(b"\n")
    assert json.loads(line) == {"event": "working", "on": "x", "done": 1, "total": 2}


def test_arguments() -> None:
    told = parse(
        ["judge-package", "--dialect", "domjudge", "--language=", "--all-cases", "--", "p", "a", "b"]
    )
    assert told == Arguments(
        role="judge-package",
        package=Path("p"),
        solutions=(Path("a"), Path("b")),
        dialect=Dialect.DOMJUDGE,
        all_cases=True,
    )
    assert parse(["languages"]).package is None
