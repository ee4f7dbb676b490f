"""Which isolation layers really hold: asked of a program inside a box, not of our own settings."""

import io
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deepoj_sandbox.cgroups.port import CgroupKind
from deepoj_sandbox.codec import Json
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import run
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.request import RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus

_NAMESPACES = ("mnt", "pid", "net", "ipc", "uts", "cgroup")
_PROBE = RunRequest(
    argv=("/bin/cat", "/proc/self/status", "/proc/self/limits"), limits=SandboxLimits(file_bytes=7 << 20)
)
_LINKS = RunRequest(argv=("/usr/bin/readlink", *(f"/proc/self/ns/{name}" for name in _NAMESPACES)))

_ROOT = RunRequest(argv=("/bin/ls", "/"))
_HOST_ONLY = {"boot", "home", "mnt", "root", "run", "srv", "sys"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """An own root, namespaces, seccomp and rlimits are required; the rest is said, and can be demanded."""

    namespaces: tuple[str, ...]
    user_namespace: bool
    root: bool
    seccomp: bool
    no_new_privileges: bool
    no_capabilities: bool
    rlimits: bool
    own_user: bool
    cgroup: str

    @property
    def sufficient(self) -> bool:
        """Enough to run untrusted code at all."""
        confined = self.seccomp and self.no_new_privileges and self.no_capabilities
        return set(self.namespaces) == set(_NAMESPACES) and confined and self.rlimits and self.root

    @property
    def degraded(self) -> tuple[str, ...]:
        missing = []
        if self.cgroup == CgroupKind.NONE:
            missing.append("no cgroup: memory and CPU are policed by polling")
        if not self.own_user:
            missing.append("rootless: every box runs as the agent's own user")
        return tuple(missing)

    def report(self) -> Json:
        return {
            "sufficient": self.sufficient,
            "degraded": list(self.degraded),
            "namespaces": list(self.namespaces),
            "user_namespace": self.user_namespace,
            "pivot_root": self.root,
            "seccomp": self.seccomp,
            "no_new_privileges": self.no_new_privileges,
            "no_capabilities": self.no_capabilities,
            "rlimits": self.rlimits,
            "own_user_per_box": self.own_user,
            "cgroup": self.cgroup,
        }


def probe(workshop: Workshop) -> Layers:
    """Run two small programs in a box and compare what they see with what we see."""
    box = workshop.make()
    try:
        status, links, listing = (_output(box, request) for request in (_PROBE, _LINKS, _ROOT))
    finally:
        box.close()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    words = {name: value.split() for name, value in fields.items()}
    inside = dict(zip(_NAMESPACES, links.split(), strict=False))
    rootless = os.geteuid() != 0
    return Layers(
        namespaces=tuple(name for name in _NAMESPACES if inside.get(name) != _own_namespace(name)),
        user_namespace=rootless,
        root=not set(listing.split()) & _HOST_ONLY,
        seccomp=words["Seccomp"] == ["2"],
        no_new_privileges=words["NoNewPrivs"] == ["1"],
        no_capabilities=_all_zero(words[name][0] for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")),
        rlimits=f"{7 << 20}" in status,
        own_user=not rootless and words["Uid"] == [str(box.user)] * 4,
        cgroup=workshop.cgroup.value,
    )


def _output(box: Box, request: RunRequest) -> str:
    output, errors = io.BytesIO(), io.BytesIO()
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    try:
        result = run(box, request, nothing, output, errors)
    finally:
        os.close(nothing)
    if result.status is not RunStatus.OK:
        raise SandboxError("probe box", 0, errors.getvalue().decode(errors="replace")[:200])
    return output.getvalue().decode()


def _own_namespace(name: str) -> str:
    return str(Path(f"/proc/self/ns/{name}").readlink())


def _all_zero(masks: Iterable[str]) -> bool:
    return all(int(mask, 16) == 0 for mask in masks)
