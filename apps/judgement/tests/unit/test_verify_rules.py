"""What of a package is looked at, and what is said of its tests: rules without a sandbox."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.duplicate_tests import duplicate_tests
from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_judgement.commands.setter.events import CaseRow, CatchRow, Finding, Note, Severity, SolutionJudged
from deepoj_judgement.commands.setter.expectations import must_be_right
from deepoj_judgement.commands.setter.junk import ANYWHERE, misshapen
from deepoj_judgement.commands.setter.mutants import MOST, mutants
from deepoj_judgement.commands.setter.narrow import narrowed
from deepoj_judgement.commands.setter.output_questions import junk, own_answers
from deepoj_judgement.commands.setter.strength import strength_of
from deepoj_judgement.commands.setter.verify_options import Part, VerifyOptions
from deepoj_judgement.inbound.setter.arguments import parse
from deepoj_packages.judge_data import judged_suite
from deepoj_packages.shared.expectations import DIRECTORIES
from deepoj_packages.spec import (
    Case,
    DefaultValidator,
    FormatVersion,
    Group,
    GroupScoring,
    Metadata,
    OutputValidator,
    ProblemLimits,
    ProblemSpec,
    Program,
    Submission,
)

AT = PurePosixPath("x.py")
PROGRAM = Program("x.py", AT, "python3", AT, (AT,))


def case(name: str, group: str, points: int = 0) -> Case:
    place = PurePosixPath("data", name)
    given, answer = place.with_suffix(".in"), place.with_suffix(".ans")
    return Case(name=name, group=group, input=given, answer=answer, points=Decimal(points))


def submission(name: str) -> Submission:
    directory = DIRECTORIES[PurePosixPath(name).parts[0]]
    return Submission(name=name, program=PROGRAM, expectations=(directory,))


PACKAGE = ProblemSpec(
    root=Path("/nowhere"),
    short_name="p",
    format=FormatVersion.V2025_09,
    names=(("en", "P"),),
    scoring=True,
    metadata=Metadata(),
    limits=ProblemLimits(time_ms=1000),
    statements=(),
    groups=(
        Group(name="secret/a", points=Decimal(20)),
        Group(name="secret/b", points=Decimal(80), scoring=GroupScoring.SUM, depends_on=("secret/a",)),
    ),
    cases=(
        case("secret/a/1", "secret/a"),
        case("secret/b/1", "secret/b", 30),
        case("secret/b/2", "secret/b", 50),
    ),
    validator=DefaultValidator(),
    submissions=tuple(
        map(submission, ("accepted/a.py", "accepted/b.cpp", "wrong_answer/c.py", "compile_error/d.c"))
    ),
)


def by_path(file: PurePosixPath) -> ContentHash:
    return hash_of(str(file).encode())


def test_filters_leave_a_package_that_can_be_judged() -> None:
    options = VerifyOptions(cases=("secret/*/2",), submissions=("accepted/*.py",), time_limit_ms=70)
    left = narrowed(PACKAGE, options)
    assert [each.name for each in left.cases] == ["secret/b/2"]
    assert [(each.name, each.points, each.depends_on) for each in left.groups] == [
        ("secret/b", Decimal(50), ())
    ]
    assert [each.name for each in left.submissions] == ["accepted/a.py"]
    assert left.limits.time_ms == 70
    assert judged_suite(left, by_path).full_score.as_decimal() == 50


def test_of_some_cases_nothing_is_asked_that_others_may_have_shown() -> None:
    wrong, broken = narrowed(PACKAGE, VerifyOptions(cases=("secret/a",))).submissions[2:]
    (expected,) = wrong.expectations
    assert expected.required is None
    assert expected.permitted == DIRECTORIES["wrong_answer"].permitted
    assert broken.expectations[0].final == DIRECTORIES["compile_error"].final


@pytest.mark.parametrize(
    "options", [VerifyOptions(cases=("sample",)), VerifyOptions(submissions=("accepted", "slow/*"))]
)
def test_a_filter_that_matches_nothing_is_refused(options: VerifyOptions) -> None:
    with pytest.raises(SetterFailedError, match=r"matches '(sample|slow/.*)': there are") as refused:
        narrowed(PACKAGE, options)
    assert refused.value.reason is Reason.NO_MATCH


def test_options_are_told_on_the_command_line() -> None:
    said = ["--part=answers", "--part=strength", "--case=a*", "--submission=-x", "--time-limit=0.25"]
    told = parse(["verify-package", *said, "--threads=3", "--mutants=7", "--", "p"])
    assert told.threads == 3
    assert told.verify_options == VerifyOptions(
        parts=frozenset({Part.ANSWERS, Part.STRENGTH}),
        cases=("a*",),
        submissions=("-x",),
        time_limit_ms=250,
        mutants=7,
    )
    assert parse(["verify-package", "p"]).verify_options == VerifyOptions()


def test_the_same_input_twice_is_warned_about_in_one_group_and_noted_across_groups() -> None:
    def same(*names: str) -> list[Finding | Note]:
        return duplicate_tests(PACKAGE, lambda file: by_path(AT if str(file) in names else file))

    assert same() == []
    twice = ("data/secret/b/1.in", "data/secret/b/2.in")
    assert same(*twice, "data/secret/b/1.ans", "data/secret/b/2.ans") == [
        Finding(Severity.WARNING, "tests", "secret/b/1 and secret/b/2 have the same input")
    ]
    apart = ("data/secret/a/1.in", "data/secret/b/1.in", "data/secret/a/1.ans", "data/secret/b/1.ans")
    assert same(*apart) == [
        Note("tests", "secret/a/1 and secret/b/1 of different groups have the same input")
    ]
    assert same(*twice) == [
        Finding(
            Severity.ERROR, "tests", "secret/b/1 and secret/b/2 have the same input and different answers"
        )
    ]


def test_a_validator_of_its_own_may_know_several_answers_to_one_input() -> None:
    own = replace(PACKAGE, validator=OutputValidator(program=PROGRAM))
    found = duplicate_tests(own, lambda file: by_path(AT if file.suffix == ".in" else file))
    names = "secret/a/1, secret/b/1 and secret/b/2"
    assert found == [Finding(Severity.WARNING, "tests", f"{names} have the same input")]


def test_the_same_input_with_other_arguments_or_files_is_another_test() -> None:
    plain = [case(f"secret/a/{number}", "secret/a") for number in range(3)]
    changes: tuple[dict[str, Any], ...] = ({}, {"arguments": ("x",)}, {"files": (("map.txt", AT),)})
    cases = tuple(replace(each, **own) for each, own in zip(plain, changes, strict=True))
    assert duplicate_tests(replace(PACKAGE, cases=cases), lambda _: by_path(AT)) == []


def test_many_duplicates_are_counted_and_not_listed() -> None:
    cases = tuple(case(f"secret/a/{number}", "secret/a") for number in range(60))
    alike = {each.input: PurePosixPath(str(at // 2)) for at, each in enumerate(cases)}
    found = duplicate_tests(replace(PACKAGE, cases=cases), lambda file: by_path(alike.get(file, AT)))
    assert len(found) == 11
    assert found[-1].message == "20 more inputs are there several times"
    (one,) = duplicate_tests(replace(PACKAGE, cases=cases), lambda _: by_path(AT))
    assert one.message.endswith("secret/a/3 and 56 more have the same input")


def row(name: str, *verdicts: str) -> SolutionJudged:
    cases = tuple(CaseRow(name=str(at), verdict=each) for at, each in enumerate(verdicts))
    return SolutionJudged(
        name=name, language="c11", verdict="", score="0", full_score="1", time_ms=1, time_limit_ms=1,
        memory_kib=1, cases=cases, groups=(),
    )  # fmt: skip


def test_strength_says_which_tests_catch_whom() -> None:
    judged = [row("wrong", "AC", "WA", "AC"), row("right", "AC", "AC", "AC"), row("slow", "AC", "TLE", "RE")]
    found = strength_of([*judged, row("uncompiled"), row("skips", "AC", "", "")], ["0", "1", "2"])
    assert found.catches == (CatchRow("slow", ("1", "2")), CatchRow("wrong", ("1",)))
    assert found.catching_nobody == ("0",)


def test_who_must_be_right() -> None:
    assert [name for name, each in DIRECTORIES.items() if must_be_right([each])] == ["accepted"]


CPP = """#include <vector> // 1 < 2
using ll = long long;
int main() { std::vector<int> a; for (int i = 0; i < 5; i++) if (i == 3 && a.size() >= 2) puts("x < y"); }
"""


def test_mutants_change_one_thing_and_leave_strings_comments_and_types_alone() -> None:
    made = mutants(CPP, "cpp20", MOST)
    changes = {(each.line, each.change.split(":")[0]) for each in made}
    assert {
        (2, "long long became int"),
        (3, "< became <="),
        (3, "== became !="),
        (3, "&& became ||"),
    } <= changes
    assert {(3, ">= became >"), (3, "5 became 6"), (3, "5 became 4"), (3, "3 became 2")} <= changes
    assert {line for line, _ in changes} == {2, 3}
    assert all("vector<int>" in each.text and '"x < y"' in each.text for each in made)
    assert len({each.text for each in made} | {CPP}) == len(made) + 1
    python = mutants("# 1 < 2\nif a < 1 and '2' or b - 1: x += max(1, y)\n", "python3", MOST)
    assert {each.change.split(":")[0] for each in python} >= {"and became or", "- became +", "+= became -="}
    assert {each.line for each in python} == {2}


def test_mutants_are_few_the_same_each_time_and_spread() -> None:
    text = "".join(f"x = {number} + y\n" for number in range(500))
    some = mutants(text, "python3", 5)
    assert some == mutants(text, "python3", 5)
    assert len(some) == 5
    assert max(each.line for each in some) - min(each.line for each in some) > 100
    assert len(mutants(text, "pypy3", 10**9)) == MOST


@pytest.mark.parametrize(
    "text", ["1+" * 40_000, '"""' * 20_000, "'" * 60_000, "/*" * 30_000, "<" * 60_000, "\0"]
)
@pytest.mark.parametrize("language", ["cpp20", "python3", "java17", "c11", "haskell"])
@pytest.mark.timeout(60)
def test_no_text_makes_mutants_expensive(text: str, language: str) -> None:
    assert len(mutants(text, language, 3)) <= 3


def test_junk_differs_from_what_is_right() -> None:
    made = misshapen(b"2\n10 20\n")
    assert set(made.values()).isdisjoint({b"2\n10 20\n"})
    assert made["a number with a zero before it"] == b"02\n10 20\n"
    assert made["two spaces in place of one"] == b"2\n10  20\n"
    assert "two spaces in place of one" not in misshapen(b"x")
    assert "a number with a zero before it" not in misshapen(b"a1b 1.5 -3\n")


def test_where_nothing_is_the_answer_nothing_is_no_junk() -> None:
    asked = junk(PACKAGE, lambda file: b" \n" if "a" in file.parts else b"7\n")
    names = [each.name for each in asked]
    assert "an empty file for secret/b/2" in names
    assert "an empty file for secret/a/1" not in names
    assert "random bytes for secret/a/1" in names
    assert len(asked) == 2 * len(ANYWHERE) - 2
    assert {each.valid for each in asked} == {None}
    assert [each.output for each in own_answers(PACKAGE)] == [each.answer for each in PACKAGE.cases]


async def test_a_crew_that_is_told_to_stop_lets_everybody_clear_up() -> None:
    begun, cleared = asyncio.Event(), list[str]()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(10):
                await asyncio.sleep(0)
            cleared.append("the one who worked")

    # The other three still wait, and end before the first has cleared up.
    doing = asyncio.create_task(Crew(1).do([work] * 4))
    await begun.wait()
    doing.cancel()
    await asyncio.wait({doing})
    assert cleared == ["the one who worked"]


async def test_a_crew_works_side_by_side_and_keeps_the_order() -> None:
    now, most = 0, 0

    async def work() -> int:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return now

    told: list[int] = []

    def tell(at: int, result: int) -> int:
        del result
        told.append(at)
        return at

    done = await Crew(3).do_then([work] * 10, tell)
    assert (most, done, sorted(told)) == (3, list(range(10)), list(range(10)))
    assert Crew(3).shares([1, 2, 3, 4]) == [[1, 4], [2], [3]]
    assert Crew(3).shares([]) == []


async def test_a_failure_of_one_stops_the_crew() -> None:
    stopped = asyncio.Event()

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def fails() -> None:
        await asyncio.sleep(0)
        raise SetterFailedError(Reason.SANDBOX, "no")

    with pytest.raises(SetterFailedError):
        await Crew(2).do([waits, fails])
    assert stopped.is_set()
