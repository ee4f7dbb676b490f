"""Run the input validators on every input: 42 confirms it, anything else does not."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.program import Program as Built
from deepoj_judgement.commands.judge.sandbox_port import Box, Ran, RunRef, Sandbox, Workspace
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.prepare_checker import LIMITS
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
ABOUT = "input validators"


@dataclass(frozen=True, slots=True)
class ValidateInputs:
    sandbox: Sandbox
    files: PackageFiles
    choose: ChooseLanguage
    emit: Emit

    async def __call__(self, package: ProblemSpec) -> bool:
        """Return whether every input is as the validators want it, and every bad one is not."""
        found = [
            (each, toolchain) for each in package.input_validators if (toolchain := self._toolchain(each))
        ]
        inputs = _inputs(package)
        ok = True
        rejected: set[str] = set()
        for at, (program, toolchain) in enumerate(found):
            async with self._running(program, toolchain) as validator:
                if validator is None:
                    ok = False
                    continue
                refused: dict[str, list[str]] = {}
                for done, (name, file, args, should_fail) in enumerate(inputs, start=at * len(inputs) + 1):
                    said = await validator.refuses(file, args.for_validator(program.name))
                    self.emit(Working(ABOUT, done, len(found) * len(inputs)))
                    if said is not None and should_fail:
                        rejected.add(name)
                    elif said is not None:
                        refused.setdefault(said, []).append(name)
                ok = self._all_confirmed(program, refused) and ok
        if len(found) < len(package.input_validators):
            # One that did not run might have refused what the others take.
            return ok
        return self._all_rejected(package, rejected) and ok

    def _all_confirmed(self, program: Program, refused: Mapping[str, Sequence[str]]) -> bool:
        for said, names in refused.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            self._complain(f"{program.name} does not confirm {names[0]}{more}: {said}")
        return not refused

    def _all_rejected(self, package: ProblemSpec, rejected: set[str]) -> bool:
        if not package.input_validators:
            return True
        taken = [each.name for each in package.invalid_inputs if each.name not in rejected]
        for name in taken:
            self._complain(f"no input validator refuses {name}")
        return not taken

    def _toolchain(self, program: Program) -> Toolchain | None:
        """A language that Deep-OJ does not know, or this machine lacks: the data may still be right."""
        try:
            return self.choose(program.language)
        except SetterFailedError as error:
            self.emit(Finding(Severity.WARNING, ABOUT, f"{program.name} was not run: {error}"))
            return None

    @asynccontextmanager
    async def _running(self, program: Program, toolchain: Toolchain) -> "AsyncIterator[_Validator | None]":
        async with AsyncExitStack() as held:
            workspace = await held.enter_async_context(self.sandbox.workspace(RunRef("input-validator", 1)))
            built = await compile_source(workspace, toolchain, self._sources(program))
            if isinstance(built, CompileFailed):
                self._complain(f"{program.name} does not compile: {built.log.decode(errors='replace')}")
                yield None
                return
            box = await self._furnished(held, workspace, built)
            yield _Validator(box, toolchain, built, self.files)

    async def _furnished(self, held: AsyncExitStack, workspace: Workspace, built: Built) -> Box:
        box = await held.enter_async_context(workspace.box())
        await furnish(box, built)
        return box

    def _sources(self, program: Program) -> dict[str, bytes]:
        names = source_names(program).items()
        return {name: self.files.blob(file).path.read_bytes() for name, file in names}

    def _complain(self, message: str) -> None:
        self.emit(Finding(Severity.ERROR, ABOUT, message))


@dataclass(frozen=True, slots=True)
class _Validator:
    box: Box
    toolchain: Toolchain
    built: Built
    files: PackageFiles

    async def refuses(self, file: PurePosixPath, args: tuple[str, ...]) -> str | None:
        """What it said about an input it does not confirm; None when it does."""
        command = command_of(self.toolchain, self.built, LIMITS, *args)
        ran = await self.box.run(command, stdin=self.files.blob(file))
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


def _inputs(package: ProblemSpec) -> list[tuple[str, PurePosixPath, InputArgs, bool]]:
    good = [(case.name, case.input, case.input_validator_args, False) for case in package.cases]
    bad = [(each.name, each.input, each.input_validator_args, True) for each in package.invalid_inputs]
    return good + bad
