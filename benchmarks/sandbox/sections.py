"""What is measured. Each section returns plain numbers; none asserts anything."""

import itertools
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import uvloop

from benchmarks.sandbox.programs import Programs
from benchmarks.sandbox.runners import Runner, Spawned, ThroughAgent, WarmBox, bubblewrap, isolate, opened
from deepoj_sandbox.client import connect
from deepoj_sandbox.host import files
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.request import SandboxLimits
from deepoj_sandbox.testing import Laboratory, entries

Numbers = dict[str, float]
Report = dict[str, Numbers]
_WARM_UP = 20
_SPIN_MS = 200
_RUNS_PER_BOX = 1000


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def compare(workshop: Workshop, programs: Programs, state: Path, runs: int) -> Report:
    """Each runner in turn with the bare one, run by run, so that a busy moment hits both alike.

    In pairs, because a runner that makes namespaces for every run leaves the kernel busy destroying them,
    which whoever is measured next would pay for; ours first, for the same reason.
    """
    report: Report = {}
    agent = _start_agent(state)
    loop = uvloop.new_event_loop()  # as the worker does
    try:
        for label, program in (("hello", programs.hello), ("a+b", programs.sum)):
            box = workshop.make()
            client = loop.run_until_complete(connect(str(state / "agent.sock")))
            remote = loop.run_until_complete(client.open_box(wait_ms=10_000))
            bare = Spawned(programs.bare, programs.input, str(program))
            runners: dict[str, Runner] = {
                "warm box": WarmBox(box, program, programs.input),
                "through agent": ThroughAgent(loop, remote, program, programs.input),
            }
            others = {"bubblewrap": bubblewrap(program), "isolate": isolate(program)}
            spawned = {
                name: Spawned(programs.bare, programs.input, *command)
                for name, command in others.items()
                if command
            }
            for name, runner in (runners | spawned).items():
                report |= _ratios(label, name, _interleave({"bare": bare, name: runner}, runs))
            for each in (bare, *spawned.values()):
                each.close()
            client.close()
            box.close()
    finally:
        loop.close()
        agent.terminate()
        agent.communicate()
    return report


def _start_agent(state: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "deepoj_sandbox", "agent", "--state", str(state)]
    agent = subprocess.Popen(command, stderr=subprocess.PIPE)
    for line in agent.stderr or ():
        if b"listening" in line:
            return agent
    raise RuntimeError("the agent did not start")


def _interleave(runners: dict[str, Runner], runs: int) -> dict[str, list[int]]:
    times: dict[str, list[int]] = {name: [] for name in runners}
    for number in range(runs + _WARM_UP):
        for name, runner in runners.items():
            taken = runner()
            if number >= _WARM_UP:
                times[name].append(taken)
    return times


def _ratios(label: str, name: str, times: dict[str, list[int]]) -> Report:
    (bare_median, bare_p95), (median, p95) = (
        [quantile(values, share) / 1000 for share in (0.5, 0.95)] for values in times.values()
    )
    return {
        f"{label}: {name}": {
            "bare_median_us": bare_median,
            "median_us": median,
            "bare_p95_us": bare_p95,
            "p95_us": p95,
            "median_ratio": median / bare_median,
            "p95_ratio": p95 / bare_p95,
        }
    }


