"""Hostile submissions through the whole judge and the real sandbox: whatever they do, the verdict is theirs.

Every example must end with a verdict of a program's own kind, fit for the wire and the stores, and leave a
judge that accepts the next submission. `DEEPOJ_TEST_EXAMPLES` makes more of them than CI does.
"""

from __future__ import annotations

import asyncio
import os
import struct
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from deepoj_domain.documents import JUDGE_RESULT
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.limits import Limits
from deepoj_domain.submission.route import Lane
from deepoj_judgement.commands.judge.errors import LanguageNotInstalledError
from deepoj_judgement.commands.judge.judge import Judged
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_kit.documents import Document
from deepoj_languages.language import Language
from deepoj_sandbox.testing import missing_tools

from .conftest import Bench

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

EXAMPLES = int(os.environ.get("DEEPOJ_TEST_EXAMPLES", "8"))
LIMITS = Limits(cpu_ms=400, memory_kib=64 * 1024, output_kib=256)
OWN = {
    Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.PRESENTATION_ERROR, Verdict.TIME_LIMIT,
    Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT, Verdict.RUNTIME_ERROR, Verdict.COMPILE_ERROR,
}  # fmt: skip
hostile = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
)


def made_by(slug: str, *compile_step: str) -> Toolchain:
    """A language whose program is whatever its compile step leaves."""
    language = Language(
        slug=language_slug(slug), name=slug, lane=Lane.LIGHT, source_name="main.bin", compile=(compile_step,),
        artifacts=("main",), run=("/app/main",), version=("true",), package="none", template="",
    )  # fmt: skip
    return Toolchain(language, "1", slug)


class WithMade:
    """The languages of this machine, and two without a compiler between an author and what is run."""

    def __init__(self, installed: InstalledToolchains) -> None:
        self._installed = installed
        self._made = {
            each.language.slug: each
            for each in (
                made_by("raw", "/bin/cp", "/app/main.bin", "main"),
                made_by("made", "/usr/bin/python3", "/app/main.bin"),
            )
        }

    def table(self) -> tuple[Language, ...]:
        return (*self._installed.table(), *(each.language for each in self._made.values()))

    def find(self, language: LanguageSlug) -> Toolchain:
        return self._made.get(language) or self._installed.find(language)


@pytest.fixture
def attacked(agent_sandbox: AgentSandbox, toolchains: InstalledToolchains) -> Bench:
    return Bench(agent_sandbox, WithMade(toolchains))


def judged(bench: Bench, source: bytes, language: str, cases: int = 2) -> Judged:
    """Judge it, and an honest program after it."""

    async def both() -> tuple[Judged, Judged]:
        attack = await bench.judge(
            {"main.bin" if language in {"raw", "made"} else "main.py": source},
            [("", f"{number}") for number in range(cases)],
            language=language,
            limits=LIMITS,
        )
        return attack, await bench.judge("print('any')", (("", "any"),), language="python3")

    attack, honest = asyncio.run(both())
    assert honest.result.verdict is Verdict.ACCEPTED
    assert attack.result.verdict in OWN
    assert Document(JUDGE_RESULT, InvalidValueError).encode(attack.result)
    assert msgspec.json.encode(attack.result)
    assert attack.logs is not None
    assert all(msgspec.json.encode(each.report.judge_json(attack.logs.ref)) for each in attack.logs.cases)
    return attack


EDGES = st.sampled_from([0, 1, 2, 3, 7, 63, 64, 120, 4095, 4096, 0x400000, 1 << 31, 1 << 47, (1 << 63) - 1])
WORD, HALF = EDGES, EDGES.map(lambda value: value & 0xFFFF)
INTERPRETERS = st.one_of(
    st.sampled_from(
        [b"/nonexistent\0", b"/\0", b"\0", b"/app/main\0", b"/bin/sh\0", b"/" + b"x" * 4094 + b"\0"]
    ),
    st.binary(max_size=64),
)


