"""Compile once, in a box of its own; what it made leaves the box as files."""

from collections.abc import Mapping

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.arrange_source import Arranged, arrange
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Command, Ran, RunLimits, Workspace
from deepoj_judgement.commands.judge.toolchain import MIB, Toolchain

LOG_BYTES = 64 * 1024
_ARTIFACT_MIB = 64
LIMITS = RunLimits(
    cpu_ms=30_000,
    wall_ms=60_000,
    memory_bytes=1024 * MIB,
    output_bytes=4 * MIB,
    error_bytes=4 * MIB,
    processes=128,
)


async def compile_source(
    workspace: Workspace, toolchain: Toolchain, files: Mapping[str, bytes], entry: str = ""
) -> Program | CompileFailed:
    language = toolchain.language
    source = arrange(language, files, entry)
    if isinstance(source, CompileFailed):
        return source
    if not language.compile:
        return Program(source.files, source.main)
    made = await _compile(workspace, toolchain, source, language.compile)
    if isinstance(made, CompileFailed):
        return made
    if missing := [name for name in language.artifacts if name not in made.files]:
        reason = f"the compiler made no file {missing[0]}, or a larger one than {_ARTIFACT_MIB} MiB\n"
        return CompileFailed(made.log + reason.encode())
    return made


async def syntax_error(
    workspace: Workspace, toolchain: Toolchain, files: Mapping[str, bytes]
) -> CompileFailed | None:
    """Say why a program that crashed could never have run; None when it could, or when nobody can tell."""
    source = arrange(toolchain.language, files)
    if isinstance(source, CompileFailed) or not toolchain.language.syntax:
        return None
    checked = await _compile(workspace, toolchain, source, (toolchain.language.syntax,))
    return checked if isinstance(checked, CompileFailed) else None


async def _compile(
    workspace: Workspace, toolchain: Toolchain, source: Arranged, steps: tuple[tuple[str, ...], ...]
) -> Program | CompileFailed:
    memory_kib = LIMITS.memory_bytes // 1024
    command = Command(
        steps=tuple(toolchain.compile_argv(step, source.units, source.main, memory_kib) for step in steps),
        limits=LIMITS,
        environment=toolchain.environment(memory_kib),
    )
    async with workspace.box() as box:
        for name, content in source.files.items():
            await box.put(name, content)
        ran = await box.run(command, take=toolchain.language.artifacts)
        log = _log_of(ran)
    if ran.report.verdict is not SandboxVerdict.OK:
        return CompileFailed(log + _reason(ran.report.verdict))
    return Program(ran.taken, source.main, log)


def _log_of(ran: Ran) -> bytes:
    with ran.stdout.open() as output, ran.stderr.open() as errors:
        return errors.read(LOG_BYTES) + output.read(LOG_BYTES)


def _reason(verdict: SandboxVerdict) -> bytes:
    """A compiler that was stopped says nothing itself."""
    match verdict:
        case SandboxVerdict.TIME_LIMIT:
            return b"the compiler was stopped: time limit\n"
        case SandboxVerdict.MEMORY_LIMIT:
            return b"the compiler was stopped: memory limit\n"
        case SandboxVerdict.OUTPUT_LIMIT:
            return b"the compiler was stopped: output limit\n"
        case SandboxVerdict.OK | SandboxVerdict.RUNTIME_ERROR | SandboxVerdict.SYSTEM_ERROR:
            return b""
