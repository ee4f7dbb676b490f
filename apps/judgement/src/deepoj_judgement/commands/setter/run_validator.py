"""One validator on the files it is to look at: 42 confirms one, anything else does not."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import PurePosixPath

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.ports import Programs
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.program import Program as Built
from deepoj_judgement.commands.judge.sandbox_port import Blob, JudgeBox, Ran, RunRef, Sandbox, Workspace
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.prepare_checker import LIMITS
from deepoj_judgement.commands.judge.steps.reusable_box import ReusableBox
from deepoj_judgement.commands.judge.steps.run_program import command_of, furnish
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.ports import PackageFiles
from deepoj_packages.grammars.interpreter import is_grammar, with_interpreter
from deepoj_packages.judge_data import source_names
from deepoj_packages.spec import InputArgs, Program

_CONFIRMED = 42
_SAID_BYTES = 300
_INPUT_NAME = "input"
_PATIENCE = 3
"""A program that needed all its time for so many files would need hours for all of them."""


class Wanted(Enum):
    CONFIRMED = auto()
    REFUSED = auto()
    """The package says so."""
    JUNK = auto()
    """Nobody says anything, and hardly anybody means it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One file that validators read on their standard input."""

    name: str
    content: PurePosixPath | bytes
    args: InputArgs
    wanted: Wanted = Wanted.CONFIRMED
    beside: PurePosixPath | None = None
    """Of an answer its input, whose path is the first argument."""


@dataclass(frozen=True, slots=True)
class RunValidator:
    sandbox: Sandbox
    programs: Programs
    files: PackageFiles
    limits: Limits = LIMITS

    async def __call__(
        self, program: Program, toolchain: Toolchain, subjects: Sequence[Subject], tell: Callable[[str], None]
    ) -> dict[str, str] | CompileFailed:
        """Return by its name what was said of each file that was not confirmed."""
        refused: dict[str, str] = {}
        async with self._running(program, toolchain) as validator:
            if isinstance(validator, CompileFailed):
                return validator
            late = 0
            for subject in subjects:
                if late < _PATIENCE:
                    said = await validator.refuses(subject, program.name)
                    late += said == _TOO_LATE
                else:
                    said = f"{_TOO_LATE} for {late} others, and not asked"
                tell(subject.name)
                if said is not None:
                    refused[subject.name] = said
        return refused

    @asynccontextmanager
    async def _running(
        self, program: Program, toolchain: Toolchain
    ) -> "AsyncIterator[_Validator | CompileFailed]":
        sources = self._sources(program)
        async with AsyncExitStack() as held:
            workspace = await held.enter_async_context(self.sandbox.workspace(RunRef("validator", 1)))
            built = await held.enter_async_context(
                self.programs.borrow(
                    made_of(toolchain, sources), lambda: compile_source(workspace, toolchain, sources)
                )
            )
            if isinstance(built, CompileFailed):
                yield built
                return
            boxes = await held.enter_async_context(
                ReusableBox(workspace.box, lambda box: furnish(box, built))
            )
            yield _Validator(boxes, toolchain, built, self.files, workspace, self.limits)

    def _sources(self, program: Program) -> Mapping[str, bytes]:
        names = source_names(program).items()
        contents = {name: self.files.blob(file).path.read_bytes() for name, file in names}
        if not is_grammar(program.language):
            return contents
        return with_interpreter(program.language, *contents.values())


def made_of(toolchain: Toolchain, sources: Mapping[str, bytes], entry: str = "") -> ContentHash:
    """Name a program that is kept: what is equal here is the same program."""
    parts = sorted(f"{hash_of(content)} {name}" for name, content in sources.items())
    begins = (f"begins in {entry}",) if entry else ()
    return hash_of("\n".join((toolchain.language.slug, toolchain.identity, *begins, *parts)).encode())


@dataclass(frozen=True, slots=True)
class _Validator:
    boxes: ReusableBox[JudgeBox]
    toolchain: Toolchain
    built: Built
    files: PackageFiles
    workspace: Workspace
    limits: Limits

    async def refuses(self, subject: Subject, program: str) -> str | None:
        """What it said about a file it does not confirm; None when it does."""
        first: tuple[str, ...] = ()
        beside = self.files.blob(subject.beside) if subject.beside else None
        box = await self.boxes.with_space(beside.size if beside else 0)
        if beside:
            name = f"case/{hash_of(subject.name.encode())[:32]}/{_INPUT_NAME}"
            await box.put(name, beside)
            first = (f"/app/{name}",)
        command = command_of(self.toolchain, self.built, self.limits, *first)
        command = replace(command, arguments=subject.args.for_validator(program))
        ran = await box.run(command, stdin=await content_of(subject.content, self.files, self.workspace))
        report = ran.report
        if report.exit_code == _CONFIRMED and report.verdict is SandboxVerdict.RUNTIME_ERROR:
            return None
        if report.verdict not in {SandboxVerdict.OK, SandboxVerdict.RUNTIME_ERROR}:
            return _stopped(report.verdict)
        return _said(ran) or f"exit code {report.exit_code}"


def _stopped(verdict: SandboxVerdict) -> str:
    return f"it was stopped ({verdict})"


_TOO_LATE = _stopped(SandboxVerdict.TIME_LIMIT)


async def content_of(content: PurePosixPath | bytes, files: PackageFiles, workspace: Workspace) -> Blob:
    return await workspace.file("junk", content) if isinstance(content, bytes) else files.blob(content)


def _said(ran: Ran) -> str:
    with ran.stderr.open() as errors, ran.stdout.open() as output:
        words = errors.read(_SAID_BYTES) or output.read(_SAID_BYTES)
    return words.decode(errors="replace").strip()
