"""Make the test data that a package leaves to its generators and its main solution, in the sandbox."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import MOST_DATA_BYTES, Limits
from deepoj_domain.question.submission_form import FileNames, SubmissionForm
from deepoj_judgement.commands.judge.errors import PolicyViolationError
from deepoj_judgement.commands.judge.ports import Programs, TestData
from deepoj_judgement.commands.judge.program import CompileFailed, SourceTree
from deepoj_judgement.commands.judge.program import Program as Built
from deepoj_judgement.commands.judge.sandbox_port import JudgeBox, Ran, RunRef, Sandbox
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.include import include
from deepoj_judgement.commands.judge.steps.reusable_box import ReusableBox
from deepoj_judgement.commands.judge.steps.run_program import APP, command_of, furnish, linked
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_judgement.commands.setter.events import Working
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.run_validator import made_of
from deepoj_packages.judge_data import entry_name, judged_form, source_names
from deepoj_packages.spec import ProblemSpec, Program, Recipe

LIMITS = Limits(cpu_ms=60_000, memory_kib=1024 * 1024, output_kib=MOST_DATA_BYTES // 1024)
_SAID_BYTES = 300
_ABOUT = "making tests"
Numbered = tuple[int, Recipe]
"""With its place among all, which decides whose failure is told."""


@dataclass(frozen=True, slots=True)
class MakeTests:
    sandbox: Sandbox
    data: TestData
    files: PackageFiles
    programs: Programs
    choose: ChooseLanguage
    crew: Crew
    emit: Emit

    async def __call__(self, package: ProblemSpec) -> ProblemSpec:
        """Return the package with all its tests; raise SetterFailedError for the first that is not made."""
        solutions = {submission.program for submission in package.submissions}
        making = _Making(len(package.recipes), self.emit)
        for stage in _stages(package.recipes):
            works = []
            for program, recipes in stage.items():
                # A solution is compiled and run as a submission is: with graders, on files by name.
                submitted = program in solutions
                form = judged_form(package, self.files.content) if submitted else SubmissionForm()
                works += [
                    partial(self._make, program, form, each, making) for each in self.crew.shares(recipes)
                ]
            await self.crew.do(works)
            making.raise_first_failure()
        return replace(package, recipes=())

    async def _make(
        self, program: Program, form: SubmissionForm, recipes: Sequence[Numbered], making: "_Making"
    ) -> None:
        at = recipes[0][0]
        if not making.matters(at):
            return
        try:
            async with self._running(program, form) as run:
                for at, recipe in recipes:
                    if not making.matters(at):
                        return
                    await run(recipe)
                    making.tell()
        except SetterFailedError as error:
            making.failures[at] = error

    @asynccontextmanager
    async def _running(self, program: Program, form: SubmissionForm) -> "AsyncIterator[_Maker]":
        toolchain = self.choose(program.language)
        async with AsyncExitStack() as held:
            workspace = await held.enter_async_context(self.sandbox.workspace(RunRef("maker", 1)))
            source = await include(self.data, form, toolchain.language, self._source(program))
            if isinstance(source, CompileFailed):
                raise _not_compiled(program, source)
            files, entry = source.files, source.entry
            made = await held.enter_async_context(
                self.programs.borrow(
                    made_of(toolchain, files, entry),
                    lambda: compile_source(workspace, toolchain, files, entry),
                )
            )
            if isinstance(made, CompileFailed):
                raise _not_compiled(program, made)
            boxes = await held.enter_async_context(ReusableBox(workspace.box, lambda box: furnish(box, made)))
            yield _Maker(boxes, toolchain, made, self.files, form.file_names)

    def _source(self, program: Program) -> SourceTree:
        names = source_names(program).items()
        contents = {name: self.files.blob(file).path.read_bytes() for name, file in names}
        return SourceTree(contents, entry_name(program))


def _stages(recipes: Sequence[Recipe]) -> list[dict[Program, list[Numbered]]]:
    """What can be made side by side, by program; what is made of another file comes after that one."""
    stages: list[dict[Program, list[Numbered]]] = []
    stage_of: dict[PurePosixPath | None, int] = {}
    for number, recipe in enumerate(recipes):
        at = stage_of.get(recipe.input, -1) + 1
        stage_of[recipe.file] = at
        if at == len(stages):
            stages.append({})
        stages[at].setdefault(recipe.program, []).append((number, recipe))
    return stages


@dataclass(slots=True)
class _Making:
    """What those who work side by side know of each other."""

    total: int
    emit: Emit
    done: int = 0
    failures: dict[int, SetterFailedError] = field(default_factory=dict)
    """By the place of the recipe."""

    def matters(self, at: int) -> bool:
        """Whether its failure would be the first: only what comes before one that is known is still made."""
        return all(at < each for each in self.failures)

    def tell(self) -> None:
        self.done += 1
        self.emit(Working(_ABOUT, self.done, self.total))

    def raise_first_failure(self) -> None:
        if self.failures:
            raise self.failures[min(self.failures)]


@dataclass(frozen=True, slots=True)
class _Maker:
    boxes: ReusableBox[JudgeBox]
    toolchain: Toolchain
    built: Built
    files: PackageFiles
    names: FileNames

    async def __call__(self, recipe: Recipe) -> None:
        words = " ".join((recipe.program.main.name, *recipe.arguments))[:200]
        try:
            ran = await self._run(recipe)
        except PolicyViolationError as error:
            raise _failed(f"{recipe.packed_as} cannot be made by {words}: {error.detail}") from error
        report = ran.report
        cut = report.stderr_truncated if recipe.to_errors else report.stdout_truncated
        if report.verdict is not SandboxVerdict.OK or cut:
            raise _failed(f"{recipe.packed_as} cannot be made by {words}: {_why(ran)}")
        written = recipe.writes or self.names.output
        printed = ran.taken.get(written) if written else ran.stdout
        if printed is None:
            raise _failed(f"{recipe.packed_as} cannot be made by {words}: it wrote no {written}")
        await asyncio.to_thread(self.files.keep, recipe.file, ran.stderr if recipe.to_errors else printed)

    async def _run(self, recipe: Recipe) -> Ran:
        command = command_of(self.toolchain, self.built, LIMITS)
        # Some print the answer to standard error.
        limits = replace(command.limits, error_bytes=MOST_DATA_BYTES)
        command = replace(command, limits=limits, arguments=recipe.arguments)
        take = tuple(name for name in (recipe.writes or self.names.output,) if name)
        given = self.files.blob(recipe.input) if recipe.input else None
        if not self.names.input or given is None:
            box = await self.boxes.with_space(0)
            return await box.run(command, stdin=given, take=take)
        box = await self.boxes.with_space(given.size)
        place = f"case/{hash_of(str(recipe.input).encode())[:32]}"
        await box.put(place, given)
        return await box.run(linked(command, {self.names.input: f"{APP}{place}"}), take=take)


def _why(ran: Ran) -> str:
    with ran.stderr.open() as errors:
        said = errors.read(_SAID_BYTES).decode(errors="replace").strip()
    return (
        f"it ended with {ran.report.verdict}, exit code {ran.report.exit_code}{f': {said}' if said else ''}"
    )


def _not_compiled(program: Program, failed: CompileFailed) -> SetterFailedError:
    return _failed(f"{program.at} does not compile: {failed.log.decode(errors='replace')}")


def _failed(message: str) -> SetterFailedError:
    return SetterFailedError(Reason.PACKAGE, message)