@st.composite
def elf_files(draw: DrawFn) -> bytes:
    """A header and a few segments with edges for values."""
    segments = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 7), WORD, WORD, WORD), max_size=3))
    interpreter = draw(INTERPRETERS)
    count = len(segments) + 1
    start = 64 + 56 * count
    header = b"\x7fELF\x02\x01\x01" + bytes(9)
    header += struct.pack(
        "<HHIQQQIHHHHHH", draw(st.sampled_from([2, 3, 1, 0])), draw(st.sampled_from([62, 62, 62, 3, 40])), 1,
        draw(WORD), draw(st.sampled_from([64, 64, 0, 1 << 40])), 0, 0, 64,
        draw(st.sampled_from([56, 56, 0, 57])), draw(st.sampled_from([count, count, 0, 0xFFFF])), 0, 0, 0,
    )  # fmt: skip
    body = struct.pack("<IIQQQQQQ", 3, 4, start, 0, 0, len(interpreter), len(interpreter), 1)
    for kind, flags, offset, address, size in segments:
        body += struct.pack("<IIQQQQQQ", kind, flags, offset, address, address, size, size, 4096)
    return header + body + interpreter


@hostile
@given(st.one_of(elf_files(), st.binary(max_size=200), st.binary(max_size=100).map(lambda end: b"#!" + end)))
@example(b"")
@example(b"#!/nonexistent\n")
def test_whatever_is_to_be_started_has_a_verdict(attacked: Bench, content: bytes) -> None:
    assert judged(attacked, content, "raw").result.verdict is not Verdict.COMPILE_ERROR


@pytest.fixture(scope="session")
def real_program(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    if missing := missing_tools("gcc"):
        pytest.skip(missing)
    directory = tmp_path_factory.mktemp("real")
    (directory / "main.c").write_text("int main(void) { return 0; }")
    subprocess.run(["gcc", "-O1", "main.c", "-o", "main"], cwd=directory, check=True)
    return Path(directory, "main").read_bytes()


@hostile
@given(st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 255)), min_size=1, max_size=8))
def test_a_real_program_with_spoiled_headers_has_a_verdict(
    attacked: Bench, real_program: bytes, changes: list[tuple[int, int]]
) -> None:
    content = bytearray(real_program)
    for at, value in changes:
        content[at] = value
    judged(attacked, bytes(content), "raw")


