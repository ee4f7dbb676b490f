"""A first root file system for a packaged kernel: what it takes to reach shared files, and no more."""

import gzip
import lzma
from pathlib import Path

# What QEMU's share of a directory needs; each brings what it depends on.
_WANTED = ("virtio_pci", "9pnet_virtio", "9p")
_INIT = """#!/bin/sh
for module in {modules}; do insmod /$module; done
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,cache=loose,ro host /host
mount -t devtmpfs dev /host/dev
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 shared /host/mnt
exec switch_root /host /mnt/init
"""
_BUSYBOX = ("sh", "insmod", "mount", "switch_root")


def build(modules: Path, busybox: Path) -> bytes:
    """Modules below `modules` in the order to load them, busybox, and a script that ends in /mnt/init."""
    ordered: dict[str, bytes] = {}
    for name in _WANTED:
        _add(name, modules, ordered)
    entries = [_entry(name, b"", 0o040755) for name in ("host", "bin")]
    entries += [_entry(f"{name}.ko", content, 0o100644) for name, content in ordered.items()]
    entries.append(_entry("bin/busybox", busybox.read_bytes(), 0o100755))
    entries += [_entry(f"bin/{name}", b"busybox", 0o120777) for name in _BUSYBOX]
    script = _INIT.format(modules=" ".join(f"{name}.ko" for name in ordered))
    entries.append(_entry("init", script.encode(), 0o100755))
    return gzip.compress(b"".join(entries) + _entry("TRAILER!!!", b"", 0))


def _add(name: str, modules: Path, ordered: dict[str, bytes]) -> None:
    """Put a module after those it names itself; one that is not there is part of the kernel."""
    found = [path for path in modules.rglob("*.ko*") if path.name.split(".")[0].replace("-", "_") == name]
    if name in ordered or not found:
        return
    content = found[0].read_bytes()
    if found[0].suffix == ".xz":
        content = lzma.decompress(content)
    needs = content.partition(b"\0depends=")[2].partition(b"\0")[0].decode()
    for need in filter(None, needs.split(",")):
        _add(need.replace("-", "_"), modules, ordered)
    ordered[name] = content


def _entry(name: str, content: bytes, mode: int) -> bytes:
    """One file of a cpio archive as the kernel reads it."""
    path = name.encode() + b"\0"
    numbers = (0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(path), 0)
    head = b"070701" + b"".join(b"%08X" % number for number in numbers) + path
    return _padded(head) + _padded(content)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
