"""Sources that attack their compiler: the compile step is a run like any other."""

import pytest

from deepoj_sandbox.host import files
from deepoj_sandbox.request import BoxSpec, SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Finished, Laboratory, missing_tools

MB = 1 << 20
LIMITS = SandboxLimits(
    cpu_ms=1500, wall_ms=8000, memory_bytes=192 * MB, file_bytes=16 * MB, processes=16, error_bytes=64 * 1024
)
TEMPLATES = """
template <int N, int M> struct Grid {
    static const long value = Grid<N - 1, M>::value + Grid<N, M - 1>::value + N * M;
};
template <int M> struct Grid<0, M> { static const long value = M; };
template <int N> struct Grid<N, 0> { static const long value = N; };
int main() { return Grid<880, 880>::value; }
"""
MACROS = (
    "#define A0 x x x x x x x x\n"
    + "".join(
        f"#define A{n} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1}\n"
        for n in range(1, 12)
    )
    + "int main() { A11; }\n"
)
RECURSIVE_INCLUDE = '#include "/app/main.cpp"\n#include "/app/main.cpp"\n' * 4
ERROR_FLOOD = (
    "template <class T> void f(T t) { t.x(); f(&t); }\nint main() { f(1); }\n" + "int a = b;\n" * 20000
)
HUGE_OBJECT = "int big[1 << 28] = {1};\nint main() { return big[5]; }\n"
CONSTANT_LOOP = """
constexpr int f() { int s = 0; for (int i = 0; i < 33554400; i++) s += i; return s; }
static_assert(f() && f());
int main() {}
"""
BOMBS = {
    "templates": TEMPLATES,
    "dev random": "#include </dev/random>\nint main() {}\n",
    "dev zero": '#include "/dev/zero"\nint main() {}\n',
    "macros": MACROS,
    "recursive include": RECURSIVE_INCLUDE,
    "error flood": ERROR_FLOOD,
    "huge object": HUGE_OBJECT,
    "constant loop": CONSTANT_LOOP,
}


def compile_in_box(laboratory: Laboratory, source: str) -> Finished:
    box = laboratory.workshop.make(BoxSpec(scratch_bytes=64 * MB))
    try:
        laboratory.put(box, "main.cpp", source.encode())
        return laboratory.attack_in(
            box, "/usr/bin/g++", "-O2", "-std=c++17", "-o", "main", "/app/main.cpp", limits=LIMITS
        )
    finally:
        box.close()


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_compile_bomb_is_defused(laboratory: Laboratory, bomb: str) -> None:
    finished = compile_in_box(laboratory, BOMBS[bomb])
    assert finished.status is not RunStatus.OK
    assert finished.result.cpu_ms < 4 * LIMITS.cpu_ms


def test_the_hosts_files_cannot_be_included(laboratory: Laboratory) -> None:
    finished = compile_in_box(laboratory, '#include "/etc/shadow"\nint main() {}\n')
    assert b"No such file" in finished.stderr


def test_a_program_is_compiled_in_one_box_and_run_in_another(laboratory: Laboratory) -> None:
    first, second = laboratory.workshop.make(), laboratory.workshop.make()
    try:
        laboratory.put(
            first,
            "main.cpp",
            b"#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n",
        )
        compiler = ("/usr/bin/g++", "-O2", "-o", "main", "/app/main.cpp")
        compiled = laboratory.run(
            first, *compiler, limits=SandboxLimits(cpu_ms=20_000, wall_ms=60_000, memory_bytes=512 * MB)
        )
        assert compiled.status is RunStatus.OK, compiled.stderr
        laboratory.put(second, "main", files.take(first, "main", 16 * MB), executable=True)
        assert laboratory.run(second, "/app/main", stdin=b"20 22").stdout == b"42"
    finally:
        first.close()
        second.close()


@pytest.mark.skipif(bool(missing_tools("javac")), reason=missing_tools("javac"))
def test_java_compiles_and_runs(laboratory: Laboratory) -> None:
    first, second = laboratory.workshop.make(), laboratory.workshop.make()
    limits = SandboxLimits(
        cpu_ms=30_000, wall_ms=60_000, memory_bytes=1024 * MB, processes=64, open_files=256
    )
    try:
        source = b"public class Main { public static void main(String[] a) { System.out.println(6 * 7); } }"
        laboratory.put(first, "Main.java", source)
        compiled = laboratory.run(first, "/usr/bin/javac", "-d", "/box", "/app/Main.java", limits=limits)
        assert compiled.status is RunStatus.OK, compiled.stderr
        laboratory.put(second, "Main.class", files.take(first, "Main.class", MB))
        ran = laboratory.run(second, "/usr/bin/java", "-Xmx64m", "-cp", "/app", "Main", limits=limits)
        assert ran.stdout == b"42\n", ran
    finally:
        first.close()
        second.close()
