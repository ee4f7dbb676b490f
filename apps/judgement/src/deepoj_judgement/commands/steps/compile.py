"""Compile once, in a box of its own; what it made leaves the box as files."""

from collections.abc import Mapping

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.arrange import arrange
from deepoj_judgement.commands.language import MIB, Toolchain
from deepoj_judgement.commands.program import CompileFailed, Program
from deepoj_judgement.commands.running import Command, Ran, RunLimits, Workspace

LOG_BYTES = 64 * 1024
LIMITS = RunLimits(
    cpu_ms=30_000,
    wall_ms=60_000,
    memory_bytes=1024 * MIB,
    output_bytes=4 * MIB,
    error_bytes=4 * MIB,
    processes=128,
)


async def compile_source(
    workspace: Workspace, toolchain: Toolchain, files: Mapping[str, bytes]
) -> Program | CompileFailed:
    language = toolchain.language
    source = arrange(language, files)
    if source is None:
        return CompileFailed(f"no file ends in {' or '.join(language.suffixes)}\n".encode())
    if not language.compile:
        return Program(source.files, source.main)
    memory_kib = LIMITS.memory_bytes // 1024
    command = Command(
        steps=toolchain.compile_steps(source.units, source.main, memory_kib),
        limits=LIMITS,
        environment=toolchain.environment(memory_kib),
    )
    async with workspace.box() as box:
        for name, content in source.files.items():
            await box.put(name, content)
        ran = await box.run(command, take=language.artifacts)
        log = _log_of(ran)
    if ran.report.verdict is not SandboxVerdict.OK:
        return CompileFailed(log + _reason(ran.report.verdict))
    if missing := [name for name in language.artifacts if name not in ran.taken]:
        return CompileFailed(log + f"the compiler made no {missing[0]}\n".encode())
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
