"""The filter of each architecture: what an interpreter of its program answers, and its numbers."""

from __future__ import annotations

import errno
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepoj_sandbox.kernel import seccomp
from deepoj_sandbox.kernel.syscall_table import TABLES, SystemCalls

KILL, ALLOW, PRETEND = "kill", "allow", "pretend"
REFUSE, ABSENT = errno.EPERM, errno.ENOSYS
SECRET = 0x1122334455667788
X86_64, AARCH64 = TABLES["x86_64"], TABLES["aarch64"]
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    # The numbers of aarch64 are the generic ones.
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
BOTH = pytest.mark.parametrize("machine", sorted(TABLES))


class Kernel:
    """Runs a filter as Linux does: classic BPF over struct seccomp_data."""

    def __init__(self, machine: str, *, charged: bool = True) -> None:
        self.calls: SystemCalls = TABLES[machine]
        code = seccomp.program(SECRET, charged=charged, machine=machine)
        self._program = list(struct.iter_unpack("=HBBI", code))

    def __call__(self, name: str, *arguments: int) -> str | int:
        return self.number({**self.calls.allowed, **self.calls.decided}[name], *arguments)

    def number(self, number: int, *arguments: int, arch: int | None = None) -> str | int:
        words = (*arguments, *(0,) * (6 - len(arguments)))
        data = struct.pack("=iIQ6Q", number, self.calls.audit_arch if arch is None else arch, 0, *words)
        accumulator, place = 0, 0
        while True:
            code, if_true, if_false, value = self._program[place]
            place += 1
            if code == 0x20:
                [accumulator] = struct.unpack_from("=I", data, value)
            elif code == 0x06:
                return _answer(value)
            else:
                holds = {
                    0x15: accumulator == value,
                    0x25: accumulator > value,
                    0x35: accumulator >= value,
                    0x45: bool(accumulator & value),
                }[code]
                place += if_true if holds else if_false


def _answer(value: int) -> str | int:
    if value == 0x80000000:
        return KILL
    if value == 0x7FFF0000:
        return ALLOW
    assert value >> 16 == 0x0005
    return value & 0xFFFF or PRETEND


@BOTH
def test_what_is_in_the_table_is_allowed_and_what_is_not_is_refused(machine: str) -> None:
    kernel = Kernel(machine)
    allowed, decided = set(kernel.calls.allowed.values()), set(kernel.calls.decided.values())
    for number in range(600):
        if number in allowed:
            assert kernel.number(number) == ALLOW
        elif number not in decided:
            assert kernel.number(number) == (REFUSE if number <= kernel.calls.last_old else ABSENT)
    assert kernel("seccomp") == REFUSE


@BOTH
def test_the_numbers_of_another_architecture_kill(machine: str) -> None:
    kernel = Kernel(machine)
    for arch in {X86_64.audit_arch, AARCH64.audit_arch, 0x40000003, 0x40000028, 0} - {
        kernel.calls.audit_arch
    }:
        assert kernel.number(kernel.calls.allowed["read"], arch=arch) == KILL
    assert kernel.number(0x40000000 | kernel.calls.allowed["read"]) == KILL
    assert kernel.number(-1) == KILL


@BOTH
def test_calls_that_their_arguments_decide(machine: str) -> None:
    kernel = Kernel(machine)
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x80):
        assert kernel("clone", flag | 17) == REFUSE
    assert kernel("clone", 0x3D0F00) == ALLOW
    assert (kernel("mmap", 0, 4096, 3, 0x22), kernel("mmap", 0, 4096, 3, 0x40022)) == (ALLOW, REFUSE)
    assert [kernel("personality", value) for value in (0, 0x40000, 0xFFFFFFFF, 0x400000, 8)] == [
        ALLOW, ALLOW, ALLOW, REFUSE, REFUSE
    ]  # fmt: skip
    assert [kernel("socketpair", family) for family in (1, 2, 10, 16)] == [ALLOW, REFUSE, REFUSE, REFUSE]
    assert [kernel("ioctl", 0, request) for request in (0x5401, 0x5412, 0x541C)] == [ALLOW, REFUSE, REFUSE]
    assert [kernel("fcntl", 0, request) for request in (3, 6, 8, 1024)] == [ALLOW, PRETEND, REFUSE, REFUSE]
    assert kernel("flock", 0, 2) == PRETEND
    assert [kernel("setpriority", 0, who) for who in (0, 1)] == [ALLOW, REFUSE]
    schedulers = [kernel("sched_setscheduler", *of) for of in ((0, 1), (5, 0), (5, 1))]
    assert schedulers == [ALLOW, ALLOW, REFUSE]


@BOTH
def test_only_the_keeper_sets_limits_and_only_what_is_counted_is_memory(machine: str) -> None:
    kernel = Kernel(machine)
    assert kernel("prlimit64", 0, 7, 0, 0) == ALLOW
    for wrong in (0, SECRET ^ 1, SECRET ^ (1 << 40), SECRET & 0xFFFFFFFF):
        assert kernel("prlimit64", 0, 7, 4096, 0, wrong) == REFUSE
        assert kernel("prlimit64", 0, 7, 1 << 40, 0, wrong) == REFUSE
    assert kernel("prlimit64", 0, 7, 4096, 0, SECRET) == ALLOW
    assert (kernel("memfd_create", 0, 0), kernel("memfd_create", 0, 4)) == (ALLOW, REFUSE)
    assert Kernel(machine, charged=False)("memfd_create", 0, 0) == ABSENT


def test_both_allow_the_same_calls_as_far_as_both_have_them() -> None:
    assert set(AARCH64.decided) == set(X86_64.decided)
    header = HEADERS["aarch64"]
    if not header.exists():
        pytest.skip("the headers of Linux are not installed")
    assert set(AARCH64.allowed) == set(X86_64.allowed) & set(dict(numbers(header)))


@BOTH
def test_numbers_are_those_of_the_headers_of_linux(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip("the headers of Linux are not installed")
    known = dict(numbers(header))
    table = TABLES[machine]
    for name, number in (*table.allowed.items(), *table.decided.items()):
        assert known[name] == number, name
    assert table.last_old == known["rseq"]


def numbers(header: Path) -> Iterator[tuple[str, int]]:
    for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()):
        yield {"fstatat": "newfstatat"}.get(name, name), int(number)


def test_a_machine_without_a_table_is_told_so() -> None:
    with pytest.raises(OSError, match="no system-call table for riscv64"):
        seccomp.program(SECRET, charged=True, machine="riscv64")