def boxes(workshop: Workshop, programs: Programs, state: Path, runs: int) -> Report:
    """What it costs to make and to destroy a box."""
    del programs, state
    made, closed = [], []
    for _ in range(max(runs // 10, 10)):
        start = time.perf_counter()
        box = workshop.make()
        middle = time.perf_counter()
        box.close()
        made.append((middle - start) * 1000)
        closed.append((time.perf_counter() - middle) * 1000)
    return {
        name: {"median_ms": quantile(values, 0.5), "p95_ms": quantile(values, 0.95)}
        for name, values in (("make box", made), ("close box", closed))
    }


def throughput(workshop: Workshop, programs: Programs, state: Path, runs: int) -> Report:
    """Runs a second of one box, then of two at once, in pairs so that both meet the same machine."""
    del state
    report: Report = {}
    for label, program, count in (
        ("hello", programs.hello, runs),
        ("a+b", programs.sum, runs),
        ("20 ms of work", programs.work, max(runs // 20, 10)),
    ):
        made = [workshop.make(), workshop.make()]
        pair = [WarmBox(box, program, programs.input) for box in made]
        ones, twos = [], []
        for _ in range(5):
            ones.append(count / _timed([_many(pair[0], count)]))
            twos.append(2 * count / _timed([_many(each, count) for each in pair]))
        for box in made:
            box.close()
        one, two = statistics.median(ones), statistics.median(twos)
        report[f"throughput: {label}"] = {"one_per_s": one, "two_per_s": two, "ratio": two / one}
    return report


def _many(runner: WarmBox, count: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(count):
            runner()

    return work


def _timed(jobs: list[Callable[[], None]]) -> float:
    threads = [threading.Thread(target=job) for job in jobs]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def overshoot(workshop: Workshop, programs: Programs, state: Path, runs: int) -> Report:
    """How far past its CPU limit a busy program gets."""
    laboratory = Laboratory(workshop, state)
    box = workshop.make()
    with opened(programs.spin) as source:
        files.put(box, "spin", source, executable=True)
    limits = SandboxLimits(cpu_ms=_SPIN_MS, wall_ms=60_000)
    past = [
        laboratory.run(box, "/app/spin", limits=limits).result.cpu_ns / 1e6 - _SPIN_MS
        for _ in range(max(runs // 20, 10))
    ]
    box.close()
    return {
        f"overshoot of {_SPIN_MS} ms CPU": {
            "median_ms": quantile(past, 0.5),
            "p95_ms": quantile(past, 0.95),
            "max_ms": max(past),
        }
    }


def leak(workshop: Workshop, programs: Programs, state: Path, runs: int) -> Report:
    """Many runs in boxes that are replaced now and then; what has grown, and whether a run costs more."""
    del state
    before = _inventory(workshop)
    early: list[int] = []
    late: list[int] = []
    box = workshop.make()
    runner = WarmBox(box, programs.hello, programs.input)
    for number in itertools.count():
        taken = runner()
        if number < runs // 10:
            early.append(taken)
        if number >= runs - runs // 10:
            late.append(taken)
        if number + 1 >= runs:
            break
        if (number + 1) % _RUNS_PER_BOX == 0:
            box.close()
            box = workshop.make()
            runner = WarmBox(box, programs.hello, programs.input)
    keeper = _resident_kb(box.keeper_pid)
    box.close()
    after = _inventory(workshop)
    grown: Numbers = {f"{name}_grown": after[name] - before[name] for name in before}
    grown |= {
        "runs": runs,
        "keeper_rss_kb_after_last_1000": keeper,
        "median_us_first_tenth": quantile(early, 0.5) / 1000,
        "median_us_last_tenth": quantile(late, 0.5) / 1000,
    }
    return {"leak": grown}


def _resident_kb(process: int) -> float:
    text = Path(f"/proc/{process}/status").read_text()
    return float(text.split("VmRSS:")[1].split()[0])


def _inventory(workshop: Workshop) -> Numbers:
    groups = [line.split() for line in Path("/proc/cgroups").read_text().splitlines()[1:]]
    return {
        "host_rss_kb": _resident_kb(os.getpid()),
        "host_peak_rss_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "factory_rss_kb": _resident_kb(workshop.factory_pid),
        "host_descriptors": entries("/proc/self/fd"),
        "factory_descriptors": entries(f"/proc/{workshop.factory_pid}/fd"),
        "mounts": len(Path("/proc/self/mountinfo").read_text().splitlines()),
        "cgroups": sum(float(fields[2]) for fields in groups),
    }
