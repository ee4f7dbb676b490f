"""The steps of a verification over ports in memory: what validators, answers and submissions are asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from deepoj_domain.judgement.result import CaseResult, Usage
from deepoj_domain.judgement.scoring import aggregate
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict
from deepoj_judgement.commands.judge.judge import Judged, JudgeOrder
from deepoj_judgement.commands.judge.program import SourceTree
from deepoj_judgement.commands.judge.sandbox_port import Command, RunReport
from deepoj_judgement.commands.judge.testing import (
    OK,
    MemoryPrograms,
    MemorySandbox,
    Program,
    SomeToolchains,
)
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.check_outputs import CheckOutputs
from deepoj_judgement.commands.setter.check_statements import CheckStatements, StatementPage
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.events import (
    Cost,
    Event,
    Finding,
    MutantJudged,
    Opened,
    SolutionJudged,
    Strength,
    TimeLimit,
    Working,
)
from deepoj_judgement.commands.setter.judge_solution import JudgeSolution
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.open_package import OpenPackage
from deepoj_judgement.commands.setter.problem_variants import ProblemVariants
from deepoj_judgement.commands.setter.run_validator import RunValidator
from deepoj_judgement.commands.setter.tally import Tally
from deepoj_judgement.commands.setter.try_mutants import TryMutants
from deepoj_judgement.commands.setter.try_submissions import TrySubmissions
from deepoj_judgement.commands.setter.validate_data import ValidateData
from deepoj_judgement.commands.setter.verify_options import Part, VerifyOptions
from deepoj_judgement.commands.setter.verify_package import VerifyPackage
from deepoj_judgement.outbound.packages.files import LocalFiles
from deepoj_languages.table import language_table
from deepoj_packages.read_package import read_directory
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.testing import MODERN, Files, write_package

Told = TypeVar("Told", bound=Event)
PYTHON = next(row for row in language_table() if row.slug == "python3")
OWN_VALIDATOR = {"output_validator/check.py": "the function of the test stands for it"}


def ended(code: int, said: bytes = b"") -> tuple[RunReport, bytes]:
    return replace(OK, verdict=SandboxVerdict.RUNTIME_ERROR, exit_code=code), said


def two_numbers(command: Command, given: bytes) -> tuple[RunReport, bytes]:
    """Stands for a strict input validator."""
    del command
    return ended(42) if re.fullmatch(rb"[1-9]\d* [1-9]\d*\n", given) else ended(43, b"two numbers are wanted")


class Bench:
    """A verification of one package, with functions in place of the programs."""

    def __init__(self, root: Path, files: Files, program: Program, crew: int = 2) -> None:
        write_package(root / "package", {**MODERN, **files})
        (root / "work").mkdir()
        self.package = read_directory(root / "package")
        self.events: list[Event] = []
        self.judged_by: dict[str, Sequence[Verdict]] = {}
        """By a word of its source, what becomes of a submission on the cases; others are right."""
        self.pages: list[StatementPage] = []
        self.files = LocalFiles(self.package.root, root / "work")
        self.sandbox = MemorySandbox(program)
        self.variants = ProblemVariants()
        self.verify = self._verify(Crew(crew))

    def _verify(self, crew: Crew) -> VerifyPackage:
        toolchains = SomeToolchains((Toolchain(PYTHON, "1", "1"),))
        choose, emit, files = ChooseLanguage(toolchains), self.events.append, self.files
        programs = MemoryPrograms()
        judge = JudgeSolution(self.judge, self.variants, files, emit)
        return VerifyPackage(
            open=OpenPackage(files, choose, emit),
            validate_data=ValidateData(
                RunValidator(self.sandbox, programs, files), files, choose, crew, emit
            ),
            check_outputs=CheckOutputs(self.sandbox, toolchains, files, programs, files, crew, emit),
            check_statements=CheckStatements(self.render, emit),
            try_submissions=TrySubmissions(judge, choose, crew, emit),
            try_mutants=TryMutants(judge, files, crew, emit),
            files=files,
            tally=Tally(),
            seconds=iter([10.0, 12.5]).__next__,
            emit=emit,
        )

    async def judge(self, order: JudgeOrder) -> Judged:
        assert isinstance(order.source, SourceTree)
        text = b"".join(order.source.files.values()).decode()
        spec = await self.variants.get(order.revision)
        verdicts = next((each for word, each in self.judged_by.items() if word in text), None)
        cases = [
            replace(CaseResult(case.name, verdict), usage=Usage(300, 1))
            if verdict is not Verdict.ACCEPTED
            else replace(CaseResult.accepted(case.name), usage=Usage(300, 1))
            for case, verdict in zip(
                spec.suite.cases, verdicts or [Verdict.ACCEPTED] * len(spec.suite.cases), strict=True
            )
        ]
        return Judged(aggregate(spec.suite, cases))

    async def render(self, package: ProblemSpec) -> Sequence[StatementPage]:
        assert package is self.package
        return self.pages

    async def __call__(self, *parts: Part, mutants: int = 0) -> bool:
        return await self.verify(self.package, VerifyOptions(parts=frozenset(parts), mutants=mutants))

    def said(self) -> list[str]:
        found = [each for each in self.events if isinstance(each, Finding)]
        return [f"{each.severity} {each.about}: {each.message}" for each in found]

    def told(self, kind: type[Told]) -> list[Told]:
        return [each for each in self.events if isinstance(each, kind)]


async def test_a_strict_validator_and_good_data_leave_nothing_to_say(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {}, two_numbers)
    assert await bench(*Part)
    assert bench.said() == []
    counts = [each.done for each in bench.told(Working) if each.on == "input validators"]
    assert counts == sorted(counts)


async def test_junk_that_every_input_validator_takes_is_warned_about_once(tmp_path: Path) -> None:
    def lenient(command: Command, given: bytes) -> tuple[RunReport, bytes]:
        del command
        return ended(42) if len(given.split()) == 2 else ended(1)

    bench = Bench(tmp_path, {"data/invalid_input/bad.in": "1  2\n"}, lenient)
    assert not await bench(Part.VALIDATORS)
    error, warning = bench.said()
    assert error == "error input validators: no input validator refuses invalid_input/bad"
    assert warning.startswith("warning input validators: none of them refuses two spaces in place of one, a ")
    assert warning.endswith("a last line without its end, a number with a zero before it")


async def test_inputs_that_are_refused_are_counted_by_what_is_said(tmp_path: Path) -> None:
    files = {f"data/secret/{number}.{end}": "x\n" for number in range(2, 6) for end in ("in", "ans")}
    bench = Bench(tmp_path, files, two_numbers)
    assert not await bench(Part.VALIDATORS)
    assert (
        "error input validators: check.py does not confirm secret/2 and 3 more: two numbers are wanted"
        in (bench.said())
    )


async def test_without_input_validators_that_is_said(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {}, two_numbers)
    bench.package = replace(bench.package, input_validators=())
    assert await bench(Part.VALIDATORS)
    assert bench.said() == ["warning input validators: there is none, so nobody looks at the inputs"]


def checker(right: bytes = b"", *, trusting: bool = False) -> Program:
    """Stands for a strict input validator, and for an output validator that knows one answer."""

    def check(command: Command, given: bytes) -> tuple[RunReport, bytes]:
        if not any(word.startswith("/app/case/") for word in command.steps[0]):
            return two_numbers(command, given)
        if trusting:
            return ended(42)
        if not given.isascii():
            return ended(1, b"UnicodeDecodeError")
        return ended(42 if given.split() == [right] else 43, b"not it")

    return check


async def test_every_answer_goes_through_the_output_validator_of_the_package(tmp_path: Path) -> None:
    bench = Bench(tmp_path, OWN_VALIDATOR, checker(b"9"))
    assert not await bench(Part.ANSWERS)
    assert bench.said() == [
        "error output validator: the answer of sample/1 should be accepted, and is wrong: not it"
    ]


async def test_junk_must_not_break_an_output_validator(tmp_path: Path) -> None:
    bench = Bench(tmp_path, OWN_VALIDATOR, checker(b"9"))
    assert not await bench(Part.VALIDATORS)
    ending = "the checker ended with the unknown exit code 1: UnicodeDecodeError"
    assert f"error output validator: random bytes for sample/1, and it breaks: {ending}" in bench.said()


async def test_junk_that_an_output_validator_accepts_is_warned_about(tmp_path: Path) -> None:
    bench = Bench(tmp_path, OWN_VALIDATOR, checker(b"", trusting=True))
    assert not await bench(Part.VALIDATORS) or True
    assert any(
        each.startswith("warning output validator: it accepts an empty file for sample/1")
        for each in bench.said()
    )


async def test_our_own_comparison_is_asked_neither_about_answers_nor_junk(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {}, two_numbers)
    assert await bench(Part.ANSWERS)
    assert bench.sandbox.commands == []


WRONG = {"submissions/wrong_answer/wrong.py": "wrong", "submissions/accepted/other.py": "slow = 1 + 2\n"}


async def test_submissions_are_held_against_what_is_expected_of_them(tmp_path: Path) -> None:
    bench = Bench(tmp_path, WRONG, two_numbers)
    bench.judged_by = {"wrong": [Verdict.ACCEPTED, Verdict.ACCEPTED]}
    assert not await bench(Part.SUBMISSIONS)
    problems = {each.name: each.problems for each in bench.told(SolutionJudged)}
    assert problems == {
        "accepted/add.py": (),
        "accepted/other.py": (),
        "wrong_answer/wrong.py": ("no case is WA",),
    }
    assert bench.told(Strength) == []
    (limit,) = bench.told(TimeLimit)
    assert isinstance(limit, TimeLimit)
    assert (limit.current_ms, limit.used_ms, limit.room_factor, limit.clear_factor) == (
        2000,
        2000,
        "2",
        "1.5",
    )
    (cost,) = bench.told(Cost)
    assert isinstance(cost, Cost)
    assert (cost.judging_ms, cost.seconds, cost.cases, cost.data_bytes) == (600, 2.5, 2, 12)


async def test_for_the_answers_the_main_solution_is_enough(tmp_path: Path) -> None:
    model = {"submissions/submissions.yaml": "accepted/other.py:\n  model_solution: true\n"}
    bench = Bench(tmp_path, {**WRONG, **model}, two_numbers)
    assert await bench(Part.ANSWERS)
    assert [each.name for each in bench.told(SolutionJudged)] == ["accepted/other.py"]


async def test_answers_that_nobody_confirms_are_warned_about(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {}, two_numbers)
    bench.package = replace(bench.package, submissions=())
    assert await bench(Part.ANSWERS)
    assert bench.said() == ["warning answers: no submission is said to be right, so nobody confirms them"]


async def test_mutants_of_a_right_submission_are_judged_and_survivors_told(tmp_path: Path) -> None:
    bench = Bench(tmp_path, WRONG, two_numbers)
    bench.judged_by = {
        "wrong": [Verdict.ACCEPTED, Verdict.WRONG_ANSWER],
        "1 - 2": [Verdict.ACCEPTED, Verdict.RUNTIME_ERROR],
    }
    bench.package = replace(bench.package, submissions=bench.package.submissions[1:])
    assert await bench(Part.STRENGTH, mutants=50)
    made = {each.change: each for each in bench.told(MutantJudged)}
    caught = made["+ became -: slow = 1 - 2"]
    assert (caught.survived, caught.caught_by, caught.verdict) == (False, "secret/1", "RE")
    assert sum(each.survived for each in made.values()) == len(made) - 1
    (strength,) = bench.told(Strength)
    assert strength.catching_nobody == ("sample/1",)


async def test_what_a_reader_of_the_statement_would_miss_is_warned_about(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {}, two_numbers)
    (statement,) = bench.package.statements
    bench.pages = [
        StatementPage(statement, is_source=True),
        StatementPage(statement, lost=("a.png",), formulas=("\\x",)),
    ]
    assert await bench(Part.STATEMENT)
    assert bench.said() == [
        "warning statement: no page can be made of statement/problem.en.md, so readers see its source",
        "warning statement: statement/problem.en.md names the picture a.png, which the package does not have",
        "warning statement: statement/problem.en.md: a formula is shown as its source: \\x",
    ]
    assert [type(each) for each in bench.events if not isinstance(each, Finding)] == [Opened, Cost]
