"""Run validators on every input and on every answer: 42 confirms it, anything else does not."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.program import Program as Built
from deepoj_judgement.commands.judge.sandbox_port import Box, Ran, RunRef, Sandbox
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.prepare_checker import LIMITS
from deepoj_judgement.commands.judge.steps.reusable_box import ReusableBox
from deepoj_judgement.commands.judge.steps.run_program import command_of, furnish
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.errors import SetterFailedError
from deepoj_judgement.commands.setter.events import Finding, Severity, Working
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_packages.judge_data import source_names
from deepoj_packages.spec import InputArgs, ProblemSpec, Program

_CONFIRMED = 42
_SAID_BYTES = 300
INPUTS, ANSWERS = "input validators", "answer validators"
_INPUT_NAME = "input"


@dataclass(frozen=True, slots=True)
class _Subject:
    """One file that validators read on their standard input."""

    name: str
    file: PurePosixPath
    args: InputArgs
    should_fail: bool = False
    beside: PurePosixPath | None = None
    """Of an answer its input, whose path is the first argument."""


@dataclass(frozen=True, slots=True)
class ValidateData:
    sandbox: Sandbox
    files: PackageFiles
    choose: ChooseLanguage
    emit: Emit

    async def __call__(self, package: ProblemSpec) -> bool:
        """Return whether all data is as the validators want it, and all that is bad is not."""
        inputs = await self._validate(INPUTS, package.input_validators, _inputs(package))
        answers = await self._validate(ANSWERS, package.answer_validators, _answers(package))
        return inputs and answers

    async def _validate(self, about: str, programs: Sequence[Program], subjects: Sequence[_Subject]) -> bool:
        found = [(each, toolchain) for each in programs if (toolchain := self._toolchain(about, each))]
        ok = True
        rejected: set[str] = set()
        for at, (program, toolchain) in enumerate(found):
            async with self._running(about, program, toolchain) as validator:
                if validator is None:
                    ok = False
                    continue
                refused: dict[str, list[str]] = {}
                for done, subject in enumerate(subjects, start=at * len(subjects) + 1):
                    said = await validator.refuses(subject, program.name)
                    self.emit(Working(about, done, len(found) * len(subjects)))
                    if said is not None and subject.should_fail:
                        rejected.add(subject.name)
                    elif said is not None:
                        refused.setdefault(said, []).append(subject.name)
                ok = self._all_confirmed(about, program, refused) and ok
        if not found or len(found) < len(programs):
            # One that did not run might have refused what the others take.
            return ok
        return self._all_rejected(about, subjects, rejected) and ok

    def _all_confirmed(self, about: str, program: Program, refused: Mapping[str, Sequence[str]]) -> bool:
        for said, names in refused.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            self._complain(about, f"{program.name} does not confirm {names[0]}{more}: {said}")
        return not refused

    def _all_rejected(self, about: str, subjects: Sequence[_Subject], rejected: set[str]) -> bool:
        taken = [each.name for each in subjects if each.should_fail and each.name not in rejected]
        for name in taken:
            self._complain(about, f"no {about.removesuffix('s')} refuses {name}")
        return not taken

    def _toolchain(self, about: str, program: Program) -> Toolchain | None:
        """A language that Deep-OJ does not know, or this machine lacks: the data may still be right."""
        try:
            return self.choose(program.language)
        except SetterFailedError as error:
            self.emit(Finding(Severity.WARNING, about, f"{program.name} was not run: {error}"))
            return None

    @asynccontextmanager
    async def _running(
        self, about: str, program: Program, toolchain: Toolchain
    ) -> "AsyncIterator[_Validator | None]":
        async with AsyncExitStack() as held:
            workspace = await held.enter_async_context(self.sandbox.workspace(RunRef("validator", 1)))
            built = await compile_source(workspace, toolchain, self._sources(program))
            if isinstance(built, CompileFailed):
                self._complain(
                    about, f"{program.name} does not compile: {built.log.decode(errors='replace')}"
                )
                yield None
                return
            boxes = await held.enter_async_context(
                ReusableBox(workspace.box, lambda box: furnish(box, built))
            )
            yield _Validator(boxes, toolchain, built, self.files)

    def _sources(self, program: Program) -> dict[str, bytes]:
        names = source_names(program).items()
        return {name: self.files.blob(file).path.read_bytes() for name, file in names}

    def _complain(self, about: str, message: str) -> None:
        self.emit(Finding(Severity.ERROR, about, message))


@dataclass(frozen=True, slots=True)
class _Validator:
    boxes: ReusableBox[Box]
    toolchain: Toolchain
    built: Built
    files: PackageFiles

    async def refuses(self, subject: _Subject, program: str) -> str | None:
        """What it said about a file it does not confirm; None when it does."""
        first: tuple[str, ...] = ()
        beside = self.files.blob(subject.beside) if subject.beside else None
        box = await self.boxes.with_space(beside.size if beside else 0)
        if beside:
            name = f"case/{hash_of(subject.name.encode())[:32]}/{_INPUT_NAME}"
            await box.put(name, beside)
            first = (f"/app/{name}",)
        args = (*first, *subject.args.for_validator(program))
        command = command_of(self.toolchain, self.built, LIMITS, *args)
        ran = await box.run(command, stdin=self.files.blob(subject.file))
        report = ran.report
        if report.exit_code == _CONFIRMED and report.verdict is SandboxVerdict.RUNTIME_ERROR:
            return None
        if report.verdict not in {SandboxVerdict.OK, SandboxVerdict.RUNTIME_ERROR}:
            return f"it was stopped ({report.verdict})"
        return _said(ran) or f"exit code {report.exit_code}"


def _said(ran: Ran) -> str:
    with ran.stderr.open() as errors, ran.stdout.open() as output:
        words = errors.read(_SAID_BYTES) or output.read(_SAID_BYTES)
    return words.decode(errors="replace").strip()


def _inputs(package: ProblemSpec) -> list[_Subject]:
    good = [_Subject(case.name, case.input, case.input_validator_args) for case in package.cases]
    bad = [
        _Subject(each.name, each.input, each.input_validator_args, should_fail=True)
        for each in package.invalid_inputs
    ]
    return good + bad


def _answers(package: ProblemSpec) -> list[_Subject]:
    good = [
        _Subject(case.name, case.answer, InputArgs(case.output_validator_args), beside=case.input)
        for case in package.cases
        if case.answer
    ]
    bad = [
        _Subject(
            each.name, each.answer, InputArgs(each.output_validator_args), should_fail=True, beside=each.input
        )
        for each in package.invalid_answers
    ]
    return good + bad
