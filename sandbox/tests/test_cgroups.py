"""One contract for both cgroup versions.

Version 1 is the kernel's own here. The controllers of a machine belong to one version at a time, so
version 2 runs over a directory that looks like one; joining and CPU accounting use the real thing where a
cgroup2 mount exists, since these need no controller.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from deepoj_sandbox.cgroups import detect
from deepoj_sandbox.cgroups.meter import FileMeter, v1_meter, v2_meter
from deepoj_sandbox.cgroups.port import CgroupKind, Group
from deepoj_sandbox.cgroups.v1 import V1Group
from deepoj_sandbox.cgroups.v2 import V2Group, V2Hierarchy, enable_controllers
from deepoj_sandbox.kernel.mounts import mounted

MB = 1 << 20


@dataclass
class Fake:
    """A group made of plain files, and the pen that plays the kernel."""

    group: Group
    meter: FileMeter
    write: Callable[[str, str], None]
    read: Callable[[str], str]
    empty: Callable[[], None]


V1_FILES = {
    "tasks": "",
    "cpu": ("cpuacct.usage", "0\n"),
    "now": ("memory.usage_in_bytes", "0\n"),
    "peak": ("memory.max_usage_in_bytes", "0\n"),
    "limit": ("memory.limit_in_bytes", ""),
    "oom": ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n"),
    "stat": ("memory.stat", "cache 0\nrss 0\nshmem 0\n"),
    "pids": ("pids.max", ""),
    "members": ("pids.current", "1\n"),
}
V2_FILES = {
    "cgroup.procs": "",
    "cpu": ("cpu.stat", "usage_usec 0\nuser_usec 0\n"),
    "now": ("memory.current", "0\n"),
    "peak": ("memory.peak", "0\n"),
    "limit": ("memory.max", ""),
    "oom": ("memory.events", "low 0\noom 0\noom_kill 0\n"),
    "stat": ("memory.stat", "anon 0\nfile 0\nshmem 0\n"),
    "pids": ("pids.max", ""),
    "members": ("pids.current", "1\n"),
}
FORMATS = {
    CgroupKind.V1: {
        "cpu": "{}\n",
        "oom": "oom_kill_disable 0\nunder_oom 0\noom_kill {}\n",
        "stat": "cache {}\nrss 1\nshmem 0\n",
    },
    CgroupKind.V2: {
        "cpu": "usage_usec {}\n",
        "oom": "low 0\noom 9\noom_kill {}\n",
        "stat": "anon 1\nfile {}\nshmem 0\n",
    },
}


@pytest.fixture(params=[CgroupKind.V1, CgroupKind.V2])
def fake(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fake]:
    kind = CgroupKind(request.param)
    directory = tmp_path / "group"
    directory.mkdir()
    table = V1_FILES if kind is CgroupKind.V1 else V2_FILES
    names = {key: value[0] for key, value in table.items() if isinstance(value, tuple)}
    for key, value in table.items():
        name, text = value if isinstance(value, tuple) else (key, value)
        (directory / name).write_text(text)
    group: Group
    if kind is CgroupKind.V1:
        group = V1Group(dict.fromkeys(("memory", "pids", "cpuacct"), directory))
        meter = v1_meter(group.meter_files())
    else:
        group = V2Group(directory)
        meter = v2_meter(group.meter_files())

    def write(key: str, text: str) -> None:
        (directory / names[key]).write_text(FORMATS[kind].get(key, "{}\n").format(text))

    def empty() -> None:
        for path in directory.iterdir():
            path.unlink()

    yield Fake(group, meter, write, lambda key: (directory / names[key]).read_text(), empty)
    group_files_closed = not directory.exists()
    if not group_files_closed:
        empty()
        group.remove()


def test_limits_are_above_what_the_box_held_before_its_first_run(fake: Fake) -> None:
    fake.write("now", str(3 * MB))
    fake.meter.begin(64 * MB, 10)
    assert int(fake.read("limit")) == 68 * MB, "3 for the keeper, 1 for it to grow"
    assert int(fake.read("pids")) == 11


def test_what_is_left_behind_never_raises_a_limit_and_counts(fake: Fake) -> None:
    fake.write("now", str(3 * MB))
    fake.meter.begin(64 * MB, 10)
    fake.meter.end()
    fake.write("now", str(43 * MB))
    fake.write("peak", str(50 * MB))
    fake.meter.begin(64 * MB, 10)
    assert int(fake.read("limit")) == 68 * MB
    fake.write("peak", str(50 * MB))
    assert fake.meter.end().peak_bytes == 47 * MB
    fake.write("now", str(3 * MB))
    fake.meter.begin(64 * MB, 10)
    fake.write("peak", str(8 * MB))
    assert fake.meter.end().peak_bytes == 5 * MB, "what is gone does not count any more"


def test_usage_is_counted_from_the_end_of_the_last_run(fake: Fake) -> None:
    unit = 1 if fake.read("cpu").startswith("usage_usec") else 1000
    fake.write("now", str(2 * MB))
    fake.write("cpu", str(5000 * unit))
    fake.meter.end()
    fake.meter.begin(64 * MB, 10)
    fake.write("cpu", str(9000 * unit))
    fake.write("peak", str(12 * MB))
    assert fake.meter.cpu_ns() == 4_000_000
    usage = fake.meter.end()
    assert (usage.cpu_ns, usage.peak_bytes, usage.oom_kills) == (4_000_000, 10 * MB, 0)


def test_page_cache_is_not_the_programs_memory(fake: Fake) -> None:
    fake.meter.begin(64 * MB, 10)
    fake.write("peak", str(50 * MB))
    fake.write("stat", str(30 * MB))
    assert fake.meter.end().peak_bytes == 20 * MB


def test_oom_kills_are_told_once(fake: Fake) -> None:
    for total, new in ((0, 0), (2, 2), (2, 0), (3, 1)):
        fake.meter.begin(64 * MB, 10)
        fake.write("oom", str(total))
        assert fake.meter.end().oom_kills == new
        assert fake.group.oom_kills() == total


def test_the_limit_is_lifted_until_the_next_run(fake: Fake) -> None:
    fake.meter.begin(64 * MB, 10)
    fake.meter.relax()
    assert int(fake.read("limit")) > 1 << 50
    fake.write("limit", "")  # a plain file keeps the longer number's last digits
    fake.meter.begin(64 * MB, 10)
    assert int(fake.read("limit")) == 65 * MB


def test_the_keeper_alone_is_one_member(fake: Fake) -> None:
    assert fake.meter.alone()
    fake.write("members", "2")
    assert not fake.meter.alone()


def test_removing_twice_changes_nothing(fake: Fake) -> None:
    fake.empty()
    fake.group.remove()
    fake.group.remove()


def version_2(directory: Path, *, with_peak: bool) -> tuple[FileMeter, Callable[[str, int], None]]:
    """Plain files as an older kernel has them: no peak, or one that can be read only."""
    directory.mkdir()
    for key, value in V2_FILES.items():
        name, text = value if isinstance(value, tuple) else (key, value)
        if key != "peak" or with_peak:
            (directory / name).write_text(text)
    cpu, now, peak, *rest = V2Group(directory).meter_files()
    if with_peak:
        peak = os.open(directory / "memory.peak", os.O_RDONLY)

    def write(name: str, megabytes: int) -> None:
        (directory / name).write_text(f"{megabytes * MB}\n")

    return v2_meter((cpu, now, peak, *rest)), write


def test_a_peak_that_cannot_be_restarted_is_told_of_the_run_that_reached_it_only(tmp_path: Path) -> None:
    meter, write = version_2(tmp_path / "group", with_peak=True)
    peaks = []
    for peak, at_end in ((80, 2), (80, 5), (90, 2)):
        write("memory.current", 2)
        meter.begin(128 * MB, 10)
        write("memory.peak", peak)
        write("memory.current", at_end)
        peaks.append(meter.end().peak_bytes // MB)
    assert peaks == [78, 3, 88]
    assert meter.pause_ns > 0


def test_without_a_peak_the_highest_of_many_looks_stands_for_it(tmp_path: Path) -> None:
    meter, write = version_2(tmp_path / "group", with_peak=False)
    peaks = []
    for seen in ((2, 50, 10), (2, 6, 3)):
        for look, value in enumerate(seen):
            write("memory.current", value)
            if look == 0:
                meter.begin(128 * MB, 10)
            assert not meter.over_memory()
        write("memory.current", 2)
        peaks.append(meter.end().peak_bytes // MB)
    assert peaks == [48, 4]
    assert meter.pause_ns > 0


def cgroup2_mount() -> Path | None:
    points = [Path(each.point) for each in mounted() if each.kind == "cgroup2"]
    return points[0] if points and os.access(points[0], os.W_OK) else None


def test_version_2_joining_and_cpu_on_a_real_mount() -> None:
    mount = cgroup2_mount()
    if mount is None:
        pytest.skip("needs a writable cgroup2 mount")
    directory = mount / f"deepoj-test-{os.getpid()}"
    directory.mkdir()
    reader, writer = os.pipe()
    try:
        join = os.open(directory / "cgroup.procs", os.O_WRONLY)
        child = os.fork()
        if child == 0:
            os.write(join, b"0")
            total = sum(range(3_000_000))
            os.write(writer, b"x" if total else b"")
            os._exit(0)
        os.close(join)
        assert os.waitpid(child, 0)[1] == 0
        usage = int((directory / "cpu.stat").read_text().split()[1])
        assert usage > 1000, "CPU time of the child, inherited membership, no controller needed"
    finally:
        os.close(reader)
        os.close(writer)
        directory.rmdir()


def test_version_2_moves_processes_to_a_leaf_before_it_delegates(tmp_path: Path) -> None:
    """A group with processes refuses to enable controllers; plain files stand in for the kernel's."""
    (tmp_path / "cgroup.subtree_control").write_text("")
    (tmp_path / "cgroup.procs").write_text("")
    enable_controllers(tmp_path)
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_version_2_is_refused_without_controllers(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        V2Hierarchy(tmp_path, "x")


def test_what_is_asked_for_and_absent_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "v2_parents", list)
    with pytest.raises(OSError, match="cannot be used"):
        detect.open_hierarchy("x", CgroupKind.V2)


def test_without_any_cgroup_the_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "v1_mounts", dict)
    monkeypatch.setattr(detect, "v2_parents", list)
    assert detect.open_hierarchy("x").kind is CgroupKind.NONE
