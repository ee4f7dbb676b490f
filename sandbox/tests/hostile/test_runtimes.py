"""Java and Node programs that do what C programs do in the other files."""

from dataclasses import replace

import pytest

from deepoj_sandbox.host import files
from deepoj_sandbox.request import RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Finished, Laboratory, missing_tools
from sandbox.tests.runtimes import JAVA, NODE

MB = 1 << 20
LIMITS = SandboxLimits(cpu_ms=8000, wall_ms=30_000, memory_bytes=128 * MB, processes=48, open_files=256)
needs_java = pytest.mark.skipif(bool(missing_tools("javac")), reason=missing_tools("javac"))
needs_node = pytest.mark.skipif(bool(missing_tools("node")), reason=missing_tools("node"))

JAVA_PROBE = b"""
import java.io.*;
import java.net.*;
import java.nio.file.*;
public class Main {
    interface Action { void run() throws Exception; }
    static void attempt(String name, Action action) {
        try { action.run(); System.out.println(name + " granted"); } catch (Throwable refused) { }
    }
    public static void main(String[] a) throws Exception {
        attempt("connect", () -> new Socket("127.0.0.1", 80));
        attempt("listen", () -> new ServerSocket(0));
        attempt("resolve", () -> InetAddress.getByName("example.org"));
        attempt("read", () -> Files.readAllBytes(Path.of("/etc/shadow")));
        attempt("write", () -> Files.writeString(Path.of("/app/x"), "x"));
        System.out.println("done");
        System.out.flush();
        for (int i = 0; i < 10000; i++) {
            Thread thread = new Thread(() -> {
                while (true) try { Thread.sleep(1000); } catch (Exception e) { }
            });
            thread.setDaemon(true);
            thread.start();
        }
    }
}
"""
NODE_PROBE = b"""
const fs = require('fs'), net = require('net'), child = require('child_process');
const attempt = (name, action) => { try { action(); console.log(name, 'granted'); } catch (refused) { } };
attempt('read', () => fs.readFileSync('/etc/shadow'));
attempt('write', () => fs.writeFileSync('/app/x', 'x'));
const socket = net.connect(80, '127.0.0.1');
socket.on('connect', () => console.log('connect granted'));
socket.on('error', () => {
    for (let i = 0; i < 200; i++) {
        const spawned = child.spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore' });
        spawned.on('error', () => {});
        spawned.unref();
    }
    console.log('done');
    process.exit(0);
});
"""


def attack(laboratory: Laboratory, request: RunRequest, *contents: tuple[str, bytes]) -> Finished:
    box = laboratory.workshop.make()
    try:
        for name, content in contents:
            laboratory.put(box, name, content)
        before = laboratory.footprint(box)
        finished = laboratory.run_request(box, request)
        laboratory.expect_clean(box, before)
        assert laboratory.run(box, "/bin/true").status is RunStatus.OK
        return finished
    finally:
        box.close()


@needs_java
def test_java_gets_no_network_no_files_and_no_more_threads(laboratory: Laboratory) -> None:
    compiler = laboratory.workshop.make()
    try:
        laboratory.put(compiler, "Main.java", JAVA_PROBE)
        limits = replace(LIMITS, cpu_ms=30_000, wall_ms=60_000, memory_bytes=1024 * MB)
        compiled = laboratory.run(compiler, "/usr/bin/javac", "-d", "/box", "/app/Main.java", limits=limits)
        assert compiled.status is RunStatus.OK, compiled.stderr
        classes = [(name, files.take(compiler, name, MB)) for name in files.listing(compiler)]
    finally:
        compiler.close()
    request = JAVA.adapt(RunRequest(argv=("/usr/bin/java", "-cp", "/app", "Main"), limits=LIMITS))
    assert {name for name, _ in classes} == {"Main.class", "Main$Action.class"}
    finished = attack(laboratory, request, *classes)
    assert finished.stdout.startswith(b"done\n"), finished
    assert b"granted" not in finished.stdout


@needs_node
def test_node_gets_no_network_no_files_and_no_more_processes(laboratory: Laboratory) -> None:
    request = NODE.adapt(RunRequest(argv=("/usr/bin/node", "/app/main.js"), limits=LIMITS))
    finished = attack(laboratory, request, ("main.js", NODE_PROBE))
    assert finished.stdout == b"done\n", finished
    assert finished.status is RunStatus.OK
