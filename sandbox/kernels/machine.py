"""Kernels that can be booted here: user-mode Linux, or one of a Debian package in QEMU."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from sandbox.kernels import initramfs

# Both see the host's files read-only at /, and `shared` read-write at /mnt.
_UML_SHARE = "mount -t hostfs none /mnt -o {shared}"
_QEMU_SHARE = "mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 shared /mnt"


@dataclass(frozen=True, slots=True)
class Machine:
    """A command line that boots, and what its first process must do to get at the shared directory."""

    argv: list[str]
    share: str


def user_mode(shared: Path, init: Path, megabytes: int) -> Machine:
    console = ["con=null", "con0=null,fd:1", "ssl=null", "quiet"]
    root = ["rootfstype=hostfs", "rootflags=/", "ro", f"init={init}"]
    return Machine(["linux.uml", f"mem={megabytes}M", *root, *console], _UML_SHARE.format(shared=shared))


def emulated(package: Path, shared: Path, init: Path, megabytes: int, *, kvm: bool) -> Machine:
    """Unpack kernel and modules of `package` below `shared` and boot them."""
    unpacked = shared / "package"
    subprocess.run(["dpkg", "-x", str(package), str(unpacked)], check=True)
    (kernel,) = (unpacked / "boot").glob("vmlinuz-*")
    first_root = shared / "initramfs"
    first_root.write_bytes(initramfs.build(unpacked / "lib/modules", str(init)))
    return Machine(
        [
            "qemu-system-x86_64",
            *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", "stdio"),
            *(("-accel", "kvm", "-cpu", "host") if kvm else ("-accel", "tcg,thread=multi", "-cpu", "max")),
            *("-smp", "2", "-m", str(megabytes)),
            *("-kernel", str(kernel), "-initrd", str(first_root)),
            *("-append", "console=ttyS0 quiet panic=-1 cgroup_no_v1=all"),
            *_directory("host", "/", "readonly=on,multidevs=remap"),
            *_directory("shared", str(shared), "multidevs=remap"),
        ],
        _QEMU_SHARE,
    )


def _directory(tag: str, path: str, options: str) -> tuple[str, ...]:
    source = f"local,id={tag},path={path},security_model=none,{options}"
    return ("-fsdev", source, "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}")
