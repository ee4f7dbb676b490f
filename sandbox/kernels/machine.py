"""Kernels that can be booted here: user-mode Linux, or one of a Debian package in QEMU."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sandbox.kernels import initramfs

# Each machine sees a root read-only at / and `shared` read-write at /mnt.
_UML_SHARE = "mount -t hostfs none /mnt -o {shared}"
_FOREIGN_SHARE = "mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,cache=loose,ro repository /srv"


@dataclass(frozen=True, slots=True)
class Machine:
    """A command line that boots, and what its first process must do to get at the shared directories."""

    argv: list[str]
    share: str


@dataclass(frozen=True, slots=True)
class _Emulator:
    argv: tuple[str, ...]
    console: str


# An own, cheap pointer authentication: the architecture's takes most of an emulated machine's time.
_EMULATORS = {
    "amd64": _Emulator(("qemu-system-x86_64", "-cpu", "max"), "ttyS0"),
    "arm64": _Emulator(("qemu-system-aarch64", "-M", "virt", "-cpu", "max,pauth-impdef=on"), "ttyAMA0"),
}


def user_mode(shared: Path, megabytes: int) -> Machine:
    console = ["con=null", "con0=null,fd:1", "ssl=null", "quiet"]
    root = ["rootfstype=hostfs", "rootflags=/", "ro", f"init={shared}/init"]
    return Machine(["linux.uml", f"mem={megabytes}M", *root, *console], _UML_SHARE.format(shared=shared))


def emulated(
    package: Path, shared: Path, megabytes: int, *, foreign: Path | None, repository: Path, kvm: bool
) -> Machine:
    """Unpack kernel and modules of `package` below `shared` and boot them.

    `foreign` is the root of another architecture; without it the machine sees the host's.
    """
    unpacked = shared / "package"
    subprocess.run(["dpkg", "-x", str(package), str(unpacked)], check=True)
    (kernel,) = (unpacked / "boot").glob("vmlinuz-*")
    first_root = shared / "initramfs"
    first_root.write_bytes(initramfs.build(unpacked / "lib/modules", _busybox(foreign)))
    emulator = _emulator(package)
    argv = [
        *emulator.argv,
        *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", "stdio"),
        *(("-accel", "kvm") if kvm else ("-accel", "tcg,thread=multi")),
        *("-smp", "2", "-m", str(megabytes)),
        *("-kernel", str(kernel), "-initrd", str(first_root)),
        *("-append", f"console={emulator.console} quiet panic=-1 cgroup_no_v1=all"),
        *_directory("host", foreign or Path("/"), "readonly=on,multidevs=remap"),
        *_directory("shared", shared, "multidevs=remap"),
    ]
    if foreign is None:
        return Machine(argv, "")
    for point in ("mnt", "srv", "opt"):
        (foreign / point).mkdir(exist_ok=True)
    return Machine(
        [*argv, *_directory("repository", repository, "readonly=on,multidevs=remap")], _FOREIGN_SHARE
    )


def _emulator(package: Path) -> _Emulator:
    asked = ["dpkg-deb", "--field", str(package), "Architecture"]
    architecture = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    if architecture not in _EMULATORS:
        raise ValueError(f"{package.name} is for {architecture}, not for {' or '.join(_EMULATORS)}")
    return _EMULATORS[architecture]


def _busybox(foreign: Path | None) -> Path:
    found = str(foreign / "bin/busybox") if foreign else shutil.which("busybox")
    if found is None or not Path(found).exists():
        raise FileNotFoundError(
            f"there is no {found or 'busybox on PATH'}: install the package busybox-static there"
        )
    return Path(found)


def _directory(tag: str, path: Path, options: str) -> tuple[str, ...]:
    source = f"local,id={tag},path={path},security_model=none,{options}"
    return ("-fsdev", source, "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}")
