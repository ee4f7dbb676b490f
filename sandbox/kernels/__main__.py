"""Boot another kernel with cgroup version 2 and run the sandbox's tests in it.

`python -m sandbox.kernels`, from the root of the repository.
"""

import argparse
import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sandbox.kernels import machine

_REPOSITORY = Path(__file__).resolve().parents[2]
_EXAMPLE = """example:
  uv run python -m sandbox.kernels
  uv run python -m sandbox.kernels --package linux-image-6.12.111+deb12-amd64_6.12.111-1~deb12u1_amd64.deb
  uv run python -m sandbox.kernels -- sandbox/tests/test_cgroups.py -k version_2
  uv run python -m sandbox.kernels --package linux-image-6.1.0-47-arm64_6.1.170-3_arm64.deb --root arm64 \
    -- sandbox/tests/test_run.py

Without --package the kernel is user-mode Linux (apt-get install user-mode-linux). With it the kernel and the
modules of a Debian package run in QEMU (apt-get install qemu-system-x86 busybox-static; apt-get download
linux-image-...-amd64, not the -cloud- one: it has no 9p). The host's files are seen read-only.

A kernel of another architecture (qemu-system-arm for arm64) needs a --root of that architecture, with what
the tests use in its /opt:
  mmdebstrap --arch=arm64 --variant=extract --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
    --include=dash,coreutils,mount,iproute2,busybox-static,python3,g++ bookworm arm64
  uv pip install --target arm64/opt --python-platform aarch64-unknown-linux-gnu --only-binary :all: \
    pytest pytest-asyncio pytest-timeout pytest-xdist hypothesis

Exit status: 0 the tests passed, 1 some failed, 2 they could not be run."""
_PASSED, _FAILED, _NOT_RUN = range(3)
_INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={packages}
mount -t proc proc /proc
mount -t sysfs sysfs /sys
{share}
for directory in /run /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs $directory; done
mkdir -p /dev/shm && mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t cgroup2 cgroup2 /sys/fs/cgroup
ip link set lo up 2> /dev/null
echo "Linux $(uname -r), controllers: $(cat /sys/fs/cgroup/cgroup.controllers)"
cd {repository}
{tests}
echo $? > /mnt/status
echo o > /proc/sysrq-trigger
sleep 60
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sandbox.kernels",
        description="Boot another kernel with cgroup version 2 and run the sandbox's tests in it.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--package", type=Path, help="Debian package of the kernel to boot in QEMU")
    parser.add_argument(
        "--root", type=Path, help="what a machine of another architecture sees at / (default: this machine's)"
    )
    parser.add_argument(
        "--kvm", action="store_true", help="let QEMU use KVM: many times faster where it works"
    )
    parser.add_argument("--minutes", type=float, default=40.0, help="give up after this long (default 40)")
    parser.add_argument(
        "--memory", type=int, default=2048, metavar="MB", help="of the machine (default 2048)"
    )
    parser.add_argument("tests", nargs="*", help="arguments for pytest (default: all tests of the sandbox)")
    arguments = parser.parse_args()
    try:
        return _boot(arguments)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        return _fail(f"the kernel cannot be booted: {error}")


def _boot(arguments: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="deepoj-kernel-") as name:
        shared = Path(name)
        init, status = shared / "init", shared / "status"
        booted = _machine(arguments, shared)
        init.write_text(_first_process(arguments, booted))
        init.chmod(0o755)
        started = time.monotonic()
        with _running(booted.argv, name) as process:
            try:
                process.wait(arguments.minutes * 60)
            except subprocess.TimeoutExpired:
                return _fail(
                    f"no end after {arguments.minutes:g} minutes; raise --minutes, or name fewer tests"
                )
        if not status.exists():
            return _fail("the machine ended before the tests did; its last lines are above")
        code = int(status.read_text())
        _say(f"pytest ended with {code} after {time.monotonic() - started:.0f} s")
        return {0: _PASSED, 1: _FAILED}.get(code, _NOT_RUN)


def _machine(arguments: argparse.Namespace, shared: Path) -> machine.Machine:
    if arguments.package:
        return machine.emulated(
            arguments.package,
            shared,
            arguments.memory,
            foreign=arguments.root and arguments.root.absolute(),
            repository=_REPOSITORY,
            kvm=arguments.kvm,
        )
    if arguments.root:
        raise ValueError("--root needs the --package of a kernel")
    return machine.user_mode(shared, arguments.memory)


def _first_process(arguments: argparse.Namespace, booted: machine.Machine) -> str:
    python, repository, packages = sys.executable, str(_REPOSITORY), ""
    if arguments.root:
        python, repository, packages = "/usr/bin/python3", "/srv", "/srv/sandbox/src:/opt"
    pytest = [python, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-ra"]
    tests = shlex.join([*pytest, *(arguments.tests or ["sandbox/tests"])])
    return _INIT.format(share=booted.share, repository=repository, packages=packages, tests=tests)


@contextlib.contextmanager
def _running(argv: list[str], scratch: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start the machine in a session of its own: user-mode Linux is many processes."""
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": scratch}, start_new_session=True
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _fail(line: str) -> int:
    _say(line)
    return _NOT_RUN


if __name__ == "__main__":
    raise SystemExit(main())
