"""Compile once, in a box of its own; what it made leaves the box as files.

Before that the files of a source are arranged: names, units and where the program begins.
"""

import asyncio
import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass, replace

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.java_classes import classes_in, start_class
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Command, Ran, RunLimits, Workspace
from deepoj_judgement.commands.judge.steps.scripts import lacks_scripts, unpack
from deepoj_judgement.commands.judge.toolchain import MIB, Toolchain
from deepoj_languages.language import EntryPoint, Language
from deepoj_languages.scripts import BUILD, RUN

# A file system takes names of 255 bytes, and compilers put endings to those they are given.
_LONGEST_NAME = 200
_LONGEST_PATH = 1000
# What the sandbox refuses in an argument.
_REFUSED = re.compile(r"[;|&<>`\"'\\\x00-\x1f\x7f\ud800-\udfff]|\$[({]|(?:^|[/=:,])\.\.(?:[/=:,]|$)")
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
SCRIPT_LIMITS = replace(LIMITS, cpu_ms=120_000, wall_ms=180_000)
"""A script of a package may compile several programs."""


@dataclass(frozen=True, slots=True)
class Arranged:
    files: Mapping[str, bytes]
    units: tuple[str, ...]
    """What the compiler is given by name; the rest is found by inclusion or import."""
    main: str


async def compile_source(
    workspace: Workspace, toolchain: Toolchain, files: Mapping[str, bytes], entry: str = ""
) -> Program | CompileFailed:
    language = toolchain.language
    source = arrange(language, files, entry)
    if isinstance(source, CompileFailed):
        return source
    if not language.compile or (source.main == RUN and language.entry is EntryPoint.SCRIPTS):
        return Program(source.files, source.main, source=source.files)
    made = await _compile(workspace, toolchain, source, language.compile)
    if isinstance(made, CompileFailed):
        return made
    if missing := [name for name in language.artifacts if name not in made.files]:
        reason = f"the compiler made no file {missing[0]}, or a larger one than {_ARTIFACT_MIB} MiB\n"
        return CompileFailed(made.log + reason.encode())
    return await asyncio.to_thread(unpack, made) if language.entry is EntryPoint.SCRIPTS else made


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
    scripts = toolchain.language.entry is EntryPoint.SCRIPTS
    limits = SCRIPT_LIMITS if scripts else LIMITS
    memory_kib = limits.memory_bytes // 1024
    command = Command(
        steps=tuple(toolchain.compile_argv(step, source.units, source.main, memory_kib) for step in steps),
        limits=limits,
        environment=toolchain.environment(memory_kib),
    )
    async with workspace.box() as box:
        for name, content in source.files.items():
            await box.put(name, content, executable=scripts)
        ran = await box.run(command, take=toolchain.language.artifacts)
        log = _log_of(ran)
    if ran.report.verdict is not SandboxVerdict.OK:
        return CompileFailed(log + _reason(ran.report.verdict))
    return Program(ran.taken, source.main, log, source=source.files)


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


def arrange(language: Language, files: Mapping[str, bytes], entry: str = "") -> Arranged | CompileFailed:
    """`entry` is the file its author begins in. Names that cannot be used are a fault of the source."""
    if language.entry is EntryPoint.SCRIPTS:
        return lacks_scripts(files) or Arranged(files, (), BUILD if BUILD in files else RUN)
    units = [name for name in sorted(files) if name.endswith(language.suffixes)]
    if not units:
        return CompileFailed(f"no file ends in {' or '.join(language.suffixes)}\n".encode())
    files = {**files, **{name: _plain(files[name]) for name in units}}
    if language.entry is EntryPoint.JAVA_CLASS:
        arranged = _java(files, units, entry)
    elif len(files) == 1:
        # Nobody refers to it by name, and a name may hold what no argument of a program may.
        main = language.source_name
        arranged = Arranged({main: files[units[0]]}, (main,), main)
    else:
        main = next((name for name in (entry, language.source_name) if name in units), units[0])
        arranged = Arranged(files, tuple(units), main)
    wrong = (reason for name in (*arranged.units, arranged.main) if (reason := unfit(name)))
    return next((CompileFailed(f"{reason}\n".encode()) for reason in wrong), arranged)


def unfit(name: str) -> str:
    """Say why no file, class or argument can be called so here; empty when it can."""
    shown = ascii(name[:40])[1:-1] + ("..." if len(name) > len(name[:40]) else "")
    if _REFUSED.search(name):
        return f"the name {shown} has a character that is not allowed here"
    longest = max(len(part.encode()) for part in name.split("/"))
    if longest > _LONGEST_NAME or len(name.encode()) > _LONGEST_PATH:
        return f"the name {shown} is too long: {_LONGEST_NAME} bytes are allowed"
    return ""


def _plain(source: bytes) -> bytes:
    """What editors leave in a text, and some compilers refuse, is no part of the program."""
    return source.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n")


def _java(files: Mapping[str, bytes], units: list[str], entry: str) -> Arranged:
    main = start_class([files[name] for name in units], files.get(entry, b""))
    if len(files) > 1:
        return Arranged(files, tuple(units), main)
    # A text on its own has no name of its author's: it gets the one its public class asks for.
    (source,) = files.values()
    public = (each.file_name for each in classes_in(source) if each.is_public)
    name = next(public, units[0])
    return Arranged({name: source}, (name,), main)