NAMES = st.one_of(
    st.sampled_from(
        [
            b"lifted 1",
            b"lifted 2",
            b"\xff\xfe",
            b"x" * 255,
            b"a\nb",
            b"-rf",
            b" ",
            b"\xe2\x80\xae",
            b"...",
            b"main",
        ]
    ),
    st.binary(min_size=1, max_size=20).filter(
        lambda name: not set(name) & set(b"\0/") and name not in {b".", b".."}
    ),
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(b"/".join)
DEEDS = st.one_of(
    st.tuples(st.sampled_from(["makedirs", "mkfifo", "mknod", "unlink", "rmdir"]), PATHS),
    st.tuples(st.sampled_from(["symlink", "link", "rename"]), PATHS, PATHS),
    st.tuples(st.just("chmod"), PATHS, st.sampled_from([0, 0o111, 0o222, 0o444, 0o7777])),
    st.tuples(st.just("truncate"), PATHS, st.sampled_from([0, 1, 1 << 20, 65 << 20])),
)
TREE = """
import os
for name, *arguments in {deeds}:
    try: getattr(os, name)(*arguments)
    except OSError: pass
"""


@hostile
@given(st.lists(DEEDS, min_size=1, max_size=25))
@example([("makedirs", b"lifted 1/x")])
def test_no_tree_of_files_takes_the_judge_with_it(attacked: Bench, deeds: list[tuple[object, ...]]) -> None:
    program = TREE.format(deeds=deeds) + "print(0)"
    verdicts = {case.verdict for case in judged(attacked, program.encode(), "python3", 3).result.cases}
    assert verdicts == {Verdict.ACCEPTED, Verdict.WRONG_ANSWER}


@hostile
@given(st.lists(DEEDS, max_size=15), st.sampled_from(["", "os.mkdir('main')", "open('main', 'w')"]))
@example([], "os.mkdir('main')")
@example([], "os.mkfifo('main')")
@example([], "os.symlink('/etc/passwd', 'main')")
@example([], "open('main', 'w').truncate(100 << 20)")
@example([], "os.symlink('main', 'main')")
@example([], "[open(f'f{n}', 'w').close() for n in range(3000)]")
@example([], "print('x' * (8 << 20))")
@example([], "os.write(2, bytes(range(256)) * 2000)")
@example([], "open('main', 'w').write('x'); os.chmod('main', 0)")
@example([], "[os.fork() for _ in range(4)]; open('main', 'w')")
@example([], "os.kill(os.getpid(), 11)")
@example([], "import socket; socket.socket(socket.AF_UNIX).bind('main')")
@example([], "[open(f'f{n}', 'w').close() for n in range(10_000)]")
@example([], "[(os.mkdir('d'), os.chdir('d')) for _ in range(2_000)]")
@example([], "os.symlink('/proc/self/exe', 'main')")
@example([], "os.symlink('/proc/self/fd/0', 'main')")
@example([], "os.link('/app/main.bin', 'main')")
@example([], "os.closerange(0, 100)")
@example([], "os.fork() or (os.setsid(), __import__('time').sleep(60))")
@example([], "os.dup2(1, 0); os.setsid(); os.kill(0, 19)")
def test_whatever_compiling_leaves_has_a_verdict(
    attacked: Bench, deeds: list[tuple[object, ...]], last: str
) -> None:
    program = TREE.format(deeds=deeds) + f"{last}\n"
    verdict = judged(attacked, program.encode(), "made").result.verdict
    assert verdict in {Verdict.COMPILE_ERROR, Verdict.RUNTIME_ERROR}


SOURCES = [
    b"",
    b"\0",
    b"print(1)\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\x1a",
    b"(" * 50_000,
    b"#" + b"x" * 60_000,
]


@pytest.mark.parametrize("source", SOURCES, ids=range(len(SOURCES)))
@pytest.mark.parametrize("language", ["python3", "c11", "java17", "node", "perl"])
async def test_whatever_a_source_is_made_of_it_has_a_verdict(
    bench: Bench, language: str, source: bytes
) -> None:
    name = next(row.source_name for row in bench.toolchains.table() if row.slug == language)
    try:
        judged = await bench.judge({name: source}, language=language, limits=LIMITS)
    except LanguageNotInstalledError as error:
        pytest.skip(str(error))
    assert judged.result.verdict in OWN
    assert Document(JUDGE_RESULT, InvalidValueError).encode(judged.result)


@pytest.mark.parametrize("name", ["A$B", "Ünïcode"])
async def test_a_class_with_an_unusual_name_is_run(bench: Bench, name: str) -> None:
    if missing := missing_tools("javac"):
        pytest.skip(missing)
    body = 'public static void main(String[] a) { System.out.println("any"); }'
    source = f"public class {name} {{ {body} }}"
    assert (await bench.judge(source, language="java17")).result.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("memory_kib", [1, 1024, 2048, 4096])
@pytest.mark.parametrize("language", ["python3", "raw"])
async def test_a_program_that_has_no_memory_to_start_with_has_a_verdict(
    attacked: Bench, real_program: bytes, language: str, memory_kib: int
) -> None:
    source = {"main.py": b"print(1)", "main.bin": real_program}
    limits = replace(LIMITS, memory_kib=memory_kib)
    result = (await attacked.judge(source, (("", "1"), ("", "1")), language=language, limits=limits)).result
    assert result.verdict in OWN


PRINTS = """
import os, signal
os.write(1, {output})
os.write(2, {errors})
{end}
"""
ENDS = st.one_of(
    st.integers(0, 255).map(lambda code: f"os._exit({code})"),
    st.integers(1, 64).map(lambda number: f"signal.alarm(1); os.kill(os.getpid(), {number})"),
    st.sampled_from(["os.write(1, b'x' * (1 << 19))", "os.close(1); os.close(2)", "x = bytearray(1 << 30)"]),
)
TEXTS = st.one_of(
    st.binary(max_size=300),
    st.sampled_from(
        [b"\0" * 100, b"\xed\xa0\x80", b"\xff" * 50, b"1" * 5000 + b"e1000000", b"\x1b[2J", b"nan inf"]
    ),
)


@hostile
@given(TEXTS, TEXTS, ENDS)
def test_whatever_is_printed_and_however_it_ends_there_is_a_verdict(
    attacked: Bench, output: bytes, errors: bytes, end: str
) -> None:
    judged(attacked, PRINTS.format(output=output, errors=errors, end=end).encode(), "python3")
